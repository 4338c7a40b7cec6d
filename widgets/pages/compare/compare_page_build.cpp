// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of the page, what they are connected to, and which of its faces is shown.
#include "core/base/clock.h"
#include "widgets/models/library_rights.h"
#include "widgets/pages/compare/compare_page_impl.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"
#include "widgets/style/wheel_guard.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <chrono>

namespace accumulus::ui {

namespace {

using namespace std::chrono_literals;
constexpr auto kRefreshInterval = 1s; // while a study trains, its rows arrive four times a second
constexpr auto kToastTime = 10s;

/// With the margins of the page around it.
QWidget* framed(QWidget* content, QWidget* parent) {
    auto* frame = new QWidget(parent);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(space::pageMargin, 0, space::pageMargin, space::pageMargin);
    column->addWidget(content);
    return frame;
}

} // namespace

void ComparePage::Impl::build() {
    const Theme& theme = services.theme;
    notice = new NoticeBar(theme, &page);
    notice->setObjectName(QStringLiteral("compare.notice"));
    banner = new NoticeBar(theme, &page);
    banner->setObjectName(QStringLiteral("compare.banner"));
    marginBar = new NoticeBar(theme, &page);
    marginBar->setObjectName(QStringLiteral("compare.savedMargin"));
    toast = new NoticeBar(theme, &page);
    toast->setObjectName(QStringLiteral("compare.toast"));
    view = new CompareView(theme, &page);
    empty = new EmptyState(theme, {}, {}, {}, &page);
    empty->setObjectName(QStringLiteral("compare.empty"));
    editor = new GroupEditor(theme, &page);
    saved = new SavedList(theme, &page);
    stack = new QStackedWidget(&page);
    stack->addWidget(empty);
    stack->addWidget(view);
    stack->addWidget(framed(editor, &page));
    stack->addWidget(framed(saved, &page));
    fields = new CompareFields(theme, &page);

    auto* head = new QVBoxLayout;
    head->setContentsMargins(space::pageMargin, space::pageMargin, space::pageMargin, space::m);
    head->setSpacing(space::m);
    head->addLayout(buildTitle());
    head->addWidget(fields);
    for (NoticeBar* bar : {notice, banner, marginBar, toast})
        head->addWidget(bar);
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(stack, 1);

    auto* guard = new WheelGuard(&page);
    guard->guard(page.findChild<QWidget*>(QStringLiteral("compare.margin")));
    refresh.setSingleShot(true);
    refresh.setInterval(kRefreshInterval);
    toastEnd.setSingleShot(true);
    toastEnd.setInterval(kToastTime);
    showFace();
}

QLayout* ComparePage::Impl::buildTitle() {
    const Theme& theme = services.theme;
    const auto button = [this](const QString& text, const char* name, const QString& tip) {
        auto* made = new QPushButton(text, &page);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        return made;
    };
    savedButton = button(tr("Save&d"), "compare.saved", tr("Saved comparisons: open, rename, delete"));
    saveButton = button(tr("Save"), "compare.save", {}); // updateButtons() says what it does, or why it cannot
    runsButton = button(tr("&Choose runs"), "compare.editGroups",
                        tr("Puts runs of the library into the groups and takes them out"));
    swapArms = button(tr("S&wap arms"), "compare.swap", tr("Swaps A and B; every difference changes its sign"));
    savedButton->setCheckable(true);
    runsButton->setCheckable(true);
    report = primaryButton(theme, tr("Rep&ort…"), &page);
    report->setObjectName(QStringLiteral("compare.report"));
    const auto recolor = [this] {
        const QColor color = services.theme.colors().text;
        savedButton->setIcon(icon(QStringLiteral("folder"), color));
        saveButton->setIcon(icon(QStringLiteral("save"), color));
        runsButton->setIcon(icon(QStringLiteral("edit"), color));
        swapArms->setIcon(icon(QStringLiteral("swap"), color));
    };
    QObject::connect(&theme, &Theme::changed, swapArms, recolor);
    recolor();
    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    row->addWidget(new RoleLabel(theme, TextRole::PageTitle, tr("Compare"), &page));
    row->addStretch(1);
    for (QPushButton* one : {savedButton, saveButton, runsButton, swapArms, report})
        row->addWidget(one);
    return row;
}

void ComparePage::Impl::connectAll() {
    connect(&library(), &LibraryGateway::opened, &page, [this] { libraryOpened(); });
    connect(&library(), &LibraryGateway::awaiting, &page, [this] { updateButtons(); });
    connect(&library(), &LibraryGateway::openFailed, &page, [this] { updateButtons(); });
    connect(&library(), &LibraryGateway::changed, &page, [this] { libraryChanged(); });
    connect(&library(), &LibraryGateway::written, &page, &Page::historyChanged);
    connect(&library(), &LibraryGateway::written, &page, [this] { readRuns(); });
    connect(&history(), &CompareHistory::changed, &page, &Page::historyChanged);
    connect(&refresh, &QTimer::timeout, &page, [this] {
        takeMoreSeeds();
        loadChoices();
        loadSaved();
        if (runsButton->isChecked())
            loadRuns();
        if (shown && shown->live)
            load();
        else
            readRuns();
    });
    connectFields();
    connectParts();
}

void ComparePage::Impl::connectFields() {
    connect(fields, &CompareFields::pairChosen, &page,
            [this](const QStringList& a, const QStringList& b) { choose(a, b); });
    connect(fields, &CompareFields::metricChosen, &page, [this](const QString& metric) {
        request.metric = metric;
        request.margin.reset(); // a margin belongs to its metric
        savedMargin = 0.0;
        request.together.removeAll(metric);
        load();
    });
    connect(fields, &CompareFields::togetherChosen, &page, [this](const QStringList& metrics) {
        request.together = metrics;
        load();
    });
    ComparePlotControls& controls = view->plots().controls();
    connect(&controls, &ComparePlotControls::axisChosen, &page, [this](CurveAxis axis) {
        request.axis = axis;
        load();
    });
    connect(&controls, &ComparePlotControls::bandChosen, &page, [this](BandKind band) {
        request.band = band;
        load();
    });
    connect(&controls, &ComparePlotControls::smoothingChosen, &page, [this](const CurveSmoothing& smoothing) {
        request.lossSmoothing = smoothing;
        load();
    });
    VerdictCard& verdict = view->verdict();
    connect(&verdict, &VerdictCard::marginEdited, &page, [this](double margin) {
        request.margin = margin;
        request.marginSetAt = unixTime();
        load();
    });
    connect(&verdict, &VerdictCard::marginReset, &page, [this] {
        request.margin.reset();
        load();
    });
    connect(&verdict, &VerdictCard::moreSeedsRequested, &page, [this] { askForSeeds(); });
    const auto sayNotWritten = [this](const QString& file) {
        notice->showNotice(NoticeLevel::Error, tr("%1 could not be written.").arg(file));
    };
    connect(&verdict, &VerdictCard::exportFailed, &page, sayNotWritten);
    connect(&view->settings().plot(), &SettingsPlot::exportFailed, &page, sayNotWritten);
}

void ComparePage::Impl::connectParts() {
    connect(swapArms, &QPushButton::clicked, &page, [this] { swap(); });
    connect(report, &QPushButton::clicked, &page, [this] { Q_EMIT page.reportRequested(shownRequest); });
    connect(saveButton, &QPushButton::clicked, &page, [this] { save(); });
    connect(savedButton, &QPushButton::toggled, &page, [this](bool on) {
        if (on)
            runsButton->setChecked(false);
        showFace();
        if (on)
            saved->focusTable();
    });
    connect(runsButton, &QPushButton::toggled, &page, [this](bool on) {
        if (on) {
            savedButton->setChecked(false);
            loadRuns();
        }
        showFace();
        if (on)
            editor->focusFilter();
    });
    connect(editor, &GroupEditor::groupsChanged, &page, [this](const QList<QStringList>& groups) {
        changeGroups(tr("Change the groups"), groups, request.reference);
    });
    connect(editor, &GroupEditor::groupRequested, &page, [this] { addGroup({}); });
    connect(&view->groups(), &CompareGroups::addRequested, &page, [this](const QStringList& runs) { addGroup(runs); });
    connect(&view->groups(), &CompareGroups::removeRequested, &page, [this](std::size_t group) { removeGroup(group); });
    connect(&view->groups(), &CompareGroups::referenceChosen, &page,
            [this](std::size_t group) { chooseReference(group); });
    connect(view, &CompareView::memberChosen, &page, [this](std::size_t chosen) {
        if (!shown || chosen == member || chosen >= shown->family.members.size())
            return;
        member = chosen;
        view->showMember(*shown, member);
    });
    connect(view, &CompareView::runChosen, &page, [this](const QString& run) {
        chosenRun = run;
        Q_EMIT page.inspectedRunChanged();
    });
    connect(editor, &GroupEditor::done, runsButton, [this] { runsButton->setChecked(false); });
    connect(saved, &SavedList::openRequested, &page, [this](const ComparisonRecord& record) { open(record); });
    connect(saved, &SavedList::renameRequested, &page,
            [this](const ComparisonRecord& record, const QString& name) { rename(record, name); });
    connect(saved, &SavedList::removeRequested, &page, [this](const ComparisonRecord& record) { remove(record); });
    connect(marginBar, &NoticeBar::actionTriggered, &page, [this] {
        request.margin = savedMargin;
        request.marginSetAt = savedMarginSetAt > 0.0 ? savedMarginSetAt : unixTime();
        load();
    });
    connectToast();
    connect(&toastEnd, &QTimer::timeout, toast, &NoticeBar::clear);
    connect(empty, &EmptyState::actionTriggered, &page, [this] {
        if (choices.empty()) {
            Q_EMIT page.setupRequested();
        } else {
            fields->focusPairs(); // the button goes; the pair that was taken stands there, and the others
            choose(choices.front().groupA, choices.front().groupB);
        }
    });
}

/// It goes where what it would undo is no more the last of its kind.
void ComparePage::Impl::connectToast() {
    connect(toast, &NoticeBar::actionTriggered, &page, [this] {
        toast->clear();
        if (toastOfLibrary)
            edits().stack().undo();
        else
            undoOrRedo(false);
    });
    connect(&edits().stack(), &QUndoStack::indexChanged, toast, [this] {
        if (toastOfLibrary)
            toast->clear();
    });
    connect(&history(), &CompareHistory::changed, toast, [this] {
        if (!toastOfLibrary)
            toast->clear();
    });
}

/// What is still being read can neither be saved nor reported.
void ComparePage::Impl::updateButtons() {
    const QString noWriting = whyNoWriting(library());
    saveButton->setEnabled(isCurrent() && library().isOpen() && noWriting.isEmpty());
    saveButton->setToolTip(noWriting.isEmpty() ? ComparePage::tr("Keeps the groups, the metric, the margin and when it "
                                                                 "was set, the x axis, the band and the smoothing")
                                               : noWriting);
    saveButton->setAccessibleDescription(noWriting);
    report->setEnabled(isCurrent());
    view->verdict().setMoreSeedsBlocked(noWriting);
    tellGroups();
}

/// One of: runs of the groups, saved comparisons, the comparison, nothing yet.
void ComparePage::Impl::showFace() {
    const bool nothing = !shown || !hasGroups();
    const QWidget* face = runsButton->isChecked()    ? static_cast<QWidget*>(editor)
                          : savedButton->isChecked() ? static_cast<QWidget*>(saved)
                          : nothing                  ? static_cast<QWidget*>(empty)
                                                     : view;
    for (int i = 0; i < stack->count(); ++i)
        if (QWidget* one = stack->widget(i); one == face || one->isAncestorOf(face))
            stack->setCurrentWidget(one);
    const bool writable = library().isOpen() && !library().readOnly();
    saved->setWritable(writable);
    savedButton->setText(saved->records().empty() ? tr("Save&d") : tr("Save&d (%1)").arg(saved->records().size()));
    runsButton->setEnabled(library().isOpen());
    swapArms->setEnabled(!nothing && request.further.isEmpty()); // of more, the reference is chosen
    updateButtons();
    fields->setVisible(!nothing || !choices.empty());
    fields->setComparing(!nothing);
    if (!nothing)
        return;
    clearBars();
    const QString title = tr("Nothing is compared yet");
    if (choicesRead && choices.empty())
        empty->setTexts(title,
                        tr("Choose one accumulated and one large-batch group. The library has no such pair yet. To "
                           "create one, turn "
                           "on “Also run the large batch” in Set up."),
                        tr("Set up a run"));
    else
        empty->setTexts(
            title,
            tr("Choose one accumulated and one large-batch group. Their curves, the difference of each pair and a "
               "verdict appear here."),
            choices.empty() ? QString() : tr("Suggest pairs (%1 found)").arg(choices.size()));
}

} // namespace accumulus::ui

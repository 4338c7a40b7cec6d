// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/compare_page.h"

#include "widgets/models/comparison_text.h"
#include "widgets/models/saved_comparisons.h"
#include "widgets/pages/button_action.h"
#include "widgets/pages/compare/compare_page_impl.h"
#include "widgets/style/format.h"

#include <QKeyEvent>
#include <QPushButton>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

namespace {
/// "A: 0.1, B: 0.2".
QString valuesOf(const DifferenceRow& row) {
    QStringList values;
    for (const QString& value : row.values())
        values << QStringLiteral("%1: %2").arg(comparison_text::groupLetter(static_cast<std::size_t>(values.size())),
                                               value);
    return values.join(QStringLiteral(", "));
}

/// Other groups: metrics and margin were chosen for those before. How curves are drawn stays.
ComparisonRequest askingAnew(ComparisonRequest request, const QList<QStringList>& groups) {
    request.setGroups(groups, 1);
    request.metric.clear();
    request.together.clear();
    request.margin.reset();
    request.marginSetAt = 0.0;
    return request;
}
} // namespace

void ComparePage::Impl::libraryOpened() {
    request = askingAnew(request, {});
    choices.clear();
    choicesRead = false;
    fields->clearChoices();
    saved->setRecords({});
    shown.reset();
    member = 0;
    savedMargin = savedMarginSetAt = 0.0;
    restoreLast();
    showFace();
    if (page.isVisible()) // else once it is shown: other pages wait for their answers
        page.activated();
}

void ComparePage::Impl::libraryChanged() {
    // Rate-limited: the first change starts the interval, further ones fall into it. A hidden page reads again when it
    // is shown.
    if (page.isVisible() && !refresh.isActive())
        refresh.start();
}

void ComparePage::Impl::loadChoices() {
    if (!library().isOpen())
        return;
    library().query<Result<std::vector<PairChoice>>>(
        &page, QStringLiteral("compare.choices"), [](RunReader& reader) { return loadPairChoices(reader); },
        [this](Result<std::vector<PairChoice>> loaded) { showChoices(std::move(loaded)); });
}

void ComparePage::Impl::showChoices(Result<std::vector<PairChoice>> loaded) {
    if (!loaded) {
        notice->showNotice(NoticeLevel::Error, format::error(loaded.error()));
        return;
    }
    if (!fields->setChoices(*loaded, request)) { // somebody is choosing
        refresh.start();
        return;
    }
    choices = std::move(*loaded);
    choicesRead = true;
    showSuggestions();
    showFace();
}

void ComparePage::Impl::choose(const QStringList& a, const QStringList& b) {
    if (request.groups() == QList<QStringList>{a, b})
        return compareAgain(request);
    change(tr("Compare a pair"), {askingAnew(request, {a, b})}, true);
}

void ComparePage::Impl::compareAgain(const ComparisonRequest& wanted) {
    if (wanted.groups() != request.groups() || wanted.reference != request.reference)
        member = 0;
    request = wanted;
    restored = false;
    editor->setGroups(request.groups());
    load();
    loadChoices();
}

void ComparePage::Impl::load() {
    tellGroups();
    if (!hasGroups() || !library().isOpen())
        return;
    read(!shown || request.groups() != shownRequest.groups() || request.axis != shownRequest.axis);
    updateButtons();
}

void ComparePage::Impl::read(bool outline) {
    library().query<Result<LoadedComparison>>(
        &page, QStringLiteral("compare.load"),
        [wanted = request, outline](RunReader& reader) { return loadComparisonView(reader, wanted, outline); },
        [this, wanted = request](Result<LoadedComparison> loaded) { show(std::move(loaded), wanted); },
        [this](const Error& error) {
            if (error.code != "library.cancelled") // else another request, or another library, has taken its place
                showFailure(error);
        });
}

void ComparePage::Impl::show(Result<LoadedComparison> loaded, const ComparisonRequest& wanted) {
    if (!hasGroups())
        return; // taken out meanwhile
    if (!loaded)
        return showFailure(loaded.error());
    restored = false;
    notice->clear();
    shown = std::move(*loaded);
    shownRequest = wanted;
    leftOut.reset();
    rememberLast(library().path(), wanted);
    present();
    showBanner();
    showSavedMargin();
    if (isCurrent() && isOutlined(shown->input))
        read(false);
}

/// What is on screen stays, and is asked for again.
void ComparePage::Impl::showFailure(const Error& error) {
    if (std::exchange(restored, false)) { // of the last session nothing may be left
        request = askingAnew(request, {});
        showFace();
        return;
    }
    notice->showNotice(NoticeLevel::Error, format::error(error));
    if (!shown || request == shownRequest)
        return;
    request = shownRequest;
    present();
    loadChoices();
}

void ComparePage::Impl::present() {
    fields->setMetrics(shown->input, shown->comparison.metric, request.together);
    fields->setVerdict(shownRequest.groups(), shown->comparison.test.verdict);
    member = std::min(member, shown->family.members.size() - 1);
    view->setComparison(*shown, request.band, request.lossSmoothing, member);
    showSuggestions();
    editor->setGroups(request.groups());
    editor->setLeftOut(view->groups().leftOut());
    showFace();
}

void ComparePage::Impl::showBanner() {
    QStringList unexpected;
    QStringList mixed;
    for (const DifferenceRow& row : differenceRows(shown->input)) {
        if (row.kind == DifferenceKind::Unexpected)
            unexpected << tr("%1 (%2)", "setting, its value in each group").arg(row.title(), valuesOf(row));
        else if (row.kind == DifferenceKind::Mixed)
            mixed << row.title();
    }
    QStringList sentences;
    if (!unexpected.isEmpty())
        sentences << tr("The groups differ in more than accumulation: %1.").arg(unexpected.join(QStringLiteral(", ")));
    if (!mixed.isEmpty())
        sentences << tr("Inside a group the runs differ in: %1.").arg(mixed.join(QStringLiteral(", ")));
    if (shown->input.seedsAddedAfterResults)
        sentences << format::message({"warning.seeds-late", {}});
    const QString text = sentences.join(QLatin1Char(' '));
    if (text == bannerText)
        return; // a bar that was closed stays closed until something else is wrong
    bannerText = text;
    if (text.isEmpty())
        banner->clear();
    else
        banner->showNotice(NoticeLevel::Warning, text);
}

void ComparePage::Impl::swap() {
    Compared swapped = now();
    std::swap(swapped.request.groupA, swapped.request.groupB);
    change(tr("Swap the groups"), swapped, false);
}

void ComparePage::Impl::loadRuns() {
    library().query<Result<std::vector<RunRecord>>>(
        &page, QStringLiteral("compare.runs"), [](RunReader& reader) { return reader.runs(); },
        [this](Result<std::vector<RunRecord>> runs) {
            if (!runs) {
                notice->showNotice(NoticeLevel::Error, format::error(runs.error()));
                return;
            }
            editor->setRuns(std::move(*runs));
            editor->setGroups(request.groups());
        });
}

void ComparePage::Impl::compareStudy(const QString& study) {
    library().query<Result<SeedArms>>(
        &page, QStringLiteral("compare.study"), [study](RunReader& reader) { return loadSeedArms(reader, study); },
        [this, study](Result<SeedArms> arms) {
            if (!arms) {
                notice->showNotice(NoticeLevel::Error, format::error(arms.error()));
            } else if (arms->all.groupA.isEmpty() || arms->all.groupB.isEmpty()) {
                notice->showNotice(NoticeLevel::Info, tr("The study “%1” has runs of one arm only, the Trash not "
                                                         "counted: there is nothing to compare them with.")
                                                          .arg(arms->all.title));
            } else {
                const auto asking = seeds().take(study);
                if (!asking || !takeSeeds(*arms, *asking))
                    choose(arms->all.groupA, arms->all.groupB);
            }
        });
}

void ComparePage::Impl::showSuggestions() { view->groups().setSuggestions(choices, request.groups()); }

/// Once runs of the seeds that were asked for are in the library, they are compared together with the others.
void ComparePage::Impl::takeMoreSeeds() {
    for (const QString& study : seeds().studies())
        takeSeedsOf(study);
}

void ComparePage::Impl::takeSeedsOf(const QString& study) {
    library().query<Result<SeedArms>>(
        &page, QStringLiteral("compare.moreSeeds.") + study,
        [study](RunReader& reader) { return loadSeedArms(reader, study); },
        [this, study](Result<SeedArms> arms) {
            if (!arms && arms.error().code != "library.no-study")
                return; // asked for again
            // A study that has begun has all of its runs in the library: an arm that it lacks does not come any more.
            const auto asking = seeds().take(study);
            if (asking && arms && !arms->own.groupA.isEmpty() && !arms->own.groupB.isEmpty())
                takeSeeds(*arms, *asking);
        });
}

ComparePage::ComparePage(Services services, QWidget* parent)
    : Page(parent), m_impl(std::make_unique<Impl>(*this, services)) {
    setObjectName(QStringLiteral("compare"));
    setAccessibleName(tr("Compare"));
    m_impl->build();
    m_impl->connectAll();
    if (services.library.isOpen())
        m_impl->libraryOpened();
    m_menus.file << pressing(*this, "compare.save", tr("Save comparison"))
                 << pressing(*this, "compare.report", tr("Report of the comparison…"));
    m_menus.edit << pressing(*this, "compare.swap", tr("Swap the arms compared"))
                 << pressing(*this, "compare.marginReset", tr("Use the margin set before"));
    m_menus.runs << pressing(*this, "compare.moreSeeds", tr("Add 3 seeds to what is compared"));
    m_menus.view << pressing(*this, "compare.saved", tr("Saved comparisons"))
                 << pressing(*this, "compare.editGroups", tr("Choose the runs compared"));
}

ComparePage::~ComparePage() = default;

void ComparePage::activated() {
    m_impl->takeMoreSeeds();
    m_impl->loadChoices();
    m_impl->loadSaved();
    m_impl->load();
}

bool ComparePage::canUndo() const { return m_impl->nextStep(false) != nullptr; }

bool ComparePage::canRedo() const { return m_impl->nextStep(true) != nullptr; }

QString ComparePage::undoText() const {
    const auto* step = m_impl->nextStep(false);
    return step ? step->text : QString();
}

QString ComparePage::redoText() const {
    const auto* step = m_impl->nextStep(true);
    return step ? step->text : QString();
}

void ComparePage::undo() { m_impl->undoOrRedo(false); }

void ComparePage::redo() { m_impl->undoOrRedo(true); }

ComparisonRequest ComparePage::request() const { return m_impl->request; }

QVariant ComparePage::state() const {
    return QVariant::fromValue(ComparePageState{request(), m_impl->view->look(), m_impl->savedButton->isChecked(),
                                                m_impl->runsButton->isChecked(), m_impl->member, m_impl->chosenRun});
}

void ComparePage::setState(const QVariant& state) {
    const auto kept = state.value<ComparePageState>();
    m_impl->view->setLook(kept.look);
    m_impl->savedButton->setChecked(kept.savedShown);
    m_impl->runsButton->setChecked(kept.runsShown && m_impl->library().isOpen());
    compare(kept.request);
    m_impl->member = kept.member; // of what is on its way
    m_impl->chosenRun = kept.run;
    m_impl->view->chooseRun(kept.run);
    Q_EMIT inspectedRunChanged();
}

void ComparePage::compare(const ComparisonRequest& wanted) { m_impl->compareAgain(wanted); }

void ComparePage::compareStudy(const QString& study) {
    m_impl->savedButton->setChecked(false);
    m_impl->runsButton->setChecked(false);
    m_impl->compareStudy(study);
}

void ComparePage::addGroup(const QStringList& runs) {
    m_impl->savedButton->setChecked(false);
    m_impl->runsButton->setChecked(false);
    m_impl->addGroup(runs);
}

std::optional<QString> ComparePage::inspectedRun() const {
    const QList<QStringList> groups = comparedGroups();
    const bool compared =
        std::ranges::any_of(groups, [this](const QStringList& group) { return group.contains(m_impl->chosenRun); });
    return compared ? m_impl->chosenRun : QString();
}

QList<QStringList> ComparePage::comparedGroups() const {
    return m_impl->hasGroups() ? m_impl->request.groups() : QList<QStringList>();
}

void ComparePage::keyPressEvent(QKeyEvent* event) {
    // Plots do not use these two and pass them on.
    const bool plain = event->modifiers() == Qt::NoModifier && m_impl->stack->currentWidget() == m_impl->view;
    if (plain && event->key() == Qt::Key_X)
        m_impl->view->plots().controls().cycleAxis();
    else if (plain && event->key() == Qt::Key_S)
        m_impl->view->plots().controls().focusSmoothing();
    else
        Page::keyPressEvent(event);
}

void ComparePage::compareGroups(const QStringList& groupA, const QStringList& groupB) {
    m_impl->savedButton->setChecked(false);
    m_impl->runsButton->setChecked(false);
    m_impl->choose(groupA, groupB);
}

} // namespace accumulus::ui

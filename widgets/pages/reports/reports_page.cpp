// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/reports/reports_page.h"

#include "widgets/pages/button_action.h"
#include "widgets/pages/reports/reports_page_impl.h"
#include "widgets/plots/verdict_mark.h"
#include "widgets/style/format.h"
#include "widgets/style/save_dialog.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStandardPaths>
#include <algorithm>
#include <utility>

namespace accumulus::ui {
namespace {

const QString folderKey = QStringLiteral("reports/folder"); ///< of the report that was saved last

/// What the page of another language takes over.
struct KeptReport {
    std::optional<ReportSubject> subject;
    std::optional<SavedReport> told; ///< in the notice bar
    std::optional<ReportKind> kind;  ///< where a person has chosen it
};

Result<LoadedReport> loadWithBasis(RunReader& reader, const ReportSubject& subject, const QString& language) {
    ReportBasis basis = loadReportBasis(reader, subject); // first: what changes meanwhile is read again
    ACCUMULUS_TRY_ASSIGN(auto document, loadReport(reader, subject, language));
    return LoadedReport{std::move(document), std::move(basis)};
}

/// In the list: the title, and below it what tells it apart.
QString textOf(const ReportSubject& subject) {
    return subject.details.isEmpty() ? subject.title : subject.title + QLatin1Char('\n') + subject.details;
}

} // namespace

void ReportsPage::Impl::loadSubjects(bool anew) {
    if (!services.library.isOpen())
        return;
    // Beside what was chosen a kind may have nothing; where nobody has chosen, any kind that has something is better.
    const bool any = !ofKind && (!wanted || (anew && automatic));
    services.library.query<Result<ReportList>>(
        &page, QStringLiteral("reports.subjects"),
        [any, first = any && automatic ? ReportKind::Comparison : kind()](RunReader& reader) -> Result<ReportList> {
            if (any)
                return loadReportList(reader, first);
            ACCUMULUS_TRY_ASSIGN(auto loaded, loadReportSubjects(reader, first));
            return ReportList{first, std::move(loaded)};
        },
        [this](Result<ReportList> loaded) {
            if (loaded)
                show(std::move(*loaded));
            else
                notice->showNotice(NoticeLevel::Error, format::error(loaded.error()));
        });
}

void ReportsPage::Impl::show(ReportList loaded) {
    if (ofKind && loaded.kind != kind())
        return loadSubjects();
    if (wanted && loaded.kind != kind()) {
        if (!automatic) // somebody has chosen meanwhile
            return loadSubjects();
        wanted.reset();
        if (loaded.subjects.empty()) // what was shown has gone, and nothing is left
            close();
    }
    chooseKind(loaded.kind);
    showSubjects(std::move(loaded.subjects));
}

void ReportsPage::Impl::chooseKind(ReportKind chosen) {
    const QSignalBlocker quiet(kindBox);
    kindBox->setCurrentIndex(static_cast<int>(chosen));
}

void ReportsPage::Impl::showSubjects(std::vector<ReportSubject> loaded) {
    subjectsRead = true;
    // Groups that were chosen by hand are no suggestion, but stay in the list while they are shown.
    const bool belongs = wanted && wanted->kind() == kind();
    if (belongs && std::none_of(loaded.begin(), loaded.end(), [this](const auto& one) { return wanted->sameAs(one); }))
        loaded.insert(loaded.begin(), *wanted);
    // A study that trains announces itself every second: what stays as it is keeps its place.
    if (std::ranges::equal(loaded, subjects,
                           [](const ReportSubject& a, const ReportSubject& b) {
                               return textOf(a) == textOf(b) && a.verdict == b.verdict && a.sameAs(b);
                           }) &&
        (isMarked() || !filter->text().isEmpty())) { // the filter may hide what is shown
        showState();
        return;
    }
    subjects = std::move(loaded);
    fillList();
    showState();
}

bool ReportsPage::Impl::isMarked() const {
    const QListWidgetItem* item = list->currentItem();
    const std::size_t index = item ? item->data(Qt::UserRole).value<std::size_t>() : subjects.size();
    return index < subjects.size() ? wanted && wanted->sameAs(subjects[index]) : !wanted && subjects.empty();
}

void ReportsPage::Impl::fillList() {
    const QSignalBlocker quiet(list);
    const int scrolled = list->verticalScrollBar()->value();
    const QListWidgetItem* before = list->currentItem();
    const QString current = before ? before->text() : QString();
    list->clear();
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        const QString text = textOf(subjects[i]);
        if (!text.contains(filter->text(), Qt::CaseInsensitive))
            continue;
        auto* item = new QListWidgetItem(text, list);
        item->setData(Qt::UserRole, QVariant::fromValue(i));
        item->setToolTip(text);
        if (wanted && wanted->sameAs(subjects[i]))
            list->setCurrentItem(item);
    }
    showVerdicts();
    // What is being read stays where it is, unless another one has been chosen.
    if (const QListWidgetItem* now = list->currentItem(); now && now->text() == current) {
        list->doItemsLayout(); // else it has no range yet
        list->verticalScrollBar()->setValue(scrolled);
    }
    if (!wanted && list->count() > 0) { // the newest one, so that the page is never blank
        list->setCurrentRow(0);
        automatic = !ofKind;
        open(subjects[list->item(0)->data(Qt::UserRole).value<std::size_t>()]);
    }
}

void ReportsPage::Impl::showVerdicts() {
    for (int row = 0; row < list->count(); ++row) {
        QListWidgetItem* item = list->item(row);
        if (const auto verdict = subjects[item->data(Qt::UserRole).value<std::size_t>()].verdict)
            item->setIcon(verdictIcon(services.theme.colors(), *verdict));
    }
}

void ReportsPage::Impl::open(const ReportSubject& subject) {
    wanted = subject;
    Q_EMIT page.inspectedRunChanged();
    loading = true; // the preview stays, but is not what is chosen
    showState();
    services.library.query<Result<LoadedReport>>(
        &page, QStringLiteral("reports.load"),
        [subject, language = languageBox->currentData().toString()](RunReader& reader) {
            return loadWithBasis(reader, subject, language);
        },
        [this](Result<LoadedReport> loaded) { show(std::move(loaded)); },
        [this](const Error& error) {
            if (error.code != "library.cancelled") // another one is on its way
                show(failure(error));
        });
}

/// Notes are edited, and runs go on, while their report is shown. `blocks`: nothing is saved until it is known.
void ReportsPage::Impl::readAgain(bool blocks) {
    if (!wanted || !document || loading || !services.library.isOpen())
        return;
    loading = blocks;
    showState();
    services.library.query<std::optional<Result<LoadedReport>>>(
        &page, QStringLiteral("reports.load"), // a report that is chosen meanwhile takes its place
        [subject = *wanted, before = basis, language = languageBox->currentData().toString()](RunReader& reader) {
            const bool same = loadReportBasis(reader, subject) == before;
            return same ? std::nullopt : std::optional(loadWithBasis(reader, subject, language));
        },
        [this](std::optional<Result<LoadedReport>> loaded) {
            loading = false;
            if (!loaded || !*loaded) // what is shown can still be saved
                return showState();
            keepsNotice = true;
            show(std::move(*loaded));
        },
        [this](const Error& error) {
            if (error.code == "library.cancelled") // a report that was chosen is on its way
                return;
            loading = false;
            showState();
        });
}

void ReportsPage::Impl::close() {
    wanted.reset();
    loading = false;
    document.reset();
    preview->clear();
}

/// A report of another kind is not what the list, and the buttons that save, are about.
void ReportsPage::Impl::kindChosen() {
    automatic = false;
    ofKind = true;
    if (wanted && wanted->kind() != kind()) {
        close();
        Q_EMIT page.inspectedRunChanged();
        subjects.clear();
        fillList();
        subjectsRead = false;
        showState();
    }
    loadSubjects();
}

/// Opens it and lists its kind.
void ReportsPage::Impl::showSubject(const ReportSubject& subject) {
    automatic = false;
    ofKind = false;
    open(subject);
    chooseKind(subject.kind());
    loadSubjects();
}

void ReportsPage::Impl::show(Result<LoadedReport> loaded) {
    if (!wanted)
        return; // closed meanwhile
    loading = false;
    if (!loaded) {
        document.reset();
        preview->clear();
        showState();
        notice->showNotice(NoticeLevel::Error, format::error(loaded.error()));
        return;
    }
    if (!std::exchange(keepsNotice, false)) {
        notice->clear();
        told.reset();
    }
    document = std::move(loaded->document);
    basis = std::move(loaded->basis);
    if (wanted->kind() == ReportKind::Run && !basis.runs.empty())
        wanted = reportOf(basis.runs.front()); // as it is called now
    preview->setDocument(*document);
    showState();
    Q_EMIT page.reportShown();
}

void ReportsPage::Impl::showState() {
    const bool known = subjectsRead || !services.library.isOpen();
    const bool isEmpty = known && subjects.empty() && !wanted;
    stack->setCurrentWidget(isEmpty && !ofKind ? static_cast<QWidget*>(empty) : content);
    nothing->setVisible(isEmpty && ofKind);
    const bool saves = document.has_value() && !loading && !saver.isSaving();
    // Of a button that is disabled Qt takes the keyboard away, to wherever Tab leads.
    for (QPushButton* button : saveButtons) {
        if (!saves && page.window()->focusWidget() == button) {
            pressed = button;
            preview->setFocus(Qt::OtherFocusReason);
        }
        button->setEnabled(saves);
    }
    if (QPushButton* button = saves ? std::exchange(pressed, nullptr) : nullptr;
        button && page.window()->focusWidget() == preview)
        button->setFocus(Qt::OtherFocusReason);
}

void ReportsPage::Impl::askAndSave(const QString& suffix, const QString& fileFilter) {
    if (!document)
        return;
    QString folder = QSettings().value(folderKey).toString();
    if (folder.isEmpty() || !QDir(folder).exists())
        folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString name = reportFileName(QString::fromStdString(document->title)) + QLatin1Char('.') + suffix;
    static const QStringList endings = QStringLiteral("html htm pdf md markdown").split(QLatin1Char(' '));
    const SaveChoice choice =
        askWhereToSave(&page, tr("Save the report"), QDir(folder).filePath(name), {fileFilter}, endings);
    if (choice.file.isEmpty())
        return;
    QSettings().setValue(folderKey, QFileInfo(choice.file).absolutePath());
    page.saveTo(choice.file);
}

void ReportsPage::Impl::tellSaving() {
    told.reset();
    notice->showNotice(NoticeLevel::Info, tr("Saving %1…").arg(QDir::toNativeSeparators(saver.files().last())));
}

void ReportsPage::Impl::tellSaved(const SavedReport& report) {
    showState();
    showSaved(report);
    if (report.status)
        Q_EMIT page.saved(report.file);
    else
        Q_EMIT page.notSaved(report.file, report.status.error());
}

void ReportsPage::Impl::showSaved(const SavedReport& report) {
    told = report;
    if (report.status)
        notice->showNotice(NoticeLevel::Success, tr("Saved as %1").arg(QDir::toNativeSeparators(report.file)),
                           tr("Open file"));
    else
        notice->showNotice(NoticeLevel::Error, format::error(report.status.error()));
}

ReportsPage::ReportsPage(Services services, QWidget* parent)
    : Page(parent), m_impl(std::make_unique<Impl>(*this, services)) {
    setObjectName(QStringLiteral("reports"));
    setAccessibleName(tr("Reports"));
    m_impl->build();
    m_impl->connectAll();
    m_impl->loadSubjects();
    m_menus.exports << pressing(*this, "reports.saveHtml", tr("Report as HTML…"))
                    << pressing(*this, "reports.savePdf", tr("Report as PDF…"))
                    << pressing(*this, "reports.saveMarkdown", tr("Report as Markdown…"));
}

ReportsPage::~ReportsPage() = default;

void ReportsPage::activated() {
    m_impl->readAgain(true);
    m_impl->loadSubjects(true);
}

QVariant ReportsPage::state() const {
    if (!m_impl->wanted && !m_impl->told && !m_impl->saver.isSaving() && !m_impl->ofKind)
        return {};
    KeptReport kept{m_impl->wanted, m_impl->told, {}};
    if (m_impl->ofKind)
        kept.kind = m_impl->kind();
    return QVariant::fromValue(kept);
}

void ReportsPage::setState(const QVariant& state) {
    const auto kept = state.value<KeptReport>();
    if (m_impl->saver.isSaving())
        m_impl->tellSaving();
    else if (kept.told)
        m_impl->showSaved(*kept.told);
    m_impl->keepsNotice = kept.subject && (m_impl->told || m_impl->saver.isSaving());
    if (kept.subject)
        m_impl->showSubject(*kept.subject);
    if (kept.kind) {
        m_impl->chooseKind(*kept.kind);
        m_impl->kindChosen();
    }
}

std::optional<QString> ReportsPage::inspectedRun() const {
    const bool ofRun = m_impl->wanted && m_impl->wanted->kind() == ReportKind::Run;
    return ofRun ? std::optional(m_impl->wanted->run) : std::nullopt;
}

void ReportsPage::showRun(const QString& run) {
    ReportSubject subject{run, run, {}};
    if (LibraryGateway& library = m_impl->services.library; library.isOpen())
        if (const auto record = library.reader().run(run.toStdString()))
            subject = reportOf(*record);
    m_impl->showSubject(subject);
}

void ReportsPage::showAudit(const QString& audit, const QString& title) {
    ReportSubject subject;
    subject.title = title;
    subject.audit = audit;
    m_impl->showSubject(subject);
}

void ReportsPage::showComparison(const ComparisonRequest& request) {
    ReportSubject subject;
    subject.title = request.further.isEmpty()
                        ? tr("Chosen runs: %1 against %2").arg(request.groupA.size()).arg(request.groupB.size())
                        : tr("%n group(s) of chosen runs", nullptr, static_cast<int>(request.groups().size()));
    subject.comparison = request;
    subject.comparison.axis = CurveAxis::Samples; // what its figures say
    m_impl->showSubject(subject);
}

void ReportsPage::showComparison(const QStringList& groupA, const QStringList& groupB, const QString& metric,
                                 double margin) {
    ComparisonRequest request;
    request.groupA = groupA;
    request.groupB = groupB;
    request.metric = metric;
    if (margin > 0.0)
        request.margin = margin;
    showComparison(request);
}

void ReportsPage::saveTo(const QString& file) {
    if (!m_impl->document)
        return m_impl->tellSaved({file, failure("report.none")});
    m_impl->saver.save(*m_impl->document, file);
    m_impl->tellSaving();
    m_impl->showState();
}

} // namespace accumulus::ui

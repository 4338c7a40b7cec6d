// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/reports/reports_page.h"

#include "widgets/models/report_language.h"
#include "widgets/models/report_loader.h"
#include "widgets/pages/reports/report_preview.h"
#include "widgets/pages/reports/report_saver.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"
#include "widgets/style/rounded_row_delegate.h"
#include "widgets/style/save_dialog.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QUrl>
#include <algorithm>

namespace accumulus::ui {
static constexpr int kListWidth = 300;

struct ReportsPage::Impl {
    Impl(ReportsPage& owner, Services given) : page(owner), services(given) {}

    void build();
    QLayout* buildTitle();
    QWidget* buildChoice();
    void connectAll();
    QPushButton* saveButton(const QString& text, const QString& objectName);

    [[nodiscard]] ReportKind kind() const { return static_cast<ReportKind>(kindBox->currentIndex()); }
    void loadSubjects();
    void showSubjects(Result<std::vector<ReportSubject>> loaded);
    [[nodiscard]] bool isMarked() const; ///< the list's current row is what is wanted
    void fillList();
    void open(const ReportSubject& subject);
    void showSubject(const ReportSubject& subject);
    void show(Result<ReportDocument> loaded);
    void showState();
    void askAndSave(const QString& suffix, const QString& filter);
    void tellSaved(const QString& file, const Status& status);

    ReportsPage& page;
    Services services;
    std::vector<ReportSubject> subjects;
    std::optional<ReportSubject> wanted;
    std::optional<ReportDocument> document;
    bool loading = false; ///< of what is wanted
    QString savedFile;
    QString lastFolder;

    NoticeBar* notice = nullptr;
    QComboBox* kindBox = nullptr;
    QComboBox* languageBox = nullptr;
    QLineEdit* filter = nullptr;
    QListWidget* list = nullptr;
    QStackedWidget* stack = nullptr;
    EmptyState* empty = nullptr;
    ReportPreview* preview = nullptr;
    QWidget* content = nullptr;
    QList<QPushButton*> saveButtons;
    ReportSaver saver;
};

void ReportsPage::Impl::build() {
    const Theme& theme = services.theme;
    notice = new NoticeBar(theme, &page);
    notice->setObjectName(QStringLiteral("reports.notice"));
    preview = new ReportPreview(theme, &page);
    preview->setObjectName(QStringLiteral("reports.preview"));
    preview->setAccessibleName(tr("Preview of the report"));
    empty = new EmptyState(theme, tr("Nothing to report yet"),
                           tr("Runs that have ended and pairs of arms appear here, each with a preview of its report."),
                           tr("Set up a run"), &page);
    empty->setObjectName(QStringLiteral("reports.empty"));
    content = new QWidget(&page);
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(space::pageMargin, 0, 0, 0);
    row->setSpacing(space::l);
    row->addWidget(buildChoice());
    row->addWidget(preview, 1);
    stack = new QStackedWidget(&page);
    stack->addWidget(empty);
    stack->addWidget(content);

    auto* head = new QVBoxLayout;
    head->setContentsMargins(space::pageMargin, space::pageMargin, space::pageMargin, space::m);
    head->setSpacing(space::m);
    head->addLayout(buildTitle());
    head->addWidget(notice);
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(stack, 1);
    showState();
}

QPushButton* ReportsPage::Impl::saveButton(const QString& text, const QString& objectName) {
    auto* button = saveButtons.isEmpty() ? primaryButton(services.theme, text, &page) : new QPushButton(text, &page);
    button->setObjectName(objectName);
    saveButtons << button;
    return button;
}

QLayout* ReportsPage::Impl::buildTitle() {
    auto* html = saveButton(tr("Save as HTM&L…"), QStringLiteral("reports.saveHtml"));
    auto* pdf = saveButton(tr("Save as &PDF…"), QStringLiteral("reports.savePdf"));
    auto* markdown = saveButton(tr("Save as &Markdown…"), QStringLiteral("reports.saveMarkdown"));
    html->setToolTip(tr("One file with all figures, for any browser, without network"));
    pdf->setToolTip(tr("Pages as in the preview; figures as vectors, text selectable"));
    markdown->setToolTip(tr("Text for a repository or a notebook, figures in a folder beside it"));
    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    row->addWidget(new RoleLabel(services.theme, TextRole::PageTitle, tr("Reports"), &page));
    row->addStretch(1);
    row->addWidget(markdown);
    row->addWidget(pdf);
    row->addWidget(html);
    connect(html, &QPushButton::clicked, &page, [this] { askAndSave(QStringLiteral("html"), tr("HTML (*.html)")); });
    connect(pdf, &QPushButton::clicked, &page, [this] { askAndSave(QStringLiteral("pdf"), tr("PDF (*.pdf)")); });
    connect(markdown, &QPushButton::clicked, &page,
            [this] { askAndSave(QStringLiteral("md"), tr("Markdown (*.md)")); });
    return row;
}

QWidget* ReportsPage::Impl::buildChoice() {
    kindBox = new QComboBox(&page);
    kindBox->setObjectName(QStringLiteral("reports.kind"));
    kindBox->setAccessibleName(tr("What to report"));
    kindBox->addItem(tr("Comparisons"));
    kindBox->addItem(tr("Single runs"));
    kindBox->addItem(tr("Audits"));
    kindBox->addItem(tr("Plans"));
    languageBox = new QComboBox(&page);
    languageBox->setObjectName(QStringLiteral("reports.language"));
    languageBox->setAccessibleName(tr("Language of the report"));
    languageBox->setToolTip(tr("Language of the report"));
    for (const auto& [code, name] : reportLanguages())
        languageBox->addItem(name, code);
    languageBox->setCurrentIndex(languageBox->findData(windowLanguage()));
    filter = new QLineEdit(&page);
    filter->setObjectName(QStringLiteral("reports.filter"));
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter the list"));
    filter->setClearButtonEnabled(true);
    list = new QListWidget(&page);
    list->setObjectName(QStringLiteral("reports.list"));
    list->setAccessibleName(tr("Reports"));
    list->setWordWrap(true);
    list->setItemDelegate(new RoundedRowDelegate(services.theme, list));
    list->setResizeMode(QListView::Adjust);
    list->viewport()->setAttribute(Qt::WA_Hover);
    list->viewport()->setAutoFillBackground(false); // the card shows through
    list->setSpacing(2);
    list->setFrameShape(QFrame::NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* card = new Card(services.theme, tr("Report on"), &page);
    card->setFixedWidth(kListWidth);
    card->content()->addWidget(languageBox);
    card->content()->addWidget(kindBox);
    card->content()->addWidget(filter);
    card->content()->addWidget(list, 1);
    auto* frame = new QWidget(&page);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(0, 0, 0, space::pageMargin);
    column->addWidget(card);
    return frame;
}

void ReportsPage::Impl::connectAll() {
    connect(&services.library, &LibraryGateway::opened, &page, [this] {
        wanted.reset();
        loading = false;
        document.reset();
        preview->clear();
        if (page.isVisible())
            loadSubjects();
    });
    connect(&services.library, &LibraryGateway::changed, &page, [this] {
        if (page.isVisible())
            loadSubjects();
    });
    connect(kindBox, &QComboBox::currentIndexChanged, &page, [this] { loadSubjects(); });
    connect(languageBox, &QComboBox::currentIndexChanged, &page, [this] {
        if (wanted)
            open(*wanted);
    });
    connect(filter, &QLineEdit::textChanged, &page, [this] { fillList(); });
    connect(list, &QListWidget::currentItemChanged, &page, [this](QListWidgetItem* item) {
        if (item == nullptr)
            return;
        const auto index = item->data(Qt::UserRole).value<std::size_t>();
        if (index < subjects.size() && !(wanted && wanted->sameAs(subjects[index])))
            open(subjects[index]);
    });
    connect(empty, &EmptyState::actionTriggered, &page, &ReportsPage::setupRequested);
    connect(notice, &NoticeBar::actionTriggered, &page,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(savedFile).absoluteFilePath())); });
}

void ReportsPage::Impl::loadSubjects() {
    if (!services.library.isOpen())
        return;
    services.library.query<Result<std::vector<ReportSubject>>>(
        &page, QStringLiteral("reports.subjects"),
        [wantedKind = kind()](RunReader& reader) { return loadReportSubjects(reader, wantedKind); },
        [this](Result<std::vector<ReportSubject>> loaded) { showSubjects(std::move(loaded)); });
}

void ReportsPage::Impl::showSubjects(Result<std::vector<ReportSubject>> loaded) {
    if (!loaded) {
        notice->showNotice(NoticeLevel::Error, format::error(loaded.error()));
        return;
    }
    // Groups that were chosen by hand are no suggestion, but stay in the list while they are shown.
    const bool belongs = wanted && wanted->kind() == kind();
    if (belongs &&
        std::none_of(loaded->begin(), loaded->end(), [this](const auto& one) { return wanted->sameAs(one); }))
        loaded->insert(loaded->begin(), *wanted);
    // A study that trains announces itself every second: what stays as it is keeps its place.
    if (std::ranges::equal(
            *loaded, subjects,
            [](const ReportSubject& a, const ReportSubject& b) { return a.title == b.title && a.sameAs(b); }) &&
        (isMarked() || !filter->text().isEmpty())) { // the filter may hide what is shown
        showState();
        return;
    }
    subjects = std::move(*loaded);
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
        if (!subjects[i].title.contains(filter->text(), Qt::CaseInsensitive))
            continue;
        auto* item = new QListWidgetItem(subjects[i].title, list);
        item->setData(Qt::UserRole, QVariant::fromValue(i));
        item->setToolTip(subjects[i].title);
        if (wanted && wanted->sameAs(subjects[i]))
            list->setCurrentItem(item);
    }
    // What is being read stays where it is, unless another one has been chosen.
    if (const QListWidgetItem* now = list->currentItem(); now && now->text() == current) {
        list->doItemsLayout(); // else it has no range yet
        list->verticalScrollBar()->setValue(scrolled);
    }
    if (!wanted && list->count() > 0) { // the newest one, so that the page is never blank
        list->setCurrentRow(0);
        open(subjects[list->item(0)->data(Qt::UserRole).value<std::size_t>()]);
    }
}

void ReportsPage::Impl::open(const ReportSubject& subject) {
    wanted = subject;
    loading = true; // the preview stays, but is not what is chosen
    showState();
    services.library.query<Result<ReportDocument>>(
        &page, QStringLiteral("reports.load"),
        [subject, language = languageBox->currentData().toString()](RunReader& reader) {
            return loadReport(reader, subject, language);
        },
        [this](Result<ReportDocument> loaded) { show(std::move(loaded)); },
        [this](const Error& error) {
            if (error.code != "library.cancelled") // another one is on its way
                show(failure(error));
        });
}

/// Opens it and lists its kind.
void ReportsPage::Impl::showSubject(const ReportSubject& subject) {
    open(subject);
    const QSignalBlocker quiet(kindBox);
    kindBox->setCurrentIndex(static_cast<int>(subject.kind()));
    loadSubjects();
}

void ReportsPage::Impl::show(Result<ReportDocument> loaded) {
    loading = false;
    if (!loaded) {
        document.reset();
        preview->clear();
        showState();
        notice->showNotice(NoticeLevel::Error, format::error(loaded.error()));
        return;
    }
    notice->clear();
    document = std::move(*loaded);
    preview->setDocument(*document);
    showState();
    Q_EMIT page.reportShown();
}

void ReportsPage::Impl::showState() {
    // With nothing of one kind the other may still have something: the choice stays reachable.
    const bool nothing = subjects.empty() && !document && kind() == ReportKind::Comparison;
    stack->setCurrentWidget(nothing ? static_cast<QWidget*>(empty) : content);
    for (QPushButton* button : saveButtons)
        button->setEnabled(document.has_value() && !loading && !saver.isSaving());
}

void ReportsPage::Impl::askAndSave(const QString& suffix, const QString& fileFilter) {
    if (!document)
        return;
    if (lastFolder.isEmpty())
        lastFolder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString name = reportFileName(QString::fromStdString(document->title)) + QLatin1Char('.') + suffix;
    static const QStringList endings = QStringLiteral("html htm pdf md markdown").split(QLatin1Char(' '));
    const SaveChoice choice =
        askWhereToSave(&page, tr("Save the report"), QDir(lastFolder).filePath(name), {fileFilter}, endings);
    if (choice.file.isEmpty())
        return;
    lastFolder = QFileInfo(choice.file).absolutePath();
    page.saveTo(choice.file);
}

void ReportsPage::Impl::tellSaved(const QString& file, const Status& status) {
    showState();
    if (status) {
        savedFile = file;
        notice->showNotice(NoticeLevel::Success, tr("Saved as %1").arg(QDir::toNativeSeparators(file)),
                           tr("Open file"));
        Q_EMIT page.saved(file);
    } else {
        notice->showNotice(NoticeLevel::Error, format::error(status.error()));
        Q_EMIT page.notSaved(file, status.error());
    }
}

ReportsPage::ReportsPage(Services services, QWidget* parent)
    : Page(parent), m_impl(std::make_unique<Impl>(*this, services)) {
    setObjectName(QStringLiteral("reports"));
    setAccessibleName(tr("Reports"));
    m_impl->build();
    m_impl->connectAll();
    m_impl->loadSubjects();
}

ReportsPage::~ReportsPage() = default;

void ReportsPage::activated() { m_impl->loadSubjects(); }

QVariant ReportsPage::state() const { return m_impl->wanted ? QVariant::fromValue(*m_impl->wanted) : QVariant(); }

void ReportsPage::setState(const QVariant& state) { m_impl->showSubject(state.value<ReportSubject>()); }

void ReportsPage::showRun(const QString& run) { m_impl->showSubject({run, run, {}}); }

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
    const auto told = [this](const QString& saved, const Status& status) { m_impl->tellSaved(saved, status); };
    if (!m_impl->document)
        return told(file, failure("report.none"));
    m_impl->notice->showNotice(NoticeLevel::Info, tr("Saving %1…").arg(QDir::toNativeSeparators(file)));
    m_impl->saver.save(*m_impl->document, file, told);
    m_impl->showState();
}

} // namespace accumulus::ui

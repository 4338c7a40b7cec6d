// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of the page, and what they are connected to.
#include "widgets/models/report_language.h"
#include "widgets/pages/reports/reports_page_impl.h"
#include "widgets/style/rounded_row_delegate.h"
#include "widgets/style/row_copy.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QUrl>

namespace accumulus::ui {

static constexpr int kListWidth = 300;
static constexpr int kRefreshInterval = 2000; ///< ms: while a run trains the library changes all the time
static const QString languageKey = QStringLiteral("reports/language"); ///< that a person has chosen

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
    addCopy(*list, CopiedHeads::No);
    for (QPushButton* button : saveButtons)
        addToMenu(*list, *button);
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
    html->setToolTip(tr("One file with all figures; opens in any browser, also offline"));
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
    const QString chosen = QSettings().value(languageKey).toString(); // else reports follow the window
    const int known = languageBox->findData(chosen);
    languageBox->setCurrentIndex(known >= 0 ? known : languageBox->findData(windowLanguage()));
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
    nothing = new RoleLabel(services.theme, TextRole::Caption, tr("The library has none of these yet."), card);
    nothing->setObjectName(QStringLiteral("reports.nothing"));
    nothing->hide();
    card->content()->addWidget(nothing);
    card->content()->addWidget(list, 1);
    auto* frame = new QWidget(&page);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(0, 0, 0, space::pageMargin);
    column->addWidget(card);
    return frame;
}

void ReportsPage::Impl::connectAll() {
    connect(&services.library, &LibraryGateway::opened, &page, [this] {
        close();
        automatic = false;
        ofKind = false;
        subjects.clear();
        subjectsRead = false;
        fillList();
        showState();
        Q_EMIT page.inspectedRunChanged();
        if (page.isVisible())
            loadSubjects();
    });
    connect(&services.library, &LibraryGateway::changed, &page, [this] {
        if (!page.isVisible()) // activated() reads it
            return;
        loadSubjects();
        if (!refresh.isActive())
            refresh.start();
    });
    refresh.setSingleShot(true);
    refresh.setInterval(kRefreshInterval);
    connect(&refresh, &QTimer::timeout, &page, [this] { readAgain(false); });
    connect(&services.theme, &Theme::changed, &page, [this] { showVerdicts(); });
    connect(kindBox, &QComboBox::currentIndexChanged, &page, [this] { kindChosen(); });
    connect(languageBox, &QComboBox::currentIndexChanged, &page, [this] {
        if (const QString chosen = languageBox->currentData().toString(); chosen == windowLanguage())
            QSettings().remove(languageKey);
        else
            QSettings().setValue(languageKey, chosen);
        if (wanted)
            open(*wanted);
    });
    connect(filter, &QLineEdit::textChanged, &page, [this] { fillList(); });
    connect(list, &QListWidget::currentItemChanged, &page, [this](QListWidgetItem* item) {
        if (item == nullptr)
            return;
        const auto index = item->data(Qt::UserRole).value<std::size_t>();
        if (index >= subjects.size() || (wanted && wanted->sameAs(subjects[index])))
            return;
        automatic = false;
        open(subjects[index]);
    });
    connect(empty, &EmptyState::actionTriggered, &page, &ReportsPage::setupRequested);
    connect(notice, &NoticeBar::actionTriggered, &page, [this] {
        if (told)
            QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(told->file).absoluteFilePath()));
    });
    connect(&saver, &ReportSaver::finished, &page, [this](const SavedReport& report) { tellSaved(report); });
}

} // namespace accumulus::ui

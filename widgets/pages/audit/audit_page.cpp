// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/audit/audit_page.h"

#include "core/config/config_fields.h"
#include "core/run/checkpoint_files.h"
#include "widgets/models/run_audits.h"
#include "widgets/pages/audit/audit_gallery.h"
#include "widgets/pages/audit/audit_options.h"
#include "widgets/pages/audit/audit_view.h"
#include "widgets/pages/button_action.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"
#include "widgets/style/wheel_guard.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <utility>

namespace accumulus::ui {

/// What the page of a window in another language takes over. The runner is shared: its audit goes on meanwhile.
struct AuditPageState {
    AuditChoice choice;
    std::optional<GradientAudit> audit;
    std::shared_ptr<AuditRunner> runner;
    int tab = 0;
    QString pattern;
};

} // namespace accumulus::ui

Q_DECLARE_METATYPE(accumulus::ui::AuditPageState)

namespace accumulus::ui {
namespace {

enum Tab { Gradients, Updates, Gallery };
constexpr int progressSteps = 1000;

} // namespace

struct AuditPage::Impl {
    Impl(AuditPage& owner, Services given, AuditEngine engine)
        : page(owner), services(given), runner(std::make_shared<AuditRunner>(std::move(engine))) {}

    void build();
    QLayout* buildTitle();
    QWidget* buildProgress();
    void connectAll();
    void connectRunner();

    void start();
    void showBusy();
    void show(const GradientAudit& audit);
    void showEmpty();
    void showError(const Error& error);
    void lookForStored();
    void askForReport();
    [[nodiscard]] QString whyNot() const; ///< nothing can be audited now; empty: it can

    AuditPage& page;
    Services services;
    std::shared_ptr<AuditRunner> runner;
    bool startWhenTold = false;
    std::optional<QString> told; ///< of inspectedRunChanged()
    int audits = 0;              ///< begun here: an answer of the library that was asked before one is stale

    QPushButton* startButton = nullptr;
    QPushButton* reportButton = nullptr;
    QPushButton* cancelButton = nullptr;
    QWidget* progress = nullptr;
    QProgressBar* bar = nullptr;
    RoleLabel* doing = nullptr;
    AuditOptions* options = nullptr;
    NoticeBar* notice = nullptr;
    QTabBar* tabs = nullptr;
    QStackedWidget* views = nullptr; ///< of the tabs
    QStackedWidget* stack = nullptr;
    EmptyState* empty = nullptr;
    AuditView* view = nullptr;
    AuditUpdatesView* updates = nullptr;
    AuditGallery* gallery = nullptr;
};

void AuditPage::Impl::build() {
    const Theme& theme = services.theme;
    options = new AuditOptions(theme, &page);
    notice = new NoticeBar(theme, &page);
    notice->setObjectName(QStringLiteral("auditNotice"));
    view = new AuditView(theme, &page);
    updates = new AuditUpdatesView(theme, &page);
    gallery = new AuditGallery(theme, &page);
    empty = new EmptyState(theme, tr("Nothing is audited yet"),
                           tr("An audit takes fixed weights and one batch, and compares the gradient that the "
                              "micro-batches accumulate with that of the large batch in one pass. The verdict, the "
                              "weight of each micro-batch and the error of each tensor appear here."),
                           tr("Audit the set-up"), &page);
    empty->setObjectName(QStringLiteral("auditEmpty"));
    stack = new QStackedWidget(&page);
    stack->addWidget(empty);
    stack->addWidget(view);
    tabs = new QTabBar(&page);
    tabs->setObjectName(QStringLiteral("auditTabs"));
    tabs->setAccessibleName(tr("Parts of the audit"));
    tabs->setDrawBase(false);
    tabs->setExpanding(false);
    for (const QString& title : {tr("Gradients"), tr("Updates"), tr("Known mistakes")})
        tabs->addTab(title);
    views = new QStackedWidget(&page);
    for (QWidget* part : {static_cast<QWidget*>(stack), static_cast<QWidget*>(updates), static_cast<QWidget*>(gallery)})
        views->addWidget(part);
    tabs->setTabToolTip(Updates, tr("How far the weights of both ways drift apart over some updates"));
    tabs->setTabToolTip(Gallery, tr("Mistakes from real programs, each with its formula and its picture"));

    auto* head = new QVBoxLayout;
    head->setContentsMargins(space::pageMargin, space::pageMargin, space::pageMargin, 0);
    head->setSpacing(space::m);
    head->addLayout(buildTitle());
    head->addWidget(options);
    head->addWidget(buildProgress());
    head->addWidget(notice);
    head->addWidget(tabs);
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(views, 1);

    auto* guard = new WheelGuard(&page);
    for (QWidget* field : options->findChildren<QWidget*>())
        if (field->focusPolicy() != Qt::NoFocus)
            guard->guard(field);
}

QLayout* AuditPage::Impl::buildTitle() {
    const Theme& theme = services.theme;
    startButton = primaryButton(theme, tr("&Audit"), &page);
    startButton->setObjectName(QStringLiteral("auditStart"));
    cancelButton = new QPushButton(tr("&Cancel"), &page);
    cancelButton->setObjectName(QStringLiteral("auditCancel"));
    reportButton = new QPushButton(tr("Report…"), &page);
    reportButton->setObjectName(QStringLiteral("auditReport"));
    reportButton->setToolTip(tr("Shows the report of this audit on the page Reports, to be saved there"));
    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    row->addWidget(new RoleLabel(theme, TextRole::PageTitle, tr("Audit"), &page));
    row->addStretch(1);
    row->addWidget(reportButton);
    row->addWidget(cancelButton);
    row->addWidget(startButton);
    return row;
}

QWidget* AuditPage::Impl::buildProgress() {
    progress = new QWidget(&page);
    bar = new QProgressBar(progress);
    bar->setObjectName(QStringLiteral("auditProgress"));
    bar->setAccessibleName(tr("Progress of the audit"));
    bar->setRange(0, progressSteps);
    bar->setTextVisible(false);
    doing = new RoleLabel(services.theme, TextRole::Caption, {}, progress);
    doing->setObjectName(QStringLiteral("auditDoing"));
    doing->setWordWrap(false);
    auto* row = new QHBoxLayout(progress);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::m);
    row->addWidget(bar, 1);
    row->addWidget(doing, 1);
    return progress;
}

void AuditPage::Impl::connectAll() {
    connect(startButton, &QPushButton::clicked, &page, [this] { start(); });
    connect(cancelButton, &QPushButton::clicked, &page, [this] { runner->cancel(); });
    connect(reportButton, &QPushButton::clicked, &page, [this] { askForReport(); });
    connect(empty, &EmptyState::actionTriggered, &page, [this] { start(); });
    connect(&services.runs, &RunController::stateChanged, &page, [this] { showBusy(); });
    connect(&services.runs, &RunController::studyFinished, &page, [this] { showBusy(); });
    connect(options, &AuditOptions::subjectChanged, &page, [this] { lookForStored(); });
    connect(options, &AuditOptions::choiceShown, &page, [this] {
        if (const auto run = page.inspectedRun(); std::exchange(told, run) != run)
            Q_EMIT page.inspectedRunChanged();
    });
    connect(tabs, &QTabBar::currentChanged, views, &QStackedWidget::setCurrentIndex);
    connect(gallery, &AuditGallery::showRequested, &page, [this](const QString& code) {
        options->setFault(code.toStdString());
        tabs->setCurrentIndex(Gradients);
        start();
    });
    connect(&services.library, &LibraryGateway::opened, &page, [this] {
        AuditChoice choice = options->choice();
        choice.run.reset();
        if (std::exchange(choice.ofRun, false)) // of the library before
            showEmpty();
        options->setChoice(choice);
        if (!view->audit())
            lookForStored();
    });
}

void AuditPage::Impl::connectRunner() {
    const AuditRunner* by = runner.get();
    connect(by, &AuditRunner::started, &services.runs, [by, runs = &services.runs] { runs->setHeld(by, true); });
    connect(by, &AuditRunner::ended, &services.runs, [by, runs = &services.runs] { runs->setHeld(by, false); });
    connect(by, &AuditRunner::started, &page, [this] {
        ++audits;
        showBusy();
    });
    connect(by, &AuditRunner::progressed, &page, [this](double share, const Message& what) {
        bar->setValue(static_cast<int>(share * progressSteps));
        doing->setText(format::message(what));
    });
    connect(by, &AuditRunner::audited, &page, [this](const GradientAudit& audit) {
        show(audit);
        showBusy();
    });
    connect(by, &AuditRunner::notStored, &page, [this](const Error& error) {
        notice->showNotice(NoticeLevel::Warning,
                           tr("The result is not kept in the library. %1").arg(format::error(error)));
    });
    connect(by, &AuditRunner::failed, &page, [this](const Error& error) {
        showError(error);
        showBusy();
    });
    showBusy();
}

void AuditPage::Impl::start() {
    if (runner->busy())
        return;
    notice->clear();
    if (const QString why = whyNot(); !why.isEmpty()) // asked for by Set up
        return notice->showNotice(NoticeLevel::Info, why);
    if (!options->choice().any()) { // asked for; setSetup() goes on
        startWhenTold = true;
        Q_EMIT page.setupWanted();
        startWhenTold = false;
        return;
    }
    bar->setValue(0);
    doing->clear();
    runner->start(auditRequest(options->choice()), services.library.path(), !services.library.readOnly());
}

QString AuditPage::Impl::whyNot() const { // memory is limited, and its peak recorded, for a run in this process
    const bool trains = services.runs.busy() && !services.runs.isElsewhere();
    return trains ? tr("A study is being trained. Audit when it has ended.") : QString();
}

void AuditPage::Impl::showBusy() {
    const bool busy = runner->busy();
    const QString why = whyNot();
    for (QPushButton* button : {startButton, empty->findChild<QPushButton*>()}) {
        button->setEnabled(!busy && why.isEmpty());
        button->setToolTip(why.isEmpty() ? tr("Compares the gradients; weights and runs stay as they are") : why);
        button->setAccessibleDescription(button->toolTip());
    }
    cancelButton->setVisible(busy);
    progress->setVisible(busy);
    options->setEnabled(!busy);
    gallery->setShowPossible(!busy && why.isEmpty(), why);
}

void AuditPage::Impl::show(const GradientAudit& audit) {
    view->setAudit(audit);
    updates->setAudit(audit);
    stack->setCurrentWidget(view);
    reportButton->setVisible(!audit.fault); // one with a mistake built in is not kept
    Q_EMIT page.auditShown();
}

void AuditPage::Impl::showEmpty() {
    stack->setCurrentWidget(empty);
    view->clear();
    updates->setAudit({});
    reportButton->hide();
}

void AuditPage::Impl::askForReport() {
    if (const auto& audit = view->audit()) // which another set-up may take away before the answer comes
        services.library.query<std::string>(
            &page, QStringLiteral("audit.report"),
            [made = audit->createdAt](RunReader& reader) { return auditOfMoment(reader, made); },
            [this, title = format::message(audit->subject)](const std::string& id) {
                if (id.empty())
                    notice->showNotice(NoticeLevel::Warning, tr("This audit is not kept in the library: audit again."));
                else
                    Q_EMIT page.reportRequested(QString::fromStdString(id), title);
            });
}

void AuditPage::Impl::showError(const Error& error) {
    const bool failed = error.code != "audit.cancelled";
    notice->showNotice(failed ? NoticeLevel::Error : NoticeLevel::Info,
                       failed ? format::error(error) : format::message(error));
}

void AuditPage::Impl::lookForStored() {
    if (!services.library.isOpen() || !options->choice().any() || runner->busy())
        return;
    services.library.query<std::optional<GradientAudit>>(
        &page, QStringLiteral("audit.stored"),
        [run = auditedRun(options->choice())](RunReader& reader) { return newestAudit(reader, run); },
        [this, before = audits](const std::optional<GradientAudit>& audit) {
            if (audits == before)
                audit ? show(*audit) : showEmpty();
        });
}

AuditPage::AuditPage(Services services, QWidget* parent, AuditEngine engine)
    : Page(parent), m_impl(std::make_unique<Impl>(*this, services, std::move(engine))) {
    setObjectName(QStringLiteral("audit"));
    setAccessibleName(tr("Audit"));
    m_impl->build();
    m_impl->connectAll();
    m_impl->connectRunner();
    m_impl->showEmpty();
    m_menus.tools << pressing(*this, "auditStart", tr("Start the audit"))
                  << pressing(*this, "auditCancel", tr("Cancel the audit"));
    m_menus.view << m_impl->view->columnAction();
}

AuditPage::~AuditPage() = default;

void AuditPage::setSetup(const ExperimentConfig& experiment) {
    AuditChoice choice = m_impl->options->choice();
    const bool first = !choice.any();
    const bool same = choice.setup && configHash(choice.setup->run, 0) == configHash(experiment.run, 0);
    choice.setup = experiment;
    m_impl->options->setChoice(choice);
    if (std::exchange(m_impl->startWhenTold, false)) {
        m_impl->start();
    } else if (first || (!same && !choice.ofRun)) {
        m_impl->lookForStored();
    }
}

void AuditPage::auditSetup(const ExperimentConfig& experiment) {
    if (m_impl->runner->busy())
        return; // the page shows the one that goes on
    AuditChoice choice = m_impl->options->choice();
    choice.setup = experiment;
    choice.ofRun = false;
    choice.fault.reset();
    m_impl->options->setChoice(choice);
    m_impl->tabs->setCurrentIndex(Gradients);
    m_impl->start();
}

void AuditPage::chooseRun(const QString& run) {
    if (m_impl->runner->busy())
        return;
    RunReader& reader = m_impl->services.library.reader();
    auto record = reader.run(run.toStdString());
    if (!record)
        return m_impl->showError(record.error());
    AuditChoice choice = m_impl->options->choice();
    choice.run = std::move(*record);
    choice.ofRun = true;
    choice.checkpoint = "initial";
    choice.fault.reset();
    choice.hasBest = newestCheckpoint(reader, *choice.run, CheckpointKind::Best).has_value();
    choice.hasLast = newestCheckpoint(reader, *choice.run, CheckpointKind::Last).has_value();
    m_impl->notice->clear();
    m_impl->options->setChoice(choice);
    m_impl->tabs->setCurrentIndex(Gradients);
    m_impl->lookForStored();
}

void AuditPage::activated() { Q_EMIT setupWanted(); }

bool AuditPage::busy() const { return m_impl->runner->busy(); }

std::optional<QString> AuditPage::inspectedRun() const {
    const AuditChoice& choice = m_impl->options->choice();
    return choice.ofRun && choice.run ? std::optional(QString::fromStdString(choice.run->id)) : std::nullopt;
}

QVariant AuditPage::state() const {
    return QVariant::fromValue(AuditPageState{m_impl->options->choice(), m_impl->view->audit(), m_impl->runner,
                                              m_impl->tabs->currentIndex(), m_impl->gallery->current()});
}

void AuditPage::setState(const QVariant& state) {
    const auto kept = state.value<AuditPageState>();
    disconnect(m_impl->runner.get(), nullptr, this, nullptr);
    m_impl->runner = kept.runner;
    m_impl->connectRunner();
    m_impl->options->setChoice(kept.choice);
    m_impl->gallery->setCurrent(kept.pattern);
    m_impl->tabs->setCurrentIndex(kept.tab);
    if (kept.audit)
        m_impl->show(*kept.audit);
}

} // namespace accumulus::ui

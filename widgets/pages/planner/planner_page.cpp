// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/planner/planner_page.h"

#include "core/config/config_fields.h"
#include "widgets/models/field_words.h"
#include "widgets/models/micro_point_model.h"
#include "widgets/models/plan_facts.h"
#include "widgets/pages/button_action.h"
#include "widgets/pages/planner/plan_advice.h"
#include "widgets/plots/plan_plots.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>

namespace accumulus::ui {

/// What the page of a window in another language takes over: the sweep goes on meanwhile.
struct PlannerState {
    std::shared_ptr<PlanRunner> runner;
    ExperimentConfig experiment;
    std::optional<MicroPlan> shown;
    bool ragged = false;
};

namespace {

constexpr int rowHeight = 28;
constexpr int plotHeight = 250;

/// "LeNet-5 on MNIST, fp32, B = 256"
QString subjectOf(const RunConfig& run) {
    const auto batch = resolveBatch(run.batch);
    const std::string precision = std::get<std::string>(findField("numerics.precision")->get({run, {}}));
    return PlannerPage::tr("%1 on %2, %3, B = %4")
        .arg(choiceTitle(run.model.name), choiceTitle(run.data.dataset), format::fromUtf8(precision),
             batch ? format::count(batch->effective) : QStringLiteral("–"));
}

} // namespace

struct PlannerPage::Impl {
    Impl(PlannerPage& owner, Services given, PlanSource source)
        : page(owner), services(given), runner(std::make_shared<PlanRunner>(std::move(source))) {}

    void build();
    QLayout* buildTitle();
    QLayout* buildSubject();
    QWidget* buildContent();
    QTableView* buildTable();
    void connectRunner();
    void lookUp();
    void show(const std::optional<MicroPlan>& plan);
    void showState();
    void showError(const Error& error);

    [[nodiscard]] PlanRequest request() const {
        return {.config = experiment.run,
                .seed = experiment.study.seeds.empty() ? 0 : experiment.study.seeds.front(),
                .ragged = ragged->isChecked()};
    }

    PlannerPage& page;
    Services services;
    std::shared_ptr<PlanRunner> runner;
    ExperimentConfig experiment;
    std::optional<MicroPlan> shown;
    std::optional<RunConfig> shownFor; ///< the configuration whose plan is shown, or has none
    MicroPointModel* points = nullptr;

    NoticeBar* notice = nullptr;
    RoleLabel* subject = nullptr;
    QPushButton* limit = nullptr;
    QPushButton* change = nullptr;
    QCheckBox* ragged = nullptr;
    QPushButton* startButton = nullptr;
    QPushButton* cancelButton = nullptr;
    int lookUps = 0; ///< begun, sweeps included: only the newest may be shown
    QProgressBar* progress = nullptr;
    QStackedWidget* stack = nullptr;
    EmptyState* empty = nullptr;
    QScrollArea* content = nullptr;
    PlanAdvice* advice = nullptr;
    PlanPlots* plots = nullptr;
    QTableView* table = nullptr;
};

void PlannerPage::Impl::build() {
    const Theme& theme = services.theme;
    notice = new NoticeBar(theme, &page);
    notice->setObjectName(QStringLiteral("plannerNotice"));
    progress = new QProgressBar(&page);
    progress->setObjectName(QStringLiteral("plannerProgress"));
    progress->setAccessibleName(tr("Sizes are being tried"));
    progress->setRange(0, 0);
    progress->setTextVisible(false);
    progress->setFixedHeight(space::xs);
    QSizePolicy kept = progress->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    progress->setSizePolicy(kept);
    empty = new EmptyState(theme, {}, {}, {}, &page);
    empty->setObjectName(QStringLiteral("plannerEmpty"));
    stack = new QStackedWidget(&page);

    auto* head = new QVBoxLayout;
    head->setContentsMargins(space::pageMargin, space::pageMargin, space::pageMargin, space::m);
    head->setSpacing(space::m);
    head->addLayout(buildTitle());
    head->addLayout(buildSubject());
    head->addWidget(progress);
    head->addWidget(notice);
    stack->addWidget(empty);
    stack->addWidget(buildContent());
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(stack, 1);
    connect(empty, &EmptyState::actionTriggered, &page, [this] {
        if (runner->busy())
            page.cancel();
        else if (resolveBatch(experiment.run.batch))
            page.start();
        else
            Q_EMIT page.setupRequested();
    });
    connect(notice, &NoticeBar::actionTriggered, &page, &PlannerPage::setupRequested);
    connectRunner();
    showState();
}

QLayout* PlannerPage::Impl::buildTitle() {
    startButton = primaryButton(services.theme, tr("&Plan"), &page);
    startButton->setObjectName(QStringLiteral("plannerStart"));
    startButton->setToolTip(tr("Tries the sizes that make up the effective batch; training continues meanwhile"));
    cancelButton = new QPushButton(tr("&Cancel"), &page);
    cancelButton->setObjectName(QStringLiteral("plannerCancel"));
    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    row->addWidget(new RoleLabel(services.theme, TextRole::PageTitle, tr("Planner"), &page));
    row->addStretch(1);
    row->addWidget(cancelButton);
    row->addWidget(startButton);
    connect(startButton, &QPushButton::clicked, &page, &PlannerPage::start);
    connect(cancelButton, &QPushButton::clicked, &page, &PlannerPage::cancel);
    return row;
}

QLayout* PlannerPage::Impl::buildSubject() {
    subject = new RoleLabel(services.theme, TextRole::Body, {}, &page);
    subject->setObjectName(QStringLiteral("plannerSubject"));
    subject->setAccessibleName(tr("What is planned"));
    change = new QPushButton(tr("Change in &Set up"), &page);
    change->setObjectName(QStringLiteral("plannerChange"));
    limit = new QPushButton(&page);
    limit->setObjectName(QStringLiteral("plannerLimit"));
    limit->setToolTip(tr("Sizes that need more memory than this are ruled out; without a limit, the free memory of the "
                         "device counts. Opens the setting in Set up"));
    ragged = new QCheckBox(tr("Ra&gged sizes too"), &page);
    ragged->setObjectName(QStringLiteral("plannerRagged"));
    ragged->setToolTip(tr("Also sizes that do not divide the effective batch: the last micro-batch is smaller"));
    auto* row = new QHBoxLayout;
    row->setSpacing(space::fieldGap);
    row->addWidget(subject, 1);
    row->addWidget(ragged);
    row->addWidget(limit);
    row->addWidget(change);
    connect(limit, &QPushButton::clicked, &page,
            [this] { Q_EMIT page.settingRequested(QStringLiteral("device.memory_limit")); });
    connect(change, &QPushButton::clicked, &page, &PlannerPage::setupRequested);
    connect(ragged, &QCheckBox::toggled, &page, [this] {
        if (!runner->busy())
            lookUp();
    });
    return row;
}

QWidget* PlannerPage::Impl::buildContent() {
    auto* inside = new QWidget;
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(space::pageMargin, 0, space::pageMargin, space::pageMargin);
    column->setSpacing(space::l);
    advice = new PlanAdvice(services.theme, inside);
    plots = new PlanPlots(services.theme, inside);
    plots->setFixedHeight(plotHeight);
    auto* figures = new Card(services.theme, {}, inside);
    figures->content()->addWidget(plots);
    auto* sizes = new Card(services.theme, tr("Sizes"), inside);
    sizes->content()->addWidget(buildTable());
    column->addWidget(advice);
    column->addWidget(figures);
    column->addWidget(sizes);
    column->addStretch(1);
    content = new QScrollArea(&page);
    content->setObjectName(QStringLiteral("plannerScroll"));
    content->setAccessibleName(tr("Plan"));
    content->setFrameShape(QFrame::NoFrame);
    content->setWidgetResizable(true);
    content->setFocusPolicy(Qt::NoFocus);
    content->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    content->setWidget(inside);
    inside->setAutoFillBackground(false); // setWidget() has switched it on
    content->viewport()->setAutoFillBackground(false);
    connect(advice, &PlanAdvice::useClicked, &page, [this] {
        if (shown && shown->recommended && *shown->recommended < shown->points.size()) {
            const MicroPoint& point = shown->points[*shown->recommended];
            Q_EMIT page.microBatchChosen(point.micro, point.steps);
        }
    });
    return content;
}

QTableView* PlannerPage::Impl::buildTable() {
    points = new MicroPointModel(&page);
    table = new QTableView(&page);
    table->setObjectName(QStringLiteral("plannerTable"));
    table->setAccessibleName(tr("Sizes that were tried"));
    table->setModel(points);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setHighlightSections(false);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    return table;
}

void PlannerPage::Impl::connectRunner() {
    PlanRunner* from = runner.get();
    connect(from, &PlanRunner::started, &page, [this] {
        ++lookUps; // an answer that is on its way comes too late
        notice->clear();
        show(std::nullopt);
    });
    connect(from, &PlanRunner::progressed, &page, [this](const MicroPlan& soFar) { show(soFar); });
    connect(from, &PlanRunner::finished, &page, [this](const MicroPlan& plan) {
        if (runner->request().config == experiment.run)
            show(plan.points.empty() ? std::nullopt : std::optional(plan));
        else // another one was set up meanwhile
            lookUp();
        if (!plan.cancelled)
            Q_EMIT page.planned();
    });
    connect(from, &PlanRunner::failed, &page, [this](const Error& error) {
        showError(error);
        show(std::nullopt);
    });
    connect(from, &PlanRunner::notStored, &page, [this](const Error& error) { showError(error); });
}

/// What was measured before for this configuration.
void PlannerPage::Impl::lookUp() {
    shownFor = experiment.run;
    if (!services.library.isOpen() || !resolveBatch(experiment.run.batch)) {
        show(std::nullopt);
        return;
    }
    using Answer = Result<std::optional<MicroPlan>>;
    services.library.query<Answer>(
        &page, QStringLiteral("planner.stored"),
        [stored = runner->source().stored, file = services.library.path(), asked = request()](RunReader& reader) {
            PlanRequest full = asked;
            full.noiseScale = knownNoiseScale(reader, asked.config);
            return stored(file, full);
        },
        [this, token = ++lookUps](const Answer& plan) {
            if (token != lookUps)
                return;
            if (!plan)
                showError(plan.error());
            show(plan.value_or(std::nullopt));
        });
}

void PlannerPage::Impl::show(const std::optional<MicroPlan>& plan) {
    shown = plan;
    const MicroPlan drawn = plan.value_or(MicroPlan{});
    points->setPlan(drawn, !runner->busy() && !drawn.cancelled);
    table->setFixedHeight(table->horizontalHeader()->sizeHint().height() + table->verticalHeader()->length() +
                          2 * table->frameWidth() + space::xs);
    plots->showPlan(drawn);
    advice->showPlan(drawn, runner->busy());
    showState();
}

void PlannerPage::Impl::showState() {
    const bool busy = runner->busy();
    const bool valid = resolveBatch(experiment.run.batch).has_value();
    const RunConfig& planned = busy ? runner->request().config : experiment.run;
    subject->setText(subjectOf(planned));
    limit->setText(planned.device.memoryLimit.empty()
                       ? tr("Memory &limit: none")
                       : tr("Memory &limit: %1").arg(format::fromUtf8(planned.device.memoryLimit)));
    startButton->setEnabled(!busy && valid);
    cancelButton->setEnabled(busy);
    ragged->setEnabled(!busy);
    progress->setVisible(busy);
    if (busy)
        empty->setTexts(tr("Measuring the first size"), tr("Memory and speed appear here, size by size."),
                        tr("Cancel"));
    else if (valid)
        empty->setTexts(tr("No plan yet"),
                        tr("Which micro-batch fits into memory and is fast: peak memory and speed of each size appear "
                           "here. This set-up has not been measured on this machine."),
                        tr("Plan"));
    else
        empty->setTexts(tr("No valid batch"), tr("The batch of this set-up is not valid, so there is no size to try."),
                        tr("Change in Set up"));
    stack->setCurrentWidget(shown && !shown->points.empty() ? static_cast<QWidget*>(content) : empty);
}

void PlannerPage::Impl::showError(const Error& error) {
    notice->showNotice(NoticeLevel::Error, format::error(error), tr("Change in Set up"));
}

PlannerPage::PlannerPage(Services services, QWidget* parent, PlanSource source)
    : Page(parent), m_impl(std::make_unique<Impl>(*this, services, std::move(source))) {
    setObjectName(QStringLiteral("planner"));
    setAccessibleName(tr("Planner"));
    m_impl->build();
    connect(&services.library, &LibraryGateway::opened, this, [this] {
        if (busy())
            return;
        if (isVisible())
            m_impl->lookUp();
        else // once it is shown
            m_impl->shownFor.reset();
    });
    m_menus.tools << pressing(*this, "plannerStart", tr("Start the plan"))
                  << pressing(*this, "plannerCancel", tr("Cancel the plan"));
}

PlannerPage::~PlannerPage() { m_impl->runner->disconnect(this); }

void PlannerPage::activated() { Q_EMIT experimentWanted(); }

void PlannerPage::setExperiment(const ExperimentConfig& experiment) {
    m_impl->experiment = experiment;
    if (!busy() && isVisible() && m_impl->shownFor != experiment.run)
        m_impl->lookUp();
    m_impl->showState();
}

void PlannerPage::start() {
    if (busy() || !resolveBatch(m_impl->experiment.run.batch))
        return;
    const LibraryGateway& library = m_impl->services.library;
    m_impl->shownFor = m_impl->experiment.run;
    const bool writable = library.isOpen() && !library.readOnly();
    const auto complete = [file = library.path()](PlanRequest& request) { // reading it takes longer than a click may
        request.noiseScale = knownNoiseScale(file, request.config);
    };
    m_impl->runner->start(m_impl->request(), writable ? library.path() : std::filesystem::path(), complete);
}

void PlannerPage::cancel() {
    m_impl->runner->cancel();
    m_impl->cancelButton->setEnabled(false);
}

bool PlannerPage::busy() const { return m_impl->runner->busy(); }

QVariant PlannerPage::state() const {
    return QVariant::fromValue(
        PlannerState{m_impl->runner, m_impl->experiment, m_impl->shown, m_impl->ragged->isChecked()});
}

void PlannerPage::setState(const QVariant& state) {
    const auto kept = state.value<PlannerState>();
    if (!kept.runner)
        return;
    m_impl->runner->disconnect(this);
    m_impl->runner = kept.runner;
    m_impl->connectRunner();
    m_impl->experiment = kept.experiment;
    m_impl->shownFor = kept.experiment.run;
    const QSignalBlocker quiet(m_impl->ragged);
    m_impl->ragged->setChecked(kept.ragged);
    m_impl->show(busy() ? m_impl->runner->soFar() : kept.shown);
}

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/setup_summary.h"

#include "core/config/config_fields.h"
#include "widgets/models/field_values.h"
#include "widgets/models/field_words.h"
#include "widgets/models/train_places.h"
#include "widgets/pages/setup/path_chooser.h"
#include "widgets/style/flow_layout.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <QApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

namespace accumulus::ui {

namespace {

constexpr int tallHeight = 680; ///< from here on there is room for everything
constexpr int lowLines = 36;    ///< lines of text; below there is none for two checks under what would run
constexpr auto generatedData = "digits-generated";

QString unknown() { return QStringLiteral("–"); }

bool knowsGeneratedData() {
    const ConfigField* field = findField("data.dataset");
    return field && std::ranges::find(field->choices, generatedData) != field->choices.end();
}

/// The whole effective batch at once.
BatchPlan largeArm(BatchPlan batch) {
    batch.micro = batch.largestEffective();
    batch.devices = 1;
    return batch;
}

bool isMissing(const Error& error) { return error.code.ends_with(".missing"); }

QPushButton* button(const QString& text, const QString& name, QWidget* parent) {
    auto* made = new QPushButton(text, parent);
    made->setObjectName(QStringLiteral("setup.") + name);
    made->setAutoDefault(false);
    return made;
}

QToolButton* toolButton(const QString& text, const QString& name, QWidget* parent) {
    auto* made = new QToolButton(parent);
    made->setObjectName(QStringLiteral("setup.") + name);
    made->setToolTip(text);
    made->setAccessibleName(text);
    made->setAutoRaise(true);
    made->setIconSize(QSize(20, 20));
    made->setFixedSize(32, 32);
    return made;
}

void block(QPushButton* one, const QString& reason, const QString& tip) {
    one->setEnabled(reason.isEmpty());
    one->setAccessibleDescription(reason);
    one->setToolTip(reason.isEmpty() ? tip : reason);
}

/// Scrolls up and down where it has no room. Nothing of it can be seen but what it holds.
QScrollArea* scrolling(QWidget* content, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false);
    area->setWidget(content);
    content->setAutoFillBackground(false); // setWidget() has switched it on
    return area;
}

} // namespace

QString runsText(const SetupPlan& plan) {
    if (plan.seeds == 0)
        return SetupSummary::tr("Number of runs: %1").arg(unknown());
    return SetupSummary::tr("%1 × %2 = %3")
        .arg(SetupSummary::tr("%Ln arm(s)", nullptr, static_cast<int>(plan.arms)),
             SetupSummary::tr("%Ln seed(s)", nullptr, static_cast<int>(plan.seeds)),
             SetupSummary::tr("%Ln run(s)", nullptr, static_cast<int>(plan.runs())));
}

SetupSummary::SetupSummary(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_runs(new RoleLabel(theme, TextRole::CardTitle, {}, this)),
      m_time(new RoleLabel(theme, TextRole::Caption, SetupTime::unknownText(), this)),
      m_memory(new MemoryBar(theme, this)), m_findings(new FindingList(theme, QStringLiteral("setup.summary."), this)),
      m_allWell(new RoleLabel(theme, TextRole::Caption, tr("No problems found."), this)),
      m_told(new RoleLabel(theme, TextRole::Caption, {}, this)), m_place(new PlaceBox(theme, this)),
      m_start(primaryButton(theme, {}, this)), m_enqueue(button(tr("Add to queue"), QStringLiteral("enqueue"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::l);
    auto* told = new QWidget(this);
    auto* above = m_above = new QVBoxLayout(told);
    above->setContentsMargins(0, 0, 0, 0);
    above->setSpacing(space::m);
    above->addWidget(makeOverview());
    auto* checks = new Card(theme, tr("Checks"), told);
    auto* inside = new QWidget(checks);
    auto* list = new QVBoxLayout(inside);
    list->setContentsMargins(0, 0, 0, 0);
    list->addWidget(makeDataError());
    list->addWidget(m_findings);
    list->addWidget(m_allWell);
    list->addStretch();
    checks->content()->addWidget(inside);
    above->addWidget(checks, 1);
    QScrollArea* area = scrolling(told, this); // as a whole: a box in it that scrolls would show half a check
    area->setObjectName(QStringLiteral("setup.summary.area"));
    column->addWidget(area, 1);
    connect(qApp, &QApplication::focusChanged, this, [area](const QWidget*, QWidget* now) {
        // A control that the mouse presses is in sight; moved away from under it, it would not be clicked.
        if (now && area->isAncestorOf(now) && QApplication::mouseButtons() == Qt::NoButton)
            area->ensureWidgetVisible(now);
    });
    column->addLayout(makeButtons());
    connect(m_findings, &FindingList::fixChosen, this, &SetupSummary::fixChosen);
    connect(&theme, &Theme::changed, this, &SetupSummary::retint);
    retint();
}

Card* SetupSummary::makeOverview() {
    auto* card = new Card(m_theme, {}, this);
    m_runs->setObjectName(QStringLiteral("setup.summary.runs"));
    keepWrapped(m_runs, m_theme);
    card->content()->addWidget(m_runs);
    m_time->setObjectName(QStringLiteral("setup.summary.time"));
    card->content()->addWidget(m_time);
    m_time->hide();
    auto* grid = m_grid = new QGridLayout;
    grid->setHorizontalSpacing(space::m);
    grid->setVerticalSpacing(space::s);
    grid->setColumnStretch(1, 1);
    const QString captions[RowCount] = {tr("Updates"),    tr("Samples"), tr("Batch"), tr("Margin"),
                                        tr("Parameters"), tr("Data"),    tr("Device")};
    const char* const names[RowCount] = {"updates", "samples", "batch", "margin", "parameters", "data", "device"};
    for (int row = 0; row < RowCount; ++row) {
        auto* caption = new RoleLabel(m_theme, TextRole::Caption, captions[row], card);
        caption->setWordWrap(false);
        auto* value = new RoleLabel(m_theme, TextRole::Body, unknown(), card);
        value->setObjectName(QStringLiteral("setup.summary.") + QLatin1String(names[row]));
        value->setAccessibleName(captions[row]);
        value->setWordWrap(true);
        grid->addWidget(caption, row, 0, Qt::AlignTop);
        grid->addWidget(value, row, 1);
        m_captions[static_cast<std::size_t>(row)] = caption;
        m_values[static_cast<std::size_t>(row)] = value;
    }
    card->content()->addLayout(grid);
    card->content()->addWidget(m_memory);
    return card;
}

QWidget* SetupSummary::makeDataError() {
    m_dataError = new QWidget(this);
    auto* column = new QVBoxLayout(m_dataError);
    column->setContentsMargins(0, 0, 0, space::m);
    column->setSpacing(space::s);
    m_dataErrorText = new RoleLabel(m_theme, TextRole::Bad, {}, m_dataError);
    m_dataErrorText->setObjectName(QStringLiteral("setup.data.error"));
    keepWrapped(m_dataErrorText, m_theme);
    column->addWidget(m_dataErrorText);
    auto* buttons = new FlowLayout(space::s);
    column->addLayout(buttons);
    auto* locate = new PathChooser(
        *findField("data.path"), [] { return QString(); }, m_dataError);
    locate->setText(tr("Locate…"));
    locate->setAccessibleName(tr("Locate the data"));
    locate->setObjectName(QStringLiteral("setup.data.locate"));
    locate->menu()->setObjectName(QStringLiteral("setup.data.locate.menu"));
    m_generated = button(tr("Use generated data"), QStringLiteral("data.generated"), m_dataError);
    auto* field = button(fixLabel(fieldLink()), QStringLiteral("data.field"), m_dataError);
    buttons->addWidget(locate);
    buttons->addWidget(m_generated);
    buttons->addWidget(field);
    connect(field, &QPushButton::clicked, this, [this] {
        Q_EMIT fixChosen({{}, FindingLevel::Error, "data.path", {}, {}}, fieldLink());
    });
    connect(locate, &PathChooser::chosen, this, &SetupSummary::fileChosen);
    connect(m_generated, &QPushButton::clicked, this, &SetupSummary::useGeneratedClicked);
    m_dataError->hide();
    return m_dataError;
}

QLayout* SetupSummary::makeButtons() {
    auto* column = new QVBoxLayout;
    column->setSpacing(space::s);
    m_told->setObjectName(QStringLiteral("setup.told"));
    column->addWidget(m_told);
    m_told->hide();
    column->addWidget(m_place);
    m_start->setObjectName(QStringLiteral("setup.start"));
    m_start->setMinimumHeight(40);
    m_enqueue->setMinimumHeight(40);
    setQueues(false);
    m_undo = toolButton(tr("Undo"), QStringLiteral("undo"), this);
    m_redo = toolButton(tr("Redo"), QStringLiteral("redo"), this);
    auto* main = new QHBoxLayout;
    main->setSpacing(space::xs);
    main->addWidget(m_start, 1);
    main->addWidget(m_enqueue);
    main->addWidget(m_undo);
    main->addWidget(m_redo);
    column->addLayout(main);

    m_audit = new QPushButton(tr("Audit this set-up"), this);
    m_audit->setObjectName(QStringLiteral("setupAudit"));
    m_audit->setAutoDefault(false);
    m_plan = button(tr("Plan micro-batch"), QStringLiteral("plan"), this);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(space::xs);
    tools->addWidget(m_audit, 1);
    tools->addWidget(m_plan, 1);
    column->addLayout(tools);

    auto* row = new QHBoxLayout;
    row->setSpacing(space::xs);
    m_copy = button(tr("Copy as command"), QStringLiteral("copy"), this);
    m_save = button(tr("Save…"), QStringLiteral("experiment.save"), this);
    m_save->setAccessibleName(tr("Save experiment"));
    auto* load = button(tr("Load…"), QStringLiteral("experiment.load"), this);
    load->setAccessibleName(tr("Load experiment"));
    load->setToolTip(tr("Fill the form from an experiment file (TOML)"));
    row->addWidget(m_copy, 1);
    row->addWidget(m_save);
    row->addWidget(load);
    column->addLayout(row);
    setRefused({});

    connect(m_place, &PlaceBox::placeChanged, this, &SetupSummary::placeChanged);
    connect(m_start, &QPushButton::clicked, this, &SetupSummary::startClicked);
    connect(m_enqueue, &QPushButton::clicked, this, &SetupSummary::enqueueClicked);
    connect(m_audit, &QPushButton::clicked, this, &SetupSummary::auditClicked);
    connect(m_plan, &QPushButton::clicked, this, &SetupSummary::planClicked);
    connect(m_copy, &QPushButton::clicked, this, &SetupSummary::copyClicked);
    connect(m_save, &QPushButton::clicked, this, &SetupSummary::saveClicked);
    connect(load, &QPushButton::clicked, this, &SetupSummary::loadClicked);
    connect(m_undo, &QToolButton::clicked, this, &SetupSummary::undoClicked);
    connect(m_redo, &QToolButton::clicked, this, &SetupSummary::redoClicked);
    return column;
}

void SetupSummary::showPlan(const SetupPlan& plan, const ExperimentConfig& experiment) {
    const bool known = plan.epoch && plan.updates > 0;
    setValue(Updates, known ? tr("%1 per run").arg(format::count(plan.updates)) : unknown());
    setValue(Samples, known ? tr("%1 per run").arg(format::count(plan.samples)) : unknown());
    QString batch = unknown();
    if (plan.batch) {
        batch = format::batchEquation(*plan.batch);
        if (experiment.study.largeBatch)
            batch = tr("%1 and %2").arg(batch, format::batchSplit(largeArm(*plan.batch)));
        batch.replace(QStringLiteral(" × "), QStringLiteral("\u00a0×\u00a0")); // a line may break elsewhere
    }
    setValue(Batch, batch);
    setValue(Margin, marginText(experiment));
    showRow(Margin, experiment.study.largeBatch);
}

void SetupSummary::showFacts(const SetupFacts& facts, const DataConfig& config, bool mendable) {
    const Result<DataSummary>* found = facts.data();
    if (!found)
        setValue(Data, tr("looking…"));
    else if (!*found)
        setValue(Data, isMissing(found->error()) ? tr("not found") : tr("cannot be used"));
    else
        setValue(Data, tr("%1 training, %2 test")
                           .arg(format::count((*found)->trainSamples), format::count((*found)->testSamples)));
    const bool failed = found && !*found;
    if (const auto elsewhere = place()) { // what is found here says nothing of there
        setValue(Device, placeName(*elsewhere));
        m_values[Device]->setToolTip({});
        m_dataError->hide();
        setValue(Parameters, facts.parameters() ? format::count(*facts.parameters()) : unknown());
        return;
    }
    m_dataErrorText->setText(failed ? format::error(found->error()) : QString());
    m_dataError->setVisible(failed && !mendable);
    m_generated->setVisible(knowsGeneratedData() && config.path.empty());
    setValue(Parameters, facts.parameters() ? format::count(*facts.parameters()) : unknown());
    const auto& device = facts.device();
    setValue(Device, !device ? tr("looking…") : device->facts.empty() ? unknown() : format::facts(device->facts));
    m_values[Device]->setToolTip(device && device->note ? format::note(*device->note) : QString());
}

void SetupSummary::showMemory(const SetupMemory& memory, const SetupPlan& plan, bool known) {
    const bool here = !place(); // what is known here says nothing of there
    m_memory->setVisible(here);
    m_canPlan = here && plan.batch.has_value();
    if (known)
        m_memory->showMemory(memory.facts(), memory.parts(), memory.lastPeak());
    else
        m_memory->showMemory({}, {}, {});
}

void SetupSummary::showRuns(const SetupPlan& plan, const std::optional<StudyTime>& time, bool settled) {
    const bool known = time && !place();
    m_runs->setText(known ? tr("%1, about %2").arg(runsText(plan), format::estimate(time->seconds)) : runsText(plan));
    QString source;
    if (known)
        source = time->source == StudyTime::Source::Plan
                     ? tr("Training time by the plan of the micro-batch")
                     : tr("Training time at the speed of earlier runs with the same settings");
    m_runs->setToolTip(source);
    m_runs->setAccessibleDescription(source);
    m_time->setVisible(!time && settled && !place() && plan.batch && plan.seeds > 0);
}

void SetupSummary::setRefused(const QString& why) {
    block(m_audit, why, tr("Does its accumulated gradient equal the large batch's? Find out before you start."));
    block(m_plan, why, tr("Measures which micro-batch fits and is fast, on the page Planner"));
    m_plan->setEnabled(m_canPlan && why.isEmpty());
    block(m_copy, why, tr("The same runs for accumulus-cli"));
    block(m_save, why, tr("Save this set-up as an experiment file (TOML)"));
}

void SetupSummary::setBlocked(const QString& start, const QString& queue) {
    block(m_start, start, tr("F5"));
    block(m_enqueue, queue, tr("Puts it in the queue, even while nothing trains (Ctrl+F5)"));
    m_allWell->setVisible(start.isEmpty() && m_findings->findings().empty() && !m_dataError->isVisibleTo(this));
}

void SetupSummary::setQueues(bool queues) {
    m_start->setText(queues ? m_enqueue->text() : tr("Start"));
    m_enqueue->setVisible(!queues && !place()); // another place has a queue of its own
}

void SetupSummary::setHistory(bool canUndo, bool canRedo) {
    m_undo->setEnabled(canUndo);
    m_redo->setEnabled(canRedo);
}

void SetupSummary::tell(const QString& text) {
    m_told->setText(text);
    m_told->show();
    QTimer::singleShot(6000, m_told, [label = m_told, text] {
        if (label->text() != text)
            return;
        label->clear();
        label->hide();
    });
}

void SetupSummary::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool compact = event->size().height() < tallHeight;
    m_memory->setCompact(compact);
    // What is wrong is seen before the start, wherever the rest is.
    const bool low = event->size().height() < lowLines * fontMetrics().lineSpacing();
    m_above->setDirection(low ? QBoxLayout::BottomToTop : QBoxLayout::TopToBottom);
    for (const Row row : {Parameters, Data}) // "What was found" tells them as well
        showRow(row, !compact);
    m_grid->setVerticalSpacing(compact ? space::xs : space::s);
    layout()->setSpacing(compact ? space::m : space::l);
}

void SetupSummary::setValue(Row row, const QString& text) {
    RoleLabel& label = *m_values[static_cast<std::size_t>(row)];
    label.setText(text);
    label.setAccessibleDescription(text);
}

void SetupSummary::showRow(Row row, bool on) {
    m_captions[static_cast<std::size_t>(row)]->setVisible(on);
    m_values[static_cast<std::size_t>(row)]->setVisible(on);
}

void SetupSummary::retint() {
    const QColor color = m_theme.colors().text;
    m_undo->setIcon(icon(QStringLiteral("undo"), color));
    m_redo->setIcon(icon(QStringLiteral("redo"), color));
    m_audit->setIcon(icon(QStringLiteral("audit"), color));
    m_plan->setIcon(icon(QStringLiteral("planner"), color));
    m_start->setIcon(icon(QStringLiteral("play"), m_theme.colors().onAccent));
}

} // namespace accumulus::ui

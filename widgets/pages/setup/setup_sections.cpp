// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/setup_sections.h"

#include "widgets/models/field_words.h"
#include "widgets/pages/setup/changed_chip.h"
#include "widgets/style/icons.h"
#include "widgets/style/workbench_style.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <QToolButton>
#include <algorithm>

namespace accumulus::ui {

namespace {

constexpr int columnWidth = 250;  ///< least width of a field, in pixels at 96 dpi
constexpr int columnLetters = 32; ///< and in letters: larger ones need more room
constexpr int maxColumns = 3;

bool contains(const std::vector<std::string>& keys, const std::string& key) {
    return std::ranges::find(keys, key) != keys.end();
}

/// Index of the section that a key not named in the table falls into, by its first part.
std::size_t sectionOf(const std::string& key) {
    const std::string group = key.substr(0, key.find('.'));
    if (group == "data" || group == "model")
        return 0;
    if (group == "batch" || group == "loss")
        return 1;
    if (group == "optimizer" || group == "schedule")
        return 2;
    if (group == "train" || group == "study" || group == "evaluate" || group == "checkpoint")
        return 3;
    return 4;
}

} // namespace

std::vector<SectionPlan> sectionPlans() {
    const auto words = [](const char* text) { return QCoreApplication::translate("SetupSection", text); };
    std::vector<SectionPlan> plans = {
        {QStringLiteral("data"),
         words(QT_TRANSLATE_NOOP("SetupSection", "Data and model")),
         {"data.dataset", "model.name", "data.path", "data.test_path", "data.target", "data.validation", "loss.kind",
          "model.path", "model.weights", "model.hidden", "model.stem", "model.norm", "model.layers", "model.heads",
          "model.width", "data.block", "data.augment"},
         {},
         {}},
        {QStringLiteral("batch"),
         words(QT_TRANSLATE_NOOP("SetupSection", "Batch")),
         {"batch.tail", "batch.ramp", "parallel.mode", "parallel.order"},
         {"batch.ragged", "loss.normalise", "loss.label_smoothing", "batch.lean"},
         {"batch.micro", "batch.steps", "batch.devices", "batch.effective"}},
        {QStringLiteral("optimizer"),
         words(QT_TRANSLATE_NOOP("SetupSection", "Optimizer and schedule")),
         {"optimizer.name", "optimizer.lr", "optimizer.lr_batch", "optimizer.lr_rule", "optimizer.momentum",
          "schedule.kind", "schedule.warmup", "schedule.final_lr_fraction", "schedule.step_every",
          "schedule.step_factor"},
         {"optimizer.weight_decay", "optimizer.nesterov", "optimizer.beta1", "optimizer.beta2", "optimizer.eps",
          "train.clip_norm"},
         {}},
        {QStringLiteral("plan"),
         words(QT_TRANSLATE_NOOP("SetupSection", "Plan")),
         {"study.name", "train.length", "study.seeds", "study.margin", "study.ghost"},
         {"study.metric", "evaluate.every", "probe.parameter", "checkpoint.every", "checkpoint.keep", "checkpoint.best",
          "checkpoint.initial"},
         {"study.large_batch"}},
        {QStringLiteral("numerics"),
         words(QT_TRANSLATE_NOOP("SetupSection", "Numerics and device")),
         {"numerics.precision", "numerics.loss_scale", "numerics.batch_norm", "device.kind", "device.lanes"},
         {"device.threads", "device.memory_limit", "device.on_oom", "numerics.nonfinite", "numerics.accumulator",
          "numerics.ghost", "numerics.channels_last", "numerics.winograd", "numerics.deterministic"},
         {}},
    };
    for (const ConfigField& field : configFields()) {
        const bool named = std::ranges::any_of(plans, [&](const SectionPlan& plan) {
            return contains(plan.basic, field.key) || contains(plan.more, field.key) || contains(plan.own, field.key);
        });
        if (!named)
            plans[sectionOf(field.key)].more.push_back(field.key);
    }
    return plans;
}

FieldCell::FieldCell(const Theme& theme, const ConfigField& field, ConfigForm& form, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_field(field), m_form(form), m_label(new QLabel(fieldTitle(field), this)),
      m_editor(FieldEditor::create(field, form, this)), m_problem(new RoleLabel(theme, TextRole::Bad, {}, this)),
      m_findings(new FindingList(theme, QStringLiteral("setup.finding."), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::xs);
    auto* head = new QHBoxLayout;
    head->addWidget(m_label);
    head->addStretch();
    head->addWidget(new ChangedChip(theme, field, form, this), 0, Qt::AlignRight);
    column->addLayout(head);
    column->addWidget(m_editor);
    column->addWidget(m_problem);
    column->addWidget(m_findings);
    column->addStretch();

    m_label->setBuddy(m_editor->control());
    setRichToolTip(m_label, m_editor->control()->toolTip());
    m_label->setMinimumHeight(20);
    m_problem->setObjectName(m_editor->control()->objectName() + QStringLiteral(".problem"));
    keepWrapped(m_problem, theme);
    if (field.type == FieldType::Boolean)
        m_label->setText({}); // the check box carries its own text
    connect(&form, &ConfigForm::changed, this, &FieldCell::refresh);
    refresh();
}

bool FieldCell::applies() const {
    return m_field.applies(m_form.config()) || m_form.problems().contains(m_field.key) ||
           !m_findings->findings().empty();
}

void FieldCell::refresh() {
    const auto problem = m_form.problems().find(m_field.key);
    m_problem->setText(problem == m_form.problems().end() ? QString() : problem->second);
    m_problem->setVisible(!m_problem->text().isEmpty());
}

FieldGrid::FieldGrid(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(space::l);
    m_grid->setVerticalSpacing(space::fieldGap);
}

void FieldGrid::add(FieldCell* cell) {
    cell->setParent(this);
    m_cells.push_back(cell);
}

int FieldGrid::columnsFor(int width) const {
    const int least = std::max(columnWidth, columnLetters * fontMetrics().horizontalAdvance(QLatin1Char('x')));
    return std::clamp((width + space::l) / (least + space::l), 1, maxColumns);
}

void FieldGrid::reflow() {
    std::vector<FieldCell*> shown;
    std::ranges::copy_if(m_cells, std::back_inserter(shown), [](const FieldCell* cell) { return cell->applies(); });
    const int columns = columnsFor(width());
    if (shown == m_shown && columns == m_columns)
        return;
    while (m_grid->count() > 0)
        delete m_grid->takeAt(0);
    for (int column = 0; column < maxColumns; ++column)
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
    for (FieldCell* cell : m_cells)
        cell->setVisible(std::ranges::find(shown, cell) != shown.end());
    int position = 0;
    for (FieldCell* cell : shown) {
        m_grid->addWidget(cell, position / columns, position % columns);
        ++position;
    }
    // An empty last cell keeps the columns equal when there are fewer fields than columns.
    for (; position < columns; ++position)
        m_grid->addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding), 0, position);
    m_shown = std::move(shown);
    m_columns = columns;
}

void FieldGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (columnsFor(event->size().width()) != m_columns)
        reflow();
}

SetupSection::SetupSection(const Theme& theme, SectionPlan plan, ConfigForm& form, QWidget* parent)
    : Card(theme, {}, parent), m_theme(theme), m_plan(std::move(plan)), m_form(form), m_reset(new QToolButton(this)),
      m_moreButton(new QToolButton(this)), m_head(new QVBoxLayout), m_tail(new QVBoxLayout),
      m_basic(new FieldGrid(this)), m_more(new FieldGrid(this)) {
    const QString name = QStringLiteral("setup.section.") + m_plan.id;
    setObjectName(name);
    setAccessibleName(m_plan.title);

    auto* header = new QHBoxLayout;
    header->addWidget(new RoleLabel(theme, TextRole::CardTitle, m_plan.title, this));
    header->addStretch();
    m_reset->setObjectName(name + QStringLiteral(".reset"));
    m_reset->setAccessibleName(tr("Reset section %1").arg(m_plan.title));
    m_reset->setAutoRaise(true);
    header->addWidget(m_reset);
    content()->addLayout(header);
    for (QVBoxLayout* layout : {m_head, m_tail})
        layout->setSpacing(space::fieldGap);
    content()->addLayout(m_head);
    content()->addWidget(m_basic);
    content()->addLayout(m_tail);
    m_moreButton->setObjectName(name + QStringLiteral(".more"));
    m_moreButton->setAutoRaise(true);
    m_moreButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_moreButton->setIconSize(QSize(16, 16));
    content()->addWidget(m_moreButton, 0, Qt::AlignLeft);
    content()->addWidget(m_more);
    m_more->hide();

    makeCells(*m_basic, m_plan.basic);
    if (!m_basic->cells().empty()) // the first field takes the focus, not the button that was made before it
        setTabOrder(m_basic->cells().back()->editor()->control(), m_moreButton);

    connect(m_reset, &QToolButton::clicked, this, [this] { m_form.reset(keys()); });
    connect(m_moreButton, &QToolButton::clicked, this, [this] { showMore(!m_open); });
    connect(&form, &ConfigForm::changed, this, &SetupSection::refresh);
    connect(&theme, &Theme::changed, this, &SetupSection::refresh);
    refresh();
}

void SetupSection::makeCells(FieldGrid& grid, const std::vector<std::string>& keys) {
    for (const std::string& key : keys)
        if (const ConfigField* field = findField(key)) {
            auto* cell = new FieldCell(m_theme, *field, m_form, &grid);
            grid.add(cell);
            connect(cell->findings(), &FindingList::fixChosen, this, &SetupSection::fixChosen);
            connect(cell->editor(), &FieldEditor::fileChosen, this, &SetupSection::fileChosen);
        }
}

// Half of the settings, which few people open: without them the page is there sooner.
void SetupSection::makeMore() {
    if (!m_more->cells().empty() || m_plan.more.empty())
        return;
    makeCells(*m_more, m_plan.more);
    Q_EMIT cellsMade(m_more);
}

FieldCell* SetupSection::cell(const std::string& key) {
    if (contains(m_plan.more, key))
        makeMore();
    for (const FieldGrid* grid : {m_basic, m_more})
        for (FieldCell* cell : grid->cells())
            if (cell->field().key == key)
                return cell;
    return nullptr;
}

void SetupSection::showMore(bool on) {
    m_open = on;
    if (on)
        makeMore();
    m_more->setVisible(on);
    refresh();
}

void SetupSection::showFindings(const std::vector<Finding>& findings) {
    if (std::ranges::any_of(findings, [this](const Finding& finding) { return contains(m_plan.more, finding.key); }))
        makeMore();
    for (const FieldGrid* grid : {m_basic, m_more})
        for (FieldCell* cell : grid->cells()) {
            std::vector<Finding> own;
            std::ranges::copy_if(findings, std::back_inserter(own),
                                 [cell](const Finding& finding) { return finding.key == cell->field().key; });
            const bool error = std::ranges::find(own, FindingLevel::Error, &Finding::level) != own.end();
            cell->findings()->setFindings(std::move(own));
            if (error)
                reveal(cell);
        }
    refresh();
}

void SetupSection::reveal(const FieldCell* cell) {
    if (std::ranges::find(m_more->cells(), cell) != m_more->cells().end())
        showMore(true);
}

bool SetupSection::moreApplies() const {
    if (!m_more->cells().empty())
        return std::ranges::any_of(m_more->cells(), &FieldCell::applies);
    return std::ranges::any_of(m_plan.more, [this](const std::string& key) {
        const ConfigField* field = findField(key);
        return field && field->applies(m_form.config());
    });
}

std::vector<std::string> SetupSection::keys() const {
    std::vector<std::string> keys = m_plan.basic;
    keys.insert(keys.end(), m_plan.more.begin(), m_plan.more.end());
    keys.insert(keys.end(), m_plan.own.begin(), m_plan.own.end());
    return keys;
}

void SetupSection::refresh() {
    m_basic->reflow();
    m_more->reflow();
    const auto differs = [this](const std::string& key) {
        const ConfigField* field = findField(key);
        return field && m_form.differsFromStart(*field);
    };
    m_reset->setEnabled(std::ranges::any_of(keys(), differs));
    m_reset->setText(resetTitle(m_form.start()));
    m_reset->setToolTip(
        tr("Restores the values that this section started with (can be undone). %1").arg(startTitle(m_form.start())));
    m_reset->setAccessibleDescription(m_reset->toolTip());
    const auto changed = std::ranges::count_if(m_plan.more, differs);
    m_moreButton->setText(changed > 0 && !m_open ? tr("More · %1 changed").arg(changed) : tr("More"));
    m_moreButton->setAccessibleName(tr("More settings of %1").arg(m_plan.title));
    m_moreButton->setAccessibleDescription(m_open ? tr("shown") : tr("hidden"));
    m_moreButton->setIcon(
        icon(m_open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), m_theme.colors().secondary));
    m_moreButton->setVisible(moreApplies());
}

} // namespace accumulus::ui

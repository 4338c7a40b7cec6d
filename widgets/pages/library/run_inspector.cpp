// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_inspector.h"

#include "core/analysis/noise_words.h"
#include "core/config/batch_plan.h"
#include "core/config/config_fields.h"
#include "core/config/metric_rows.h"
#include "core/run/noise_views.h"
#include "widgets/models/audit_text.h"
#include "widgets/models/comparison_text.h"
#include "widgets/models/field_values.h"
#include "widgets/models/field_words.h"
#include "widgets/models/run_audits.h"
#include "widgets/models/run_tags.h"
#include "widgets/plots/batch_bar.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTreeWidget>
#include <algorithm>
#include <chrono>
#include <utility>

namespace accumulus::ui {
namespace {

using namespace std::chrono_literals;

QString text(const std::string& value) { return value.empty() ? QStringLiteral("–") : format::fromUtf8(value); }

QString checkpointTitle(CheckpointKind kind) {
    return format::message({"checkpoint.kind-" + checkpointKindName(kind), {}});
}

const QString tagSeparator = QStringLiteral(", ");

QString tagLine(const RunRecord& run) {
    QStringList tags;
    for (const std::string& tag : run.tags)
        tags << format::fromUtf8(tag);
    return tags.join(tagSeparator);
}

struct Details {
    std::optional<GradientAudit> audit;
    std::vector<CheckpointRecord> checkpoints;
    std::vector<EventRecord> events;
    std::optional<Message> noise;
};

std::optional<Message> noiseOf(RunReader& reader, const RunRecord& run) {
    const auto view = runNoiseView(reader, run);
    if (!view || view->missing)
        return std::nullopt;
    return noiseAdviceMessage(view->recent, view->effective, view->unit);
}

} // namespace

RunInspector::RunInspector(Services services, LibraryEdits& edits, QWidget* parent)
    : QWidget(parent), m_services(services), m_edits(edits) {
    setObjectName(QStringLiteral("runInspector"));
    setAccessibleName(tr("Details of the selected run"));
    m_stack = new QStackedWidget;
    m_hint = new RoleLabel(services.theme, TextRole::Caption);
    m_hint->setAlignment(Qt::AlignCenter);
    m_stack->addWidget(m_hint);

    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::s);
    m_title = new RoleLabel(services.theme, TextRole::CardTitle);
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_title->setObjectName(QStringLiteral("inspectorTitle"));
    m_subtitle = new RoleLabel(services.theme, TextRole::Caption);
    m_subtitle->setObjectName(QStringLiteral("inspectorBatch"));
    m_batch = new BatchBar(services.theme);
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("inspectorTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(true);
    column->addWidget(m_title);
    column->addWidget(m_subtitle);
    column->addWidget(m_batch);
    m_audit = new RoleLabel(services.theme, TextRole::Caption);
    m_audit->setObjectName(QStringLiteral("inspectorAudit"));
    m_audit->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_audit->hide();
    column->addWidget(m_audit);
    column->addWidget(m_tabs, 1);
    m_stack->addWidget(page);

    m_overview = addTree(tr("Overview"), QStringLiteral("inspectorOverview"), {tr("What"), tr("Value")});
    m_config = addTree(tr("Settings"), QStringLiteral("inspectorConfig"), {tr("Setting"), tr("Value")});
    m_checkpoints = addTree(tr("Files"), QStringLiteral("inspectorCheckpoints"),
                            {tr("Checkpoint"), tr("Update"), tr("Size"), tr("Saved")});
    m_events = addTree(tr("Events"), QStringLiteral("inspectorEvents"), {tr("Time"), tr("Event")});
    m_tabs->addTab(notesTab(), tr("Notes"));

    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);

    m_saveSoon.setSingleShot(true);
    m_saveSoon.setInterval(1500ms);
    connect(&m_saveSoon, &QTimer::timeout, this, &RunInspector::saveEdits);
    showNothing(0);
}

RunInspector::~RunInspector() = default;

RunInspector::Draft RunInspector::draftOf(const RunRecord& run) {
    return {format::fromUtf8(run.name).trimmed(), tagsFrom(tagLine(run)).join(tagSeparator),
            format::linesFromUtf8(run.notes)};
}

QTreeWidget* RunInspector::addTree(const QString& title, const QString& name, const QStringList& headers) {
    auto* tree = new QTreeWidget;
    tree->setObjectName(name);
    tree->setAccessibleName(title);
    tree->setHeaderLabels(headers);
    tree->setHeaderHidden(headers.size() == 2); // two columns explain themselves
    tree->setRootIsDecorated(false);
    tree->setUniformRowHeights(false);
    tree->setWordWrap(true);
    tree->setFrameShape(QFrame::NoFrame);
    tree->setTextElideMode(Qt::ElideMiddle);
    tree->header()->setStretchLastSection(true);
    tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_tabs->addTab(tree, title);
    return tree;
}

QWidget* RunInspector::notesTab() {
    auto* tab = new QWidget;
    auto* column = new QVBoxLayout(tab);
    column->setContentsMargins(0, space::m, 0, 0);
    column->setSpacing(space::xs);
    const auto addField = [&](const QString& caption, QWidget* field, const QString& name, int stretch) {
        auto* label = new RoleLabel(m_services.theme, TextRole::Caption, caption);
        label->setBuddy(field);
        field->setObjectName(name);
        field->setAccessibleName(caption);
        column->addWidget(label);
        column->addWidget(field, stretch);
        column->addSpacing(space::s);
    };
    m_name = new QLineEdit;
    m_tags = new QLineEdit;
    m_tags->setPlaceholderText(tr("paper, baseline"));
    m_notes = new QPlainTextEdit;
    m_notes->setPlaceholderText(tr("What was this run for? What did it show?"));
    m_notes->setTabChangesFocus(true);
    addField(tr("Name"), m_name, QStringLiteral("inspectorName"), 0);
    addField(tr("Tags, separated by commas"), m_tags, QStringLiteral("inspectorTags"), 0);
    addField(tr("Notes"), m_notes, QStringLiteral("inspectorNotes"), 1);
    connect(&m_services.library, &LibraryGateway::opened, this, &RunInspector::forget);
    connect(m_name, &QLineEdit::editingFinished, this, &RunInspector::saveEdits);
    connect(m_tags, &QLineEdit::editingFinished, this, &RunInspector::saveEdits);
    connect(m_notes, &QPlainTextEdit::textChanged, &m_saveSoon, qOverload<>(&QTimer::start));
    return tab;
}

void RunInspector::forget() {
    m_saveSoon.stop();
    m_run.reset();
    m_unsaved.clear();
    m_saving.clear();
}

void RunInspector::showRun(const RunRecord& read) {
    RunRecord run = read;
    if (const auto saving = m_saving.find(run.id); saving != m_saving.end()) { // read before they were written, perhaps
        run.name = saving->second.wanted.name;
        run.tags = saving->second.wanted.tags;
        run.notes = saving->second.wanted.notes;
    }
    const bool other = !m_run || m_run->id != run.id;
    if (other) {
        saveEdits();
        m_run = run;
        const auto unsaved = m_unsaved.find(run.id);
        showDraft(unsaved == m_unsaved.end() ? draftOf(run) : unsaved->second);
        if (unsaved != m_unsaved.end())
            m_saveSoon.start();
        m_noise.reset();
        m_checkpoints->clear();
        m_events->clear();
        m_audit->hide();
    } else {
        // An undo, or another process: fields that were not edited follow.
        const Draft shown = draft();
        const Draft before = draftOf(*m_run);
        Draft fresh = draftOf(run);
        m_run = run;
        for (const auto field : {&Draft::name, &Draft::tags, &Draft::notes})
            if (shown.*field != before.*field)
                fresh.*field = shown.*field;
        showDraft(fresh);
    }
    const bool fixed = m_services.library.readOnly();
    m_name->setReadOnly(fixed);
    m_tags->setReadOnly(fixed);
    m_notes->setReadOnly(fixed);
    m_stack->setCurrentIndex(1);
    m_title->setText(format::fromUtf8(run.name));
    showOverview();
    showConfig();
    readCheckpointsAndEvents();
}

void RunInspector::showNothing(int selectedRuns) {
    saveEdits();
    m_run.reset();
    m_hint->setText(selectedRuns > 1 ? tr("%n runs are selected.", nullptr, selectedRuns)
                                     : tr("Select a run to see its settings, checkpoints, events and notes."));
    m_stack->setCurrentIndex(0);
}

void RunInspector::editTags() {
    if (!m_run)
        return;
    m_tabs->setCurrentIndex(m_tabs->count() - 1);
    m_tags->setFocus(Qt::ShortcutFocusReason);
    m_tags->selectAll();
}

RunInspector::Draft RunInspector::draft() const {
    return {m_name->text().trimmed(), tagsFrom(m_tags->text()).join(tagSeparator), m_notes->toPlainText()};
}

void RunInspector::showDraft(const Draft& draft) {
    const QSignalBlocker quiet(m_notes);
    const Draft now = this->draft(); // what stays keeps its cursor
    if (now.name != draft.name)
        m_name->setText(draft.name);
    if (now.tags != draft.tags)
        m_tags->setText(draft.tags);
    if (now.notes != draft.notes)
        m_notes->setPlainText(draft.notes);
}

bool RunInspector::hasDraft() const {
    const Draft now = draft();
    const Draft saved = draftOf(*m_run);
    // An empty name is none.
    return now.notes != saved.notes || now.tags != saved.tags || (!now.name.isEmpty() && now.name != saved.name);
}

bool RunInspector::hasUnsaved() const { return !m_unsaved.empty() || (m_run && !m_run->trashed && hasDraft()); }

void RunInspector::saveEdits() {
    m_saveSoon.stop();
    if (!m_run || m_run->trashed)
        return;
    m_unsaved.erase(m_run->id); // it is saved now, or was taken back
    if (!hasDraft())
        return;
    // Noted as saved: what fails is noted as unsaved again. Against what was shown: a foreign name is changed by an
    // edit only, not by being made printable.
    const RunRecord before = *m_run;
    const Draft now = draft();
    const Draft saved = draftOf(before);
    const auto told = [guard = QPointer(this), before, now, save = ++m_saves](bool written) {
        if (guard)
            guard->edited(before, now, save, written);
    };
    Saving& saving = m_saving[before.id];
    saving.last = m_saves;
    if (now.notes != saved.notes) {
        ++saving.pending;
        m_run->notes = now.notes.toStdString();
        m_edits.setNotes(before, now.notes, told);
    }
    if (now.tags != saved.tags) {
        ++saving.pending;
        m_run->tags.clear();
        for (const QString& tag : tagsFrom(now.tags))
            m_run->tags.push_back(tag.toStdString());
        m_edits.setTags(before, tagsFrom(now.tags), told);
    }
    if (!now.name.isEmpty() && now.name != saved.name) {
        ++saving.pending;
        m_run->name = now.name.toStdString();
        m_edits.rename(before, now.name, told);
    }
    saving.wanted = *m_run;
}

void RunInspector::edited(const RunRecord& before, const Draft& wanted, int save, bool written) {
    const auto saving = m_saving.find(before.id);
    if (saving == m_saving.end())
        return; // of another library
    const bool newest = saving->second.last == save;
    if (--saving->second.pending == 0 || (!written && newest))
        m_saving.erase(saving);
    if (written || !newest) // a later save has what this one lacked
        return;
    if (!m_run || m_run->id != before.id) {
        m_unsaved[before.id] = wanted;
        return;
    }
    // As it was: the fields differ from it, so that the next chance is taken.
    m_run->name = before.name;
    m_run->tags = before.tags;
    m_run->notes = before.notes;
    m_unsaved[before.id] = draft();
}

void RunInspector::fill(QTreeWidget* tree, const Rows& rows) {
    const int scrolled = tree->verticalScrollBar()->value();
    const bool sameShape = tree->topLevelItemCount() == static_cast<int>(rows.size());
    if (!sameShape)
        tree->clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& [what, value] = rows[i];
        QTreeWidgetItem* item = sameShape ? tree->topLevelItem(static_cast<int>(i)) : new QTreeWidgetItem(tree);
        item->setText(0, what);
        item->setText(1, value);
        item->setFirstColumnSpanned(value.isNull());
        QFont font = tree->font();
        font.setWeight(value.isNull() ? QFont::DemiBold : QFont::Normal);
        item->setFont(0, font);
        item->setToolTip(1, value);
    }
    tree->verticalScrollBar()->setValue(scrolled);
}

void RunInspector::showOverview() {
    const RunRecord& run = *m_run;
    const RunSummary& summary = run.summary;
    const BatchPlan& plan = run.batch;
    m_batch->setVisible(plan.effective > 0);
    if (plan.effective > 0) {
        m_subtitle->setText(format::batchSummary(plan));
        // Under a ramp the window that the run has come to.
        const auto sizes = microSizes(plan.effectiveAt(std::max<std::int64_t>(1, summary.updates)), plan.micro);
        m_batch->setArm(run.arm);
        m_batch->setMicroSizes(sizes);
        m_batch->setFilled(sizes.size());
        m_batch->setWindowClosed(run.state == RunState::Completed);
    } else {
        m_subtitle->clear();
    }
    Rows rows = {
        {tr("Status"), format::stateTitle(run)},
        {tr("Arm"), format::armTitle(run.arm)},
        {tr("Seed"), QString::number(run.seed)},
        {tr("Updates"), run.totalUpdates > 0
                            ? tr("%1 of %2").arg(format::count(summary.updates), format::count(run.totalUpdates))
                            : format::count(summary.updates)},
        {tr("Micro-steps"), format::count(summary.microSteps)},
        {tr("Samples"), format::count(summary.samples)},
        {tr("Training loss"), format::loss(summary.finalTrainLoss)},
        {tr("Speed"), summary.samplesPerSecond > 0 ? format::rate(summary.samplesPerSecond) : QStringLiteral("–")},
        {tr("Active time"), format::duration(summary.activeSeconds)},
    };
    // What its loss is measured by, after the samples.
    Rows measured;
    for (const MetricRow& metric : metricRows)
        if (metric.metric != CompareMetric::TrainLoss && hasMetric(run.config, metric.metric))
            if (const auto value = metricOf(summary, metric.metric); value || metric.metric == mainMetric(run.config))
                measured.emplace_back(comparison_text::metricTitle(metric.metric),
                                      metric.isShare ? format::accuracy(value) : format::loss(value));
    rows.insert(rows.begin() + 6, measured.begin(), measured.end());
    const bool ranks = run.batch.devices > 1; // of which the first one measures
    if (summary.peakBytes > 0)
        rows.emplace_back(ranks ? tr("Peak memory, first rank") : tr("Peak memory"), format::bytes(summary.peakBytes));
    if (summary.evaluationPeakBytes > 0)
        rows.emplace_back(tr("Peak memory, evaluations"), format::bytes(summary.evaluationPeakBytes));
    if (m_noise)
        rows.emplace_back(tr("Noise scale"), format::message(*m_noise));
    rows.emplace_back(tr("Created"), format::dateTime(run.createdAt));
    if (run.finishedAt > 0)
        rows.emplace_back(tr("Finished"), format::dateTime(run.finishedAt));
    if (run.attempt > 1)
        rows.emplace_back(tr("Attempt"), QString::number(run.attempt));
    if (!run.error.empty())
        rows.emplace_back(tr("Error"), format::fromUtf8(run.error));
    rows.emplace_back(tr("Weights hash"), text(summary.weightsHash));
    rows.emplace_back(tr("Run id"), text(run.id));
    for (auto& row : environmentRows())
        rows.push_back(std::move(row));
    fill(m_overview, rows);
}

void RunInspector::showConfig() {
    const ExperimentConfig shown{m_run->config, {}};
    Rows rows;
    for (const ConfigField& field : configFields()) {
        if (field.key.starts_with("study.") || (field.applies && !field.applies(shown)))
            continue;
        rows.emplace_back(fieldTitle(field), fieldValueText(field, shown));
    }
    fill(m_config, rows);
}

RunInspector::Rows RunInspector::environmentRows() const {
    const Environment& environment = m_run->environment;
    Rows rows = {{tr("Environment"), {}},
                 {tr("Program"), text(environment.program)},
                 {tr("LibTorch"), text(environment.libtorch)},
                 {tr("Device"), text(environment.device)},
                 {tr("GPU driver"), environment.driver == "none" ? tr("none") : text(environment.driver)},
                 {tr("Hardware"), text(environment.hardware)},
                 {tr("System"), text(environment.system)},
                 {tr("Ranks"), format::count(m_run->batch.devices)},
                 {m_run->batch.devices > 1 ? tr("Lanes per rank") : tr("Lanes"), QString::number(m_run->lanes)},
                 {tr("Threads per lane"), QString::number(m_run->threads)},
                 {tr("Training samples"), format::count(m_run->trainSamples)},
                 {tr("Data checksum"), text(environment.data)},
                 {tr("Configuration hash"), text(m_run->configHash)},
                 {tr("Pair hash"), text(m_run->pairHash)}};
    if (!m_run->modelFileHash.empty())
        rows.emplace_back(tr("Hash of the model's file"), text(m_run->modelFileHash));
    if (!m_run->initialWeightsHash.empty())
        rows.emplace_back(tr("Hash of the initial weights' file"), text(m_run->initialWeightsHash));
    return rows;
}

void RunInspector::readCheckpointsAndEvents() {
    const std::string id = m_run->id;
    const RunRecord run = *m_run;
    m_services.library.query<Details>(
        this, QStringLiteral("details"),
        [id, run](RunReader& reader) {
            Details details;
            details.audit = newestAudit(reader, run);
            if (auto checkpoints = reader.checkpoints(id))
                details.checkpoints = std::move(*checkpoints);
            if (auto events = reader.events(id))
                details.events = std::move(*events);
            details.noise = noiseOf(reader, run);
            return details;
        },
        [this, id](const Details& details) {
            if (!m_run || m_run->id != id)
                return;
            if (std::exchange(m_noise, details.noise) != details.noise)
                showOverview();
            m_audit->setVisible(details.audit.has_value());
            if (details.audit)
                m_audit->setText(tr("Audit: %1").arg(format::message(details.audit->headline)));
            m_checkpoints->clear();
            for (const CheckpointRecord& checkpoint : details.checkpoints) {
                auto* item = new QTreeWidgetItem(
                    m_checkpoints, {checkpointTitle(checkpoint.kind), format::count(checkpoint.update),
                                    format::bytes(checkpoint.bytes), format::dateTime(checkpoint.wallTime)});
                item->setToolTip(0, format::fromUtf8(checkpoint.weightsPath));
            }
            Rows rows;
            for (const EventRecord& event : details.events)
                rows.emplace_back(format::dateTime(event.wallTime), format::fromUtf8(event.text));
            fill(m_events, rows);
        });
}

} // namespace accumulus::ui

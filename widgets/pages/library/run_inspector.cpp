// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_inspector.h"

#include "core/analysis/noise_words.h"
#include "core/config/batch_plan.h"
#include "core/run/noise_views.h"
#include "widgets/models/audit_text.h"
#include "widgets/models/run_audits.h"
#include "widgets/pages/library/checkpoint_list.h"
#include "widgets/pages/library/notes_view.h"
#include "widgets/plots/batch_bar.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"
#include "widgets/style/row_copy.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeWidget>
#include <algorithm>
#include <chrono>
#include <utility>

namespace accumulus::ui {
namespace {

using namespace std::chrono_literals;

struct Details {
    std::optional<GradientAudit> audit;
    std::vector<CheckpointFiles> checkpoints;
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
    m_checkpoints = new CheckpointList(services);
    m_tabs->addTab(m_checkpoints, tr("Files"));
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

QTreeWidget* RunInspector::addTree(const QString& title, const QString& name, const QStringList& headers) {
    auto* tree = new QTreeWidget;
    tree->setObjectName(name);
    tree->setAccessibleName(title);
    tree->setHeaderLabels(headers);
    tree->setHeaderHidden(true); // the columns explain themselves
    tree->setRootIsDecorated(false);
    tree->setUniformRowHeights(false);
    tree->setWordWrap(true);
    tree->setFrameShape(QFrame::NoFrame);
    tree->setTextElideMode(Qt::ElideMiddle);
    tree->header()->setStretchLastSection(true);
    tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    addCopy(*tree, CopiedHeads::No);
    m_tabs->addTab(tree, title);
    return tree;
}

void RunInspector::showEvents() { m_tabs->setCurrentWidget(m_events); }

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
    const bool fixed = m_services.library.readOnly() || run.trashed; // what is in the Trash is not saved
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

QVariant RunInspector::state() const { return QVariantList{m_tabs->currentIndex(), m_checkpoints->selectedFile()}; }

void RunInspector::setState(const QVariant& state) {
    const QVariantList kept = state.toList();
    if (kept.size() != 2)
        return;
    m_tabs->setCurrentIndex(kept[0].toInt());
    m_checkpoints->keepSelected(kept[1].toString());
}

void RunInspector::editTags() {
    if (!m_run)
        return;
    m_tabs->setCurrentIndex(m_tabs->count() - 1);
    m_tags->setFocus(Qt::ShortcutFocusReason);
    m_tags->selectAll();
}

void RunInspector::focusTab() {
    QWidget* shown = m_tabs->currentWidget();
    if (shown->isAncestorOf(m_notes)) {
        auto* view = m_notes->findChild<NotesView*>();
        shown = view->isHidden() ? static_cast<QWidget*>(m_notes) : view; // nobody asked to write
    } else if (auto* list = shown->findChild<QAbstractItemView*>(); list && shown->focusPolicy() == Qt::NoFocus)
        shown = list;
    if (!shown->isVisibleTo(this)) // a tab that has nothing to show
        shown = m_tabs->tabBar();
    shown->setFocus(Qt::OtherFocusReason);
}

void RunInspector::fill(QTreeWidget* tree, const InspectorRows& rows) {
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
    fill(m_overview, overviewRows(run, m_noise));
}

void RunInspector::showConfig() { fill(m_config, settingRows(*m_run)); }

void RunInspector::readCheckpointsAndEvents() {
    const std::string id = m_run->id;
    const RunRecord run = *m_run;
    m_services.library.query<Details>(
        this, QStringLiteral("details"),
        [id, run](RunReader& reader) {
            Details details;
            details.audit = newestAudit(reader, run);
            details.checkpoints = checkpointFiles(reader, id);
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
            m_checkpoints->showRun(*m_run, details.checkpoints);
            InspectorRows rows;
            for (const EventRecord& event : details.events)
                rows.emplace_back(format::dateTime(event.wallTime), format::event(event));
            if (rows.empty())
                rows.emplace_back(tr("None"), tr("Skipped updates, memory that ran out, stops and other things that "
                                                 "happened are listed here."));
            fill(m_events, rows);
        });
}

} // namespace accumulus::ui

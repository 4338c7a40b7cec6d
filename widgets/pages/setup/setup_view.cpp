// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/setup_view.h"

#include "widgets/pages/setup/found_card.h"
#include "widgets/style/format.h"
#include "widgets/style/reading_order.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace accumulus::ui {

namespace {

constexpr int summaryWidth = 344;
constexpr int narrowSummary = 288; ///< where the form needs the room
/// More blocks than this cannot be told apart in the bar.
constexpr int maxBlocks = 4096;

QString epochText(const SetupPlan& plan, TailPolicy tail) {
    if (!plan.epoch)
        return SetupView::tr("updates per epoch: known once the data set is found");
    const int count = static_cast<int>(plan.epoch->updates);
    if (!plan.batch->ramp.empty())
        return SetupView::tr("%Ln update(s) in the first epoch", nullptr, count);
    const QString updates = SetupView::tr("%Ln update(s) per epoch", nullptr, count);
    const QString rest = format::count(plan.epoch->tailSamples);
    if (plan.epoch->tailSamples == 0)
        return SetupView::tr("%1, all of them full").arg(updates);
    switch (tail) {
    case TailPolicy::Apply:
        return SetupView::tr("%1, last window %2 samples").arg(updates, rest);
    case TailPolicy::Drop:
        return SetupView::tr("%1, last %2 samples dropped").arg(updates, rest);
    case TailPolicy::Carry:
        return SetupView::tr("%1, last %2 samples carried over").arg(updates, rest);
    case TailPolicy::Leak:
        return SetupView::tr("%1, last %2 samples leak into the next epoch").arg(updates, rest);
    }
    return updates;
}

bool isBatchKey(const std::string& key) {
    return std::ranges::find(BatchTriple::keys(), key) != BatchTriple::keys().end();
}

/// Is a setting refused whose key begins with one of these?
bool anyOf(const std::vector<Finding>& refused, std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(refused, [&](const Finding& finding) {
        return std::ranges::any_of(beginnings, [&](std::string_view start) { return finding.key.starts_with(start); });
    });
}

/// Without what cannot be told: what is stored is not what stands in a field that is refused.
SetupPlan knownPlan(SetupPlan plan, const std::vector<Finding>& refused) {
    if (anyOf(refused, {"batch."})) {
        plan.batch.reset();
        plan.epoch.reset();
    }
    if (anyOf(refused, {"batch.", "data.", "train.length"}))
        plan.updates = plan.samples = 0;
    if (anyOf(refused, {"study.seeds"}))
        plan.seeds = 0;
    return plan;
}

} // namespace

SetupView::SetupView(const Theme& theme, ConfigForm& form, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_form(form), m_notice(new NoticeBar(theme, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::pageMargin, space::pageMargin, space::pageMargin, space::pageMargin);
    column->setSpacing(space::l);
    column->addLayout(makeTitle());
    auto* row = new QHBoxLayout;
    row->setSpacing(space::l);
    auto* left = new QVBoxLayout; // the notice takes its height from the form, which scrolls
    left->setSpacing(space::l);
    left->addWidget(m_notice);
    left->addWidget(makeForm(), 1);
    row->addLayout(left, 1);
    m_summary = new SetupSummary(theme, this); // after the form: the order of Tab
    fitSummary();
    row->addWidget(m_summary);
    column->addLayout(row, 1);
    connect(m_summary, &SetupSummary::fixChosen, this, &SetupView::fixChosen);
    connect(m_summary, &SetupSummary::fileChosen, this, &SetupView::fileChosen);
}

QLayout* SetupView::makeTitle() {
    auto* presets = new QPushButton(tr("Presets…"), this);
    presets->setObjectName(QStringLiteral("setup.presets"));
    presets->setAutoDefault(false);
    presets->setToolTip(tr("Save the form under a name, load, rename or delete what was saved"));
    auto* row = new QHBoxLayout;
    row->addWidget(new RoleLabel(m_theme, TextRole::PageTitle, tr("Set up"), this));
    row->addStretch(1);
    row->addWidget(presets);
    connect(presets, &QPushButton::clicked, this, &SetupView::presetsClicked);
    return row;
}

/// A share of the page, but never less than its words take.
void SetupView::fitSummary() {
    const int share = std::clamp(width() * 36 / 100, narrowSummary, summaryWidth);
    m_summary->setFixedWidth(std::max(share, m_summary->layout()->minimumSize().width()));
}

void SetupView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitSummary();
}

QWidget* SetupView::makeForm() {
    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("setup.form"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    auto* content = new QWidget(m_scroll);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, space::s, 0);
    column->setSpacing(space::l);
    for (const SectionPlan& plan : sectionPlans()) {
        auto* section = new SetupSection(m_theme, plan, m_form, content);
        if (plan.id == QLatin1String("batch"))
            addBatch(*section);
        if (plan.id == QLatin1String("plan"))
            addPairSwitch(*section);
        if (plan.id == QLatin1String("optimizer"))
            section->tail()->addWidget(m_preview = new LrPreview(m_theme, section));
        m_sections.push_back(section);
        column->addWidget(section);
        connect(section, &SetupSection::fixChosen, this, &SetupView::fixChosen);
        connect(section, &SetupSection::fileChosen, this, &SetupView::fileChosen);
        connect(section, &SetupSection::cellsMade, this, &SetupView::fieldsMade);
        if (plan.id == QLatin1String("data"))
            column->addWidget(m_found = new FoundCard(m_theme, content));
    }
    column->addStretch();
    m_scroll->setWidget(content);
    content->setAutoFillBackground(false); // setWidget() has switched it on
    return m_scroll;
}

void SetupView::addBatch(SetupSection& section) {
    section.head()->addWidget(m_triple = new BatchTriple(m_theme, m_form, &section));
    section.head()->addWidget(m_batchFindings = new FindingList(m_theme, QStringLiteral("setup.finding."), &section));
    auto* lines = new QVBoxLayout;
    lines->setSpacing(space::xs);
    lines->addWidget(m_batchLine = new RoleLabel(m_theme, TextRole::Body, {}, &section));
    lines->addWidget(m_epochLine = new RoleLabel(m_theme, TextRole::Caption, {}, &section));
    m_batchLine->setObjectName(QStringLiteral("setup.batch.line"));
    m_epochLine->setObjectName(QStringLiteral("setup.epoch.line"));
    section.head()->addLayout(lines);
    section.head()->addWidget(m_bar = new BatchBar(m_theme, &section));
    m_bar->setObjectName(QStringLiteral("setup.batch.bar"));
    section.head()->addWidget(m_laterLine = new RoleLabel(m_theme, TextRole::Caption, {}, &section));
    section.head()->addWidget(m_laterBar = new BatchBar(m_theme, &section));
    m_laterBar->setObjectName(QStringLiteral("setup.batch.laterBar"));
    connect(m_batchFindings, &FindingList::fixChosen, this, &SetupView::fixChosen);
}

void SetupView::addPairSwitch(SetupSection& section) {
    auto* row = new QHBoxLayout;
    row->setSpacing(space::l);
    row->addWidget(m_pair = FieldEditor::create(*findField("study.large_batch"), m_form, &section));
    row->addWidget(m_pairLine = new RoleLabel(m_theme, TextRole::Caption, {}, &section), 1);
    m_pairLine->setObjectName(QStringLiteral("setup.pair.line"));
    section.head()->addLayout(row);
}

void SetupView::showState(const ExperimentConfig& experiment, const SetupFacts& facts, const SetupMemory& memory,
                          const SetupTime& time, const std::vector<Finding>& findings,
                          const std::vector<Finding>& refused) {
    const SetupPlan plan = knownPlan(planSetup(experiment, facts.trainSamples()), refused);
    showBatch(experiment, plan);
    m_pairLine->setText(runsText(plan));
    m_preview->showPlan(experiment, plan, facts.trainSamples());
    showFindings(findings);
    m_found->setVisible(!m_summary->place()); // what is found here says nothing of another place
    m_found->showFacts(facts, experiment.run.data);
    const bool mendable = std::ranges::find(findings, "D11", &Finding::id) != findings.end();
    m_summary->showFacts(facts, experiment.run.data, mendable);
    m_summary->showPlan(plan, experiment);
    m_summary->showMemory(memory, plan, !anyOf(refused, {"batch.", "data.", "model.", "device.", "numerics."}));
    const bool counted = plan.batch && plan.seeds > 0 && (plan.updates > 0 || !plan.epoch);
    m_summary->showRuns(plan, counted ? time.time(plan, memory.plan()) : std::nullopt, time.isSettled());
    std::vector<Finding> all = refused; // beside their fields they stand already
    all.insert(all.end(), findings.begin(), findings.end());
    for (Finding& finding : all) // whatever keeps Start from working has a way to its field
        if (finding.level == FindingLevel::Error && finding.fixes.empty() && findField(finding.key))
            finding.fixes.push_back(fieldLink());
    m_summary->showFindings(std::move(all));
    m_summary->setHistory(m_form.canUndo(), m_form.canRedo());
}

void SetupView::showBatch(const ExperimentConfig& experiment, const SetupPlan& plan) {
    m_batchLine->setText(plan.batch ? format::batchSummary(*plan.batch)
                                    : tr("These numbers do not form a valid batch yet."));
    m_epochLine->setText(plan.batch ? epochText(plan, experiment.run.batch.tail) : QString());
    const auto drawn = [](std::vector<std::int64_t> sizes) {
        return std::ssize(sizes) <= maxBlocks ? std::move(sizes) : std::vector<std::int64_t>();
    };
    m_bar->setMicroSizes(plan.batch ? drawn(plan.batch->microSizes) : std::vector<std::int64_t>());
    // Under a ramp the last window beside the first.
    const bool ramped = plan.batch && !plan.batch->ramp.empty();
    m_laterLine->setVisible(ramped);
    m_laterBar->setVisible(ramped);
    if (!ramped)
        return;
    const RampPoint& last = plan.batch->ramp.back();
    m_laterLine->setText(tr("from update %1 on").arg(format::count(last.update)));
    m_laterBar->setMicroSizes(drawn(microSizes(last.effective, plan.batch->micro)));
}

// Beside the field where it has one of its own; the batch triple's under the equation; the rest only in the summary.
void SetupView::showFindings(const std::vector<Finding>& findings) {
    const auto of = [&findings](const auto& wanted) {
        std::vector<Finding> chosen;
        std::ranges::copy_if(findings, std::back_inserter(chosen), wanted);
        return chosen;
    };
    m_batchFindings->setFindings(of([](const Finding& finding) { return isBatchKey(finding.key); }));
    for (SetupSection* section : m_sections)
        section->showFindings(findings);
}

bool SetupView::focusNextPrevChild(bool next) {
    if (!focusInReadingOrder(this, next))
        return QWidget::focusNextPrevChild(next);
    if (QWidget* now = QApplication::focusWidget(); now && m_scroll->isAncestorOf(now))
        m_scroll->ensureWidgetVisible(now, 0, space::xxl);
    return true;
}

QWidget* SetupView::reveal(const std::string& key) {
    QWidget* control = nullptr;
    if (isBatchKey(key)) {
        const auto typed = m_triple->derived() == BatchTriple::Effective ? BatchTriple::Micro : BatchTriple::Effective;
        control = m_triple->box(key == "batch.micro" ? BatchTriple::Micro : typed);
    }
    for (SetupSection* section : m_sections)
        if (FieldCell* cell = section->cell(key)) {
            section->reveal(cell);
            control = cell->editor()->control();
        }
    return control;
}

void SetupView::focusSetting(const std::string& key) {
    QWidget* control = reveal(key);
    if (!control)
        return;
    control->setFocus(Qt::OtherFocusReason);
    m_scroll->ensureWidgetVisible(control, 0, space::xxl);
}

void SetupView::bringIntoSight(const std::vector<std::string>& keys) {
    for (const std::string& key : keys)
        if (QWidget* control = reveal(key)) {
            layout()->activate(); // it may have been folded away
            return m_scroll->ensureWidgetVisible(control, 0, space::xxl);
        }
}

} // namespace accumulus::ui

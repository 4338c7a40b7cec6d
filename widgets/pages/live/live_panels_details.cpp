// SPDX-License-Identifier: GPL-3.0-or-later
// What the newest windows tell: noise scale, time and memory, the probed parameter.
#include "core/analysis/noise_words.h"
#include "core/config/batch_plan.h"
#include "widgets/pages/live/live_panels.h"
#include "widgets/pages/live/probe_panel.h"
#include "widgets/plots/time_split.h"
#include "widgets/style/format.h"

#include <QButtonGroup>
#include <QPushButton>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {
namespace {

constexpr int kNoiseWindows = 200; ///< that the words about the noise scale rest on

} // namespace

void LivePanels::detailsChanged() {
    if (!m_detailsClock.isActive())
        m_detailsClock.start();
}

const RunCurves* LivePanels::currentOf(Arm arm) const {
    const RunCurves* current = m_curves.current();
    if (!current || current->run.arm == arm)
        return current;
    const auto& runs = m_curves.runs();
    const auto partner = std::ranges::find_if(
        runs, [&](const RunCurves& other) { return other.run.arm == arm && other.run.seed == current->run.seed; });
    return partner == runs.end() ? nullptr : &*partner;
}

void LivePanels::showDetails() {
    showNoise();
    showCost();
    showProbe();
}

void LivePanels::showNoise() {
    const auto& runs = m_curves.runs();
    // Only windows of several micro-batches tell their spread.
    const bool possible = std::ranges::any_of(runs, [](const RunCurves& curves) {
        return curves.hasNoise() || (curves.window.empty() && curves.run.batch.largestSteps() > 1);
    });
    m_noise->setVisible(possible);
    m_lr->setXAxisCompact(possible);
    m_lr->setMinimumHeight(possible ? lowestCurve() : m_lr->minimumSizeHint().height());
    const RunCurves* run = currentOf(Arm::Accumulated);
    if (!run)
        run = m_curves.current();
    const std::string unit = run ? lossUnit(run->run.config) : std::string("samples");
    m_noise->setAxisTitles(axisTitle(), unit == "tokens"  ? tr("tokens")
                                        : unit == "units" ? tr("loss units")
                                                          : tr("samples"));
    const NoiseScale noise = run ? run->recentNoise(kNoiseWindows) : NoiseScale();
    m_noiseWords->setVisible(possible && noise.windows > 0);
    const double effective = run ? run->noiseEffective() : 0.0;
    m_noiseWords->setText(noise.windows > 0 ? format::message(noiseHintMessage(noise, effective, unit)) : QString());
    m_noiseWords->setToolTip(format::message(noiseAdviceMessage(noise, effective, unit)) + QLatin1Char('\n') +
                             tr("From the newest %1 windows of the accumulated run that give an estimate")
                                 .arg(format::count(static_cast<qint64>(noise.windows))));
}

void LivePanels::showCost() {
    std::vector<ArmCost> arms;
    for (const Arm arm : {Arm::Accumulated, Arm::LargeBatch})
        if (const RunCurves* run = currentOf(arm)) {
            ArmCost& cost = arms.emplace_back();
            cost.arm = arm;
            cost.lanes = std::min(run->run.lanes, run->run.batch.steps);
            cost.cost = run->recent.cost();
            cost.evaluationPeak = run->evaluationPeak;
            cost.trainingPeakKnown = run->evaluationPeak > 0 || run->test.empty(); // else of an old library
            cost.ranks = run->recent.rankTotals();
            cost.rankCost = rankCost(cost.ranks, run->run.config, m_curves.arenaSize());
        }
    m_time->setArms(std::move(arms));
}

void LivePanels::showProbe() {
    const RunCurves* run = m_curves.current();
    const bool probes = run && !run->run.config.probe.parameter.empty();
    m_buttons[Probe]->setVisible(probes);
    if (!probes) {
        if (m_groupButtons->checkedId() == Probe)
            chooseGroup(Gradient);
        return;
    }
    // The large batch moves at every micro-step: its partner has more to show.
    if (const RunCurves* accumulated = currentOf(Arm::Accumulated); accumulated && accumulated->recent.probed())
        run = accumulated;
    m_probe->setProbe(format::fromUtf8(run->run.config.probe.parameter), lookOf(*run).label, run->run.batch.steps,
                      run->recent.probedWindows());
}

} // namespace accumulus::ui

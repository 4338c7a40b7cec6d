// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/auditor.h"

#include "core/base/available_memory.h"
#include "core/base/clock.h"
#include "core/config/byte_size.h"
#include "core/config/model_rows.h"
#include "core/engine/engine.h"
#include "core/engine/memory_counter.h"
#include "core/model/batch_norm.h"
#include "core/train/audit_faults.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <string>

namespace accumulus {
namespace {

constexpr double arithmeticFp64 = 1e-12, arithmeticFp32 = 1e-5; // measured: 1e-15 and 3e-7

} // namespace

Status Auditor::prepare() {
    ACCUMULUS_TRY(tell(0.0, {"audit.doing.load", {}}));
    ACCUMULUS_TRY_ASSIGN(const auto model, modelOf(m_base, at::kCPU));
    ACCUMULUS_TRY_ASSIGN(m_plan, planAudit(m_base.config, m_base.seed, m_base.data->trainCount(),
                                           leastSamples(*model, m_base.config.numerics.batchNorm)));
    m_audit.notes = m_plan.notes;
    RunConfig& config = m_base.config;
    if (config.batch.devices > 1)
        m_audit.notes.push_back({"audit.note.ranks-off", {}});
    if (config.train.clipNorm > 0.0 && m_setup.fault != "clip-per-micro-batch")
        m_audit.notes.push_back({"audit.note.clip-off", {}});
    if (!config.batch.ramp.empty())
        m_audit.notes.push_back({"audit.note.ramp-off", {}});
    config.batch.devices = 1;
    config.batch.ramp.clear();
    config.batch.effective = m_plan.effective;
    config.batch.micro = m_plan.micro;
    config.batch.steps = 0;
    config.batch.ragged = RaggedPolicy::Weight;
    config.train.clipNorm = 0.0;
    m_base.ranks = nullptr;
    m_clean = m_base;
    if (m_setup.fault) {
        ACCUMULUS_TRY_ASSIGN(auto built, buildIn(*m_setup.fault, m_base));
        m_base = std::move(built.faulty);
        m_clean = std::move(built.clean);
        m_clipsEach = built.clipsEach;
        m_couples = built.couplesSamples;
        std::ranges::move(built.notes, std::back_inserter(m_audit.notes));
    }
    // The right gradient is the mean over units, whatever the loop makes of it; of the units that the loop counts.
    if (m_base.config.loss.normalise != Normalise::Samples)
        m_clean.config.loss.normalise = Normalise::Tokens;
    m_clean.config.numerics.accumulator = AccumulatorKind::Auto;
    m_evidence.tolerance = m_base.config.numerics.precision == Precision::Fp64 ? arithmeticFp64 : arithmeticFp32;
    return {};
}

Result<std::int64_t> Auditor::memoryLimit() const {
    ACCUMULUS_TRY_ASSIGN(const std::int64_t limit, parseBytes(m_base.config.device.memoryLimit));
    if (limit > 0)
        return limit;
    const std::int64_t available = availableMemory(); // 0: not known
    return available > 0 ? MemoryCounter::current() + available : 0;
}

Result<Auditor::Trial> Auditor::trialOf(const EngineSetup& setup, std::int64_t micro, LanePlan lanes) const {
    EngineTrial::Settings settings;
    settings.micro = micro;
    settings.lanes = lanes;
    ACCUMULUS_TRY_ASSIGN(settings.memoryLimit, memoryLimit());
    settings.goOn = [stop = m_setup.stop] { return !stop.stop_requested(); };
    EngineSetup start = setup;
    start.weightsFollow = !m_setup.weights.empty();
    ACCUMULUS_TRY_ASSIGN(auto trial, EngineTrial::create(std::move(start), settings));
    if (!m_setup.weights.empty())
        ACCUMULUS_TRY(trial->loadWeights(m_setup.weights));
    return trial;
}

Result<TrialGradient> Auditor::gradientOf(EngineTrial& trial, const EngineTrial::Window& window) {
    ACCUMULUS_TRY_ASSIGN(const auto closed, trial.compute(window));
    TrialGradient gradient;
    if (!closed)
        return gradient;
    gradient.window = *closed;
    if (!closed->finite)
        return failure("audit.nonfinite");
    gradient.tensors = gradientsOf(trial.state().model->layout(), trial.gradient());
    if (!(closed->units > 0.0))
        for (NamedGradient& one : gradient.tensors)
            one.gradient.zero_();
    return gradient;
}

Status Auditor::computeMicroGradients() {
    ACCUMULUS_TRY_ASSIGN(const auto trial, trialOf(m_clean, m_plan.micro, {1, m_clean.lanes.threads}));
    const Model& model = *trial->state().model;
    m_facts.batchNormLayers = mixesSamples(model) ? static_cast<std::int64_t>(model.buffers().size() / 2) : 0;
    m_facts.dropoutLayers = model.drawsFromStream() ? 1 : 0; // how many there are, the module does not tell
    m_couples = m_couples || model.couplesSamples();
    for (std::size_t w = 0; w < m_plan.windows.size(); ++w) {
        const AuditWindowPlan& plan = m_plan.windows[w];
        WindowEvidence window;
        window.nominalSteps = m_plan.steps;
        window.closed = plan.closes;
        std::vector<double> floors;
        std::size_t first = 0;
        const auto sizes = microSizes(std::ssize(plan.ids), m_plan.micro);
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            const double done = static_cast<double>(w * sizes.size() + k);
            ACCUMULUS_TRY(tell(0.05 + 0.25 * done / static_cast<double>(m_plan.windows.size() * sizes.size() + 1),
                               {"audit.doing.micro", {}}));
            const auto count = static_cast<std::size_t>(sizes[k]);
            ACCUMULUS_TRY_ASSIGN(
                const TrialGradient g,
                gradientOf(*trial, {.ids = std::span(plan.ids).subspan(first, count), .epoch = plan.epoch}));
            first += count;
            if (!(g.window.units > 0.0))
                continue;
            if (!m_choice)
                m_choice.emplace(g.tensors, static_cast<std::size_t>(m_plan.steps));
            window.units.push_back(g.window.units);
            window.norms.push_back(normOf(g.tensors));
            window.tensors.resize(g.tensors.size());
            floors.resize(g.tensors.size(), 0.0);
            for (std::size_t t = 0; t < g.tensors.size(); ++t) {
                window.tensors[t].name = g.tensors[t].name;
                window.tensors[t].micro.push_back(m_choice->of(g.tensors[t].gradient));
                floors[t] += g.window.units * g.tensors[t].gradient.norm().item<double>();
            }
        }
        if (window.units.empty())
            return failure("audit.no-targets", {{"samples", std::to_string(plan.ids.size())}});
        floors = floorsOf(floors, window.totalUnits());
        m_floors.push_back(std::move(floors));
        m_evidence.windows.push_back(std::move(window));
    }
    return {};
}

Status Auditor::accumulateWindows() {
    if (m_clipsEach) { // so that some are clipped and others are not
        std::vector<double> norms = m_evidence.windows.front().norms;
        std::ranges::sort(norms);
        m_base.config.train.clipNorm = 0.5 * (norms.front() + norms.back());
        if (norms.back() < 1.2 * norms.front())
            m_base.config.train.clipNorm = 0.8 * norms.front();
        m_evidence.clipNorm = m_base.config.train.clipNorm;
    }
    ACCUMULUS_TRY(tell(0.3, {"audit.doing.windows", {{"windows", std::to_string(m_plan.windows.size())}}}));
    ACCUMULUS_TRY_ASSIGN(const auto trial, trialOf(m_base, m_plan.micro, m_base.lanes));
    for (std::size_t w = 0; w < m_plan.windows.size(); ++w) {
        ACCUMULUS_TRY(tell(0.3 + 0.2 * static_cast<double>(w) / static_cast<double>(m_plan.windows.size()),
                           {"audit.doing.windows", {{"windows", std::to_string(m_plan.windows.size())}}}));
        const AuditWindowPlan& plan = m_plan.windows[w];
        ACCUMULUS_TRY_ASSIGN(TrialGradient gradient, gradientOf(*trial, {.ids = plan.ids,
                                                                         .epoch = plan.epoch,
                                                                         .nominal = m_plan.effective,
                                                                         .nominalSteps = m_plan.steps,
                                                                         .leftOpen = !plan.closes}));
        auto& tensors = m_evidence.windows[w].tensors;
        for (std::size_t t = 0; t < tensors.size() && plan.closes; ++t)
            tensors[t].accumulated = m_choice->of(gradient.tensors[t].gradient);
        for (std::size_t t = 0; t < tensors.size() && !plan.closes; ++t)
            tensors[t].accumulated.assign(tensors[t].micro.front().size(), 0.0);
        m_accumulated.push_back(std::move(gradient.tensors));
    }
    return {};
}

void Auditor::describe() {
    const RunConfig& config = m_setup.engine.config;
    m_audit.createdAt = unixTime();
    m_audit.seed = m_setup.engine.seed;
    m_audit.precision = config.numerics.precision;
    m_audit.fault = m_setup.fault;
    m_audit.subject = {"audit.subject",
                       {{"model", modelTitle(config.model)},
                        {"dataset", datasetTitle(config.data)},
                        {"effective", std::to_string(m_plan.effective)},
                        {"micro", std::to_string(m_plan.micro)},
                        {"steps", std::to_string(m_plan.steps)}}};
    conclude(m_audit, m_diagnosis, m_facts);
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/audit.h"

#include "core/analysis/gradient_diagnosis.h"
#include "core/base/available_memory.h"
#include "core/base/clock.h"
#include "core/config/byte_size.h"
#include "core/config/model_rows.h"
#include "core/data/sampler.h"
#include "core/engine/engine_trial.h"
#include "core/engine/memory_counter.h"
#include "core/train/audit_faults.h"
#include "core/train/audit_gradients.h"
#include "core/train/audit_plan.h"
#include "core/train/reference.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <string>

namespace accumulus {
namespace {

constexpr double arithmeticFp64 = 1e-12, arithmeticFp32 = 1e-5; // measured: 1e-15 and 3e-7
constexpr int permutations = 3;                                 // of the control of the updates
constexpr double splitSeconds = 4.0;                            // after which no further split is computed

struct Gradient {
    NamedGradients tensors;
    WindowGradient window;
};

/// All that is computed, piece by piece.
class Auditor {
public:
    explicit Auditor(const AuditSetup& setup) : m_setup(setup), m_base(setup.engine), m_clean(setup.engine) {}

    Result<GradientAudit> run() {
        ACCUMULUS_TRY(prepare());
        ACCUMULUS_TRY(computeMicroGradients());
        ACCUMULUS_TRY(accumulateWindows());
        m_diagnosis = diagnose(m_evidence);
        ACCUMULUS_TRY(compareWithLargeBatch());
        ACCUMULUS_TRY(explainExcess());
        ACCUMULUS_TRY(computeSplits());
        ACCUMULUS_TRY(computeUpdates());
        describe();
        return std::move(m_audit);
    }

private:
    using Trial = std::unique_ptr<EngineTrial>;

    Status prepare();
    Status computeMicroGradients();
    Status accumulateWindows();
    Status compareWithLargeBatch();
    Status explainExcess();
    Status computeSplits();
    Status computeUpdates();
    void describe();

    [[nodiscard]] Status tell(double share, Message what) const {
        if (m_setup.stop.stop_requested())
            return failure("audit.cancelled");
        if (m_setup.progress)
            m_setup.progress(share, what);
        return {};
    }
    [[nodiscard]] Result<Trial> trialOf(const EngineSetup& setup, std::int64_t micro, LanePlan lanes) const;
    [[nodiscard]] EngineSetup largeSetup(std::int64_t ghost) const;
    [[nodiscard]] Result<Trial> largeTrial(std::int64_t samples, std::int64_t ghost = 0) const {
        return trialOf(largeSetup(ghost), samples, {1, m_setup.cores});
    }
    [[nodiscard]] static Result<Gradient> gradientOf(EngineTrial& trial, const EngineTrial::Window& window);
    [[nodiscard]] const AuditWindowPlan& judged() const { return m_plan.windows[m_diagnosis.judgedWindow]; }
    /// The worst tensor's error over its tolerance, of accumulation and large batch in fp64.
    [[nodiscard]] Result<bool> agreesInFp64(std::int64_t ghost);
    [[nodiscard]] Result<NamedGradients> referenceOf(const EngineTrial& trial);
    [[nodiscard]] bool mixesSamples(const Model& model) const {
        return model.hasBatchNorm() && m_clean.config.numerics.batchNorm != BatchNormMode::Frozen;
    }

    const AuditSetup& m_setup;
    EngineSetup m_base;  ///< through which the loop accumulates, with its fault
    EngineSetup m_clean; ///< the same without
    AuditPlan m_plan;
    GradientAudit m_audit;
    GradientEvidence m_evidence;
    GradientDiagnosis m_diagnosis;
    AuditFacts m_facts;
    std::optional<ElementChoice> m_choice;
    std::vector<std::vector<double>> m_floors; ///< [window][tensor]
    std::vector<NamedGradients> m_accumulated; ///< [window]; empty where it made no update
    NamedGradients m_large, m_permuted, m_reference;
    bool m_clipsEach = false, m_couples = false;
    double m_largeSeconds = 0.0;
};

Status Auditor::prepare() {
    ACCUMULUS_TRY(tell(0.0, {"audit.doing.load", {}}));
    ACCUMULUS_TRY_ASSIGN(m_plan, planAudit(m_base.config, m_base.seed, m_base.data->trainCount()));
    m_audit.notes = m_plan.notes;
    RunConfig& config = m_base.config;
    if (config.batch.devices > 1)
        m_audit.notes.push_back({"audit.note.ranks-off", {}});
    if (config.train.clipNorm > 0.0 && m_setup.fault != "clip-per-micro-batch")
        m_audit.notes.push_back({"audit.note.clip-off", {}});
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
    // The right gradient is the mean over units, whatever the loop makes of it.
    if (m_clean.config.loss.normalise != Normalise::Samples)
        m_clean.config.loss.normalise = Normalise::Tokens;
    m_clean.config.numerics.accumulator = AccumulatorKind::Auto;
    m_evidence.tolerance = m_base.config.numerics.precision == Precision::Fp64 ? arithmeticFp64 : arithmeticFp32;
    return {};
}

Result<Auditor::Trial> Auditor::trialOf(const EngineSetup& setup, std::int64_t micro, LanePlan lanes) const {
    EngineTrial::Settings settings;
    settings.micro = micro;
    settings.lanes = lanes;
    ACCUMULUS_TRY_ASSIGN(const std::int64_t limit, parseBytes(setup.config.device.memoryLimit));
    settings.memoryLimit = limit > 0 ? limit : MemoryCounter::current() + availableMemory();
    ACCUMULUS_TRY_ASSIGN(auto trial, EngineTrial::create(setup, settings));
    if (!m_setup.weights.empty())
        ACCUMULUS_TRY(trial->loadWeights(m_setup.weights));
    return trial;
}

EngineSetup Auditor::largeSetup(std::int64_t ghost) const {
    EngineSetup setup = m_clean;
    setup.config.batch.lean = false;
    if (ghost > 0)
        setup.config.numerics.ghost = ghost;
    return setup;
}

Result<Gradient> Auditor::gradientOf(EngineTrial& trial, const EngineTrial::Window& window) {
    ACCUMULUS_TRY_ASSIGN(const auto closed, trial.compute(window));
    Gradient gradient;
    if (!closed)
        return gradient;
    gradient.window = *closed;
    if (!closed->finite)
        return failure("audit.nonfinite");
    gradient.tensors = gradientsOf(trial.state().model->layout(), trial.gradient());
    if (closed->units == 0)
        for (NamedGradient& one : gradient.tensors)
            one.gradient.zero_();
    return gradient;
}

Status Auditor::computeMicroGradients() {
    ACCUMULUS_TRY_ASSIGN(const auto trial, trialOf(m_clean, m_plan.micro, {1, m_clean.lanes.threads}));
    const Model& model = *trial->state().model;
    m_facts.batchNormLayers = mixesSamples(model) ? static_cast<std::int64_t>(model.buffers().size() / 2) : 0;
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
            ACCUMULUS_TRY_ASSIGN(const Gradient g, gradientOf(*trial, {.ids = std::span(plan.ids).subspan(first, count),
                                                                       .epoch = plan.epoch}));
            first += count;
            if (g.window.units == 0)
                continue;
            if (!m_choice)
                m_choice.emplace(g.tensors);
            window.units.push_back(g.window.units);
            window.norms.push_back(normOf(g.tensors));
            window.tensors.resize(g.tensors.size());
            floors.resize(g.tensors.size(), 0.0);
            for (std::size_t t = 0; t < g.tensors.size(); ++t) {
                window.tensors[t].name = g.tensors[t].name;
                window.tensors[t].micro.push_back(m_choice->of(g.tensors[t].gradient));
                floors[t] += static_cast<double>(g.window.units) * g.tensors[t].gradient.norm().item<double>();
            }
        }
        if (window.units.empty())
            return failure("audit.micro-steps", {{"effective", std::to_string(m_plan.effective)}});
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
        ACCUMULUS_TRY_ASSIGN(Gradient gradient, gradientOf(*trial, {.ids = plan.ids,
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

Result<NamedGradients> Auditor::referenceOf(const EngineTrial& trial) {
    const ModelState& state = trial.state();
    const RunConfig& config = m_clean.config;
    // A model of its own, without what speeds the engine's up.
    std::shared_ptr<const Model> model = m_clean.model;
    if (!model) {
        const Dataset& data = *m_clean.data;
        ACCUMULUS_TRY_ASSIGN(model, makeModel(config.model, {data.train.channels, data.train.height, data.train.width,
                                                             data.classes, data.isText() ? data.trainText.block : 0}));
    }
    ReferenceSettings settings;
    settings.labelSmoothing = config.loss.labelSmoothing;
    settings.training = true;
    settings.seed = m_clean.seed;
    settings.epoch = judged().epoch;
    settings.augment = config.data.augment == "crop-flip";
    settings.meanOfSamples = config.loss.normalise == Normalise::Samples;
    settings.batchNorm = config.numerics.batchNorm;
    settings.ghost = config.numerics.ghost;
    settings.wholeBatch = m_couples;
    settings.buffers =
        state.model->hasBatchNorm() ? state.model->buffers().rowMajor(state.statistics.flat()) : at::Tensor();
    try {
        const at::Tensor weights = state.model->layout().rowMajor(state.parameters).to(at::kDouble);
        const ReferenceGradient reference = referenceGradient(*model, weights, *m_clean.data, judged().ids, settings);
        NamedGradients gradients;
        for (std::size_t i = 0; i < model->layout().size(); ++i) {
            const ParameterSpec& spec = model->layout().specs()[i];
            if (spec.trainable)
                gradients.push_back({spec.name, reference.gradients[i].defined() ? reference.gradients[i].contiguous()
                                                                                 : at::zeros(spec.shape, at::kDouble)});
        }
        return gradients;
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

Status Auditor::compareWithLargeBatch() {
    ACCUMULUS_TRY(tell(0.5, {"audit.doing.large", {}}));
    const AuditWindowPlan& plan = judged();
    const Stopwatch watch;
    auto large = largeTrial(std::ssize(plan.ids));
    std::optional<Gradient> whole;
    if (large) {
        auto computed = gradientOf(**large, {.ids = plan.ids, .epoch = plan.epoch});
        if (computed)
            whole = std::move(*computed);
        else if (computed.error().code != "training.memory")
            return failure(computed.error());
    } else if (large.error().code != "training.memory") {
        return failure(large.error());
    }
    m_largeSeconds = watch.seconds();
    if (whole) {
        m_large = std::move(whole->tensors);
        std::vector<std::int64_t> permuted(plan.ids.rbegin(), plan.ids.rend());
        ACCUMULUS_TRY(tell(0.6, {"audit.doing.large", {}}));
        ACCUMULUS_TRY_ASSIGN(Gradient other, gradientOf(**large, {.ids = permuted, .epoch = plan.epoch}));
        m_permuted = std::move(other.tensors);
    } else {
        m_audit.notes.push_back({"audit.note.large-in-parts", {}});
        large = trialOf(largeSetup(0), m_plan.micro, {1, m_setup.cores}); // for its weights
        if (!large)
            return failure(large.error());
    }
    if (m_setup.reference || !whole) {
        ACCUMULUS_TRY(tell(0.65, {"audit.doing.reference", {}}));
        ACCUMULUS_TRY_ASSIGN(m_reference, referenceOf(**large));
    }
    const double tolerance = m_setup.tolerance.value_or(defaultAuditTolerance(m_clean.config.numerics.precision));
    const NamedGradients& accumulated = m_accumulated[m_diagnosis.judgedWindow];
    for (std::size_t t = 0; t < accumulated.size(); ++t) {
        ComparedTensor tensor;
        tensor.accumulated = accumulated[t].gradient;
        tensor.floor = m_floors[m_diagnosis.judgedWindow][t];
        if (!m_large.empty()) {
            tensor.large = m_large[t].gradient;
            tensor.permuted = m_permuted[t].gradient;
        }
        if (!m_reference.empty())
            tensor.reference = m_reference[t].gradient;
        m_audit.tensors.push_back(compareTensor(accumulated[t].name, tensor, tolerance));
    }
    return {};
}

Result<bool> Auditor::agreesInFp64(std::int64_t ghost) {
    EngineSetup loop = m_base;
    EngineSetup large = largeSetup(ghost);
    loop.config.numerics.precision = large.config.numerics.precision = Precision::Fp64;
    loop.config.numerics.accumulator = AccumulatorKind::Auto;
    const AuditWindowPlan& plan = judged();
    ACCUMULUS_TRY_ASSIGN(const auto loopTrial, trialOf(loop, m_plan.micro, loop.lanes));
    ACCUMULUS_TRY_ASSIGN(const Gradient a, gradientOf(*loopTrial, {.ids = plan.ids, .epoch = plan.epoch}));
    ACCUMULUS_TRY_ASSIGN(const auto largeTrial, trialOf(large, std::ssize(plan.ids), {1, m_setup.cores}));
    ACCUMULUS_TRY_ASSIGN(const Gradient b, gradientOf(*largeTrial, {.ids = plan.ids, .epoch = plan.epoch}));
    for (std::size_t t = 0; t < a.tensors.size(); ++t) {
        ComparedTensor tensor;
        tensor.accumulated = a.tensors[t].gradient;
        tensor.large = b.tensors[t].gradient;
        tensor.floor = m_floors[m_diagnosis.judgedWindow][t];
        if (!compareTensor(a.tensors[t].name, tensor, defaultAuditTolerance(Precision::Fp64)).passed)
            return false;
    }
    return true;
}

Status Auditor::explainExcess() {
    if (!m_diagnosis.sumsAreRight) {
        if (m_diagnosis.pattern)
            return {};
        // Nothing explains it: is it at least the same each time?
        ACCUMULUS_TRY_ASSIGN(const auto trial, trialOf(m_base, m_plan.micro, {1, m_base.lanes.threads}));
        std::vector<double> norms;
        for (int repeat = 0; repeat < 2; ++repeat) {
            ACCUMULUS_TRY_ASSIGN(const Gradient g, gradientOf(*trial, {.ids = judged().ids, .epoch = judged().epoch}));
            norms.push_back(normOf(g.tensors));
        }
        m_facts.reproducible = norms[0] == norms[1];
        return {};
    }
    if (std::ranges::all_of(m_audit.tensors, &AuditedTensor::passed) || m_large.empty())
        return {};
    ACCUMULUS_TRY(tell(0.7, {"audit.doing.reference", {}}));
    if (m_facts.batchNormLayers > 0) {
        ACCUMULUS_TRY_ASSIGN(const bool agrees, agreesInFp64(m_plan.micro));
        m_facts.ghostAgrees = agrees;
    } else if (m_clean.config.numerics.precision != Precision::Fp64) {
        ACCUMULUS_TRY_ASSIGN(m_facts.roundingOnly, agreesInFp64(0));
    }
    return {};
}

Status Auditor::computeSplits() {
    if (m_large.empty())
        return {};
    const Stopwatch watch;
    const AuditWindowPlan& plan = judged();
    const auto samples = std::ssize(plan.ids);
    for (std::int64_t steps = 2; steps <= std::min(samples, AuditPlan::mostSteps); steps *= 2) {
        if (watch.seconds() + m_largeSeconds > splitSeconds)
            break;
        ACCUMULUS_TRY(tell(0.8, {"audit.doing.splits", {}}));
        const std::int64_t micro = (samples + steps - 1) / steps;
        const auto trial = trialOf(m_base, micro, m_base.lanes);
        if (!trial)
            break; // of no weight: memory, or a size that BatchNorm cannot take
        const auto gradient = gradientOf(**trial, {.ids = plan.ids, .epoch = plan.epoch});
        if (!gradient)
            break;
        double worst = 0.0;
        for (std::size_t t = 0; t < m_large.size(); ++t) {
            ComparedTensor tensor;
            tensor.accumulated = gradient->tensors[t].gradient;
            tensor.large = m_large[t].gradient;
            tensor.floor = m_floors[m_diagnosis.judgedWindow][t];
            worst = std::max(worst, compareTensor({}, tensor, 0.0).error);
        }
        m_audit.splits.push_back({(samples + micro - 1) / micro, worst});
    }
    return {};
}

Status Auditor::computeUpdates() {
    if (m_setup.updates <= 0)
        return {};
    const auto samples = m_base.data->trainCount();
    ACCUMULUS_TRY_ASSIGN(const auto loop, trialOf(m_base, m_plan.micro, m_base.lanes));
    ACCUMULUS_TRY_ASSIGN(const auto large, largeTrial(m_plan.effective));
    std::vector<Trial> controls;
    for (int i = 0; i < permutations; ++i) {
        ACCUMULUS_TRY_ASSIGN(auto control, largeTrial(m_plan.effective));
        controls.push_back(std::move(control));
    }
    const double lr = m_base.config.optimizer.lr;
    std::vector<std::int64_t> order;
    std::int64_t epoch = 0;
    std::size_t next = 0;
    for (std::int64_t update = 1; update <= m_setup.updates; ++update) {
        ACCUMULUS_TRY(tell(0.8 + 0.2 * static_cast<double>(update) / static_cast<double>(m_setup.updates),
                           {"audit.doing.updates",
                            {{"update", std::to_string(update)}, {"updates", std::to_string(m_setup.updates)}}}));
        if (order.empty() || next + static_cast<std::size_t>(m_plan.effective) > order.size()) {
            order = epochOrder(samples, m_base.config.data.shuffle, m_base.seed, epoch++);
            next = 0;
        }
        std::vector<std::int64_t> ids(order.begin() + static_cast<std::ptrdiff_t>(next),
                                      order.begin() + static_cast<std::ptrdiff_t>(next) + m_plan.effective);
        next += ids.size();
        ACCUMULUS_TRY(loop->update(ids, epoch, lr));
        ACCUMULUS_TRY(large->update(ids, epoch, lr));
        for (std::size_t i = 0; i < controls.size(); ++i) {
            const auto turn = epochOrder(m_plan.effective, true, static_cast<std::int64_t>(i), update);
            std::vector<std::int64_t> permuted;
            for (const std::int64_t place : turn)
                permuted.push_back(ids[static_cast<std::size_t>(place)]);
            ACCUMULUS_TRY(controls[i]->update(permuted, epoch, lr));
        }
        const at::Tensor weights = large->state().parameters.to(at::kDouble);
        const double scale = weights.norm().item<double>();
        const auto distance = [&](const EngineTrial& other) {
            return (other.state().parameters.to(at::kDouble) - weights).norm().item<double>() / scale;
        };
        AuditedUpdate row{update, distance(*loop), 0.0};
        for (const Trial& control : controls)
            row.control = std::max(row.control, distance(*control));
        m_audit.updates.push_back(row);
    }
    return {};
}

void Auditor::describe() {
    const RunConfig& config = m_setup.engine.config;
    m_audit.createdAt = unixTime();
    m_audit.seed = m_setup.engine.seed;
    m_audit.precision = config.numerics.precision;
    m_audit.fault = m_setup.fault;
    m_audit.subject = modelTitle(config.model) + ", " + config.data.dataset + ", " + std::to_string(m_plan.effective) +
                      " = " + std::to_string(m_plan.micro) + " x " + std::to_string(m_plan.steps);
    conclude(m_audit, m_diagnosis, m_facts);
}

} // namespace

Result<GradientAudit> auditTraining(const AuditSetup& setup) { return Auditor(setup).run(); }

} // namespace accumulus

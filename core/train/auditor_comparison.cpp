// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/data/sampler.h"
#include "core/engine/input_shape.h"
#include "core/engine/memory_counter.h"
#include "core/engine/model_precision.h"
#include "core/engine/standing_memory.h"
#include "core/train/auditor.h"
#include "core/train/reference.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <string>

namespace accumulus {
namespace {

constexpr int permutations = 3;      // of the control of the updates
constexpr double splitSeconds = 4.0; // after which no split beyond K = 2 is computed

} // namespace

EngineSetup Auditor::largeSetup(std::int64_t ghost) const {
    EngineSetup setup = m_clean;
    setup.config.batch.lean = false;
    if (ghost > 0)
        setup.config.numerics.ghost = ghost;
    return setup;
}

Result<NamedGradients> Auditor::referenceOf(const EngineTrial& trial) {
    const ModelState& state = trial.state();
    const RunConfig& config = m_clean.config;
    // A model of its own, without what speeds the engine's up.
    std::shared_ptr<const Model> model = m_clean.model;
    if (!model) {
        ACCUMULUS_TRY_ASSIGN(model, makeModel(config.model, inputShape(*m_clean.data, config.loss.kind)));
    }
    ReferenceSettings settings;
    settings.take(config.loss);
    settings.training = true;
    settings.seed = m_clean.seed;
    settings.epoch = judged().epoch;
    settings.augment = config.data.augment == "crop-flip";
    settings.batchNorm = config.numerics.batchNorm;
    settings.ghost = config.numerics.ghost;
    settings.wholeBatch = m_couples;
    settings.stop = m_setup.stop;
    settings.buffers =
        state.model->hasBatchNorm() ? state.model->buffers().rowMajor(state.statistics.flat()) : at::Tensor();
    ACCUMULUS_TRY_ASSIGN(const std::int64_t limit, memoryLimit());
    try {
        const MemoryLimit limited(limit);
        const at::Tensor weights = state.model->layout().rowMajor(state.parameters).to(at::kDouble);
        const ReferenceGradient reference = referenceGradient(*model, weights, *m_clean.data, judged().ids, settings);
        if (m_setup.stop.stop_requested())
            return failure("audit.cancelled");
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
    std::optional<TrialGradient> whole;
    if (large) {
        auto computed = gradientOf(**large, {.ids = plan.ids, .epoch = plan.epoch});
        if (computed)
            whole = std::move(*computed);
        else if (!isMemoryError(computed.error()))
            return failure(computed.error());
    } else if (!isMemoryError(large.error())) {
        return failure(large.error());
    }
    m_largeSeconds = watch.seconds();
    if (whole) {
        m_large = std::move(whole->tensors);
        std::vector<std::int64_t> permuted(plan.ids.rbegin(), plan.ids.rend());
        ACCUMULUS_TRY(tell(0.6, {"audit.doing.large", {}}));
        ACCUMULUS_TRY_ASSIGN(TrialGradient other, gradientOf(**large, {.ids = permuted, .epoch = plan.epoch}));
        m_permuted = std::move(other.tensors);
    } else {
        m_audit.notes.push_back({"audit.note.large-in-parts", {}});
        large = trialOf(largeSetup(0), m_plan.micro, {1, m_setup.cores}); // for its weights
        if (!large)
            return failure(large.error());
    }
    m_inFp64 = (*large)->state().model->computesIn(at::kDouble);
    if (m_setup.reference && whole && !m_inFp64) {
        m_audit.notes.push_back({"audit.note.no-fp64", {}});
    } else if (m_setup.reference || !whole) {
        ACCUMULUS_TRY(checkPrecision(*(*large)->state().model, m_clean.config.model, Precision::Fp64));
        ACCUMULUS_TRY(tell(0.65, {"audit.doing.reference", {}}));
        auto reference = referenceOf(**large);
        if (!reference && (!whole || !isMemoryError(reference.error())))
            return failure(reference.error());
        if (reference)
            m_reference = std::move(*reference);
        else
            m_audit.notes.push_back({"audit.note.no-reference", {}});
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

Result<NamedGradients> Auditor::loopInFp64() const {
    EngineSetup loop = m_base;
    loop.config.numerics.precision = Precision::Fp64;
    loop.config.numerics.accumulator = AccumulatorKind::Auto;
    ACCUMULUS_TRY_ASSIGN(const auto trial, trialOf(loop, m_plan.micro, loop.lanes));
    ACCUMULUS_TRY_ASSIGN(auto gradient, gradientOf(*trial, {.ids = judged().ids, .epoch = judged().epoch}));
    return std::move(gradient.tensors);
}

Result<std::optional<bool>> Auditor::agreesInFp64(std::int64_t ghost) {
    if (!m_inFp64)
        return std::nullopt;
    auto agrees = comparedInFp64(ghost);
    if (!agrees && isMemoryError(agrees.error()))
        return std::nullopt;
    if (!agrees)
        return failure(agrees.error());
    return *agrees;
}

Result<bool> Auditor::comparedInFp64(std::int64_t ghost) {
    ACCUMULUS_TRY_ASSIGN(const NamedGradients loop, loopInFp64());
    NamedGradients whole = m_reference;
    if (!m_large.empty() || ghost > 0) {
        EngineSetup large = largeSetup(ghost);
        large.config.numerics.precision = Precision::Fp64;
        ACCUMULUS_TRY_ASSIGN(const auto trial, trialOf(large, std::ssize(judged().ids), {1, m_setup.cores}));
        ACCUMULUS_TRY_ASSIGN(auto gradient, gradientOf(*trial, {.ids = judged().ids, .epoch = judged().epoch}));
        whole = std::move(gradient.tensors);
    }
    for (std::size_t t = 0; t < loop.size(); ++t) {
        ComparedTensor tensor;
        tensor.accumulated = loop[t].gradient;
        tensor.large = whole[t].gradient;
        tensor.floor = m_floors[m_diagnosis.judgedWindow][t];
        if (!compareTensor(loop[t].name, tensor, defaultAuditTolerance(Precision::Fp64)).passed)
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
        std::vector<TrialGradient> twice;
        for (int repeat = 0; repeat < 2; ++repeat) {
            ACCUMULUS_TRY_ASSIGN(auto g, gradientOf(*trial, {.ids = judged().ids, .epoch = judged().epoch}));
            twice.push_back(std::move(g));
        }
        NamedGradients difference = twice[0].tensors;
        for (std::size_t t = 0; t < difference.size(); ++t)
            difference[t].gradient = difference[t].gradient - twice[1].tensors[t].gradient;
        // Rounding that differs from time to time (some kernels of GPUs) is no draw.
        const double error = m_diagnosis.windows[m_diagnosis.judgedWindow].error;
        m_facts.reproducible = normOf(difference) <= 0.01 * error * normOf(twice[0].tensors);
        return {};
    }
    if (std::ranges::all_of(m_audit.tensors, &AuditedTensor::passed))
        return {};
    ACCUMULUS_TRY(tell(0.7, {"audit.doing.reference", {}}));
    if (m_facts.batchNormLayers > 0) {
        ACCUMULUS_TRY_ASSIGN(m_facts.ghostAgrees, agreesInFp64(m_plan.micro));
    } else if (m_clean.config.numerics.precision != Precision::Fp64) {
        ACCUMULUS_TRY_ASSIGN(const auto agrees, agreesInFp64(0));
        m_facts.roundingOnly = agrees.value_or(false);
        m_facts.flipSized = !agrees; // nothing finer is known
    }
    return {};
}

Status Auditor::computeSplits() {
    if (m_large.empty() || !m_setup.splits)
        return {};
    const Stopwatch watch;
    const AuditWindowPlan& plan = judged();
    const auto samples = std::ssize(plan.ids);
    for (std::int64_t steps = 2; steps <= std::min(samples, AuditPlan::mostSteps); steps *= 2) {
        if (steps > 2 && watch.seconds() + m_largeSeconds > splitSeconds)
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
    const Status made = makeUpdates();
    if (made || !isMemoryError(made.error()))
        return made;
    m_audit.updates.clear();
    m_audit.notes.push_back({"audit.note.no-updates", {}});
    return {};
}

Status Auditor::makeUpdates() {
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

} // namespace accumulus

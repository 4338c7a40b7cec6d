// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/batch_plan.h"

#include "core/config/config_fields.h"
#include "core/config/field_text.h"

#include <algorithm>
#include <limits>

namespace accumulus {

namespace {

using std::int64_t;

constexpr int64_t ceilDivide(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// The largest value instead of an overflow; operands are not negative.
constexpr int64_t saturatingMultiply(int64_t a, int64_t b) {
    int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

constexpr int64_t saturatingAdd(int64_t a, int64_t b) {
    int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

Status checkRanges(const BatchConfig& batch) {
    ExperimentConfig config;
    config.run.batch = batch;
    for (const char* key : {"batch.effective", "batch.micro", "batch.steps", "batch.devices"}) {
        const ConfigField& field = *findField(key);
        ACCUMULUS_TRY(checkFieldValue(field, field.get(config)));
    }
    return {};
}

Status checkDerived(const char* key, int64_t value) {
    const ConfigField& field = *findField(key);
    if (static_cast<double>(value) > *field.maximum)
        return failure(valueError(field, std::to_string(value),
                                  "the other settings of the batch lead to a number that is too large"));
    return {};
}

Error disagreement(const BatchConfig& batch, int64_t perMicroStep) {
    const auto text = [](int64_t value) { return std::to_string(value); };
    return {"config.batch.disagree",
            {{"micro", text(batch.micro)},
             {"steps", text(batch.steps)},
             {"devices", text(batch.devices)},
             {"product", text(batch.steps * perMicroStep)},
             {"effective", text(batch.effective)},
             {"derived", text(ceilDivide(batch.effective, perMicroStep))}}};
}

/// An effective batch that micro-steps of `perMicroStep` samples cannot make.
Error notMultiple(const BatchConfig& batch, int64_t perMicroStep) {
    const auto text = [](int64_t value) { return std::to_string(value); };
    std::vector<std::pair<std::string, std::string>> arguments = {{"effective", text(batch.effective)},
                                                                  {"micro", text(batch.micro)},
                                                                  {"devices", text(batch.devices)},
                                                                  {"perMicroStep", text(perMicroStep)}};
    if (perMicroStep > batch.effective)
        return {"config.batch.micro-exceeds", std::move(arguments)};
    const int64_t lower = batch.effective / perMicroStep * perMicroStep;
    arguments.emplace_back("lower", text(lower));
    arguments.emplace_back("upper", text(lower + perMicroStep));
    return {"config.batch.multiple", std::move(arguments)};
}

} // namespace

std::vector<int64_t> microSizes(int64_t samples, int64_t micro) {
    if (samples <= 0 || micro <= 0)
        return {};
    std::vector<int64_t> sizes(static_cast<std::size_t>(ceilDivide(samples, micro)), micro);
    if (samples % micro != 0)
        sizes.back() = samples % micro;
    return sizes;
}

Result<BatchPlan> resolveBatch(const BatchConfig& batch) {
    ACCUMULUS_TRY(checkRanges(batch));
    if (batch.effective == 0 && batch.steps == 0)
        return failure(valueError(*findField("batch.steps"), "0",
                                  "batch.effective is 0 too, and one of them is needed to derive the other"));
    const int64_t perMicroStep = batch.micro * batch.devices;
    const bool ragged = batch.ragged == RaggedPolicy::Weight;
    BatchPlan plan{batch.effective, batch.micro, batch.steps, batch.devices, {}};
    if (plan.effective == 0)
        plan.effective = batch.steps * perMicroStep; // at most 1e6 x 1e9 x 4096, inside 64 bits
    ACCUMULUS_TRY(checkDerived("batch.effective", plan.effective));
    if (batch.micro > plan.effective || (!ragged && plan.effective % perMicroStep != 0))
        return failure(notMultiple(batch, perMicroStep));
    plan.steps = ceilDivide(plan.effective, perMicroStep);
    if (batch.steps != 0 && batch.steps != plan.steps)
        return failure(disagreement(batch, perMicroStep));
    ACCUMULUS_TRY(checkDerived("batch.steps", ceilDivide(plan.effective, plan.micro))); // micro-batches of a window
    plan.microSizes = microSizes(plan.effective, plan.micro);
    return plan;
}

EpochPlan planEpoch(const BatchPlan& batch, int64_t samples, TailPolicy tail) {
    if (batch.effective <= 0 || samples <= 0)
        return {};
    EpochPlan plan{samples, samples / batch.effective, samples % batch.effective, 0};
    plan.updates = plan.fullWindows + (tail == TailPolicy::Apply && plan.tailSamples > 0 ? 1 : 0);
    return plan;
}

namespace {

int64_t updatesOfEpochs(const BatchPlan& batch, const EpochPlan& epoch, TailPolicy tail, int64_t epochs) {
    if (tail != TailPolicy::Carry)
        return saturatingMultiply(epochs, epoch.updates);
    // floor(epochs D / B) with D = fullWindows B + tailSamples, so that the product stays small.
    return saturatingAdd(saturatingMultiply(epochs, epoch.fullWindows),
                         saturatingMultiply(epochs, epoch.tailSamples) / batch.effective);
}

/// Updates until at least `target` training samples have been seen, at the end of an update.
int64_t updatesOfSamples(const BatchPlan& batch, const EpochPlan& epoch, TailPolicy tail, int64_t target) {
    const int64_t epochs = target / epoch.samples;
    const int64_t rest = target % epoch.samples;
    switch (tail) {
    case TailPolicy::Apply:
        return saturatingAdd(saturatingMultiply(epochs, epoch.updates), ceilDivide(rest, batch.effective));
    case TailPolicy::Drop: // dropped samples are not seen: every update adds B
    case TailPolicy::Carry:
        return epoch.fullWindows == 0 && tail == TailPolicy::Drop ? 0 : ceilDivide(target, batch.effective);
    case TailPolicy::Leak:
        break;
    }
    // Leaked samples are seen but end in no update of their epoch: the first update after them is the next epoch's
    // first.
    if (epoch.fullWindows == 0)
        return 0;
    const int64_t before = saturatingMultiply(epochs, epoch.fullWindows);
    if (rest == 0)
        return saturatingAdd(before, epoch.tailSamples == 0 ? 0 : 1);
    return saturatingAdd(before, std::min(ceilDivide(rest, batch.effective), epoch.fullWindows + 1));
}

} // namespace

int64_t totalUpdates(const BatchPlan& batch, int64_t samples, TailPolicy tail, const Extent& length) {
    const EpochPlan epoch = planEpoch(batch, samples, tail);
    if (epoch.samples == 0 || length.count <= 0)
        return 0;
    if (epoch.updates == 0 && tail != TailPolicy::Carry)
        return 0; // no window is ever completed
    switch (length.unit) {
    case Extent::Unit::Updates:
        return length.count;
    case Extent::Unit::Samples:
        return updatesOfSamples(batch, epoch, tail, length.count);
    case Extent::Unit::Epochs:
        return updatesOfEpochs(batch, epoch, tail, length.count);
    }
    return 0;
}

int64_t extentInUpdates(const Extent& extent, const BatchPlan& batch, int64_t samples, TailPolicy tail) {
    if (extent.count <= 0)
        return 0;
    return std::max<int64_t>(1, totalUpdates(batch, samples, tail, extent));
}

} // namespace accumulus

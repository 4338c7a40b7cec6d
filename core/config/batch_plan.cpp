// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/batch_plan.h"

#include "core/config/config_fields.h"
#include "core/config/field_formatting.h"

#include <algorithm>
#include <iterator>

namespace accumulus {

namespace {

using std::int64_t;

constexpr int64_t ceilDivide(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

Status checkRanges(const BatchConfig& batch) {
    ExperimentConfig config;
    config.run.batch = batch;
    for (const char* key : {"batch.effective", "batch.micro", "batch.steps", "batch.devices", "batch.ramp"}) {
        const ConfigField& field = *findField(key);
        ACCUMULUS_TRY(checkFieldValue(field, field.get(config)));
    }
    return {};
}

Status checkDerived(const char* key, int64_t value) {
    const ConfigField& field = *findField(key);
    if (static_cast<double>(value) > *field.maximum)
        return failure(valueError(field, std::to_string(value), "reason.derived-large"));
    return {};
}

Error disagreement(const BatchConfig& batch, int64_t effective, int64_t perMicroStep) {
    const auto text = [](int64_t value) { return std::to_string(value); };
    return {"config.batch.disagree",
            {{"micro", text(batch.micro)},
             {"steps", text(batch.steps)},
             {"devices", text(batch.devices)},
             {"product", text(batch.steps * perMicroStep)},
             {"effective", text(effective)},
             {"derived", text(ceilDivide(effective, perMicroStep))}}};
}

/// An effective batch that micro-steps of `perMicroStep` samples cannot make. `update`: where the ramp asks for it; 0:
/// the batch's own.
Error notMultiple(const BatchConfig& batch, int64_t effective, int64_t update, int64_t perMicroStep) {
    const auto text = [](int64_t value) { return std::to_string(value); };
    std::vector<std::pair<std::string, std::string>> arguments = {{"effective", text(effective)},
                                                                  {"micro", text(batch.micro)},
                                                                  {"devices", text(batch.devices)},
                                                                  {"perMicroStep", text(perMicroStep)}};
    if (update != 0)
        arguments.emplace_back("update", text(update));
    if (perMicroStep > effective)
        return {update != 0 ? "config.batch.ramp-exceeds" : "config.batch.micro-exceeds", std::move(arguments)};
    const int64_t lower = effective / perMicroStep * perMicroStep;
    arguments.emplace_back("lower", text(lower));
    arguments.emplace_back("upper", text(lower + perMicroStep));
    return {update != 0 ? "config.batch.ramp-multiple" : "config.batch.multiple", std::move(arguments)};
}

/// Points that change B, after the first update; a point at the first update replaces `effective`.
BatchRamp changesOf(const BatchRamp& ramp, int64_t& effective) {
    BatchRamp changes;
    int64_t current = effective;
    for (const RampPoint& point : ramp) {
        if (point.update == 1)
            effective = point.effective;
        else if (point.effective != current)
            changes.push_back(point);
        current = point.effective;
    }
    return changes;
}

/// A window of `effective` samples must come out, and hold no more micro-batches than allowed.
Status checkEffective(const BatchConfig& batch, const BatchPlan& plan, int64_t effective, int64_t update) {
    const int64_t perMicroStep = batch.micro * batch.devices;
    const bool ragged = batch.ragged == RaggedPolicy::Weight;
    // A window of the large-batch arm holds all of B even while a ramp keeps it small.
    const bool tooLarge = batch.micro > (ragged ? plan.largestEffective() : effective);
    if (tooLarge || (!ragged && effective % perMicroStep != 0))
        return failure(notMultiple(batch, effective, update, perMicroStep));
    return checkDerived("batch.steps", ceilDivide(effective, batch.micro)); // micro-batches of a window
}

int64_t firstRampUpdate(const BatchConfig& batch) {
    return !batch.ramp.empty() && batch.ramp.front().update == 1 ? 1 : 0;
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
        return failure(valueError(*findField("batch.steps"), "0", "reason.both-derived"));
    const int64_t perMicroStep = batch.micro * batch.devices;
    BatchPlan plan{batch.effective, batch.micro, batch.steps, batch.devices, {}, {}};
    if (plan.effective == 0)
        plan.effective = batch.steps * perMicroStep; // at most 1e6 x 1e9 x 4096, inside 64 bits
    ACCUMULUS_TRY(checkDerived("batch.effective", plan.effective));
    plan.ramp = changesOf(batch.ramp, plan.effective);
    ACCUMULUS_TRY(checkEffective(batch, plan, plan.effective, firstRampUpdate(batch)));
    for (const RampPoint& point : plan.ramp)
        ACCUMULUS_TRY(checkEffective(batch, plan, point.effective, point.update));
    plan.steps = ceilDivide(plan.effective, perMicroStep);
    if (batch.steps != 0 && batch.steps != plan.steps)
        return failure(disagreement(batch, plan.effective, perMicroStep));
    plan.microSizes = microSizes(plan.effective, plan.micro);
    return plan;
}

int64_t BatchPlan::effectiveAt(int64_t update) const {
    const auto after = std::ranges::upper_bound(ramp, update, {}, &RampPoint::update);
    return after == ramp.begin() ? effective : std::prev(after)->effective;
}

int64_t BatchPlan::largestEffective() const {
    const auto largest = std::ranges::max_element(ramp, {}, &RampPoint::effective);
    return largest == ramp.end() ? effective : std::max(effective, largest->effective);
}

int64_t BatchPlan::largestSteps() const {
    const int64_t together = micro * devices; // 0 of a run from elsewhere that does not tell it
    return together > 0 ? ceilDivide(largestEffective(), together) : steps;
}

int64_t usedSamples(const DataConfig& data, const BatchPlan& batch, int64_t samples) {
    if (!data.dropLast)
        return samples;
    const int64_t multiple = data.dropMultiple > 0 ? data.dropMultiple : batch.micro;
    return samples / multiple * multiple;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/audit_plan.h"

#include "core/config/batch_plan.h"
#include "core/data/sampler.h"

#include <algorithm>

namespace accumulus {
namespace {

constexpr std::int64_t leastSteps = 3; // of a window: with two, a lost micro-batch looks like a wrong factor

std::int64_t stepsOf(const AuditPlan& plan) { return (plan.effective + plan.micro - 1) / plan.micro; }

/// Lowers m where a window would have too few micro-steps.
Status chooseMicro(AuditPlan& plan, const RunConfig& config, std::int64_t least) {
    if (stepsOf(plan) >= leastSteps) {
        const std::int64_t rest = plan.effective % plan.micro;
        if (plan.micro >= least && (rest == 0 || rest >= least))
            return {};
        return failure("model.batch-norm-one",
                       {{"model", config.model.name}, {"group", std::to_string(plan.micro)}}); // as a run is refused
    }
    const auto partsOf = [&](std::int64_t steps) {
        return largestCut(plan.effective, std::min(plan.micro, (plan.effective + steps - 1) / steps), steps, least);
    };
    const std::int64_t three = partsOf(leastSteps);
    plan.micro = three > 0 ? three : partsOf(2); // two samples have no third part
    if (plan.micro == 0)
        return failure("model.batch-norm-cut", {{"effective", std::to_string(plan.effective)}});
    if (three > 0)
        plan.notes.push_back({"audit.note.smaller-micro", {{"micro", std::to_string(plan.micro)}}});
    return {};
}

} // namespace

std::int64_t largestCut(std::int64_t effective, std::int64_t largest, std::int64_t steps, std::int64_t least) {
    for (std::int64_t micro = std::min(largest, effective); micro >= least; --micro) {
        const std::int64_t rest = effective % micro;
        if ((effective + micro - 1) / micro >= steps && (rest == 0 || rest >= least))
            return micro;
    }
    return 0;
}

Result<AuditPlan> planAudit(const RunConfig& config, std::int64_t seed, std::int64_t samples, std::int64_t least) {
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(config.batch));
    AuditPlan plan;
    plan.micro = batch.micro;
    plan.effective = batch.effective;
    if (plan.effective < 2)
        return failure("audit.micro-steps", {{"effective", std::to_string(plan.effective)}});
    if (plan.effective > samples)
        return failure("audit.data",
                       {{"samples", std::to_string(samples)}, {"effective", std::to_string(plan.effective)}});
    ACCUMULUS_TRY(chooseMicro(plan, config, least));
    if (stepsOf(plan) > AuditPlan::mostSteps) {
        plan.notes.push_back(
            {"audit.note.fewer-steps",
             {{"steps", std::to_string(AuditPlan::mostSteps)}, {"all", std::to_string(stepsOf(plan))}}});
        plan.effective = AuditPlan::mostSteps * plan.micro;
    }
    plan.steps = stepsOf(plan);
    const auto add = [&](std::int64_t count, bool closes) {
        const auto epoch = std::ssize(plan.windows); // another order for each, so also small data sets suffice
        std::vector<std::int64_t> ids =
            epochOrder(samples, config.data.shuffle || samples < 4 * plan.effective, seed, epoch);
        ids.resize(static_cast<std::size_t>(count));
        plan.windows.push_back({std::move(ids), epoch, closes});
    };
    add(plan.effective, true);
    add(plan.effective, true);
    // One micro-step fewer, the last micro-batch about half as large.
    const std::int64_t shortWindow = (plan.steps - 2) * plan.micro + std::max(least, plan.micro / 2);
    switch (config.batch.tail) {
    case TailPolicy::Apply:
        add(shortWindow, true);
        add(plan.effective, true);
        break;
    case TailPolicy::Leak:
        add(shortWindow, false);
        add(plan.effective, true);
        break;
    case TailPolicy::Drop:
        plan.notes.push_back({"audit.note.drop", {}});
        break;
    case TailPolicy::Carry:
        plan.notes.push_back({"audit.note.carry", {}});
        break;
    }
    return plan;
}

} // namespace accumulus

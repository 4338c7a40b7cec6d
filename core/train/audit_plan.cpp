// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/audit_plan.h"

#include "core/config/batch_plan.h"
#include "core/data/sampler.h"

#include <algorithm>

namespace accumulus {
namespace {

constexpr std::int64_t leastSteps = 3; // of a window: with two, a lost micro-batch looks like a wrong factor

} // namespace

Result<AuditPlan> planAudit(const RunConfig& config, std::int64_t seed, std::int64_t samples) {
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(config.batch));
    AuditPlan plan;
    plan.micro = batch.micro;
    plan.effective = batch.effective;
    if (plan.effective < 2)
        return failure("audit.micro-steps", {{"effective", std::to_string(plan.effective)}});
    if (plan.effective > samples)
        return failure("audit.data",
                       {{"samples", std::to_string(samples)}, {"effective", std::to_string(plan.effective)}});
    const auto stepsOf = [&] { return (plan.effective + plan.micro - 1) / plan.micro; };
    if (stepsOf() < leastSteps) {
        plan.micro = std::min(plan.micro, (plan.effective + leastSteps - 1) / leastSteps);
        while (stepsOf() < leastSteps && plan.micro > 1) // 4 samples are 2 + 2, or 1 + 1 + 1 + 1
            --plan.micro;
        if (stepsOf() >= leastSteps) // two samples have no third part
            plan.notes.push_back({"audit.note.smaller-micro", {{"micro", std::to_string(plan.micro)}}});
    }
    if (stepsOf() > AuditPlan::mostSteps) {
        plan.notes.push_back({"audit.note.fewer-steps",
                              {{"steps", std::to_string(AuditPlan::mostSteps)}, {"all", std::to_string(stepsOf())}}});
        plan.effective = AuditPlan::mostSteps * plan.micro;
    }
    plan.steps = stepsOf();
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
    const std::int64_t shortWindow =
        std::max<std::int64_t>(1, (plan.steps - 2) * plan.micro + std::max<std::int64_t>(1, plan.micro / 2));
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

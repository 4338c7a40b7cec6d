// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/lr_note.h"

#include "core/base/real_number.h"
#include "core/config/batch_plan.h"
#include "core/config/config_fields.h"

#include <algorithm>
#include <cmath>

namespace accumulus {

namespace {

constexpr int suggestedDigits = 3, formDigits = 6; ///< to which suggestions and the form round

/// The largest effective batch, as far as it is given while the triple does not come out; 0: not known.
std::int64_t largestBatch(const RunConfig& run) {
    if (const auto plan = resolveBatch(run.batch))
        return plan->largestEffective();
    std::int64_t largest = run.batch.effective;
    for (const RampPoint& point : run.batch.ramp)
        largest = std::max(largest, point.effective);
    return largest;
}

/// The shortest learning rate of which `factor` makes `lr`, as the suggestions or the form round it.
double tunedLr(double lr, double factor) {
    for (const int kept : {suggestedDigits, formDigits})
        for (int digits = 1; digits <= kept; ++digits)
            if (const double tuned = roundedTo(lr / factor, digits); roundedTo(tuned * factor, kept) == lr)
                return tuned;
    return lr / factor;
}

void followRule(LrRule before, RunConfig& now) {
    OptimizerConfig& optimizer = now.optimizer;
    const std::int64_t batch = largestBatch(now);
    if (optimizer.lrBatch <= 0 || batch <= 0)
        return;
    const double kappa = static_cast<double>(batch) / static_cast<double>(optimizer.lrBatch);
    const double lr =
        roundedTo(tunedLr(optimizer.lr, lrFactor(before, kappa)) * lrFactor(optimizer.lrRule, kappa), formDigits);
    if (checkFieldValue(*findField("optimizer.lr"), FieldValue(lr)))
        optimizer.lr = lr;
    else
        optimizer.lrRule = LrRule::Keep;
}

} // namespace

std::vector<std::string> lrNote(LrRule rule, std::int64_t batch) {
    ExperimentConfig config;
    config.run.optimizer.lrRule = rule;
    return {"optimizer.lr_batch=" + std::to_string(batch),
            "optimizer.lr_rule=" + std::get<std::string>(findField("optimizer.lr_rule")->get(config))};
}

double lrFactor(LrRule rule, double kappa) {
    switch (rule) {
    case LrRule::Keep:
        return 1.0;
    case LrRule::Linear:
        return kappa;
    case LrRule::SquareRoot:
        return std::sqrt(kappa);
    }
    return 1.0;
}

void keepLrNoteTrue(const RunConfig& before, RunConfig& now) {
    const OptimizerConfig& old = before.optimizer;
    OptimizerConfig& optimizer = now.optimizer;
    const bool sameRule = optimizer.lrRule == old.lrRule;
    const bool sameReference = optimizer.lrBatch == old.lrBatch;
    const bool sameLr = optimizer.lr == old.lr;
    if (sameRule && sameReference && !sameLr) {
        optimizer.lrRule = LrRule::Keep;
        optimizer.lrBatch = 0;
    } else if (sameLr && sameReference && !sameRule) {
        followRule(old.lrRule, now);
    } else if (sameLr && sameRule && !sameReference) {
        optimizer.lrRule = LrRule::Keep;
    } else if (sameLr && sameRule && optimizer.lrRule != LrRule::Keep) {
        const std::int64_t was = largestBatch(before);
        if (was <= 0 || was == largestBatch(now))
            return;
        optimizer.lrRule = LrRule::Keep;
        optimizer.lrBatch = was;
    }
}

} // namespace accumulus

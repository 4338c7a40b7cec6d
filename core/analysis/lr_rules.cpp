// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/lr_rules.h"

#include "core/analysis/lr_note.h"
#include "core/base/real_number.h"
#include "core/config/batch_plan.h"
#include "core/config/config_fields.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace accumulus {

namespace {

/// Suggestions are rules of thumb: three digits say all they know, and can be typed.
double rounded(double value) { return roundedTo(value, 3); }

/// A beta near 1 is known by its distance from 1.
double roundedBeta(double beta) { return beta < 0.5 ? rounded(beta) : 1.0 - rounded(1.0 - beta); }

std::string betaText(double beta) { return fmt::format("{:.9g}", beta); }

bool isSgd(const OptimizerConfig& optimizer) { return optimizer.name == OptimizerKind::Sgd; }

/// The catalogue holds "fix.lr-TITLE" and "lr.RULE" for each.
LrSuggestion suggestion(const std::string& rule, const std::string& title, const OptimizerConfig& optimizer,
                        bool moments, const std::string& noiseScale = {}) {
    const std::string lr = fieldText(rounded(optimizer.lr));
    LrSuggestion result{rule, {"fix.lr-" + title, {{"lr", lr}}}, {"lr." + rule, {}}, {"optimizer.lr=" + lr}};
    if (!noiseScale.empty())
        result.words.arguments.emplace_back("noiseScale", noiseScale);
    if (moments) {
        result.assignments.push_back("optimizer.beta1=" + betaText(roundedBeta(optimizer.beta1)));
        result.assignments.push_back("optimizer.beta2=" + betaText(roundedBeta(optimizer.beta2)));
        result.assignments.push_back("optimizer.eps=" + fieldText(rounded(optimizer.eps)));
    }
    return result;
}

LrRule noteOf(const LrSuggestion& suggestion) {
    return suggestion.rule == "linear" ? LrRule::Linear : LrRule::SquareRoot;
}

bool isPossible(const LrSuggestion& suggestion) {
    ExperimentConfig config;
    return std::ranges::all_of(suggestion.assignments, [&config](const std::string& assignment) {
        return static_cast<bool>(applyAssignment(config, assignment));
    });
}

/// O01; nothing where both batches are the same.
std::optional<Finding> lrFinding(const RunConfig& tuned, std::int64_t before, std::int64_t after) {
    if (before == after)
        return std::nullopt;
    RunConfig base = tuned; // whose B is the one that its lr is good for
    base.batch = {};
    base.batch.effective = before;
    base.batch.micro = 1;
    Finding finding;
    finding.id = "O01";
    finding.level = FindingLevel::Warning;
    finding.key = "optimizer.lr";
    finding.message = {"finding.lr-of-batch", {{"before", std::to_string(before)}, {"after", std::to_string(after)}}};
    finding.fixes.push_back(
        {"keep-lr", {"fix.keep", {{"value", fieldText(tuned.optimizer.lr)}}}, lrNote(LrRule::Keep, before)});
    for (LrSuggestion& suggested : suggestLr(base, after)) {
        std::vector<std::string> assignments = lrNote(noteOf(suggested), before);
        std::ranges::move(suggested.assignments, std::back_inserter(assignments));
        finding.fixes.push_back({std::move(suggested.rule), std::move(suggested.label), std::move(assignments)});
    }
    return finding;
}

} // namespace

OptimizerConfig linearLr(const OptimizerConfig& optimizer, double kappa) {
    OptimizerConfig scaled = optimizer;
    scaled.lr *= kappa;
    return scaled;
}

OptimizerConfig squareRootLr(const OptimizerConfig& optimizer, double kappa) {
    return linearLr(optimizer, std::sqrt(kappa));
}

std::optional<OptimizerConfig> adamSquareRoot(const OptimizerConfig& optimizer, double kappa) {
    OptimizerConfig scaled = squareRootLr(optimizer, kappa);
    scaled.eps /= std::sqrt(kappa);
    for (double* beta : {&scaled.beta1, &scaled.beta2}) {
        *beta = kappa == 1.0 ? *beta : 1.0 - kappa * (1.0 - *beta);
        if (!(*beta >= 0.0 && *beta < 1.0))
            return std::nullopt;
    }
    return scaled;
}

OptimizerConfig adamHalfLife(const OptimizerConfig& optimizer, double kappa) {
    OptimizerConfig scaled = squareRootLr(optimizer, kappa);
    scaled.eps /= std::sqrt(kappa);
    for (double* beta : {&scaled.beta1, &scaled.beta2})
        *beta = std::min(std::pow(*beta, kappa), std::nextafter(1.0, 0.0)); // a tiny kappa would round it to 1
    return scaled;
}

OptimizerConfig noiseAwareLr(const OptimizerConfig& optimizer, double kappa, double effective, double noiseScale) {
    return linearLr(optimizer, (1.0 + noiseScale / effective) / (1.0 + noiseScale / (kappa * effective)));
}

std::vector<LrSuggestion> suggestLr(const RunConfig& base, std::int64_t effective, std::optional<double> noiseScale) {
    const auto plan = resolveBatch(base.batch);
    if (!plan || effective <= 0 || plan->effective == effective)
        return {};
    const OptimizerConfig& optimizer = base.optimizer;
    const auto before = static_cast<double>(plan->effective);
    const double kappa = static_cast<double>(effective) / before;
    std::vector<LrSuggestion> all;
    if (isSgd(optimizer)) {
        all.push_back(suggestion("linear", "linear", linearLr(optimizer, kappa), false));
        all.push_back(suggestion("square-root", "square-root", squareRootLr(optimizer, kappa), false));
    } else {
        if (const auto scaled = adamSquareRoot(optimizer, kappa))
            all.push_back(suggestion("adam-square-root", "square-root", *scaled, true));
        all.push_back(suggestion("adam-half-life", "half-life", adamHalfLife(optimizer, kappa), true));
    }
    if (noiseScale && std::isfinite(*noiseScale) && *noiseScale > 0.0)
        all.push_back(suggestion("noise-aware", "noise-scale", noiseAwareLr(optimizer, kappa, before, *noiseScale),
                                 false, fmt::format("{:.2g}", *noiseScale)));
    std::erase_if(all, [](const LrSuggestion& one) { return !isPossible(one); });
    return all;
}

std::optional<Finding> checkLrOfBatch(const RunConfig& tuned, const RunConfig& now) {
    const auto from = resolveBatch(tuned.batch);
    const auto to = resolveBatch(now.batch);
    if (!from || !to || !(tuned.optimizer == now.optimizer) || from->largestEffective() == to->largestEffective())
        return std::nullopt;
    const OptimizerConfig& optimizer = tuned.optimizer;
    const bool noted = optimizer.lrRule == LrRule::Keep && optimizer.lrBatch > 0;
    return lrFinding(tuned, noted ? optimizer.lrBatch : from->largestEffective(), to->largestEffective());
}

std::optional<Finding> checkLrOfBatch(const std::vector<RunConfig>& settled, const RunConfig& now) {
    const auto to = resolveBatch(now.batch);
    if (!to)
        return std::nullopt;
    const RunConfig* nearest = nullptr;
    for (const RunConfig& tuned : settled) {
        const auto from = resolveBatch(tuned.batch);
        if (!from || !(tuned.optimizer == now.optimizer))
            continue;
        if (from->largestEffective() == to->largestEffective())
            return std::nullopt;
        nearest = &tuned;
    }
    if (nearest)
        return checkLrOfBatch(*nearest, now);
    const OptimizerConfig& optimizer = now.optimizer;
    if (optimizer.lrRule != LrRule::Keep || optimizer.lrBatch == 0)
        return std::nullopt;
    return lrFinding(now, optimizer.lrBatch, to->largestEffective());
}

} // namespace accumulus

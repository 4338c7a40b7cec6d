// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gradient_diagnosis.h"

#include "core/analysis/bug_hypotheses.h"
#include "core/analysis/rounded_sums.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace accumulus {
namespace {

// A mistake is named when it leaves no more than this share of the error: what it predicts is exact but for rounding.
constexpr double explains = 0.05;
// Of two that explain the same, the first in order is named unless the other one is so much better.
constexpr double clearlyBetter = 3.0;

double scoreOf(const GradientEvidence& evidence, const std::vector<WindowWeights>& weights) {
    double score = 0.0;
    for (std::size_t w = 0; w < evidence.windows.size(); ++w)
        if (evidence.windows[w].closed)
            score = std::max(score, errorOf(evidence, w, weights[w]).rms);
    return score;
}

/// S3 in a pipeline: each stage is divided by K as often as it has stages behind it, so the tensors differ.
std::optional<double> scoreByStage(const GradientEvidence& evidence) {
    double score = 0.0;
    bool any = false;
    for (std::size_t w = 0; w < evidence.windows.size(); ++w) {
        const WindowEvidence& window = evidence.windows[w];
        if (!window.closed)
            continue;
        for (std::size_t t = 0; t < window.tensors.size(); ++t) {
            double best = std::numeric_limits<double>::infinity();
            int divided = 0;
            for (int times = 0; times <= 4; ++times) {
                WindowWeights weights = rightWeights(window);
                for (double& c : weights.own)
                    c *= std::pow(static_cast<double>(window.steps()), -times);
                if (const double error = errorOf(evidence, w, weights, t); error < best) {
                    best = error;
                    divided = times;
                }
            }
            any = any || divided > 0;
            score = std::max(score, best);
        }
    }
    return any ? std::optional(score) : std::nullopt;
}

std::optional<double> scoreOfRounding(const GradientEvidence& evidence, int bits) {
    double score = 0.0;
    for (std::size_t w = 0; w < evidence.windows.size(); ++w)
        if (evidence.windows[w].closed)
            score = std::max(score, errorOfRoundedSums(evidence, w, bits).rms);
    return score;
}

/// <G, G*> / |G*|^2 with G* the right gradient.
double alongRight(const GradientEvidence& evidence, std::size_t window) {
    const WindowEvidence& of = evidence.windows[window];
    const std::vector<double> weights = rightWeights(of).own;
    double product = 0.0, squared = 0.0;
    for (const GradientElements& tensor : of.tensors)
        for (std::size_t i = 0; i < tensor.accumulated.size(); ++i) {
            double right = 0.0;
            for (std::size_t k = 0; k < weights.size(); ++k)
                right += weights[k] * tensor.micro[k][i];
            product += tensor.accumulated[i] * right;
            squared += right * right;
        }
    return squared > 0.0 ? product / squared : 0.0;
}

bool isZero(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return value == 0.0; });
}

/// In no window that was closed.
bool noGradientArrived(const GradientEvidence& evidence) {
    return std::ranges::all_of(evidence.windows, [](const WindowEvidence& window) {
        return !window.closed || std::ranges::all_of(window.tensors, isZero, &GradientElements::accumulated);
    });
}

bool hasWeights(const GradientEvidence& evidence) {
    return std::ranges::all_of(evidence.windows, [](const WindowEvidence& window) {
        return std::ranges::none_of(window.tensors, [](const GradientElements& t) { return t.weights.empty(); });
    });
}

/// The right weights times one number, the same in all windows.
std::vector<WindowWeights> rightTimes(const GradientEvidence& evidence, double factor) {
    std::vector<WindowWeights> all;
    for (const WindowEvidence& window : evidence.windows) {
        all.push_back(rightWeights(window));
        for (double& c : all.back().own)
            c *= factor;
    }
    return all;
}

/// The one that explains the evidence, if any does; `right`: score of right sums.
struct Named {
    std::string pattern; ///< empty: a factor that no known mistake makes
    std::vector<std::pair<std::string, std::string>> arguments;
    bool leaks = false; ///< the windows before count
};
class Search {
public:
    Search(const GradientEvidence& evidence, double right) : m_evidence(evidence), m_right(right) {}

    void consider(double score, Named named) {
        if (!std::isfinite(score) || !(score <= std::max(explains * m_right, m_evidence.tolerance)))
            return;
        if (!(score * clearlyBetter < m_right)) // right sums explain it as well: the error is elsewhere, in one tensor
            return;
        if (m_found && score * clearlyBetter >= m_best)
            return;
        m_best = m_found ? std::min(m_best, score) : score;
        m_found = std::move(named);
    }
    [[nodiscard]] const std::optional<Named>& found() const { return m_found; }

private:
    const GradientEvidence& m_evidence;
    double m_right;
    double m_best = 0.0;
    std::optional<Named> m_found;
};

std::optional<Named> explain(const GradientEvidence& evidence, const std::vector<FittedWeights>& fitted, double right) {
    Search search(evidence, right);
    for (BugHypothesis& hypothesis : bugHypotheses(evidence, fitted)) {
        const bool leaks =
            std::ranges::any_of(hypothesis.weights, [](const WindowWeights& w) { return !w.earlier.empty(); });
        search.consider(scoreOf(evidence, hypothesis.weights),
                        {hypothesis.pattern, std::move(hypothesis.arguments), leaks});
    }
    // Clipping explains a number that stands in the loop, too, where the norms of the micro-gradients are nearly alike.
    const auto closed = std::ranges::find_if(evidence.windows, &WindowEvidence::closed);
    if (closed != evidence.windows.end()) {
        const double factor = alongRight(evidence, static_cast<std::size_t>(closed - evidence.windows.begin()));
        const double score = scoreOf(evidence, rightTimes(evidence, factor));
        search.consider(std::max(score, evidence.tolerance), {"", {{"factor", ""}}, false}); // a known one has a name
    }
    if (const auto score = scoreByStage(evidence))
        search.consider(*score, {"divided-twice", {{"factor", "1/K"}}, false});
    if (!search.found() && hasWeights(evidence)) {
        std::vector<WindowWeights> decayed;
        for (std::size_t w = 0; w < evidence.windows.size(); ++w) {
            decayed.push_back(rightWeights(evidence.windows[w]));
            decayed.back().decay = fitWeights(evidence, w, 0, true).weights.decay;
        }
        search.consider(scoreOf(evidence, decayed), {"decay-per-micro-step", {}, false});
    }
    if (!search.found())
        for (const int bits : {8, 11})
            if (const auto score = scoreOfRounding(evidence, bits))
                search.consider(*score, {"low-precision-accumulator", {{"bits", std::to_string(bits)}}, false});
    return search.found();
}

AuditedWindow describe(const GradientEvidence& evidence, std::size_t window, const FittedWeights& fitted) {
    const WindowEvidence& of = evidence.windows[window];
    AuditedWindow described;
    described.units = of.units;
    described.weights = fitted.weights.own;
    described.rightWeights = rightWeights(of).own;
    described.residual = fitted.residual;
    const WeightsError error = errorOf(evidence, window, rightWeights(of));
    described.error = error.worst;
    described.worstTensor = of.tensors[error.worstTensor].name;
    return described;
}

} // namespace

std::string errorText(double error) { return fmt::format("{:.1e}", error); }

std::string factorText(double factor) { return fmt::format("{:.{}f}", factor, factor >= 0.1 ? 2 : 4); }

GradientDiagnosis diagnose(GradientEvidence evidence) {
    measureScales(evidence);
    GradientDiagnosis diagnosis;
    std::vector<FittedWeights> fitted;
    double right = 0.0;
    double largest = 0.0;
    for (std::size_t w = 0; w < evidence.windows.size(); ++w) {
        fitted.push_back(fitWeights(evidence, w));
        diagnosis.windows.push_back(describe(evidence, w, fitted[w]));
        diagnosis.weightsIdentified = diagnosis.weightsIdentified && fitted[w].identified;
        if (!evidence.windows[w].closed)
            continue;
        const WeightsError error = errorOf(evidence, w, rightWeights(evidence.windows[w]));
        right = std::max(right, error.rms);
        if (error.worst > evidence.tolerance)
            diagnosis.sumsAreRight = false;
        largest = std::max(largest, error.worst);
    }
    // The first that shows it well: windows differ little where the mistake is in all of them.
    for (std::size_t w = evidence.windows.size(); w-- > 0;)
        if (evidence.windows[w].closed && (diagnosis.sumsAreRight || 2.0 * diagnosis.windows[w].error >= largest))
            diagnosis.judgedWindow = w;
    if (diagnosis.sumsAreRight)
        return diagnosis;
    const auto named = explain(evidence, fitted, right);
    if (named && named->leaks)
        for (std::size_t w = 1; w < evidence.windows.size(); ++w) {
            const FittedWeights all = fitWeights(evidence, w, w);
            diagnosis.windows[w].weights = all.weights.own;
            for (const auto& window : all.weights.earlier)
                diagnosis.windows[w].earlier.insert(diagnosis.windows[w].earlier.end(), window.begin(), window.end());
            diagnosis.windows[w].residual = all.residual;
        }
    const AuditedWindow& judged = diagnosis.windows[diagnosis.judgedWindow];
    if (noGradientArrived(evidence) && !(named && named->pattern == "remainder-window")) {
        diagnosis.sentence = {"audit.found.no-gradient", {}}; // any mistake that makes it small would explain it
    } else if (named) {
        if (!named->pattern.empty())
            diagnosis.pattern = named->pattern;
        diagnosis.sentence = {"audit.found." + diagnosis.pattern.value_or("other-factor"), named->arguments};
        // Of weights that are no multiple of the right ones, too: how much longer the gradient is along the right one.
        for (auto& [name, value] : diagnosis.sentence.arguments)
            if (name == "factor" && named->pattern != "loss-scale" && value != "1/K")
                value = factorText(alongRight(evidence, diagnosis.judgedWindow));
    } else {
        diagnosis.sentence = {judged.residual > 0.01 ? "audit.found.nothing-linear" : "audit.found.other-weights", {}};
    }
    auto& arguments = diagnosis.sentence.arguments;
    arguments.emplace_back("tensor", judged.worstTensor);
    arguments.emplace_back("error", errorText(judged.error));
    arguments.emplace_back("window", std::to_string(diagnosis.judgedWindow + 1));
    return diagnosis;
}

GradientDiagnosis diagnoseFactor(const std::vector<GradientElements>& pairs, double tolerance) {
    GradientDiagnosis diagnosis;
    double ab = 0.0, bb = 0.0;
    for (const GradientElements& pair : pairs)
        for (std::size_t i = 0; i < pair.accumulated.size(); ++i) {
            ab += pair.accumulated[i] * pair.micro.front()[i];
            bb += pair.micro.front()[i] * pair.micro.front()[i];
        }
    const double factor = bb > 0.0 ? ab / bb : 1.0;
    double left = 0.0, right = 0.0;
    for (const GradientElements& pair : pairs)
        for (std::size_t i = 0; i < pair.accumulated.size(); ++i) {
            left += std::pow(pair.accumulated[i] - factor * pair.micro.front()[i], 2);
            right += std::pow(pair.accumulated[i] - pair.micro.front()[i], 2);
        }
    if (!(right > tolerance * tolerance * bb))
        return diagnosis;
    diagnosis.sumsAreRight = false;
    const bool isMultiple = factor > 0.0 && left <= explains * explains * right;
    const double whole = factor >= 1.0 ? factor : 1.0 / factor;
    const bool isWhole = isMultiple && std::abs(whole - std::round(whole)) < 1e-3 * whole && std::round(whole) >= 2.0;
    const bool isPower = isWhole && whole >= 256.0 && std::exp2(std::round(std::log2(whole))) == std::round(whole);
    if (isPower)
        diagnosis.pattern = "loss-scale";
    else if (isWhole)
        diagnosis.pattern = factor > 1.0 ? "factor-k" : "divided-twice";
    const bool arrived = !std::ranges::all_of(pairs, isZero, &GradientElements::accumulated);
    diagnosis.sentence = {diagnosis.pattern ? "audit.found." + *diagnosis.pattern
                          : !arrived        ? "audit.found.no-gradient"
                          : isMultiple      ? "audit.found.other-factor"
                                            : "audit.found.without-micro-gradients",
                          {{"factor", factorText(factor)}}};
    return diagnosis;
}

void conclude(GradientAudit& audit, const GradientDiagnosis& diagnosis, const AuditFacts& facts) {
    audit.windows = diagnosis.windows;
    audit.judgedWindow = diagnosis.judgedWindow;
    const auto worst = std::ranges::max_element(audit.tensors, {}, [](const AuditedTensor& tensor) {
        const double share = tensor.tolerance > 0.0 ? tensor.error / tensor.tolerance : tensor.error;
        return std::isnan(share) ? std::numeric_limits<double>::infinity() : share;
    });
    bool passed = true;
    if (worst != audit.tensors.end()) {
        audit.worstTensor = worst->name;
        audit.worstError = worst->error;
        audit.tolerance = worst->tolerance;
        passed = std::ranges::all_of(audit.tensors, &AuditedTensor::passed);
    }
    const auto beyond = std::ranges::find_if(
        audit.tensors, [](const AuditedTensor& tensor) { return tensor.passed && tensor.error > tensor.tolerance; });
    if (beyond != audit.tensors.end())
        audit.notes.push_back({"audit.note.fp64-passed", {{"tensor", beyond->name}}});
    if (!diagnosis.weightsIdentified)
        audit.notes.push_back({"audit.note.weights-not-identified", {}});
    const auto say = [&](AuditVerdict verdict, std::optional<std::string> pattern, Message headline) {
        audit.verdict = verdict;
        audit.pattern = std::move(pattern);
        audit.headline = std::move(headline);
        auto& arguments = audit.headline.arguments;
        const auto add = [&](const char* name, std::string value) {
            if (std::ranges::none_of(arguments, [&](const auto& one) { return one.first == name; }))
                arguments.emplace_back(name, std::move(value));
        };
        add("tensor", audit.worstTensor);
        add("error", errorText(audit.worstError));
        add("tolerance", errorText(audit.tolerance));
        add("layers", std::to_string(facts.batchNormLayers));
    };
    if (!facts.reproducible)
        return say(AuditVerdict::Expected, "dropout-stream", {"audit.found.dropout-stream", {}});
    if (!diagnosis.sumsAreRight)
        return say(AuditVerdict::NotEquivalent, diagnosis.pattern, diagnosis.sentence);
    // The tolerance follows the noise floor, and the permuted large batch drew otherwise, too.
    if (facts.dropoutLayers > 0)
        return say(AuditVerdict::Expected, "dropout-stream", {"audit.found.dropout-stream", {}});
    if (passed)
        return say(AuditVerdict::Equivalent, {}, {"audit.equivalent", {}});
    if (facts.roundingOnly) {
        audit.notes.push_back({"audit.note.rounding-only", {}});
        return say(AuditVerdict::Equivalent, {}, {"audit.equivalent-but-rounding", {}});
    }
    if (facts.batchNormLayers > 0 && facts.ghostAgrees.value_or(true)) {
        if (facts.ghostAgrees)
            audit.notes.push_back({"audit.note.ghost-agrees", {}});
        return say(AuditVerdict::Expected, "batch-norm", {"audit.found.batch-norm", {}});
    }
    if (facts.flipSized) {
        audit.notes.push_back({"audit.note.flip-sized", {}});
        return say(AuditVerdict::Equivalent, {}, {"audit.equivalent-but-rounding", {}});
    }
    if (facts.ghostAgrees && !*facts.ghostAgrees)
        return say(AuditVerdict::NotEquivalent, {}, {"audit.found.ghost-differs", {}});
    say(AuditVerdict::NotEquivalent, "batch-coupled-loss", {"audit.found.batch-coupled-loss", {}});
}

} // namespace accumulus

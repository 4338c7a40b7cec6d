// SPDX-License-Identifier: GPL-3.0-or-later
// Mistakes with a number of their own (a ratio, a clipping norm, a loss scale), taken from the weights that were
// fitted.
#include "core/analysis/bug_hypotheses_impl.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace accumulus {

using namespace weights_of_loops;

namespace {

/// Micro-steps after k, of the whole window or of its rank.
double following(const WindowEvidence& w, std::size_t k, bool ofRank) {
    double count = 0.0;
    for (std::size_t j = k + 1; j < w.steps(); ++j)
        count += !ofRank || w.ranks[j] == w.ranks[k] ? 1.0 : 0.0;
    return count;
}

} // namespace

/// S6: c_k = A q^p, or the same of n_k, with p the micro-steps that follow, of the whole window or of the rank.
void HypothesisCollection::addGeometric() {
    const bool known =
        std::ranges::all_of(m_evidence.windows, [](const WindowEvidence& w) { return !w.ranks.empty(); });
    for (const bool ofRank : {false, true})
        for (const bool units : {false, true})
            if (!ofRank || known)
                addGeometric(ofRank, units);
}

/// A and q from the fitted weights of the longest window.
void HypothesisCollection::addGeometric(bool ofRank, bool units) {
    const auto longest = std::ranges::max_element(m_evidence.windows, {},
                                                  [](const WindowEvidence& w) { return w.closed ? w.steps() : 0; });
    const auto at = static_cast<std::size_t>(longest - m_evidence.windows.begin());
    const Weights& c = m_fitted[at].weights.own;
    if (c.size() < 3 || !std::ranges::all_of(c, [](double one) { return one > 0.0; }))
        return;
    const auto weigh = [units](const WindowEvidence& w, std::size_t k) {
        return units ? w.units[k] / w.totalUnits() : 1.0;
    };
    const std::size_t end = c.size() - 1;
    const double steps = following(*longest, 0, ofRank) - following(*longest, end, ofRank);
    if (steps < 1.0)
        return;
    const double q = std::pow((c[0] / weigh(*longest, 0)) / (c[end] / weigh(*longest, end)), 1.0 / steps);
    if (std::abs(std::log(q)) < 0.05)
        return;
    BugHypothesis hypothesis{"geometric-weights", {}, {{"ratio", fmt::format("{:.2f}", q)}}};
    for (std::size_t i = 0; i < m_evidence.windows.size(); ++i) {
        const WindowEvidence& w = m_evidence.windows[i];
        // A may follow K, so each window has its own.
        const double a = m_fitted[i].weights.own.back() / weigh(w, w.steps() - 1);
        Weights weights(w.steps());
        for (std::size_t k = 0; k < w.steps(); ++k)
            weights[k] = a * std::pow(q, following(w, k, ofRank)) * weigh(w, k);
        hypothesis.weights.push_back({.own = std::move(weights)});
    }
    m_all.push_back(std::move(hypothesis));
}

/// S8, so far as weights can tell: clipping of each micro-gradient by its norm, or of the running sum.
void HypothesisCollection::addClips() {
    const bool norms =
        std::ranges::all_of(m_evidence.windows, [](const WindowEvidence& w) { return w.norms.size() == w.steps(); });
    const bool grams =
        std::ranges::all_of(m_evidence.windows, [](const WindowEvidence& w) { return w.gram.size() == w.steps(); });
    for (const Base& base : {Base(byUnits), Base(bySteps), Base(undivided)}) {
        for (const bool divideFirst : {false, true})
            if (norms)
                addClipOfEach(base, divideFirst);
        if (grams)
            addClipOfSum(base);
    }
}

void HypothesisCollection::addClipOfEach(const Base& base, bool divideFirst) {
    // clip(g_k) b_k: c_k = b_k min(1, tau / |g_k|); clip(b_k g_k): c_k = min(b_k, tau / |g_k|).
    std::optional<double> tau = m_evidence.clipNorm > 0.0 ? std::optional(m_evidence.clipNorm) : std::nullopt;
    Weights seen;
    for (std::size_t i = 0; i < m_evidence.windows.size() && !tau; ++i) {
        const WindowEvidence& w = m_evidence.windows[i];
        if (!w.closed)
            continue;
        const Weights b = base(w);
        for (std::size_t k = 0; k < w.steps(); ++k)
            if (const double c = m_fitted[i].weights.own[k]; c > 0.0 && c < 0.999 * b[k])
                seen.push_back(c * w.norms[k] / (divideFirst ? 1.0 : b[k]));
    }
    if (!tau && seen.empty())
        return;
    if (!tau) {
        std::ranges::nth_element(seen, seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2));
        tau = seen[seen.size() / 2];
    }
    add("clip-per-micro-batch",
        [&base, divideFirst, norm = *tau](const WindowEvidence& w) {
            Weights weights = base(w);
            for (std::size_t k = 0; k < w.steps(); ++k) {
                const double length = w.norms[k] * (divideFirst ? weights[k] : 1.0);
                weights[k] *= length > norm ? norm / length : 1.0;
            }
            return weights;
        },
        {{"norm", fmt::format("{:.3g}", *tau)}});
}

void HypothesisCollection::addClipOfSum(const Base& base) {
    const auto lengthOf = [](const WindowEvidence& w, const Weights& c, std::size_t count) {
        double squared = 0.0;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < count; ++j)
                squared += c[i] * c[j] * w.gram[i][j];
        return std::sqrt(std::max(0.0, squared));
    };
    double tau = m_evidence.clipNorm;
    if (tau <= 0.0) { // the norm of the sum before its last clipping, times how much that left
        const Weights& c = m_fitted.back().weights.own;
        const double left = c.back() / base(last()).back();
        if (!(left > 0.0) || left > 1.001)
            return;
        tau = lengthOf(last(), c, last().steps());
    }
    add("clip-per-micro-batch",
        [&base, &lengthOf, tau](const WindowEvidence& w) {
            Weights weights = base(w);
            for (std::size_t k = 1; k <= w.steps(); ++k)
                if (const double length = lengthOf(w, weights, k); length > tau)
                    for (std::size_t j = 0; j < k; ++j)
                        weights[j] *= tau / length;
            return weights;
        },
        {{"norm", fmt::format("{:.3g}", tau)}});
}

/// Scales are powers of two; a dynamic one may fall between micro-steps, so each has its own.
void HypothesisCollection::addLossScale() {
    for (const Base& base : {Base(byUnits), Base(bySteps)}) {
        BugHypothesis hypothesis{"loss-scale", {}, {}};
        double largest = 0.0;
        for (std::size_t i = 0; i < m_evidence.windows.size(); ++i) {
            Weights weights = base(m_evidence.windows[i]);
            for (std::size_t k = 0; k < weights.size(); ++k) {
                const double scale = m_evidence.lossScale != 1.0
                                         ? m_evidence.lossScale
                                         : std::exp2(std::round(std::log2(m_fitted[i].weights.own[k] / weights[k])));
                if (m_evidence.windows[i].closed && !(scale >= 16.0 && std::isfinite(scale)))
                    return;
                weights[k] *= scale;
                largest = std::max(largest, scale);
            }
            hypothesis.weights.push_back({.own = std::move(weights)});
        }
        hypothesis.arguments = {{"factor", fmt::format("{:.0f}", largest)}};
        m_all.push_back(std::move(hypothesis));
    }
}

} // namespace accumulus

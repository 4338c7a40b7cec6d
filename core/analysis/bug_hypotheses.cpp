// SPDX-License-Identifier: GPL-3.0-or-later
// Mistakes whose weights follow from units, accumulation steps and ranks alone.
#include "core/analysis/bug_hypotheses_impl.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace accumulus {

namespace weights_of_loops {

Weights byUnits(const WindowEvidence& window) { return rightWeights(window).own; }
Weights bySteps(const WindowEvidence& window) {
    return Weights(window.steps(), 1.0 / static_cast<double>(window.steps()));
}
Weights undivided(const WindowEvidence& window) { return Weights(window.steps(), 1.0); }

Weights scaled(Weights weights, double factor) {
    for (double& c : weights)
        c *= factor;
    return weights;
}

} // namespace weights_of_loops

using namespace weights_of_loops;

namespace {

double steps(const WindowEvidence& window) { return static_cast<double>(window.steps()); }

} // namespace

void HypothesisCollection::addAll() {
    add("mean-of-means", bySteps);
    addRemainders(); // before factors: 1/K over r micro-steps is 1/r twice where K = r^2
    addFactors();
    addLeaks();
    addLost();
    addRanks();
    addGeometric();
    addClips();
    addLossScale();
}

BugHypothesis& HypothesisCollection::add(const std::string& pattern, const Base& own, Arguments arguments) {
    BugHypothesis hypothesis{pattern, {}, std::move(arguments)};
    for (const WindowEvidence& window : m_evidence.windows)
        hypothesis.weights.push_back({.own = own(window)});
    return m_all.emplace_back(std::move(hypothesis));
}

void HypothesisCollection::addFactors() {
    const Arguments factor{{"factor", {}}}; // told from the gradients
    const Base timesSteps = [](const WindowEvidence& w) { return scaled(byUnits(w), steps(w)); };
    const Base units = [](const WindowEvidence& w) { return scaled(byUnits(w), w.totalUnits()); };
    for (const Base& base : {Base(undivided), timesSteps, units})
        add("factor-k", base, factor);
    const Base unitsTwice = [](const WindowEvidence& w) { return scaled(byUnits(w), 1.0 / steps(w)); };
    const Base stepsTwice = [](const WindowEvidence& w) { return scaled(bySteps(w), 1.0 / steps(w)); };
    for (const Base& base : {unitsTwice, stepsTwice})
        add("divided-twice", base, factor);
}

/// S4. A window that is shorter than the others, divided by the nominal K, or thrown away; a full one of which only
/// the last r micro-batches count.
void HypothesisCollection::addRemainders() {
    const bool any = std::ranges::any_of(m_evidence.windows, &WindowEvidence::isRemainder);
    if (any) {
        const Base nominal = [](const WindowEvidence& w) {
            return w.isRemainder() ? Weights(w.steps(), 1.0 / static_cast<double>(w.nominalSteps)) : bySteps(w);
        };
        const Base nominalUnits = [](const WindowEvidence& w) {
            return w.isRemainder() ? scaled(byUnits(w), steps(w) / static_cast<double>(w.nominalSteps)) : byUnits(w);
        };
        for (const Base& base : {nominal, nominalUnits})
            add("remainder-window", base);
        for (const Base& base : {Base(byUnits), Base(bySteps)})
            add("remainder-window",
                [&base](const WindowEvidence& w) { return w.isRemainder() ? Weights(w.steps(), 0.0) : base(w); });
    }
    for (std::size_t kept = 2; kept + 1 <= std::min<std::size_t>(last().steps(), 32); ++kept)
        for (const bool units : {false, true})
            add("remainder-window", [kept, units](const WindowEvidence& w) {
                Weights weights(w.steps(), 0.0);
                const std::size_t from = w.steps() - std::min(kept, w.steps());
                const double n =
                    std::accumulate(w.units.begin() + static_cast<std::ptrdiff_t>(from), w.units.end(), 0.0);
                for (std::size_t k = from; k < w.steps(); ++k)
                    weights[k] = units ? w.units[k] / n : 1.0 / static_cast<double>(w.steps() - from);
                return weights;
            });
}

/// Gradients of windows before: never cleared, or left over by a short window that made no update.
void HypothesisCollection::addLeaks() {
    if (m_evidence.windows.size() < 2)
        return;
    const Base nominal = [](const WindowEvidence& w) {
        return Weights(w.steps(), 1.0 / (w.nominalSteps > 0 ? static_cast<double>(w.nominalSteps) : steps(w)));
    };
    for (const bool remaindersOnly : {true, false})
        for (const bool newestOnly : {true, false})
            for (const Base& base : {Base(byUnits), Base(bySteps), nominal, Base(undivided)}) {
                addLeak(base, remaindersOnly, newestOnly, false);
                addLeak(base, remaindersOnly, newestOnly, true);
            }
}

void HypothesisCollection::addLeak(const Base& base, bool remaindersOnly, bool newestOnly, bool jointly) {
    BugHypothesis hypothesis{remaindersOnly ? "remainder-window" : "gradients-not-cleared", {}, {}};
    bool any = false;
    for (std::size_t i = 0; i < m_evidence.windows.size(); ++i) {
        const WindowEvidence& window = m_evidence.windows[i];
        WindowWeights weights{.own = base(window)};
        double all = window.totalUnits();
        for (std::size_t j = 0; j < i; ++j) {
            const WindowEvidence& before = m_evidence.windows[j];
            const bool leaks =
                remaindersOnly ? before.isRemainder() && (!before.closed || j + 1 == i) : !newestOnly || j + 1 == i;
            weights.earlier.push_back(leaks ? base(before) : Weights(before.steps(), 0.0));
            all += leaks ? before.totalUnits() : 0.0;
            any = any || leaks;
        }
        if (jointly) { // one division by all that was added
            const auto divide = [all](Weights& c, const WindowEvidence& of) {
                for (std::size_t k = 0; k < c.size(); ++k)
                    c[k] = c[k] != 0.0 ? of.units[k] / all : 0.0;
            };
            divide(weights.own, window);
            for (std::size_t j = 0; j < i; ++j)
                divide(weights.earlier[j], m_evidence.windows[j]);
        }
        hypothesis.weights.push_back(std::move(weights));
    }
    if (any)
        m_all.push_back(std::move(hypothesis));
}

/// S5.
void HypothesisCollection::addLost() {
    const auto keep = [](const Base& base, bool renormalised,
                         const std::function<bool(std::size_t, std::size_t)>& kept) {
        return [=](const WindowEvidence& w) {
            Weights weights = base(w);
            double sum = 0.0, all = 0.0;
            for (std::size_t k = 0; k < weights.size(); ++k) {
                all += weights[k];
                weights[k] = kept(k, w.steps()) ? weights[k] : 0.0;
                sum += weights[k];
            }
            return renormalised && sum > 0.0 ? scaled(weights, all / sum) : weights;
        };
    };
    const auto allButLast = [](std::size_t k, std::size_t count) { return k + 1 < count; };
    const auto ends = [](std::size_t k, std::size_t count) { return k == 0 || k + 1 == count; };
    const auto onlyLast = [](std::size_t k, std::size_t count) { return k + 1 == count; };
    for (const Base& base : {Base(byUnits), Base(bySteps)})
        for (const bool renormalised : {false, true}) {
            add("last-micro-batch-lost", keep(base, renormalised, allButLast));
            add("last-micro-batch-lost", keep(base, renormalised, ends));
            add("only-last-kept", keep(base, renormalised, onlyLast));
        }
    add("only-last-kept", keep(undivided, false, onlyLast));
}

/// S7. The ranks are known, or micro-batch k is one of rank k mod R, or ranks take runs of them.
void HypothesisCollection::addRanks() {
    const std::size_t most = std::min<std::size_t>(16, last().steps() - 1);
    const bool known =
        std::ranges::all_of(m_evidence.windows, [](const WindowEvidence& w) { return !w.ranks.empty(); });
    for (std::size_t ranks = 2; ranks <= most; ++ranks)
        for (const bool interleaved : {true, false}) {
            const auto rankOf = [=](const WindowEvidence& w, std::size_t k) -> std::size_t {
                if (known)
                    return static_cast<std::size_t>(w.ranks[k]);
                return interleaved ? k % ranks : k * ranks / w.steps();
            };
            const auto count = [=](const WindowEvidence& w) {
                std::set<std::size_t> all;
                for (std::size_t k = 0; k < w.steps(); ++k)
                    all.insert(rankOf(w, k));
                return static_cast<double>(all.size());
            };
            addRankVariants(rankOf, count, known);
            if (known)
                return;
        }
}

void HypothesisCollection::addRankVariants(const std::function<std::size_t(const WindowEvidence&, std::size_t)>& rankOf,
                                           const std::function<double(const WindowEvidence&)>& count, bool known) {
    const Arguments arguments{{"ranks", fmt::format("{:.0f}", count(last()))}};
    add(
        "rank-normalisation",
        [=](const WindowEvidence& w) {
            Weights weights(w.steps());
            for (std::size_t k = 0; k < w.steps(); ++k) {
                double n = 0.0;
                for (std::size_t j = 0; j < w.steps(); ++j)
                    n += rankOf(w, j) == rankOf(w, k) ? w.units[j] : 0.0;
                weights[k] = w.units[k] / (count(w) * n);
            }
            return weights;
        },
        arguments);
    if (!known)
        return;
    for (const Base& base : {Base(byUnits), Base(bySteps)}) {
        add(
            "rank-normalisation", [=](const WindowEvidence& w) { return scaled(base(w), 1.0 / count(w)); }, arguments);
        for (const bool alone : {false, true}) // the last of each rank, or only that of the rank that is looked at
            for (std::size_t self = 0; self < static_cast<std::size_t>(count(last())); ++self)
                add(
                    "rank-normalisation",
                    [=](const WindowEvidence& w) {
                        Weights weights = base(w);
                        for (std::size_t k = 0; k < w.steps(); ++k) {
                            bool isLast = true;
                            for (std::size_t j = k + 1; j < w.steps(); ++j)
                                isLast = isLast && rankOf(w, j) != rankOf(w, k);
                            if (isLast)
                                weights[k] *= !alone || rankOf(w, k) == self ? count(w) : 0.0;
                        }
                        return weights;
                    },
                    arguments);
        add(
            "rank-normalisation",
            [=](const WindowEvidence& w) { // only the window's last micro-batch
                Weights weights = base(w);
                weights.back() *= count(w);
                return weights;
            },
            arguments);
    }
}

std::vector<BugHypothesis> bugHypotheses(const GradientEvidence& evidence, const std::vector<FittedWeights>& fitted) {
    HypothesisCollection collection(evidence, fitted);
    collection.addAll();
    return std::move(collection).take();
}

} // namespace accumulus

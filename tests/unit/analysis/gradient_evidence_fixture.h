// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients that are known, for diagnoses: micro-gradients as they are in training, and accumulated gradients with a
// mistake in them.
#pragma once

#include "core/analysis/bug_hypotheses.h"
#include "core/analysis/gradient_diagnosis.h"

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace accumulus::test {

using Weights = std::vector<double>;

// Sums of a few terms in fp64 err by some 1e-16; a fit over a few columns that are far from parallel by some 1e-13.
inline constexpr double fitted = 1e-9;

/// Three tensors, of which one has fewer elements than a window has micro-batches.
inline constexpr std::array<std::size_t, 3> sizes{40, 12, 3};

struct Loop {
    std::vector<std::vector<std::int64_t>> units{{8, 8, 8, 8}, {8, 8, 8, 8}, {8, 8, 5}, {8, 8, 8, 8}};
    std::int64_t nominal = 4;
    std::uint64_t seed = 1;
    double noise = 0.0; ///< relative, of each element of the accumulated gradient
    std::vector<std::int64_t> ranks{};
};

/// Micro-gradients of a common mean and their own noise, as they are in training.
inline GradientEvidence evidenceOf(const Loop& loop) {
    std::mt19937_64 random(loop.seed);
    std::normal_distribution<double> normal;
    std::vector<std::vector<double>> mean;
    for (const std::size_t size : sizes) {
        mean.emplace_back(size);
        for (double& value : mean.back())
            value = normal(random);
    }
    GradientEvidence evidence;
    evidence.tolerance = loop.noise > 0.0 ? 20 * loop.noise : 1e-12;
    for (const auto& units : loop.units) {
        WindowEvidence window;
        window.units.assign(units.begin(), units.end());
        window.nominalSteps = loop.nominal;
        if (!loop.ranks.empty())
            window.ranks.assign(loop.ranks.begin(), loop.ranks.begin() + std::ssize(units));
        window.tensors.resize(sizes.size());
        for (std::size_t t = 0; t < sizes.size(); ++t) {
            window.tensors[t].name = "tensor" + std::to_string(t);
            window.tensors[t].accumulated.assign(sizes[t], 0.0);
            for (const std::int64_t n : units) {
                std::vector<double> g(sizes[t]);
                for (std::size_t i = 0; i < g.size(); ++i)
                    g[i] = mean[t][i] + 2.0 * normal(random) / std::sqrt(static_cast<double>(n));
                window.tensors[t].micro.push_back(std::move(g));
            }
        }
        const auto product = [&](std::size_t j, std::size_t k) {
            double sum = 0.0;
            for (const GradientElements& tensor : window.tensors)
                for (std::size_t i = 0; i < tensor.micro[k].size(); ++i)
                    sum += tensor.micro[j][i] * tensor.micro[k][i];
            return sum;
        };
        for (std::size_t k = 0; k < units.size(); ++k) {
            window.norms.push_back(std::sqrt(product(k, k)));
            window.gram.emplace_back();
            for (std::size_t j = 0; j < units.size(); ++j)
                window.gram.back().push_back(product(j, k));
        }
        evidence.windows.push_back(std::move(window));
    }
    return evidence;
}

/// G = sum c_k g_k of one tensor of one window.
inline void accumulate(GradientEvidence& evidence, std::size_t window, std::size_t tensor, std::size_t from,
                       const Weights& c) {
    GradientElements& into = evidence.windows[window].tensors[tensor];
    const GradientElements& of = evidence.windows[from].tensors[tensor];
    for (std::size_t k = 0; k < c.size(); ++k)
        for (std::size_t i = 0; i < into.accumulated.size(); ++i)
            into.accumulated[i] += c[k] * of.micro[k][i];
}

using Mistake = std::function<Weights(const WindowEvidence&)>;

inline GradientEvidence with(const Loop& loop, const Mistake& mistake) {
    GradientEvidence evidence = evidenceOf(loop);
    std::mt19937_64 random(loop.seed + 77);
    std::normal_distribution<double> normal;
    for (std::size_t w = 0; w < evidence.windows.size(); ++w)
        for (std::size_t t = 0; t < sizes.size(); ++t) {
            accumulate(evidence, w, t, w, mistake(evidence.windows[w]));
            for (double& value : evidence.windows[w].tensors[t].accumulated)
                value *= 1.0 + loop.noise * normal(random);
        }
    return evidence;
}

inline Weights right(const WindowEvidence& w) { return rightWeights(w).own; }
inline Weights means(const WindowEvidence& w) { return Weights(w.steps(), 1.0 / static_cast<double>(w.steps())); }
inline double stepsOf(const WindowEvidence& w) { return static_cast<double>(w.steps()); }
inline Weights times(Weights c, double factor) {
    for (double& one : c)
        one *= factor;
    return c;
}

} // namespace accumulus::test

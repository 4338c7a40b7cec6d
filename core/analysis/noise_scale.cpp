// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/noise_scale.h"

#include "core/analysis/statistics.h"

#include <algorithm>
#include <cmath>

namespace accumulus {

namespace {

constexpr std::size_t startWindows = 20; ///< fewer do not tell |G|^2 from 0
constexpr std::size_t mostParts = 20;

/// Means of both terms, and variances and covariance of these means.
struct PairedMeans {
    double s = 0.0, g2 = 0.0;
    double varS = 0.0, varG2 = 0.0, covariance = 0.0;
};

PairedMeans pairedMeans(std::span<const NoiseTerms> terms) {
    const auto n = static_cast<double>(terms.size());
    PairedMeans means;
    for (const NoiseTerms& one : terms) {
        means.s += one.s / n;
        means.g2 += one.g2 / n;
    }
    if (terms.size() < 2)
        return means;
    const double scale = 1.0 / (n * (n - 1.0));
    for (const NoiseTerms& one : terms) {
        const double ds = one.s - means.s;
        const double dg = one.g2 - means.g2;
        means.varS += ds * ds * scale;
        means.varG2 += dg * dg * scale;
        means.covariance += ds * dg * scale;
    }
    return means;
}

} // namespace

std::vector<NoiseTerms> noiseTerms(std::span<const WindowRecord> windows) {
    std::vector<NoiseTerms> terms;
    for (const WindowRecord& window : windows)
        if (window.noiseS && window.noiseG2 && !window.nonfinite && std::isfinite(*window.noiseS) &&
            std::isfinite(*window.noiseG2))
            terms.push_back({window.samples, *window.noiseS, *window.noiseG2});
    return terms;
}

std::optional<double> NoiseScaleAverage::add(double s, double g2) {
    m_s = m_beta * m_s + (1.0 - m_beta) * s;
    m_g2 = m_beta * m_g2 + (1.0 - m_beta) * g2;
    // The correction leaves the ratio alone but not the size of its two parts.
    m_weight = m_beta * m_weight + (1.0 - m_beta);
    const double correctedG2 = m_g2 / m_weight;
    return correctedG2 > 0.0 ? std::optional((m_s / m_weight) / correctedG2) : std::nullopt;
}

std::vector<std::optional<double>> noiseScaleSeries(std::span<const NoiseTerms> terms, double beta) {
    std::vector<std::optional<double>> series;
    series.reserve(terms.size());
    NoiseScaleAverage average(beta);
    for (const NoiseTerms& one : terms)
        series.push_back(average.add(one.s, one.g2));
    return series;
}

NoiseScale recentNoiseScale(std::span<const NoiseTerms> terms, double confidence) {
    return estimateNoiseScale(terms.subspan(terms.size() / 2), confidence);
}

NoiseScale estimateNoiseScale(std::span<const NoiseTerms> terms, double confidence) {
    NoiseScale noise;
    noise.windows = terms.size();
    noise.confidence = confidence;
    const PairedMeans means = pairedMeans(terms);
    noise.meanS = means.s;
    noise.meanG2 = means.g2;
    if (!(means.g2 > 0.0))
        return noise;
    const double ratio = means.s / means.g2;
    noise.value = ratio;
    if (terms.size() < 2)
        return noise;
    const double t = studentQuantile(0.5 + confidence / 2.0, static_cast<double>(terms.size() - 1));
    // The values r that do not contradict E[S] - r E[G2] = 0: those between the roots of a r^2 - 2 b r + c. Bounded
    // when a > 0, that is when G2's own interval leaves out 0.
    const double a = means.g2 * means.g2 - t * t * means.varG2;
    const double b = means.s * means.g2 - t * t * means.covariance;
    const double c = means.s * means.s - t * t * means.varS;
    if (!(a > 0.0))
        return noise;
    const double root = std::sqrt(std::max(0.0, b * b - a * c));
    noise.identified = true;
    noise.lower = std::max(0.0, (b - root) / a);
    noise.upper = (b + root) / a;
    return noise;
}

NoiseCourse noiseCourse(std::span<const NoiseTerms> terms) {
    NoiseCourse course;
    course.start = estimateNoiseScale(terms.first(std::min(terms.size(), std::max(startWindows, terms.size() / 100))));
    const std::size_t parts = std::clamp<std::size_t>(terms.size() / startWindows, 1, mostParts);
    double sum = 0.0;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t from = part * terms.size() / parts;
        const NoiseScale own = estimateNoiseScale(terms.subspan(from, (part + 1) * terms.size() / parts - from));
        if (!own.identified)
            continue;
        course.least = course.parts == 0 ? *own.value : std::min(course.least, *own.value);
        course.most = std::max(course.most, *own.value);
        sum += *own.value;
        ++course.parts;
    }
    if (course.parts > 0)
        course.average = sum / static_cast<double>(course.parts);
    return course;
}

NoiseScale pooledNoiseScale(std::span<const RunNoise* const> runs, double confidence) {
    std::vector<NoiseTerms> pooled;
    for (const RunNoise* run : runs)
        pooled.insert(pooled.end(), run->terms.begin() + static_cast<std::ptrdiff_t>(run->terms.size() / 2),
                      run->terms.end());
    return estimateNoiseScale(pooled, confidence);
}

std::string lossUnit(const RunConfig& config) {
    const bool tokens = config.loss.normalise == Normalise::Tokens;
    const bool counted = config.loss.kind == LossKind::Model || (tokens && config.data.dataset == "tensors");
    if (counted || !config.loss.classWeights.empty())
        return "units";
    return tokens && isText(config.data) ? "tokens" : "samples";
}

double samplesMultiplier(double effective, double noiseScale) { return 1.0 + effective / noiseScale; }
double updatesMultiplier(double effective, double noiseScale) { return 1.0 + noiseScale / effective; }

} // namespace accumulus

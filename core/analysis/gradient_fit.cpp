// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gradient_fit.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace accumulus {
namespace {

using Vector = Eigen::VectorXd;
using Elements = Eigen::Map<const Vector>;

Elements elements(const std::vector<double>& values) {
    return {values.data(), static_cast<Eigen::Index>(values.size())};
}

Vector combined(const GradientEvidence& evidence, std::size_t window, const WindowWeights& weights,
                std::size_t tensor) {
    const GradientElements& own = evidence.windows[window].tensors[tensor];
    Vector sum = Vector::Zero(static_cast<Eigen::Index>(own.accumulated.size()));
    const auto add = [&](const std::vector<double>& c, const GradientElements& of) {
        for (std::size_t k = 0; k < c.size(); ++k)
            if (c[k] != 0.0)
                sum += c[k] * elements(of.micro[k]);
    };
    add(weights.own, own);
    for (std::size_t w = 0; w < weights.earlier.size(); ++w)
        add(weights.earlier[w], evidence.windows[w].tensors[tensor]);
    if (weights.decay != 0.0 && !own.weights.empty())
        sum += weights.decay * elements(own.weights);
    return sum;
}

double sizeOf(const WindowEvidence& of, std::size_t tensor) {
    double size = 0.0;
    for (std::size_t k = 0; k < of.steps(); ++k)
        size += of.units[k] / of.totalUnits() * elements(of.tensors[tensor].micro[k]).norm();
    return size;
}

std::vector<double> scalesOf(const WindowEvidence& of) {
    std::vector<double> scales;
    double squared = 0.0;
    for (std::size_t t = 0; t < of.tensors.size(); ++t) {
        scales.push_back(sizeOf(of, t));
        squared += scales.back() * scales.back();
    }
    for (double& scale : scales) {
        scale = std::max(scale, shareOfWhole * std::sqrt(squared));
        scale = scale > 0.0 ? scale : 1.0;
    }
    return scales;
}

/// What a tensor's error is measured by.
double scaleOf(const GradientEvidence& evidence, std::size_t window, std::size_t tensor) {
    const WindowEvidence& of = evidence.windows[window];
    return of.scales.empty() ? scalesOf(of)[tensor] : of.scales[tensor];
}

} // namespace

void measureScales(GradientEvidence& evidence) {
    for (WindowEvidence& window : evidence.windows)
        window.scales = scalesOf(window);
}

double WindowEvidence::totalUnits() const { return std::accumulate(units.begin(), units.end(), 0.0); }

WindowWeights rightWeights(const WindowEvidence& window) {
    WindowWeights weights;
    for (const double n : window.units)
        weights.own.push_back(n / window.totalUnits());
    return weights;
}

double errorOf(const GradientEvidence& evidence, std::size_t window, const WindowWeights& weights, std::size_t tensor) {
    const GradientElements& of = evidence.windows[window].tensors[tensor];
    const double distance = (elements(of.accumulated) - combined(evidence, window, weights, tensor)).norm();
    return distance / scaleOf(evidence, window, tensor);
}

WeightsError errorOf(const GradientEvidence& evidence, std::size_t window, const WindowWeights& weights) {
    WeightsError error;
    const std::size_t tensors = evidence.windows[window].tensors.size();
    for (std::size_t t = 0; t < tensors; ++t) {
        double one = errorOf(evidence, window, weights, t);
        if (std::isnan(one))
            one = std::numeric_limits<double>::infinity();
        error.rms += one * one / static_cast<double>(tensors);
        if (one > error.worst) {
            error.worst = one;
            error.worstTensor = t;
        }
    }
    error.rms = std::sqrt(error.rms);
    return error;
}

FittedWeights fitWeights(const GradientEvidence& evidence, std::size_t window, std::size_t earlier, bool decay) {
    const WindowEvidence& of = evidence.windows[window];
    const std::size_t first = window - std::min(window, earlier);
    Eigen::Index columns = decay ? 1 : 0;
    for (std::size_t w = first; w <= window; ++w)
        columns += static_cast<Eigen::Index>(evidence.windows[w].steps());
    Eigen::Index rows = 0;
    for (const GradientElements& tensor : of.tensors)
        rows += static_cast<Eigen::Index>(tensor.accumulated.size());
    Eigen::MatrixXd matrix(rows, columns);
    Vector target(rows);
    Eigen::Index row = 0;
    for (std::size_t t = 0; t < of.tensors.size(); ++t) {
        const auto count = static_cast<Eigen::Index>(of.tensors[t].accumulated.size());
        const double scale = scaleOf(evidence, window, t);
        Eigen::Index column = 0;
        for (std::size_t w = first; w <= window; ++w)
            for (const std::vector<double>& g : evidence.windows[w].tensors[t].micro)
                matrix.col(column++).segment(row, count) = elements(g) / scale;
        if (decay)
            matrix.col(column).segment(row, count) = elements(of.tensors[t].weights) / scale;
        target.segment(row, count) = elements(of.tensors[t].accumulated) / scale;
        row += count;
    }
    FittedWeights fitted;
    if (rows == 0 || !matrix.allFinite() || !target.allFinite()) {
        fitted.weights.own.assign(of.steps(), std::numeric_limits<double>::quiet_NaN());
        fitted.residual = std::numeric_limits<double>::quiet_NaN();
        fitted.identified = false;
        return fitted;
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(matrix);
    const Vector solved = factors.solve(target);
    fitted.identified = factors.rank() == columns;
    const double norm = target.norm();
    fitted.residual = norm > 0.0 ? (target - matrix * solved).norm() / norm : 0.0;
    Eigen::Index next = 0;
    fitted.weights.earlier.resize(window);
    for (std::size_t w = 0; w < window; ++w)
        fitted.weights.earlier[w].assign(evidence.windows[w].steps(), 0.0);
    for (std::size_t w = first; w <= window; ++w) {
        std::vector<double>& into = w == window ? fitted.weights.own : fitted.weights.earlier[w];
        into.assign(evidence.windows[w].steps(), 0.0);
        for (double& c : into)
            c = solved[next++];
    }
    if (decay)
        fitted.weights.decay = solved[next];
    return fitted;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/audit_gradients.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace accumulus {
namespace {

// Of the rule that a tensor also passes if it is no further from fp64 than the large batch: so many times as far.
constexpr double timesAsFar = 4.0;
constexpr double timesTheFloor = 3.0; // errors up to so many times the noise floor pass

double lengthOf(const at::Tensor& tensor) { return tensor.norm().item<double>(); }

} // namespace

NamedGradients gradientsOf(const ParameterLayout& layout, const at::Tensor& flat) {
    NamedGradients gradients;
    for (std::size_t i = 0; i < layout.size(); ++i)
        if (layout.specs()[i].trainable)
            gradients.push_back({layout.specs()[i].name, layout.view(flat, i)
                                                             .to(at::kCPU, at::kDouble, false, /*copy=*/true)
                                                             .contiguous(at::MemoryFormat::Contiguous)});
    return gradients;
}

double normOf(const NamedGradients& gradients) {
    double squared = 0.0;
    for (const NamedGradient& one : gradients)
        squared += std::pow(lengthOf(one.gradient), 2);
    return std::sqrt(squared);
}

ElementChoice::ElementChoice(const NamedGradients& like, std::size_t columns) {
    const std::int64_t all =
        std::min<std::int64_t>(200'000, 3'200'000 / std::max<std::int64_t>(1, static_cast<std::int64_t>(columns)));
    m_most = std::max<std::int64_t>(256, all / std::max<std::int64_t>(1, std::ssize(like)));
}

std::vector<double> ElementChoice::of(const at::Tensor& gradient) const {
    const std::int64_t all = gradient.numel();
    const std::int64_t count = std::min(all, m_most);
    const double* from = gradient.const_data_ptr<double>();
    std::vector<double> elements(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        elements[static_cast<std::size_t>(i)] = from[i * all / count];
    return elements;
}

std::vector<double> floorsOf(const std::vector<double>& sums, double units) {
    double squared = 0.0;
    for (const double sum : sums)
        squared += std::pow(sum / units, 2);
    std::vector<double> floors;
    for (const double sum : sums)
        floors.push_back(std::max(1e-3 * sum / units, shareOfWhole * std::sqrt(squared)));
    return floors;
}

AuditedTensor compareTensor(const std::string& name, const ComparedTensor& tensor, double tolerance) {
    const at::Tensor& target = tensor.large.defined() ? tensor.large : tensor.reference;
    AuditedTensor row;
    row.name = name;
    row.shape = target.sizes().vec();
    row.norm = lengthOf(tensor.accumulated);
    row.referenceNorm = lengthOf(target);
    const auto distance = [&](const at::Tensor& a, const at::Tensor& b) {
        const double scale = std::max(lengthOf(b), tensor.floor);
        const double length = lengthOf(a - b);
        return scale > 0.0 ? length / scale : length;
    };
    row.error = distance(tensor.accumulated, target);
    row.largestError = target.numel() > 0 ? (tensor.accumulated - target).abs().max().item<double>() : 0.0;
    row.cosine = row.norm > 0.0 && row.referenceNorm > 0.0
                     ? (tensor.accumulated * target).sum().item<double>() / (row.norm * row.referenceNorm)
                     : std::numeric_limits<double>::quiet_NaN();
    row.tolerance = tolerance;
    if (tensor.permuted.defined()) {
        row.noiseFloor = distance(tensor.permuted, target);
        if (std::isfinite(*row.noiseFloor))
            row.tolerance = std::max(tolerance, timesTheFloor * *row.noiseFloor);
    }
    row.passed = row.error <= row.tolerance;
    if (tensor.reference.defined()) {
        row.errorFp64 = distance(tensor.accumulated, tensor.reference);
        if (tensor.large.defined()) {
            row.referenceErrorFp64 = distance(tensor.large, tensor.reference);
            row.passed = row.passed || *row.errorFp64 <= timesAsFar * *row.referenceErrorFp64;
        }
    }
    return row;
}

} // namespace accumulus

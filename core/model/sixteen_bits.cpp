// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/sixteen_bits.h"

#include "core/base/machine_features.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

namespace accumulus {
namespace {

/// Is this processor faster with such numbers than in fp32?
bool isFast(at::ScalarType type) {
    return type == at::kBFloat16 ? machineFeatures().fastBf16 : machineFeatures().fastFp16;
}

} // namespace

at::Tensor inFloat(const at::Tensor& tensor) {
    return tensor.defined() && at::isReducedFloatingType(tensor.scalar_type()) ? tensor.to(at::kFloat) : tensor;
}

bool productsTake(at::ScalarType type) {
    return type == at::kFloat || (at::isReducedFloatingType(type) && !isFast(type));
}

RoundedProducts::RoundedProducts(bool evenWhereFast) {
    if (!at::autocast::is_autocast_enabled(at::kCPU))
        return;
    if (const at::ScalarType type = at::autocast::get_autocast_dtype(at::kCPU);
        machineFeatures().vectors && (evenWhereFast || productsTake(type))) {
        m_type = type;
        m_withoutAutocast.emplace(c10::DispatchKey::AutocastCPU);
    }
}

at::Tensor RoundedProducts::cast(const at::Tensor& operand) const {
    return active() && operand.defined() ? at::autocast::cached_cast(*m_type, operand, at::kCPU) : operand;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/precision.h"

#include <ATen/autocast_mode.h>
#include <algorithm>
#include <cstdlib>

namespace accumulus {

at::ScalarType parameterType(Precision precision) { return precision == Precision::Fp64 ? at::kDouble : at::kFloat; }

at::ScalarType accumulatorType(const NumericsConfig& numerics) {
    if (numerics.accumulator == AccumulatorKind::Bf16)
        return at::kBFloat16;
    return numerics.accumulator == AccumulatorKind::Fp32 ? at::kFloat : parameterType(numerics.precision);
}

AutocastScope::AutocastScope(Precision precision, bool cuda, bool keepCache)
    : m_active(precision == Precision::Bf16 || precision == Precision::Fp16) {
    if (!m_active)
        return;
    m_device = cuda ? at::kCUDA : at::kCPU;
    m_before = at::autocast::is_autocast_enabled(m_device);
    m_typeBefore = at::autocast::get_autocast_dtype(m_device);
    at::autocast::set_autocast_enabled(m_device, true);
    at::autocast::set_autocast_dtype(m_device, precision == Precision::Bf16 ? at::kBFloat16 : at::kHalf);
    at::autocast::increment_nesting();
    if (keepCache && at::autocast::increment_nesting() > 2) // one level too many, once: the end never clears
        at::autocast::decrement_nesting();
}

AutocastScope::~AutocastScope() {
    if (!m_active)
        return;
    if (at::autocast::decrement_nesting() == 0)
        at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(m_device, m_before);
    at::autocast::set_autocast_dtype(m_device, m_typeBefore);
}

LossScaler::LossScaler(Precision precision, const std::string& text)
    : m_active(precision == Precision::Fp16), m_dynamic(text == "dynamic") {
    if (m_active)
        m_scale = m_dynamic ? initialScale : std::strtod(text.c_str(), nullptr);
}

void LossScaler::windowClosed(double smallestUsed, bool skipped) {
    if (!m_active || !m_dynamic)
        return;
    if (skipped || smallestUsed < m_scale) {
        m_scale = std::max(1.0, skipped ? m_scale / 2 : smallestUsed);
        m_sinceChange = 0;
    } else if (++m_sinceChange >= growthInterval) {
        m_scale = std::min(largestScale, m_scale * 2);
        m_sinceChange = 0;
    }
}

void LossScaler::restore(double scale, std::int64_t sinceChange) {
    if (m_active && m_dynamic)
        m_scale = scale;
    m_sinceChange = sinceChange;
}

} // namespace accumulus

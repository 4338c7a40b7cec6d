// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/loss_scale.h"

#include "core/base/real_number.h"

#include <algorithm>

namespace accumulus {

LossScaler::LossScaler(Precision precision, const std::string& text)
    : m_active(precision == Precision::Fp16), m_dynamic(text == "dynamic") {
    if (m_active)
        m_scale = m_dynamic ? initialScale : realNumber(text);
}

void LossScaler::windowClosed(double smallestUsed, bool skipped) {
    if (!m_active || !m_dynamic || (smallestUsed == 0.0 && !skipped)) // a window without micro-steps says nothing
        return;
    const double used = smallestUsed > 0.0 ? smallestUsed : m_scale;
    if (skipped || used < m_scale) {
        m_scale = std::max(1.0, skipped ? std::min(m_scale / 2, used) : used);
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

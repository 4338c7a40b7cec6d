// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/autocast.h"

#include "core/window/precision.h"

#include <ATen/autocast_mode.h>

namespace accumulus {

AutocastScope::AutocastScope(Precision precision, bool cuda, bool keepCache)
    : m_active(autocastType(precision).has_value()) {
    if (!m_active)
        return;
    m_device = cuda ? at::kCUDA : at::kCPU;
    m_before = at::autocast::is_autocast_enabled(m_device);
    m_typeBefore = at::autocast::get_autocast_dtype(m_device);
    at::autocast::set_autocast_enabled(m_device, true);
    at::autocast::set_autocast_dtype(m_device, *autocastType(precision));
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

} // namespace accumulus

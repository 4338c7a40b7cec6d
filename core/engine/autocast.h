// SPDX-License-Identifier: GPL-3.0-or-later
// Autocast for bf16 and fp16.
#pragma once

#include "core/config/experiment_config.h"

#include <ATen/core/Tensor.h>

namespace accumulus {

/// Autocast of the calling thread for the scope's lifetime under bf16 and fp16; nothing otherwise. The cache of cast
/// weights is cleared at its end, so weights that an update has changed are cast anew.
class AutocastScope {
public:
    /// `keepCache`: the planted bug AutocastCacheKept.
    explicit AutocastScope(Precision precision, bool cuda = false, bool keepCache = false);
    ~AutocastScope();
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;

private:
    bool m_active = false;
    at::DeviceType m_device{};
    bool m_before = false;
    at::ScalarType m_typeBefore{};
};

} // namespace accumulus

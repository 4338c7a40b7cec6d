// SPDX-License-Identifier: GPL-3.0-or-later
// Number formats: which type parameters have, autocast for bf16 and fp16, and the dynamic loss scale.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <string>

namespace accumulus {

/// Of parameters and gradients: fp64 in fp64 runs, else fp32 (bf16 and fp16 runs keep fp32 weights).
[[nodiscard]] at::ScalarType parameterType(Precision precision);
[[nodiscard]] at::ScalarType accumulatorType(const NumericsConfig& numerics);

/// Autocast of the calling thread for the scope's lifetime under bf16 and fp16; nothing otherwise. The cache of cast
/// weights is cleared at its end, so weights that an update has changed are cast anew.
class AutocastScope {
public:
    /// `keepCache`: the planted mistake AutocastCacheKept.
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

/// Factor of the loss under fp16. Every micro-step of a window starts at scale(); one that overflows is computed again
/// at half of it, at most mostRetries times. What the window ended with decides the scale of the next one, whichever
/// lane met the overflow: runs stay bit-identical for any number of lanes.
class LossScaler {
public:
    static constexpr int mostRetries = 8;
    static constexpr double initialScale = 65536.0;      // as torch.amp.GradScaler
    static constexpr std::int64_t growthInterval = 2000; // windows without an overflow before the scale doubles
    static constexpr double largestScale = 0x1p24;

    /// Inactive (scale 1) unless precision is fp16. `text`: numerics.loss_scale.
    LossScaler(Precision precision, const std::string& text);

    [[nodiscard]] bool active() const { return m_active; }
    [[nodiscard]] double scale() const { return m_scale; }
    /// After each window: the smallest scale a micro-step was computed at, and whether one overflowed beyond all
    /// retries.
    void windowClosed(double smallestUsed, bool skipped);

    /// Windows since the last change; with scale(), all there is to save.
    [[nodiscard]] std::int64_t sinceChange() const { return m_sinceChange; }
    void restore(double scale, std::int64_t sinceChange);

private:
    bool m_active;
    bool m_dynamic;
    double m_scale = 1.0;
    std::int64_t m_sinceChange = 0;
};

} // namespace accumulus

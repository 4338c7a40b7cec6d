// SPDX-License-Identifier: GPL-3.0-or-later
// The dynamic loss scale of fp16. One thread.
#pragma once

#include "core/config/experiment_config.h"

#include <cstdint>
#include <string>

namespace accumulus {

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
    /// After each window: the smallest scale that a micro-step needed (0: not known), and whether one overflowed beyond
    /// all retries.
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

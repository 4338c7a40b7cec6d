// SPDX-License-Identifier: GPL-3.0-or-later
// The judgement alone, which needs no LibTorch.
#include "core/run/verify.h"

#include <algorithm>
#include <cmath>

namespace accumulus {
namespace {

constexpr double lossTolerance = 1e-6; // evaluation in another number of chunks or lanes differs by rounding at most

/// Of a run that diverged both values are NaN, or both the same infinity: that is agreement.
bool areClose(double recorded, double now, double tolerance) {
    if (std::isfinite(recorded) && std::isfinite(now))
        return std::abs(recorded - now) <= tolerance;
    return recorded == now || (std::isnan(recorded) && std::isnan(now));
}

} // namespace

bool VerifyOutcome::agrees() const {
    if (!weightsHashAgrees)
        return false;
    if (!recorded)
        return true;
    return areClose(recorded->accuracy.value_or(0.0), now.accuracy.value_or(0.0), 0.0) &&
           areClose(recorded->loss, now.loss, lossTolerance * std::max(std::abs(recorded->loss), 1e-12));
}

} // namespace accumulus

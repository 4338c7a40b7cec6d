// SPDX-License-Identifier: GPL-3.0-or-later
// Which micro-batch: what a sweep over m measured, the fits of memory and time, and the advice that follows. Formulas:
// peak memory is a maximum of affine functions of m, so convex; the time of an update is t(B, m) = K a + b B + c.
// Values and pure functions; any thread.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

/// One size that was tried.
struct MicroPoint {
    std::int64_t micro = 0;
    std::int64_t steps = 0; ///< K = ceil(B / m)
    std::int64_t lanes = 0, threads = 0;
    std::optional<std::int64_t> peakBytes;
    std::optional<double> samplesPerSecond, updateSeconds; ///< medians
    bool fits = false;
    std::optional<Message> problem; ///< why it does not fit, or was not tried
    bool operator==(const MicroPoint&) const = default;
};

/// y = a + b m by least squares, on the points that it was fitted to.
struct LineFit {
    double a = 0.0, b = 0.0;
    double largestResidual = 0.0; ///< relative
    bool operator==(const LineFit&) const = default;
};

struct MicroPlan {
    double createdAt = 0.0;                 ///< seconds since 1970
    std::string subject;                    ///< "LeNet-5 on MNIST, fp32"
    std::string device;                     ///< "CPU: AMD EPYC, 2 cores"
    std::int64_t effective = 0;             ///< B
    std::int64_t memoryLimit = 0;           ///< bytes that a trial may take, 0: not known
    bool cancelled = false;                 ///< the points are those that were measured before
    std::vector<MicroPoint> points;         ///< ascending m
    std::optional<LineFit> memory;          ///< bytes over m
    std::optional<LineFit> time;            ///< seconds of an update over K: slope a of the formula, intercept b B + c
    std::optional<std::size_t> recommended; ///< index into points
    bool verified = false;                  ///< a run of its own confirmed the recommended size
    Message sentence;                       ///< "m = 64, K = 4: 96 % of top speed, 5.1 of 9.6 GB"
    std::vector<Message> notes;
    std::optional<double> cheapestEffective; ///< B* = sqrt(B_noise c / (a/m + b)), where the noise scale is known
    bool operator==(const MicroPlan&) const = default;
};

/// One line of JSON: what accumulus-cli plan --json prints and the library keeps.
[[nodiscard]] std::string planJson(const MicroPlan& plan);
/// Error "plan.format".
[[nodiscard]] Result<MicroPlan> planFromJson(std::string_view json);

} // namespace accumulus

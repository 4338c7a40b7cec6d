// SPDX-License-Identifier: GPL-3.0-or-later
// Which micro-batch: what a sweep over m measured, the fits of memory and time, and the advice that follows. Formulas:
// peak memory is a maximum of affine functions of m, so convex, and a line through small sizes promises too much: what
// is recommended was tried. The time of an update is t(B, m) = K a + b B + c. Values and pure functions; any thread.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accumulus {

/// One size that was tried.
struct MicroPoint {
    std::int64_t micro = 0;
    std::int64_t steps = 0; ///< K = ceil(B / m)
    std::int64_t lanes = 0, threads = 0;
    std::optional<std::int64_t> peakBytes;
    std::optional<double> samplesPerSecond, updateSeconds; ///< medians
    std::optional<double> fixedSeconds; ///< c: the part of updateSeconds that is spent once an update
    bool fits = false;
    std::optional<Message> problem; ///< why it does not fit, or was not tried
    bool operator==(const MicroPoint&) const = default;
};

/// y = a + b x by least squares of the relative residuals.
struct LineFit {
    double a = 0.0, b = 0.0;
    double largestResidual = 0.0; ///< relative
    bool operator==(const LineFit&) const = default;
};

struct MicroPlan {
    double createdAt = 0.0;                 ///< seconds since 1970
    Message subject;                        ///< "LeNet-5 on MNIST, fp32"
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

/// Of two points with different x at least; y > 0.
[[nodiscard]] std::optional<LineFit> fitLine(std::span<const std::pair<double, double>> points);
/// Each lane that computes holds activations of its own; no more of them compute than the window has micro-steps.
[[nodiscard]] std::int64_t computingLanes(const MicroPoint& point);
/// Computing lanes of the sizes that fitMemory() compares: the number that most have.
[[nodiscard]] std::optional<std::int64_t> fittedLanes(std::span<const MicroPoint> points);
/// Of the largest sizes, as many as lie on one line: the slope of the last affine piece. Only sizes that compute on
/// fittedLanes() are compared.
struct MemoryLine {
    LineFit line;
    std::int64_t from = 0;   ///< the smallest m on it
    std::int64_t lanes = 0;  ///< fittedLanes()
    bool otherLanes = false; ///< are there sizes on another number of lanes?
};
[[nodiscard]] std::optional<MemoryLine> memoryLine(std::span<const MicroPoint> points);
/// The line alone.
[[nodiscard]] std::optional<LineFit> fitMemory(std::span<const MicroPoint> points);
/// How far off their line the memory of sizes may be, relatively.
inline constexpr double memoryOffLine = 0.02;
/// Of the memory that this size took, the bytes that grow with m, by the line through it and at least two other sizes
/// that computed on as many lanes. Nothing where there is no such line, or it was not measured.
[[nodiscard]] std::optional<std::int64_t> growingBytes(std::span<const MicroPoint> points, std::int64_t micro);
/// Of the sizes from the knee on; of all where those are fewer than three.
[[nodiscard]] std::optional<LineFit> fitTime(std::span<const MicroPoint> points);
/// m_max = floor((limit - a) / b) of a line of memory; a promise that a trial has to prove. Nothing where b <= 0.
[[nodiscard]] std::optional<std::int64_t> largestPromised(const LineFit& memory, std::int64_t limit);

// Indices into ascending points; only those that fit count.
[[nodiscard]] std::optional<std::size_t> fastestPoint(std::span<const MicroPoint> points);
[[nodiscard]] std::optional<std::size_t> largestPoint(std::span<const MicroPoint> points);
/// The smallest size with 95 % of the best speed.
[[nodiscard]] std::optional<std::size_t> kneePoint(std::span<const MicroPoint> points);
/// The smallest size that is as fast as the fastest (within 3 %). `below`: only smaller ones.
[[nodiscard]] std::optional<std::size_t> chosenPoint(std::span<const MicroPoint> points,
                                                     std::optional<std::int64_t> below = {});
/// Time of an update against that of the fastest size: 0.04 is 4 % more.
[[nodiscard]] std::optional<double> overheadOf(const MicroPlan& plan, const MicroPoint& point);

/// B* = sqrt(B_noise c / (a / m + b)), at least m: the effective batch that reaches a given loss soonest on one device.
/// `noiseScale` in samples. Nothing where the fit does not tell a, b and c.
[[nodiscard]] std::optional<double> cheapestEffective(const MicroPlan& plan, double noiseScale);

/// Everything that follows from the points: fits, recommendation, sentence, notes that depend on them. `below`: a size
/// that did not pass its second trial; smaller ones are recommended.
void conclude(MicroPlan& plan, std::optional<std::int64_t> below = {});
/// With B* for this noise scale, or without.
void setNoiseScale(MicroPlan& plan, std::optional<double> noiseScale);

/// Did this size fail for want of memory, so that larger ones will, too?
[[nodiscard]] bool lacksMemory(const MicroPoint& point);

/// One line of JSON: what accumulus-cli plan --json prints and the library keeps.
[[nodiscard]] std::string planJson(const MicroPlan& plan);
/// Error "plan.format".
[[nodiscard]] Result<MicroPlan> planFromJson(std::string_view json);

/// What one trial found, as it passes from one process to another.
struct MicroTrialReport {
    MicroPoint point;
    std::int64_t memoryLimit = 0; ///< bytes that the trial might take, 0: not known
    bool operator==(const MicroTrialReport&) const = default;
};
/// One line of JSON, of a report or an error.
[[nodiscard]] std::string trialJson(const Result<MicroTrialReport>& trial);
/// The report, or the error that was told; "plan.format".
[[nodiscard]] Result<MicroTrialReport> trialFromJson(std::string_view json);

} // namespace accumulus

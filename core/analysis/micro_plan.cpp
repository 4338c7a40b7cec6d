// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/micro_plan.h"

#include "core/config/byte_size.h"

#include "core/analysis/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>

namespace accumulus {
namespace {

constexpr double kneeShare = 0.95;
constexpr double asFast = 0.97;          // medians of the same size differ by so much from trial to trial
constexpr std::size_t enoughForTime = 3; // two points always lie on a line
constexpr int enoughForMemory = 3;
constexpr std::array memoryCodes{"plan.needs-more", "plan.refused", "plan.killed", "plan.not-tried"};

bool isMeasured(const MicroPoint& point) { return point.fits && point.samplesPerSecond && point.updateSeconds; }

std::optional<double> bestSpeed(std::span<const MicroPoint> points) {
    const auto fastest = fastestPoint(points);
    return fastest ? points[*fastest].samplesPerSecond : std::nullopt;
}

/// The first point, in order of m, that is at least so fast.
std::optional<std::size_t> firstAsFast(std::span<const MicroPoint> points, double speed,
                                       std::optional<std::int64_t> below = {}) {
    for (std::size_t i = 0; i < points.size() && (!below || points[i].micro < *below); ++i)
        if (isMeasured(points[i]) && *points[i].samplesPerSecond >= speed)
            return i;
    return std::nullopt;
}

Message recommendation(const MicroPlan& plan, const MicroPoint& point) {
    const double share = *point.samplesPerSecond / bestSpeed(plan.points).value_or(*point.samplesPerSecond);
    Message sentence{plan.memoryLimit > 0 ? "plan.recommended" : "plan.recommended-unlimited",
                     {{"micro", std::to_string(point.micro)},
                      {"steps", std::to_string(point.steps)},
                      {"lanesPhrase", point.lanes == 1 ? "phrase.one-lane" : "phrase.lanes"},
                      {"lanes", std::to_string(point.lanes)},
                      {"percent", std::to_string(std::llround(100.0 * share))}}};
    if (plan.memoryLimit > 0)
        sentence.arguments.emplace_back("limit", bytesText(plan.memoryLimit));
    sentence.arguments.emplace_back("peak", bytesText(point.peakBytes.value_or(0)));
    return sentence;
}

/// An order of magnitude has no more digits: 1 234 is "1200".
std::string roughText(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return std::to_string(std::llround(std::round(value / unit) * unit));
}

Message sentenceOf(const MicroPlan& plan) {
    if (plan.recommended)
        return recommendation(plan, plan.points[*plan.recommended]);
    if (plan.cancelled)
        return {"plan.cancelled", {}};
    const auto failed = std::ranges::find_if(plan.points, [](const MicroPoint& point) { return !point.fits; });
    if (failed == plan.points.end())
        return {"plan.nothing-tried", {}};
    return {"plan.none-fits", {{"micro", std::to_string(failed->micro)}}};
}

} // namespace

std::optional<LineFit> fitLine(std::span<const std::pair<double, double>> points) {
    // Weights 1 / y^2: an update of many micro-steps is not to count more than one of few.
    double weights = 0.0, x = 0.0, y = 0.0;
    for (const auto& [px, py] : points) {
        const double weight = 1.0 / (py * py);
        weights += weight;
        x += weight * px;
        y += weight * py;
    }
    if (points.size() < 2 || !std::isfinite(weights))
        return std::nullopt;
    x /= weights;
    y /= weights;
    double xx = 0.0, xy = 0.0;
    for (const auto& [px, py] : points) {
        xx += (px - x) * (px - x) / (py * py);
        xy += (px - x) * (py - y) / (py * py);
    }
    if (xx <= 0.0)
        return std::nullopt;
    LineFit fit;
    fit.b = xy / xx;
    fit.a = y - fit.b * x;
    for (const auto& [px, py] : points)
        fit.largestResidual = std::max(fit.largestResidual, std::abs(fit.a + fit.b * px - py) / py);
    return fit;
}

std::int64_t computingLanes(const MicroPoint& point) { return std::min(point.lanes, point.steps); }

std::optional<std::int64_t> fittedLanes(std::span<const MicroPoint> points) {
    std::map<std::int64_t, int> sizes;
    for (const MicroPoint& point : points)
        if (point.fits && point.peakBytes)
            ++sizes[computingLanes(point)];
    if (sizes.empty())
        return std::nullopt;
    return std::ranges::max_element(sizes, {}, [](const auto& entry) { return entry.second; })->first;
}

std::optional<MemoryLine> memoryLine(std::span<const MicroPoint> points) {
    const auto lanes = fittedLanes(points);
    if (!lanes)
        return std::nullopt;
    bool otherLanes = false;
    std::vector<std::pair<double, double>> measured;
    for (const MicroPoint& point : points) {
        if (!point.fits || !point.peakBytes)
            continue;
        if (computingLanes(point) == *lanes)
            measured.emplace_back(point.micro, *point.peakBytes);
        else
            otherLanes = true;
    }
    std::optional<MemoryLine> best;
    for (std::size_t count = 2; count <= measured.size(); ++count) {
        const auto& [micro, bytes] = measured[measured.size() - count];
        if (best && std::abs(best->line.a + best->line.b * micro - bytes) > memoryOffLine * bytes)
            break; // below a bend
        const auto line = fitLine(std::span(measured).last(count));
        best = line ? std::optional(MemoryLine{*line, std::llround(micro), *lanes, otherLanes}) : std::nullopt;
    }
    return best;
}

std::optional<LineFit> fitMemory(std::span<const MicroPoint> points) {
    const auto found = memoryLine(points);
    return found ? std::optional(found->line) : std::nullopt;
}

std::optional<std::int64_t> growingBytes(std::span<const MicroPoint> points, std::int64_t micro) {
    const auto size = std::ranges::find(points, micro, &MicroPoint::micro);
    if (size == points.end() || !size->fits || !size->peakBytes)
        return std::nullopt;
    std::vector<MicroPoint> alike;
    std::ranges::copy_if(points, std::back_inserter(alike), [&](const MicroPoint& point) {
        return point.fits && point.peakBytes && point.lanes == size->lanes &&
               computingLanes(point) == computingLanes(*size);
    });
    const auto line = fitMemory(alike);
    if (!line || !(line->b > 0.0))
        return std::nullopt;
    const auto isOnLine = [&](const MicroPoint& point) {
        const auto bytes = static_cast<double>(*point.peakBytes);
        return std::abs(line->a + line->b * static_cast<double>(point.micro) - bytes) <= memoryOffLine * bytes;
    };
    if (!isOnLine(*size) || std::ranges::count_if(alike, isOnLine) < enoughForMemory)
        return std::nullopt;
    return std::llround(line->b * static_cast<double>(micro));
}

std::optional<LineFit> fitTime(std::span<const MicroPoint> points) {
    const auto knee = kneePoint(points);
    std::vector<std::pair<double, double>> all, fromKnee;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!isMeasured(points[i]))
            continue;
        all.emplace_back(points[i].steps, *points[i].updateSeconds);
        if (knee && i >= *knee)
            fromKnee.push_back(all.back());
    }
    return fitLine(fromKnee.size() >= enoughForTime ? fromKnee : all);
}

std::optional<std::int64_t> largestPromised(const LineFit& memory, std::int64_t limit) {
    if (!(memory.b > 0.0))
        return std::nullopt;
    const double most = std::floor((static_cast<double>(limit) - memory.a) / memory.b);
    constexpr double beyond = 1e15; // more samples than there are
    return static_cast<std::int64_t>(std::clamp(most, 0.0, beyond));
}

std::optional<std::size_t> fastestPoint(std::span<const MicroPoint> points) {
    std::optional<std::size_t> fastest;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (isMeasured(points[i]) && (!fastest || *points[i].samplesPerSecond > *points[*fastest].samplesPerSecond))
            fastest = i;
    return fastest;
}

std::optional<std::size_t> largestPoint(std::span<const MicroPoint> points) {
    for (std::size_t i = points.size(); i > 0; --i)
        if (points[i - 1].fits)
            return i - 1;
    return std::nullopt;
}

std::optional<std::size_t> kneePoint(std::span<const MicroPoint> points) {
    const auto best = bestSpeed(points);
    return best ? firstAsFast(points, kneeShare * *best) : std::nullopt;
}

std::optional<std::size_t> chosenPoint(std::span<const MicroPoint> points, std::optional<std::int64_t> below) {
    if (below) {
        const auto end = std::ranges::find_if(points, [&](const MicroPoint& point) { return point.micro >= *below; });
        points = points.first(static_cast<std::size_t>(end - points.begin()));
    }
    const auto best = bestSpeed(points);
    return best ? firstAsFast(points, asFast * *best) : std::nullopt;
}

std::optional<double> overheadOf(const MicroPlan& plan, const MicroPoint& point) {
    const auto fastest = fastestPoint(plan.points);
    if (!fastest || !point.updateSeconds)
        return std::nullopt;
    return *point.updateSeconds / *plan.points[*fastest].updateSeconds - 1.0;
}

std::optional<double> cheapestEffective(const MicroPlan& plan, double noiseScale) {
    if (!plan.recommended || !plan.time)
        return std::nullopt;
    const MicroPoint& point = plan.points[*plan.recommended];
    if (!point.fixedSeconds)
        return std::nullopt;
    const double c = *point.fixedSeconds;
    const double a = std::max(0.0, plan.time->b); // seconds of an update over K
    const double b = (plan.time->a - c) / static_cast<double>(plan.effective);
    const auto m = static_cast<double>(point.micro);
    const double perSample = a / m + b;
    if (!(perSample > 0.0) || !(c > 0.0) || !(noiseScale > 0.0))
        return std::nullopt;
    return std::max(m, std::sqrt(noiseScale * c / perSample));
}

void conclude(MicroPlan& plan, std::optional<std::int64_t> below) {
    plan.memory = fitMemory(plan.points);
    plan.time = fitTime(plan.points);
    plan.recommended = chosenPoint(plan.points, below);
    plan.sentence = sentenceOf(plan);
    std::erase_if(plan.notes, [](const Message& note) { return note.code == "plan.largest"; });
    const auto largest = largestPoint(plan.points);
    const bool limited = std::ranges::any_of(plan.points, lacksMemory);
    if (largest && limited)
        plan.notes.push_back({"plan.largest", {{"micro", std::to_string(plan.points[*largest].micro)}}});
}

void setNoiseScale(MicroPlan& plan, std::optional<double> noiseScale) {
    std::erase_if(plan.notes, [](const Message& note) { return note.code == "plan.cheapest"; });
    plan.cheapestEffective = noiseScale ? cheapestEffective(plan, *noiseScale) : std::nullopt;
    if (plan.cheapestEffective)
        plan.notes.push_back({"plan.cheapest",
                              {{"noiseScale", roughText(*noiseScale)},
                               {"effective", std::to_string(std::llround(*plan.cheapestEffective))}}});
}

bool lacksMemory(const MicroPoint& point) {
    return point.problem && std::ranges::find(memoryCodes, point.problem->code) != memoryCodes.end();
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/plan_facts.h"

#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr double kneeShare = 0.95;

const MicroPoint* pointAt(const MicroPlan& plan, std::int64_t micro) {
    const auto found = std::ranges::find(plan.points, micro, &MicroPoint::micro);
    return found == plan.points.end() ? nullptr : &*found;
}

double speedOf(const MicroPoint& point) { return point.fits ? point.samplesPerSecond.value_or(0.0) : 0.0; }

} // namespace

std::optional<std::size_t> fastestPoint(const MicroPlan& plan) {
    const auto best = std::ranges::max_element(plan.points, {}, speedOf);
    if (best == plan.points.end() || speedOf(*best) <= 0.0)
        return std::nullopt;
    return static_cast<std::size_t>(best - plan.points.begin());
}

std::optional<std::size_t> kneePoint(const MicroPlan& plan) {
    const auto best = fastestPoint(plan);
    if (!best)
        return std::nullopt;
    const double enough = kneeShare * speedOf(plan.points[*best]);
    const auto knee =
        std::ranges::find_if(plan.points, [enough](const MicroPoint& point) { return speedOf(point) >= enough; });
    return static_cast<std::size_t>(knee - plan.points.begin());
}

std::optional<double> overheadOf(const MicroPlan& plan, std::size_t point) {
    std::optional<double> least;
    for (const MicroPoint& one : plan.points)
        if (one.fits && one.updateSeconds && (!least || *one.updateSeconds < *least))
            least = one.updateSeconds;
    const auto& seconds = plan.points[point].updateSeconds;
    if (!least || !seconds || !plan.points[point].fits || *least <= 0.0)
        return std::nullopt;
    return *seconds / *least - 1.0;
}

std::optional<MemoryNeed> memoryAt(const MicroPlan& plan, std::int64_t micro) {
    if (const MicroPoint* point = pointAt(plan, micro); point && point->fits && point->peakBytes)
        return MemoryNeed{*point->peakBytes, MemorySource::Measured};
    if (!plan.memory || plan.points.empty())
        return std::nullopt;
    if (2 * micro < plan.points.front().micro || micro > 2 * plan.points.back().micro)
        return std::nullopt;
    const double bytes = plan.memory->a + plan.memory->b * static_cast<double>(micro);
    return bytes > 0.0 ? std::optional(MemoryNeed{std::llround(bytes), MemorySource::Fit}) : std::nullopt;
}

std::optional<double> studySeconds(const SetupPlan& setup, const MicroPlan& plan) {
    if (!setup.batch || setup.samples <= 0)
        return std::nullopt;
    const MicroPoint* own = pointAt(plan, setup.batch->micro);
    if (!own || speedOf(*own) <= 0.0)
        return std::nullopt;
    double perSeed = static_cast<double>(setup.samples) / speedOf(*own);
    if (setup.arms > 1) {
        double speed = 0.0;
        for (const MicroPoint& point : plan.points) // ascending: the largest that fits, B itself where it does
            speed = speedOf(point) > 0.0 ? speedOf(point) : speed;
        perSeed += static_cast<double>(setup.samples) / speed;
    }
    return perSeed * static_cast<double>(setup.seeds);
}

} // namespace accumulus::ui

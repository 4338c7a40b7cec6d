// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/plan_facts.h"

#include "core/analysis/noise_scale.h"
#include "core/run/library_views.h"

#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

const MicroPoint* pointAt(const MicroPlan& plan, std::int64_t micro) {
    const auto found = std::ranges::find(plan.points, micro, &MicroPoint::micro);
    return found == plan.points.end() ? nullptr : &*found;
}

double speedOf(const MicroPoint& point) { return point.fits ? point.samplesPerSecond.value_or(0.0) : 0.0; }

} // namespace

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

std::optional<MemoryEstimate> measuredParts(const MicroPlan& plan, std::int64_t micro, const MemoryEstimate& formula) {
    const auto growing = growingBytes(plan.points, micro);
    if (!growing)
        return std::nullopt;
    MemoryEstimate parts = formula;
    parts.activations = *growing;
    parts.complete = true;
    parts.workspace.reset();
    const std::int64_t peak = pointAt(plan, micro)->peakBytes.value_or(0);
    const std::int64_t rest = peak - parts.total();
    if (static_cast<double>(rest) < -memoryOffLine * static_cast<double>(peak)) // what stays is counted too high
        return std::nullopt;
    parts.workspace = std::max<std::int64_t>(0, rest);
    parts.activations += std::min<std::int64_t>(0, rest); // no more than the line is uncertain
    return parts;
}

std::optional<std::int64_t> lanesAt(const MicroPlan& plan, std::int64_t micro) {
    const MicroPoint* point = pointAt(plan, micro);
    return point && point->fits && point->lanes > 0 ? std::optional(point->lanes) : std::nullopt;
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

std::optional<double> knownNoiseScale(RunReader& reader, const RunConfig& config) {
    const auto runs = reader.runs();
    if (!runs)
        return std::nullopt;
    for (const RunRecord& run : *runs) {
        if (run.config.model != config.model || run.config.data != config.data || run.config.loss != config.loss)
            continue;
        const auto columns = reader.windowColumns(run.id, noiseColumns(run.config));
        if (!columns)
            continue;
        const RunNoise of = runNoiseOf(run.config, *columns);
        const NoiseScale noise = recentNoiseScale(of.terms);
        if (noise.value && noise.identified)
            return *noise.value / of.unitsPerSample;
    }
    return std::nullopt;
}

} // namespace accumulus::ui

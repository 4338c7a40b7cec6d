// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/plan_facts.h"

#include "core/analysis/noise_scale.h"
#include "core/run/library_views.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace accumulus::ui {

namespace {

const MicroPoint* pointAt(const MicroPlan& plan, std::int64_t micro) {
    const auto found = std::ranges::find(plan.points, micro, &MicroPoint::micro);
    return found == plan.points.end() ? nullptr : &*found;
}

/// The fit at this size, where that is near enough to what was measured.
std::optional<double> fitAt(const MicroPlan& plan, std::int64_t micro) {
    if (!plan.memory || plan.points.empty())
        return std::nullopt;
    if (2 * micro < plan.points.front().micro || micro > 2 * plan.points.back().micro)
        return std::nullopt;
    const double bytes = plan.memory->a + plan.memory->b * static_cast<double>(micro);
    return bytes > 0.0 ? std::optional(bytes) : std::nullopt;
}

/// The largest size that the line of the memory goes through: it was on the lanes that the line is of.
const MicroPoint* pointOnLine(const MicroPlan& plan) {
    const auto lanes = fittedLanes(plan.points);
    const auto isOnLine = [&](const MicroPoint& point) {
        const auto fit = fitAt(plan, point.micro);
        return point.fits && point.peakBytes && fit && point.lanes > 0 && computingLanes(point) == lanes &&
               std::abs(*fit - static_cast<double>(*point.peakBytes)) <=
                   memoryOffLine * static_cast<double>(*point.peakBytes);
    };
    const auto found = std::find_if(plan.points.rbegin(), plan.points.rend(), isOnLine);
    return found == plan.points.rend() ? nullptr : &*found;
}

double speedOf(const MicroPoint& point) { return point.fits ? point.samplesPerSecond.value_or(0.0) : 0.0; }

} // namespace

std::optional<MemoryNeed> memoryAt(const MicroPlan& plan, std::int64_t micro) {
    const MicroPoint* point = pointAt(plan, micro);
    if (point && point->fits && point->peakBytes)
        return MemoryNeed{*point->peakBytes, MemorySource::Measured};
    const auto fit = fitAt(plan, micro);
    if (!fit)
        return std::nullopt;
    const std::int64_t least = point && lacksMemory(*point) ? plan.memoryLimit + 1 : 0;
    return MemoryNeed{std::max<std::int64_t>(std::llround(*fit), least), MemorySource::Fit};
}

std::optional<MemoryNeed> memoryOnOneLane(const MicroPlan& plan, std::int64_t micro,
                                          std::optional<std::int64_t> gradients) {
    const MicroPoint* own = pointAt(plan, micro);
    const bool measured = own && own->fits && own->peakBytes;
    const MicroPoint* like = measured ? own : pointOnLine(plan);
    if (!like || like->lanes < 1 || (like->lanes > 1 && !gradients))
        return std::nullopt;
    const std::int64_t others = (like->lanes - 1) * gradients.value_or(0);
    if (measured)
        return MemoryNeed{*own->peakBytes - others, like->lanes > 1 ? MemorySource::Fit : MemorySource::Measured};
    const auto busy = static_cast<double>(computingLanes(*like)); // each holds activations of its own
    if (!fitAt(plan, micro))
        return std::nullopt;
    const double bytes = plan.memory->a + plan.memory->b / busy * static_cast<double>(micro);
    const std::int64_t alone = std::llround(bytes) - others;
    if (alone <= 0)
        return std::nullopt;
    // On one lane nothing else took memory from a size that lacked it.
    const bool lacked = own && lacksMemory(*own) && like->lanes == 1;
    return MemoryNeed{lacked ? std::max(alone, plan.memoryLimit + 1) : alone, MemorySource::Fit};
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

std::optional<double> knownNoiseScale(const std::filesystem::path& library, const RunConfig& config) {
    auto opened = Library::open(library, Library::Mode::Read);
    if (!opened)
        return std::nullopt;
    RunReader reader(std::move(*opened));
    return knownNoiseScale(reader, config);
}

} // namespace accumulus::ui

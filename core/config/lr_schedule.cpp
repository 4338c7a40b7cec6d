// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/lr_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace accumulus {

double scheduledLr(const OptimizerConfig& optimizer, const ScheduleConfig& schedule, std::int64_t update,
                   std::int64_t warmupUpdates, std::int64_t totalUpdates, std::int64_t stepEveryUpdates) {
    const double lr = optimizer.lr;
    const std::int64_t warmup = std::max<std::int64_t>(warmupUpdates, 0);
    if (update <= warmup)
        return lr * static_cast<double>(std::max<std::int64_t>(update, 0)) / static_cast<double>(warmup);

    const std::int64_t completed = std::max<std::int64_t>(update - 1 - warmup, 0);
    const std::int64_t remaining = totalUpdates - warmup;
    const double progress =
        remaining > 0 ? std::min(1.0, static_cast<double>(completed) / static_cast<double>(remaining)) : 0.0;
    const double floor = schedule.finalLrFraction;
    switch (schedule.kind) {
    case ScheduleKind::Constant:
        return lr;
    case ScheduleKind::Linear:
        return lr * (1.0 - (1.0 - floor) * progress);
    case ScheduleKind::Cosine:
        return lr * (floor + (1.0 - floor) * 0.5 * (1.0 + std::cos(std::numbers::pi * progress)));
    case ScheduleKind::Step:
        if (stepEveryUpdates < 1)
            return lr;
        return lr * std::pow(schedule.stepFactor, static_cast<double>(completed / stepEveryUpdates));
    }
    return lr;
}

} // namespace accumulus

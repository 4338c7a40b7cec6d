// SPDX-License-Identifier: GPL-3.0-or-later
// A plan of the micro-batch with every kind of size in it, for pages that show plans.
#pragma once

#include "core/analysis/micro_plan.h"

#include <cmath>

namespace accumulus::test {

/// B = 256 on a machine of 100 MB: 20 MB + 1 MB a sample, so m = 64 takes 84.0 MB and m = 128 does not fit. Speeds
/// 4 000 m / (m + 8) samples a second: m = 64 is the fastest that fits (3 555.6), m = 32 has 90 % of that.
[[nodiscard]] inline MicroPlan madeUpPlan() {
    MicroPlan plan;
    plan.createdAt = 1763812800.0; // 22 November 2025, 12:00 UTC
    plan.subject = {"plan.subject", {{"model", "LeNet-5"}, {"dataset", "MNIST"}, {"precision", "fp32"}}};
    plan.device = "CPU: test, 2 cores";
    plan.effective = 256;
    plan.memoryLimit = 100'000'000;
    plan.memory = LineFit{20e6, 1e6, 0.01};
    for (const std::int64_t micro : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
        MicroPoint point;
        point.micro = micro;
        point.steps = 256 / micro;
        point.lanes = 2;
        point.threads = 1;
        point.fits = micro < 128;
        if (point.fits) {
            const auto m = static_cast<double>(micro);
            point.peakBytes = std::llround(20e6 + 1e6 * m);
            point.samplesPerSecond = 4000.0 * m / (m + 8.0);
            point.updateSeconds = 256.0 / *point.samplesPerSecond;
        } else {
            point.problem =
                Message{micro == 128 ? "plan.needs-more" : "plan.not-tried", {{"limit", "100 MB"}, {"micro", "128"}}};
        }
        plan.points.push_back(point);
    }
    plan.recommended = 6;
    plan.verified = true;
    plan.sentence = {"plan.recommended",
                     {{"micro", "64"},
                      {"steps", "4"},
                      {"lanesPhrase", "phrase.lanes"},
                      {"lanes", "2"},
                      {"percent", "100"},
                      {"peak", "84.0 MB"},
                      {"limit", "100 MB"}}};
    return plan;
}

} // namespace accumulus::test

// SPDX-License-Identifier: GPL-3.0-or-later
// What pages read from a plan of the micro-batch: the knee, what a size costs against the best, memory at any m, and
// how long a study will take. Pure functions; any thread.
#pragma once

#include "core/analysis/micro_plan.h"
#include "core/config/memory_check.h"
#include "core/run/micro_planner.h"
#include "core/store/run_reader.h"
#include "widgets/models/setup_plan.h"

#include <optional>

namespace accumulus::ui {

/// Memory of a run at micro-batch m: measured there, or by the fit. The fit is used from half the smallest to twice the
/// largest size measured; a size that lacked memory needs more than there was.
[[nodiscard]] std::optional<MemoryNeed> memoryAt(const MicroPlan& plan, std::int64_t micro);
/// The same on one lane, as the large batch is computed, where the plan's sizes were on several. `gradients`: bytes
/// that each further lane holds for its gradients; without them nothing but of a plan that was on one lane.
[[nodiscard]] std::optional<MemoryNeed> memoryOnOneLane(const MicroPlan& plan, std::int64_t micro,
                                                        std::optional<std::int64_t> gradients);

/// What a size that the plan has measured consists of: activations are what grows with m, the workspace is what is left
/// beside them and `formula`, which counts the other parts on as many lanes as lanesAt() says. Nothing where the plan
/// does not tell them apart.
[[nodiscard]] std::optional<MemoryEstimate> measuredParts(const MicroPlan& plan, std::int64_t micro,
                                                          const MemoryEstimate& formula);
/// Lanes on which the size was measured.
[[nodiscard]] std::optional<std::int64_t> lanesAt(const MicroPlan& plan, std::int64_t micro);

/// Seconds of training of a whole study, without set-up, evaluation and checkpoints; nothing where the plan has no
/// speed for m, or the samples of a run are not known. The large batch counts at its own speed where that is measured,
/// else at that of the largest size that fits.
[[nodiscard]] std::optional<double> studySeconds(const SetupPlan& setup, const MicroPlan& plan);

/// B_noise in samples, of the newest run that trained this model on this data and tells it.
[[nodiscard]] std::optional<double> knownNoiseScale(RunReader& reader, const RunConfig& config);
/// The same by a connection of its own; nothing where the library cannot be opened. Any thread.
[[nodiscard]] std::optional<double> knownNoiseScale(const std::filesystem::path& library, const RunConfig& config);

} // namespace accumulus::ui

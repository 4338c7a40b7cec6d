// SPDX-License-Identifier: GPL-3.0-or-later
// Values of the core as JSON objects for --json. Keys are snake_case and stay as they are once released; a value that
// is missing or not finite is null.
#pragma once

#include "core/analysis/compare_family.h"
#include "core/config/config_fields.h"
#include "core/run/run_events.h"
#include "core/run/study_runner.h"
#include "core/run/verify.h"
#include "core/store/run_records.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace accumulus::cli {

using Json = nlohmann::ordered_json;

[[nodiscard]] inline Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }
[[nodiscard]] inline Json finite(const std::optional<double>& value) { return value ? finite(*value) : Json(); }
[[nodiscard]] Json runStartedJson(const RunRecord& run);
[[nodiscard]] Json windowJson(const std::string& run, const WindowRecord& window);
[[nodiscard]] Json evaluationJson(const std::string& run, const EvaluationRecord& evaluation);
/// event, run, arm, seed, updates, micro_steps, samples, test_loss, test_accuracy, samples_per_second,
/// training_peak_bytes, evaluation_peak_bytes, others_share, checkpoint, weights_hash: programs read these keys. Other
/// metrics of `config` (test_top5, ..., test_r2, validation_loss, ...) where they were measured.
[[nodiscard]] Json runFinishedJson(const RunFinished& finished, const RunConfig& config);

/// One row of `list --json`.
[[nodiscard]] Json runJson(const RunRecord& run, const std::string& studyName, RunState state);
/// In the metric's own unit, a share of 1 for accuracies. `step`: the least by which two values can differ, such as one
/// answer of the test set; null where any difference is possible, or nobody knows. Where it is larger than `margin`, no
/// interval shows equivalence.
[[nodiscard]] Json comparisonJson(const ComparisonInput& input, const Comparison& comparison);
/// Of more than two groups: metric, better, margin, reference (its letter), groups (letter, runs, cost), comparisons:
/// for each group against the reference its letter, what comparisonJson() says, A being the group and B the reference,
/// with the verdict after Holm's correction, and in `holm` the corrected p values.
[[nodiscard]] Json familyJson(const ComparisonInput& input, const FamilyComparison& family);
[[nodiscard]] Json verifyJson(const VerifyOutcome& outcome);
[[nodiscard]] Json fieldJson(const ConfigField& field);

/// One line of text. Where a part is not UTF-8, all are escaped as by readableText.
[[nodiscard]] std::string oneLine(const Json& json);

} // namespace accumulus::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// The metric of a comparison over the settings of its runs: which settings differ, each on a scale of its own, and the
// means of the groups. Values in, values out. Any thread.
#pragma once

#include "core/analysis/compare.h"

#include <optional>
#include <string>
#include <vector>

namespace accumulus {

/// A completed run with a finite metric.
struct MeasuredRun {
    std::size_t group = 0; ///< 0: A, 1: B, ...
    std::string id, name;
    std::int64_t seed = 0;
    RunConfig config;    ///< its batch as it came out: no number of it is left to be derived
    double metric = 0.0; ///< in its own unit
    std::string color{}; ///< that a person gave it, as RunRecord has it
};

enum class AxisScale { Linear, Logarithmic, Words };

/// A setting, the seed or the metric, with its value in each run.
struct SettingAxis {
    enum class Subject { Setting, Seed, Metric };
    Subject subject = Subject::Setting;
    std::string key; ///< of a setting: "optimizer.lr"
    AxisScale scale = AxisScale::Linear;
    bool betweenGroups = false;       ///< two groups do not have the same values
    std::optional<Extent::Unit> unit; ///< of all its values, where they are extents
    std::vector<std::optional<double>>
        values;                        ///< in each run; of words the number of the word. Nothing: no matter there
    std::vector<std::size_t> examples; ///< of words: a run that has the word
    double lower = 0.0, upper = 0.0;   ///< of the values

    /// 0 for the lowest value to 1 for the highest, 0.5 where there is only one; other values lie beyond.
    [[nodiscard]] double placeOf(double value) const;
    [[nodiscard]] double valueAt(double place) const; ///< the other way round
};

struct SettingAxes {
    CompareMetric judged = CompareMetric::TestAccuracy;
    std::vector<MeasuredRun> runs; ///< of A, then of B and each further group
    std::size_t unmeasured = 0;    ///< completed runs without a finite metric
    std::vector<SettingAxis> axes; ///< settings that differ, those between the groups first; then the seed, if it does
    SettingAxis metric;

    [[nodiscard]] bool settingsDiffer() const;
};
[[nodiscard]] SettingAxes settingAxes(const ComparisonInput& input);

inline constexpr std::size_t mostParallelAxes = 8;
/// Axes to draw side by side, before that of the metric: at most `most` of them, the seed among these. Numbers of
/// SettingAxes::axes.
[[nodiscard]] std::vector<std::size_t> parallelAxes(const SettingAxes& axes, std::size_t most = mostParallelAxes);

/// Of at least two runs of one group that share a value.
struct GroupMean {
    std::size_t group = 0;
    double value = 0.0; ///< of the axis
    double metric = 0.0;
    std::size_t runs = 0;
    bool operator==(const GroupMean&) const = default;
};
[[nodiscard]] std::vector<GroupMean> groupMeans(const SettingAxes& axes, const SettingAxis& axis);

/// Every run with its settings that differ and its metric, as programs read them: texts as in TOML, numbers with all
/// their digits.
[[nodiscard]] std::string settingsCsv(const SettingAxes& axes);

} // namespace accumulus

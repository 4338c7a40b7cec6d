// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/setting_axes.h"

#include "core/analysis/compare_family.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace accumulus {

namespace {

constexpr double largestLinearRatio = 50.0;

using RunValues = std::vector<std::optional<FieldValue>>;

void addRuns(const std::vector<ComparedRun>& from, std::size_t group, SettingAxes& to) {
    for (const ComparedRun& run : from) {
        if (!run.complete)
            continue;
        const auto metric = metricValue(run, to.judged);
        if (!metric || !std::isfinite(*metric)) {
            ++to.unmeasured;
            continue;
        }
        MeasuredRun& measured = to.runs.emplace_back(group, run.id, run.name, run.seed, run.config, *metric, run.color);
        measured.config.batch.effective = run.batch.effective;
        measured.config.batch.micro = run.batch.micro;
        measured.config.batch.steps = run.batch.steps;
        measured.config.batch.devices = run.batch.devices;
    }
}

/// Those in which any run differs from the first.
std::set<std::string> differingKeys(const std::vector<MeasuredRun>& runs) {
    std::set<std::string> keys;
    for (const MeasuredRun& run : runs)
        if (!(run.config == runs.front().config))
            for (FieldDifference& difference : configDifferences(runs.front().config, run.config))
                keys.insert(std::move(difference.key));
    return keys;
}

RunValues valuesOf(const ConfigField& field, const std::vector<MeasuredRun>& runs) {
    RunValues values;
    for (const MeasuredRun& run : runs) {
        const ExperimentConfig config{run.config, {}};
        values.push_back(field.applies(config) ? std::optional(field.get(config)) : std::nullopt);
    }
    return values;
}

std::optional<double> numberOf(const FieldValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value))
        return *real;
    if (const auto* extent = std::get_if<Extent>(&value))
        return static_cast<double>(extent->count);
    return std::nullopt;
}

/// Of all values, where they are extents of one unit.
std::optional<Extent::Unit> commonUnit(const RunValues& values) {
    std::optional<Extent::Unit> unit;
    for (const auto& value : values) {
        const auto* extent = value ? std::get_if<Extent>(&*value) : nullptr;
        if (value && (!extent || (unit && *unit != extent->unit)))
            return std::nullopt;
        if (extent)
            unit = extent->unit;
    }
    return unit;
}

/// Choices in the order of their table, other words in alphabetical order.
std::pair<std::size_t, std::string> rankOf(const ConfigField& field, const FieldValue& value) {
    std::size_t rank = 0;
    if (const auto* text = std::get_if<std::string>(&value); text && field.type == FieldType::Choice)
        rank = static_cast<std::size_t>(std::ranges::find(field.choices, *text) - field.choices.begin());
    return {rank, fieldText(value)};
}

void fillWords(const ConfigField& field, const RunValues& values, SettingAxis& axis) {
    std::map<std::pair<std::size_t, std::string>, std::size_t> words; // with the first run that has each
    for (std::size_t run = 0; run < values.size(); ++run)
        if (values[run])
            words.emplace(rankOf(field, *values[run]), run);
    for (const auto& word : words)
        axis.examples.push_back(word.second);
    for (std::size_t run = 0; run < values.size(); ++run)
        if (values[run])
            axis.values[run] =
                static_cast<double>(std::distance(words.begin(), words.find(rankOf(field, *values[run]))));
}

/// Range, scale and whether the groups differ, from the values.
void finish(const std::vector<MeasuredRun>& runs, SettingAxis& axis) {
    std::map<std::size_t, std::set<double>> ofGroup; // of those with runs; empty where it matters in none of them
    std::set<double> all;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        std::set<double>& own = ofGroup[runs[run].group];
        if (axis.values[run]) {
            own.insert(*axis.values[run]);
            all.insert(*axis.values[run]);
        }
    }
    axis.betweenGroups =
        std::ranges::any_of(ofGroup, [&ofGroup](const auto& group) { return group.second != ofGroup.begin()->second; });
    if (all.empty())
        return;
    axis.lower = *all.begin();
    axis.upper = *all.rbegin();
    if (axis.scale != AxisScale::Words && axis.lower > 0.0 && axis.upper > largestLinearRatio * axis.lower)
        axis.scale = AxisScale::Logarithmic;
}

SettingAxis axisOf(const ConfigField& field, const std::vector<MeasuredRun>& runs) {
    SettingAxis axis;
    axis.key = field.key;
    axis.values.resize(runs.size());
    const RunValues values = valuesOf(field, runs);
    axis.unit = commonUnit(values);
    const bool numeric = axis.unit || field.type == FieldType::Integer || field.type == FieldType::Real;
    for (std::size_t run = 0; numeric && run < runs.size(); ++run)
        if (values[run])
            axis.values[run] = numberOf(*values[run]);
    if (!numeric) {
        axis.scale = AxisScale::Words;
        fillWords(field, values, axis);
    }
    finish(runs, axis);
    return axis;
}

/// Seed or metric: every run has one.
template <class Value>
SettingAxis plainAxis(SettingAxis::Subject subject, const std::vector<MeasuredRun>& runs, Value value) {
    SettingAxis axis;
    axis.subject = subject;
    for (const MeasuredRun& run : runs)
        axis.values.emplace_back(static_cast<double>(value(run)));
    finish(runs, axis);
    return axis;
}

double toScale(AxisScale scale, double value) { return scale == AxisScale::Logarithmic ? std::log10(value) : value; }

double meanOf(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string quoted(1, '"');
    for (const char letter : text)
        quoted.append(letter == '"' ? 2 : 1, letter);
    quoted += '"';
    return quoted;
}

} // namespace

double SettingAxis::placeOf(double value) const {
    const double low = toScale(scale, lower);
    const double span = toScale(scale, upper) - low;
    return span > 0.0 ? (toScale(scale, value) - low) / span : 0.5;
}

double SettingAxis::valueAt(double place) const {
    const double low = toScale(scale, lower);
    const double at = low + place * (toScale(scale, upper) - low);
    return scale == AxisScale::Logarithmic ? std::pow(10.0, at) : at;
}

bool SettingAxes::settingsDiffer() const {
    return std::ranges::any_of(axes,
                               [](const SettingAxis& axis) { return axis.subject == SettingAxis::Subject::Setting; });
}

SettingAxes settingAxes(const ComparisonInput& input) {
    SettingAxes result;
    result.judged = input.metric;
    for (std::size_t group = 0; group < groupCount(input); ++group)
        addRuns(groupAt(input, group), group, result);
    if (result.runs.empty())
        return result;
    const std::set<std::string> keys = differingKeys(result.runs);
    for (const ConfigField& field : configFields())
        if (keys.contains(field.key))
            // A value that only some runs have need not differ where it matters.
            if (SettingAxis axis = axisOf(field, result.runs); axis.upper > axis.lower)
                result.axes.push_back(std::move(axis));
    std::ranges::stable_partition(result.axes, &SettingAxis::betweenGroups);
    SettingAxis seed = plainAxis(SettingAxis::Subject::Seed, result.runs, [](const auto& run) { return run.seed; });
    if (seed.upper > seed.lower)
        result.axes.push_back(std::move(seed));
    result.metric = plainAxis(SettingAxis::Subject::Metric, result.runs, [](const auto& run) { return run.metric; });
    return result;
}

std::vector<std::size_t> parallelAxes(const SettingAxes& axes, std::size_t most) {
    std::vector<std::size_t> chosen;
    const bool seed = !axes.axes.empty() && axes.axes.back().subject == SettingAxis::Subject::Seed;
    const std::size_t settings = axes.axes.size() - (seed ? 1 : 0);
    const std::size_t room = most - (seed && most > 0 ? 1 : 0);
    for (std::size_t axis = 0; axis < std::min(settings, room); ++axis)
        chosen.push_back(axis);
    if (seed && most > 0)
        chosen.push_back(settings);
    return chosen;
}

std::vector<GroupMean> groupMeans(const SettingAxes& axes, const SettingAxis& axis) {
    std::map<std::pair<std::size_t, double>, std::vector<double>> metrics;
    for (std::size_t run = 0; run < axes.runs.size(); ++run)
        if (axis.values[run])
            metrics[{axes.runs[run].group, *axis.values[run]}].push_back(axes.runs[run].metric);
    std::vector<GroupMean> means;
    for (const auto& [place, values] : metrics)
        if (values.size() > 1)
            means.push_back({place.first, place.second, meanOf(values), values.size()});
    return means;
}

std::string settingsCsv(const SettingAxes& axes) {
    std::string text = "run,id,group,seed";
    for (const SettingAxis& axis : axes.axes)
        if (axis.subject == SettingAxis::Subject::Setting)
            text += fmt::format(",{}", axis.key);
    text += fmt::format(",{}\n", metricName(axes.judged));
    for (std::size_t i = 0; i < axes.runs.size(); ++i) {
        const MeasuredRun& run = axes.runs[i];
        const ExperimentConfig config{run.config, {}};
        text += fmt::format("{},{},{},{}", cell(run.name), cell(run.id), letterOf(run.group), run.seed);
        for (const SettingAxis& axis : axes.axes)
            if (axis.subject == SettingAxis::Subject::Setting) {
                text += ',';
                if (axis.values[i])
                    text += cell(fieldText(findField(axis.key)->get(config)));
            }
        text += fmt::format(",{}\n", run.metric);
    }
    return text;
}

} // namespace accumulus

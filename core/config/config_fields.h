// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of settings. The TOML reader and writer, --set, `accumulus-cli fields`, the form's widgets and tooltips,
// range checks, the configuration diff and the reference page all come from it. Adding a setting is adding a member in
// experiment_config.h and a row here.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace accumulus {

enum class FieldType { Text, Path, Choice, Integer, Real, Boolean, Extent, IntegerList, RealList, TextList, Ramp };

/// Choice, Text and Path are std::string; Extent is accumulus::Extent.
using FieldValue = std::variant<bool, std::int64_t, double, std::string, Extent, std::vector<std::int64_t>,
                                std::vector<double>, std::vector<std::string>, BatchRamp>;

struct ConfigField {
    std::string key; ///< "batch.micro"
    FieldType type;
    std::string unit;                   ///< "samples", "updates", ""; for display
    std::optional<double> minimum;      ///< inclusive
    std::optional<double> maximum;      ///< inclusive
    bool minimumExclusive = false;      ///< minimum itself is not allowed (lr > 0)
    std::optional<double> minNonzero;   ///< a value other than 0 ("off") must be at least this
    bool distinct = false;              ///< of a list: at least one value, and none twice
    std::vector<std::string> choices;   ///< for Choice; extensible lists (datasets, models) hold every known name
    std::string help;                   ///< one line
    std::string details;                ///< a paragraph
    std::vector<std::string> dependsOn; ///< keys whose values decide whether this one matters
    bool inPairHash = true; ///< false for what may differ inside a pair (micro, steps, devices, lanes, threads)
    std::function<FieldValue(const ExperimentConfig&)> get;
    /// Stores a value of the right alternative, already checked by checkFieldValue.
    std::function<void(ExperimentConfig&, const FieldValue&)> set;
    /// Does the setting matter under this configuration (for example momentum under adam)?
    std::function<bool(const ExperimentConfig&)> applies;
};

/// All rows, in the order of the reference page.
[[nodiscard]] const std::vector<ConfigField>& configFields();
/// Row of a key, or null.
[[nodiscard]] const ConfigField* findField(std::string_view key);
/// The known key nearest to a misspelt one (smallest edit distance).
[[nodiscard]] std::string nearestKey(std::string_view key);

/// Type and range. Error "config.value".
[[nodiscard]] Status checkFieldValue(const ConfigField& field, const FieldValue& value);
/// Checks and stores. Errors "config.unknown-key", "config.value".
[[nodiscard]] Status setField(ExperimentConfig& config, std::string_view key, const FieldValue& value);
/// "batch.micro=16", typed by the table: strings bare or quoted, arrays as TOML. Errors "config.assignment" and those
/// of setField.
[[nodiscard]] Status applyAssignment(ExperimentConfig& config, std::string_view assignment);

/// The value as it stands in TOML: 32, 0.01, true, "3 epochs", [0, 1].
[[nodiscard]] std::string fieldText(const FieldValue& value);
/// "1 and more", "0 to 1", "sgd | adam | adamw".
[[nodiscard]] Message allowedMessage(const ConfigField& field);
[[nodiscard]] std::string allowedText(const ConfigField& field); ///< the same in English
/// "3 epochs" and the like. Error "config.value".
[[nodiscard]] Result<Extent> parseExtent(std::string_view text);

/// One differing setting; texts as in TOML.
struct FieldDifference {
    std::string key;
    std::string a;
    std::string b;
    bool expected = false; ///< may differ inside a pair
    bool operator==(const FieldDifference&) const = default;
};

/// Settings of the run part that differ and matter in either configuration.
[[nodiscard]] std::vector<FieldDifference> configDifferences(const RunConfig& a, const RunConfig& b);

/// A note for each setting that is not what it is by default and changes nothing beside the others. The form hides
/// these; a file and --set do not.
[[nodiscard]] std::vector<Message> idleSettings(const ExperimentConfig& config);

/// Hash of the run's settings and seed, but for optimizer.lr_batch and lr_rule, which say where the learning rate came
/// from.
[[nodiscard]] std::string configHash(const RunConfig& config, std::int64_t seed);
/// The same without what may differ inside a pair: two runs with equal pair hashes are partners.
[[nodiscard]] std::string pairHash(const RunConfig& config, std::int64_t seed);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// Settings as canonical JSON: {"batch": {"effective": 128, ...}, ...}, keys sorted, one line.
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/config/field_formatting.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

namespace accumulus {

namespace {

using nlohmann::json;

constexpr std::string_view studySection = "study.";
constexpr std::size_t largestText = std::size_t{1} << 20;

json rampJson(const BatchRamp& ramp) {
    json points = json::array();
    for (const RampPoint& point : ramp)
        points.push_back({point.update, point.effective});
    return points;
}

/// Nothing when it is not a list of pairs of whole numbers.
std::optional<BatchRamp> rampFromJson(const json& node) {
    BatchRamp ramp;
    for (const json& item : node) {
        if (!item.is_array() || item.size() != 2 || !item[0].is_number_integer() || !item[1].is_number_integer())
            return std::nullopt;
        ramp.push_back({item[0].get<std::int64_t>(), item[1].get<std::int64_t>()});
    }
    return ramp;
}

json jsonOf(const FieldValue& value) {
    return std::visit(
        [](const auto& content) -> json {
            if constexpr (std::is_same_v<std::decay_t<decltype(content)>, Extent>)
                return extentText(content);
            else if constexpr (std::is_same_v<std::decay_t<decltype(content)>, BatchRamp>)
                return rampJson(content);
            else
                return content;
        },
        value);
}

/// Settings of the study section alone, or of all others.
std::string configJson(const ExperimentConfig& config, bool study, std::span<const std::string_view> without = {}) {
    json document = json::object();
    for (const ConfigField& field : configFields()) {
        if (field.key.starts_with(studySection) != study || std::ranges::find(without, field.key) != without.end())
            continue;
        const auto dot = field.key.find('.');
        json& section = study ? document : document[field.key.substr(0, dot)];
        section[field.key.substr(dot + 1)] = jsonOf(field.get(config));
    }
    // Values set through the table are valid UTF-8; replacing keeps any other from throwing.
    return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// For messages. Lists and objects are not written out: writing recurses as deeply as outside data is nested.
std::string shown(const json& node) {
    if (node.is_structured())
        return node.is_array() ? "[...]" : "{...}";
    return excerpt(node.dump(-1, ' ', false, json::error_handler_t::replace));
}

Result<FieldValue> valueFromJson(const ConfigField& field, const json& node) {
    const auto refuse = [&](const std::string& reason) { return failure(valueError(field, shown(node), reason)); };
    if (field.type == FieldType::Extent && node.is_string()) {
        const auto extent = parseExtent(node.get<std::string>());
        return extent ? Result<FieldValue>(*extent) : Result<FieldValue>(refuse(extent.error().argument("reason")));
    }
    if (node.is_number_unsigned() && node.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        return refuse("reason.number-large");
    if (field.type == FieldType::Real && node.is_number())
        return FieldValue(node.get<double>());
    if (field.type == FieldType::IntegerList && node.is_array()) {
        if (!std::ranges::all_of(node, [](const json& item) { return item.is_number_integer(); }))
            return refuse("reason.not-integers");
        return FieldValue(node.get<std::vector<std::int64_t>>());
    }
    if (field.type == FieldType::RealList && node.is_array()) {
        if (!std::ranges::all_of(node, [](const json& item) { return item.is_number(); }))
            return refuse("reason.not-numbers");
        return FieldValue(node.get<std::vector<double>>());
    }
    if (field.type == FieldType::TextList && node.is_array()) {
        if (!std::ranges::all_of(node, [](const json& item) { return item.is_string(); }))
            return refuse("reason.not-texts");
        return FieldValue(node.get<std::vector<std::string>>());
    }
    if (field.type == FieldType::Ramp && node.is_array()) {
        auto ramp = rampFromJson(node);
        return ramp ? FieldValue(*std::move(ramp)) : Result<FieldValue>(refuse("reason.not-ramp"));
    }
    if (node.is_boolean())
        return FieldValue(node.get<bool>());
    if (node.is_number_integer())
        return FieldValue(node.get<std::int64_t>());
    if (node.is_string())
        return FieldValue(node.get<std::string>());
    return refuse("reason.other-type");
}

Status takeSection(ExperimentConfig& config, const std::string& section, const json& content) {
    if (!content.is_object())
        return failure(unknownKeyError(section));
    for (const auto& [name, node] : content.items()) {
        const std::string key = section + '.' + name;
        const ConfigField* field = findField(key);
        if (!field)
            return failure(unknownKeyError(key));
        ACCUMULUS_TRY_ASSIGN(const auto value, valueFromJson(*field, node));
        ACCUMULUS_TRY(setField(config, key, value)); // which also refuses a value of the wrong type
    }
    return {};
}

Result<ExperimentConfig> configFromJson(std::string_view text, bool study) {
    const auto refuse = [](const std::string& reason) {
        return failure("config.json", {{"reason", excerpt(reason, 200)}});
    };
    if (text.size() > largestText)
        return refuse("reason.text-mib");
    try {
        const json document = json::parse(text);
        if (!document.is_object())
            return refuse("reason.not-object");
        ExperimentConfig config;
        if (study) {
            ACCUMULUS_TRY(takeSection(config, "study", document));
            return config;
        }
        for (const auto& [section, content] : document.items()) {
            if (section == "study")
                return failure(unknownKeyError(section));
            ACCUMULUS_TRY(takeSection(config, section, content));
        }
        return config;
    } catch (const json::exception& problem) {
        return refuse(problem.what());
    }
}

} // namespace

std::string runConfigJson(const RunConfig& config) { return configJson({config, {}}, false); }

std::string hashedRunConfigJson(const RunConfig& config) {
    static constexpr std::array<std::string_view, 2> notes{"optimizer.lr_batch", "optimizer.lr_rule"};
    return configJson({config, {}}, false, notes);
}

std::string studyConfigJson(const StudyConfig& config) { return configJson({{}, config}, true); }

Result<RunConfig> runConfigFromJson(std::string_view json) {
    return configFromJson(json, false).map([](const ExperimentConfig& config) { return config.run; });
}

Result<StudyConfig> studyConfigFromJson(std::string_view json) {
    return configFromJson(json, true).map([](const ExperimentConfig& config) { return config.study; });
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_fields.h"

#include "core/base/edit_distance.h"
#include "core/base/hash.h"
#include "core/config/batch_plan.h"
#include "core/config/experiment_file.h"
#include "core/config/field_formatting.h"
#include "core/config/field_rows.h"
#include "core/config/refusals.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace accumulus {

namespace {

constexpr std::size_t maxListItems = 10000;

std::vector<ConfigField> buildTable() {
    std::vector<ConfigField> fields;
    for (auto&& section : {dataRows(), trainingRows(), studyRows()})
        for (FieldRow row : section)
            fields.push_back(row.take());
    return fields;
}

/// Why a number is out of the field's range, or null.
const char* rangeProblem(const ConfigField& field, double value) {
    if (!std::isfinite(value))
        return "reason.not-finite";
    if (field.minimum && value < *field.minimum)
        return "reason.too-small";
    if (field.minimum && field.minimumExclusive && value <= *field.minimum)
        return "reason.too-small";
    if (field.minNonzero && value != 0.0 && value < *field.minNonzero)
        return "reason.too-small";
    if (field.maximum && value > *field.maximum)
        return "reason.too-large";
    return nullptr;
}

template <class Number>
const char* listProblem(const ConfigField& field, std::vector<Number> values) {
    if (values.empty() && field.distinct)
        return "reason.list-empty";
    if (values.size() > maxListItems)
        return "reason.list-long";
    for (const Number value : values)
        if (const char* problem = rangeProblem(field, static_cast<double>(value)))
            return problem;
    if (!field.distinct)
        return nullptr;
    std::ranges::sort(values);
    return std::ranges::adjacent_find(values) == values.end() ? nullptr : "reason.number-twice";
}

const char* textsProblem(const std::vector<std::string>& texts) {
    if (texts.size() > maxListItems)
        return "reason.list-long";
    for (const std::string& text : texts)
        if (const char* problem = textProblem(text))
            return problem;
    return nullptr;
}

const char* rampProblem(const ConfigField& field, const BatchRamp& ramp) {
    if (ramp.size() > maxListItems)
        return "reason.list-long";
    std::int64_t before = 0;
    for (const RampPoint& point : ramp) {
        if (point.update <= before)
            return "reason.ramp-updates";
        if (const char* problem = rangeProblem(field, static_cast<double>(point.effective)))
            return problem;
        before = point.update;
    }
    return nullptr;
}

const char* typeProblem(const ConfigField& field, const FieldValue& value) {
    switch (field.type) {
    case FieldType::Boolean:
        return std::holds_alternative<bool>(value) ? nullptr : "reason.not-boolean";
    case FieldType::Integer:
        return std::holds_alternative<std::int64_t>(value) ? nullptr : "reason.not-integer";
    case FieldType::Real:
        return std::holds_alternative<double>(value) ? nullptr : "reason.not-number";
    case FieldType::Text:
    case FieldType::Path:
    case FieldType::Choice:
        return std::holds_alternative<std::string>(value) ? nullptr : "reason.not-text";
    case FieldType::Extent:
        return std::holds_alternative<Extent>(value) ? nullptr : "reason.not-extent";
    case FieldType::IntegerList:
        return std::holds_alternative<std::vector<std::int64_t>>(value) ? nullptr : "reason.not-integers";
    case FieldType::RealList:
        return std::holds_alternative<std::vector<double>>(value) ? nullptr : "reason.not-numbers";
    case FieldType::TextList:
        return std::holds_alternative<std::vector<std::string>>(value) ? nullptr : "reason.not-texts";
    case FieldType::Ramp:
        return std::holds_alternative<BatchRamp>(value) ? nullptr : "reason.not-ramp";
    }
    return nullptr;
}

const char* contentProblem(const ConfigField& field, const FieldValue& value) {
    switch (field.type) {
    case FieldType::Boolean:
        return nullptr;
    case FieldType::Integer:
        return rangeProblem(field, static_cast<double>(std::get<std::int64_t>(value)));
    case FieldType::Real:
        return rangeProblem(field, std::get<double>(value));
    case FieldType::Text:
    case FieldType::Path:
        return textProblem(std::get<std::string>(value));
    case FieldType::Choice:
        return std::ranges::find(field.choices, std::get<std::string>(value)) != field.choices.end()
                   ? nullptr
                   : "reason.not-choice";
    case FieldType::Extent:
        return rangeProblem(field, static_cast<double>(std::get<Extent>(value).count));
    case FieldType::IntegerList:
        return listProblem(field, std::get<std::vector<std::int64_t>>(value));
    case FieldType::RealList:
        return listProblem(field, std::get<std::vector<double>>(value));
    case FieldType::TextList:
        return textsProblem(std::get<std::vector<std::string>>(value));
    case FieldType::Ramp:
        return rampProblem(field, std::get<BatchRamp>(value));
    }
    return nullptr;
}

/// `kind` keeps the two hashes of one configuration apart.
std::string hashWithSeed(std::string_view kind, const RunConfig& config, std::int64_t seed) {
    return Hasher().add(kind).add(" ").add(hashedRunConfigJson(config)).add(" seed ").add(std::to_string(seed)).hex();
}

} // namespace

const std::vector<ConfigField>& configFields() {
    static const std::vector<ConfigField> fields = buildTable();
    return fields;
}

const ConfigField* findField(std::string_view key) {
    static const auto rows = [] {
        std::unordered_map<std::string_view, const ConfigField*> map;
        for (const ConfigField& field : configFields())
            map.emplace(field.key, &field);
        return map;
    }();
    const auto found = rows.find(key);
    return found == rows.end() ? nullptr : found->second;
}

std::string nearestKey(std::string_view key) {
    key = key.substr(0, 64); // no key is nearly as long, and the time grows with the length
    const auto distance = [key](const ConfigField& field) {
        const std::string_view known = field.key;
        if (key.find('.') == std::string_view::npos) // "lr" means "optimizer.lr"
            return editDistance(key, known.substr(known.find('.') + 1));
        return editDistance(key, known);
    };
    return std::ranges::min_element(configFields(), {}, distance)->key;
}

Status checkFieldValue(const ConfigField& field, const FieldValue& value) {
    if (const auto* choice = std::get_if<std::string>(&value); choice && field.type == FieldType::Choice)
        if (auto refusal = refusalOf(field.key, *choice))
            return failure(std::move(*refusal));
    const char* problem = typeProblem(field, value);
    if (!problem)
        problem = contentProblem(field, value);
    if (problem)
        return failure(valueError(field, excerpt(fieldText(value)), problem));
    return {};
}

Status setField(ExperimentConfig& config, std::string_view key, const FieldValue& value) {
    const ConfigField* field = findField(key);
    if (!field)
        return failure(unknownKeyError(key));
    ACCUMULUS_TRY(checkFieldValue(*field, value));
    if (const double* real = std::get_if<double>(&value); real && *real == 0.0)
        field->set(config, 0.0); // -0.0 would be another text and another hash
    else
        field->set(config, value);
    return {};
}

std::vector<FieldDifference> configDifferences(const RunConfig& a, const RunConfig& b) {
    const ExperimentConfig left{a, {}};
    const ExperimentConfig right{b, {}};
    std::vector<FieldDifference> differences;
    for (const ConfigField& field : configFields()) {
        const FieldValue leftValue = field.get(left);
        const FieldValue rightValue = field.get(right);
        if (leftValue != rightValue && (field.applies(left) || field.applies(right)))
            differences.push_back({field.key, fieldText(leftValue), fieldText(rightValue), !field.inPairHash});
    }
    return differences;
}

std::vector<Message> idleSettings(const ExperimentConfig& config) {
    const ExperimentConfig standard;
    std::vector<Message> notes;
    for (const ConfigField& field : configFields()) {
        const FieldValue value = field.get(config);
        if (field.applies(config) || value == field.get(standard))
            continue;
        std::string others;
        for (const std::string& key : field.dependsOn)
            others += (others.empty() ? "" : ", ") + key + " = " + fieldText(findField(key)->get(config));
        notes.push_back({"note.no-effect", {{"setting", field.key + " = " + fieldText(value)}, {"others", others}}});
    }
    return notes;
}

std::string configHash(const RunConfig& config, std::int64_t seed) { return hashWithSeed("run", config, seed); }

std::string pairHash(const RunConfig& config, std::int64_t seed) {
    ExperimentConfig common{config, {}};
    // An effective batch of 0 is derived from settings that are left out here: B itself must stay in.
    if (const auto plan = resolveBatch(config.batch))
        common.run.batch.effective = plan->effective;
    const std::int64_t dropMultiple = config.data.dropMultiple > 0 ? config.data.dropMultiple : config.batch.micro;
    const ExperimentConfig defaults;
    for (const ConfigField& field : configFields())
        if (!field.inPairHash)
            field.set(common, field.get(defaults));
    // Free in a pair, but both arms must leave out the same samples.
    if (config.data.dropLast)
        common.run.data.dropMultiple = dropMultiple;
    return hashWithSeed("pair", common.run, seed);
}

} // namespace accumulus

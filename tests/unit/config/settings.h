// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations for tests of the field table.
#pragma once

#include "core/config/config_fields.h"

namespace accumulus::test {

/// A valid value that differs from the one given.
inline FieldValue anotherValue(const ConfigField& field, const FieldValue& value) {
    switch (field.type) {
    case FieldType::Boolean:
        return !std::get<bool>(value);
    case FieldType::Integer:
        return std::get<std::int64_t>(value) + static_cast<std::int64_t>(field.minNonzero.value_or(1.0));
    case FieldType::Real: // 1/3 has no short decimal form: only an exact writer brings it back
        return std::get<double>(value) == 1.0 / 3.0 ? 0.5 : 1.0 / 3.0;
    case FieldType::Text:
    case FieldType::Path:
        return std::string("it's a \"b\" \\ # = $(c) \xC3\xBC \xE9\x9B\xAA");
    case FieldType::Choice:
        return field.choices.front() == std::get<std::string>(value) ? field.choices.back() : field.choices.front();
    case FieldType::Extent: {
        const Extent extent = std::get<Extent>(value);
        return Extent{extent.count + 7,
                      extent.unit == Extent::Unit::Samples ? Extent::Unit::Epochs : Extent::Unit::Samples};
    }
    case FieldType::IntegerList:
        return std::vector<std::int64_t>{3, 1, static_cast<std::int64_t>(std::min(4294967295.0, *field.maximum))};
    case FieldType::RealList:
        return std::vector<double>{0.25, 1.5};
    case FieldType::TextList:
        return std::vector<std::string>{"conv1.*", "layer1.*"};
    case FieldType::Ramp:
        return BatchRamp{{1, 64}, {7, 96}, {500, 32}};
    }
    return {};
}

/// Every setting another than its default.
inline ExperimentConfig everythingChanged() {
    const ExperimentConfig defaults;
    ExperimentConfig config;
    for (const ConfigField& field : configFields())
        field.set(config, anotherValue(field, field.get(defaults)));
    return config;
}

} // namespace accumulus::test

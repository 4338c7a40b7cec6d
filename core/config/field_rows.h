// SPDX-License-Identifier: GPL-3.0-or-later
// How a row of the field table is written: the member decides the type, the rest is said in words. Internal to
// core/config.
#pragma once

#include "core/config/config_fields.h"
#include "core/config/model_rows.h"

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

namespace accumulus {

/// Builds one ConfigField from a member pointer. Each modifier returns the row, so a row reads as a sentence.
class FieldRow {
public:
    template <class Section, class T>
    FieldRow(std::string key, Section RunConfig::*section, T Section::*member) {
        bind<T>(
            std::move(key), [=](auto& config) -> auto& { return config.run.*section.*member; });
    }
    template <class T>
    FieldRow(std::string key, T StudyConfig::*member) {
        bind<T>(
            std::move(key), [=](auto& config) -> auto& { return config.study.*member; });
    }

    FieldRow& unit(std::string name) { return m_field.unit = std::move(name), *this; }
    FieldRow& atLeast(double minimum) { return m_field.minimum = minimum, *this; }
    FieldRow& above(double minimum) { return m_field.minimumExclusive = true, atLeast(minimum); }
    FieldRow& atMost(double maximum) { return m_field.maximum = maximum, *this; }
    FieldRow& zeroOrAtLeast(double least) { return m_field.minNonzero = least, atLeast(0); }
    FieldRow& choices(std::vector<std::string> names) {
        m_field.type = FieldType::Choice;
        m_field.choices = std::move(names);
        return *this;
    }
    FieldRow& distinct() { return m_field.distinct = true, *this; }
    FieldRow& path() { return m_field.type = FieldType::Path, *this; }
    /// What may differ between the two arms of a pair.
    FieldRow& freeInPair() { return m_field.inPairHash = false, *this; }
    FieldRow& help(std::string line) { return m_field.help = std::move(line), *this; }
    FieldRow& help(std::string line, std::string paragraph) {
        m_field.help = std::move(line);
        m_field.details = std::move(paragraph);
        return *this;
    }
    /// The setting matters only where `applies(run)` holds, which depends on the settings named.
    FieldRow& onlyIf(std::vector<std::string> keys, std::function<bool(const RunConfig&)> applies) {
        m_field.dependsOn = std::move(keys);
        m_field.applies = [applies = std::move(applies)](const ExperimentConfig& config) {
            return applies(config.run);
        };
        return *this;
    }
    /// The setting matters where the table of models, or of data sets, says so of the one that is chosen.
    FieldRow& ofModel() {
        return onlyIf({"model.name"}, [key = m_field.key](const RunConfig& run) { return hasSetting(run.model, key); });
    }
    FieldRow& ofDataset() {
        return onlyIf({"data.dataset"},
                      [key = m_field.key](const RunConfig& run) { return hasSetting(run.data, key); });
    }
    /// One choice for each row of such a table, explained in the help before `paragraph`; help() then gives the line
    /// alone.
    template <class Rows>
    FieldRow& choicesOf(const Rows& rows, std::string paragraph) {
        std::vector<std::string> names;
        std::string explained;
        for (const auto& row : rows) {
            names.emplace_back(row.name);
            explained.append(row.name).append(": ").append(row.description).append(". ");
        }
        m_field.details = explained + paragraph;
        return choices(std::move(names));
    }
    /// onlyIf for a setting of the study.
    FieldRow& onlyInStudyIf(std::vector<std::string> keys, std::function<bool(const ExperimentConfig&)> applies) {
        m_field.dependsOn = std::move(keys);
        m_field.applies = std::move(applies);
        return *this;
    }
    [[nodiscard]] ConfigField take() { return std::move(m_field); }

private:
    template <class T, class Access>
    void bind(std::string key, Access access) {
        m_field.key = std::move(key);
        m_field.type = typeOf<T>();
        m_field.applies = [](const ExperimentConfig&) { return true; };
        if constexpr (std::is_enum_v<T>) {
            // The enumerators stand in the order of the choices, which only the table knows: through the row's own
            // list.
            m_field.get = [access, name = m_field.key](const ExperimentConfig& config) -> FieldValue {
                return findField(name)->choices.at(static_cast<std::size_t>(access(config)));
            };
            m_field.set = [access, name = m_field.key](ExperimentConfig& config, const FieldValue& value) {
                const auto& names = findField(name)->choices;
                for (std::size_t i = 0; i < names.size(); ++i)
                    if (names[i] == std::get<std::string>(value))
                        access(config) = static_cast<T>(i);
            };
        } else {
            m_field.get = [access](const ExperimentConfig& config) -> FieldValue { return access(config); };
            m_field.set = [access](ExperimentConfig& config, const FieldValue& value) {
                access(config) = std::get<T>(value);
            };
        }
    }
    template <class T>
    static constexpr FieldType typeOf() {
        if constexpr (std::is_enum_v<T>)
            return FieldType::Choice;
        else if constexpr (std::same_as<T, bool>)
            return FieldType::Boolean;
        else if constexpr (std::same_as<T, std::int64_t>)
            return FieldType::Integer;
        else if constexpr (std::same_as<T, double>)
            return FieldType::Real;
        else if constexpr (std::same_as<T, Extent>)
            return FieldType::Extent;
        else if constexpr (std::same_as<T, std::vector<std::int64_t>>)
            return FieldType::IntegerList;
        else if constexpr (std::same_as<T, std::vector<double>>)
            return FieldType::RealList;
        else if constexpr (std::same_as<T, std::vector<std::string>>)
            return FieldType::TextList;
        else if constexpr (std::same_as<T, BatchRamp>)
            return FieldType::Ramp;
        else
            return FieldType::Text;
    }

    ConfigField m_field{};
};

/// Upper limits keep every product of batch arithmetic far inside 64 bits.
inline constexpr double largestCount = 1e9;
inline constexpr double largestExtent = 1e12;

// The sections of the table, in the order of the reference page.
[[nodiscard]] std::vector<FieldRow> dataRows();
[[nodiscard]] std::vector<FieldRow> trainingRows();
[[nodiscard]] std::vector<FieldRow> studyRows();

} // namespace accumulus

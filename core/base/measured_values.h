// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of what a window, an evaluation, and one rank in a window, measures. The library's INSERT and SELECT, the
// CSV, the JSON of `export` and of `run --json`, and the columns that `export --help` explains all come from it. Adding
// a value is adding a member in training_records.h, a row in measured_values.cpp and a migration; a test compares the
// rows with the columns of the newest schema.
#pragma once

#include "core/base/training_records.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace accumulus {

/// One value as it is exported; monostate where there is none.
using ExportedValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

template <class Record>
struct MeasuredValue {
    using Member = std::variant<bool Record::*, std::int64_t Record::*, std::optional<std::int64_t> Record::*,
                                double Record::*, std::optional<double> Record::*, std::string Record::*>;

    std::string_view name;   ///< in exports and events; stays as it is once released
    std::string_view column; ///< in the library's table
    Member member;
    std::string_view unit;        ///< "samples", "s"; empty where it has none
    std::string_view description; ///< one line, for people
    std::int64_t countedFrom = 0; ///< added in exports, where epochs count from 1; the library counts from 0
    /// What null means in a column of reals: a value that was not finite, or (for a column that earlier versions did
    /// not have) one that was not measured.
    double whenNull = std::numeric_limits<double>::quiet_NaN();
    bool isCount = false; ///< of a double: whole as a rule, and then written without a point

    [[nodiscard]] std::string_view sqlType() const; ///< INTEGER, REAL or TEXT
    [[nodiscard]] ExportedValue exported(const Record& record) const;
};

using WindowValue = MeasuredValue<WindowRecord>;
using EvaluationValue = MeasuredValue<EvaluationRecord>;
using RankValue = MeasuredValue<RankTimes>;

/// In the order of exports.
[[nodiscard]] std::span<const WindowValue> windowValues();
[[nodiscard]] std::span<const EvaluationValue> evaluationValues();
[[nodiscard]] std::span<const RankValue> rankValues();

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the filter line share: its keys, a comparison of one with a value, the tree of a query. Internal to
// run_filter*.cpp.
#pragma once

#include "widgets/models/run_filter.h"

#include <array>
#include <vector>

namespace accumulus::ui::run_filter {

enum class Operator { Contains, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

/// What a key looks at.
enum class Subject { Column, Tag, Has, Id, Note, Loss, Accuracy };

struct Key {
    const char* name;
    Subject subject;
    RunColumn column;
};

/// Null when there is no such key.
[[nodiscard]] const Key* findKey(const QString& name);

inline constexpr std::array hasWords{"checkpoint", "tag", "note", "error", "accuracy"};

struct Comparison {
    Subject subject = Subject::Column;
    RunColumn column = RunColumn::Name;
    Operator how = Operator::Contains;
    QString text; ///< lower case
    double number = 0.0;
    double dayEnd = 0.0; ///< of a date: the first second of the next day
};

[[nodiscard]] bool matches(const Comparison& wanted, const RunRow& row);

} // namespace accumulus::ui::run_filter

namespace accumulus::ui {

struct RunQuery::Node {
    enum class Kind { All, Any, Not, FreeText, Compare } kind = Kind::All;
    std::vector<std::shared_ptr<const Node>> children;
    QString text;
    run_filter::Comparison comparison;

    [[nodiscard]] bool matches(const RunRow& row) const;
};

} // namespace accumulus::ui

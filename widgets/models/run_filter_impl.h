// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the filter line share: its keys, a comparison of one with a value, numbers as the table shows them,
// the tree of a query. Internal to run_filter*.cpp.
#pragma once

#include "widgets/models/run_filter.h"

#include <array>
#include <optional>
#include <vector>

namespace accumulus::ui::run_filter {

enum class Operator { Contains, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

/// What a key looks at.
enum class Subject { Column, Tag, Has, Id, Note, Accuracy };

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
    bool inPerCent = false; ///< typed with its sign
    double dayEnd = 0.0;    ///< of a date: the first second of the next day
};

/// ":" for "：": as a Chinese keyboard types the signs of the filter line. Any other character is itself.
[[nodiscard]] QChar asciiSign(QChar character);
[[nodiscard]] bool isOperatorSign(QChar character); ///< of an operator: : = < > !, wide ones, too
/// Where the quotation ends that begins at `open`; negative: nowhere.
[[nodiscard]] qsizetype endOfQuotation(const QString& text, qsizetype open);

[[nodiscard]] bool matches(const Comparison& wanted, const RunRow& row);

/// Which units a number may have; %, k and M stand behind any.
enum class Measure { Plain, Share, Bytes, Time };
[[nodiscard]] Measure measureOf(Subject subject, RunColumn column);
/// "10.300": ten thousand where the table writes it so.
[[nodiscard]] bool mayPartThousands(const QString& number);
[[nodiscard]] std::optional<double> numberFrom(const QString& typed, Measure measure);
[[nodiscard]] bool isShare(RunColumn column, const RunConfig& run); ///< the table shows it in per cent
/// The number that the table shows in place of a value.
[[nodiscard]] double asShown(RunColumn column, double value, bool isPerCent);

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

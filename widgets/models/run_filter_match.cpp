// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the filter line that looks at runs.
#include "widgets/models/run_filter_impl.h"

#include <algorithm>
#include <cmath>

namespace accumulus::ui {
namespace run_filter {
namespace {

bool compareNumbers(Operator how, double value, double wanted) {
    if (std::isnan(value))
        return false;
    // A typed 0.001 or 98 % need not be the same double as the stored one.
    const bool equal = std::abs(value - wanted) <= 1e-9 * std::max(std::abs(value), std::abs(wanted));
    switch (how) {
    case Operator::Contains:
    case Operator::Equal:
        return equal;
    case Operator::NotEqual:
        return !equal;
    case Operator::Less:
        return value < wanted && !equal;
    case Operator::LessEqual:
        return value < wanted || equal;
    case Operator::Greater:
        return value > wanted && !equal;
    case Operator::GreaterEqual:
        return value > wanted || equal;
    }
    return false;
}

bool compareTexts(Operator how, const QString& value, const QString& wanted) {
    switch (how) {
    case Operator::Contains:
        return value.contains(wanted);
    case Operator::Equal:
        return value == wanted;
    case Operator::NotEqual:
        return value != wanted;
    case Operator::Less:
        return value < wanted;
    case Operator::LessEqual:
        return value <= wanted;
    case Operator::Greater:
        return value > wanted;
    case Operator::GreaterEqual:
        return value >= wanted;
    }
    return false;
}

/// The number as the table shows it: per cent with two decimals, other measurements with four digits.
double asShown(double value, bool isShare) {
    if (!std::isfinite(value) || value == 0.0)
        return value;
    const double unit = isShare ? 1e-4 : std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3.0);
    return std::round(value / unit) * unit;
}

/// What stands in the table is found as well as what the library calls it.
bool compareShown(Operator how, const QString& value, const QString& shown, const QString& wanted) {
    if (how == Operator::NotEqual)
        return value != wanted && shown != wanted;
    return compareTexts(how, value, wanted) || (!shown.isEmpty() && compareTexts(how, shown, wanted));
}

bool matchesDate(const Comparison& wanted, double value) {
    switch (wanted.how) {
    case Operator::Contains:
    case Operator::Equal:
        return value >= wanted.number && value < wanted.dayEnd;
    case Operator::NotEqual:
        return value < wanted.number || value >= wanted.dayEnd;
    case Operator::Less:
        return value < wanted.number;
    case Operator::LessEqual:
        return value < wanted.dayEnd;
    case Operator::Greater:
        return value >= wanted.dayEnd;
    case Operator::GreaterEqual:
        return value >= wanted.number;
    }
    return false;
}

bool matchesHas(const QString& what, const RunRecord& run) {
    if (what == QLatin1String("checkpoint"))
        return !run.summary.checkpoint.empty();
    if (what == QLatin1String("tag"))
        return !run.tags.empty();
    if (what == QLatin1String("note"))
        return !run.notes.empty();
    if (what == QLatin1String("error"))
        return !run.error.empty();
    return run.summary.testAccuracy.has_value();
}

} // namespace

bool matches(const Comparison& wanted, const RunRow& row) {
    const bool asked = wanted.how != Operator::NotEqual;
    switch (wanted.subject) {
    case Subject::Tag: // a tag is a word of its own: tag:tmp does not mean "tmp-old"
        return row.tags.contains(wanted.text) == asked;
    case Subject::Has:
        return matchesHas(wanted.text, row.record) == asked;
    case Subject::Id:
        return row.id.startsWith(wanted.text) == asked;
    case Subject::Note:
        return compareTexts(wanted.how, QString::fromStdString(row.record.notes).toLower(), wanted.text);
    case Subject::Loss:
        return compareNumbers(wanted.how, asShown(row.record.summary.testLoss.value_or(std::nan("")), false),
                              wanted.number);
    case Subject::Accuracy:
        return compareNumbers(wanted.how, asShown(row.record.summary.testAccuracy.value_or(std::nan("")), true),
                              wanted.number);
    case Subject::Column:
        break;
    }
    const std::size_t column = indexOf(wanted.column);
    if (wanted.column == RunColumn::Date)
        return matchesDate(wanted, row.numbers[column]);
    if (isShare(wanted.column))
        return compareNumbers(wanted.how, asShown(row.numbers[column], true), wanted.number);
    if (isNumeric(wanted.column))
        return compareNumbers(wanted.how, row.numbers[column], wanted.number);
    return compareShown(wanted.how, row.texts[column], row.shown[column], wanted.text);
}

} // namespace run_filter

bool RunQuery::Node::matches(const RunRow& row) const {
    const auto childMatches = [&](const auto& child) { return child->matches(row); };
    switch (kind) {
    case Kind::All:
        return std::ranges::all_of(children, childMatches);
    case Kind::Any:
        return std::ranges::any_of(children, childMatches);
    case Kind::Not:
        return !children.front()->matches(row);
    case Kind::FreeText:
        return row.haystack.contains(text);
    case Kind::Compare:
        return run_filter::matches(comparison, row);
    }
    return false;
}

bool RunQuery::matches(const RunRow& row) const { return !m_root || m_root->matches(row); }

} // namespace accumulus::ui

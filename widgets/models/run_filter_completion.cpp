// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_filter_completion.h"

#include "widgets/models/run_filter_impl.h"
#include "widgets/style/format.h"

#include <QDateTime>
#include <QHash>
#include <algorithm>
#include <cmath>
#include <utility>

namespace accumulus::ui {
namespace {

using namespace run_filter;

constexpr qsizetype mostWords = 12;

/// Where the word before the cursor begins; a quotation that is open belongs to it.
int wordStart(const QString& text, int cursor) {
    int start = 0;
    for (int at = 0; at < cursor; ++at) {
        const QChar sign = asciiSign(text[at]);
        if (sign == QLatin1Char('"')) {
            const auto end = static_cast<int>(endOfQuotation(text, at));
            at = end < 0 ? cursor : end;
        } else if (sign.isSpace() || sign == QLatin1Char('(') || sign == QLatin1Char(')')) {
            start = at + 1;
        }
    }
    return start;
}

QStringList keyWords() {
    QStringList words;
    for (const QString& key : runQueryKeys()) {
        const auto column = runQueryColumn(key);
        const bool number = key == QLatin1String("accuracy") || (column && isNumeric(*column));
        words << key + (number ? QStringLiteral(">=") : QStringLiteral(":"));
    }
    return words;
}

QStringList beginningWith(const QString& start, const QStringList& words) {
    QStringList found;
    for (const QString& word : words)
        if (word.startsWith(start, Qt::CaseInsensitive) && found.size() < mostWords)
            found << word;
    return found.size() == 1 && found.front().compare(start, Qt::CaseInsensitive) == 0 ? QStringList() : found;
}

QStringList valuesOf(const QString& key, const std::vector<RunRow>& rows) {
    if (key.compare(QLatin1String("has"), Qt::CaseInsensitive) == 0)
        return runQueryHasWords();
    const auto column = runQueryColumn(key);
    return column ? queryValues(*column, rows, 200) : QStringList();
}

} // namespace

QueryCompletion completeQuery(const QString& text, int cursor, const std::vector<RunRow>& rows) {
    const int start = wordStart(text, cursor);
    const QString word = text.mid(start, cursor - start);
    if (word.isEmpty())
        return {cursor, {}};
    const auto sign = std::ranges::find_if(word, isOperatorSign);
    if (sign == word.end())
        return {start, beginningWith(word, keyWords())};
    const auto from = std::find_if_not(sign, word.end(), isOperatorSign);
    const QString key = word.left(sign - word.begin());
    QString comparison = word.mid(key.size(), from - sign);
    std::ranges::transform(comparison, comparison.begin(), asciiSign);
    if (comparison.startsWith(QLatin1Char('<')) || comparison.startsWith(QLatin1Char('>')))
        return {start, {}};
    QString typed = word.mid(key.size() + comparison.size());
    if (!typed.isEmpty() && asciiSign(typed[0]) == QLatin1Char('"'))
        typed.remove(0, 1);
    typed.remove(QLatin1Char('"'));
    QStringList terms;
    for (const QString& value : beginningWith(typed, valuesOf(key, rows)))
        terms << queryTerm(key, comparison, value);
    return {start, terms};
}

QStringList queryValues(RunColumn column, const std::vector<RunRow>& rows, qsizetype most) {
    if (isNumeric(column) || column == RunColumn::Note)
        return {};
    QHash<QString, int> counts;
    for (const RunRow& row : rows) {
        if (column == RunColumn::Tags)
            for (const QString& tag : row.tags)
                ++counts[tag];
        else if (const QString& text = row.texts[indexOf(column)]; !text.isEmpty())
            ++counts[text];
    }
    std::vector<std::pair<int, QString>> sorted;
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        sorted.emplace_back(-count.value(), count.key());
    std::ranges::sort(sorted);
    QStringList values;
    for (const auto& [count, value] : sorted)
        if (values.size() < most)
            values << value;
    return values;
}

QString queryTerm(const QString& key, const QString& comparison, const QString& value) {
    const bool plain = std::ranges::none_of(value, [](QChar character) {
        return character.isSpace() || isOperatorSign(character) ||
               QStringLiteral("()\"").contains(asciiSign(character));
    });
    QString quoted = value;
    quoted.remove(QLatin1Char('"')); // the filter has no sign for it
    return key + comparison + (plain && !value.isEmpty() ? value : QLatin1Char('"') + quoted + QLatin1Char('"'));
}

QString queryNumber(RunColumn column, double number, const RunConfig& run) {
    using namespace run_filter;
    if (column == RunColumn::Date)
        return QDateTime::fromMSecsSinceEpoch(std::llround(1000.0 * number)).date().toString(Qt::ISODate);
    const double shown = asShown(column, number, isShare(column, run));
    const auto inUnit = [shown](double unit, const char* name) {
        const QString digits = QString::number(shown / unit, 'g', 12);
        return digits + QLatin1String(mayPartThousands(digits) ? "0" : "") + QLatin1String(name);
    };
    // What is kept must be read in any language.
    switch (measureOf(Subject::Column, column)) {
    case Measure::Bytes:
        return shown < 1e6 ? inUnit(1e3, "kB") : shown < 1e9 ? inUnit(1e6, "MB") : inUnit(1e9, "GB");
    case Measure::Time:
        return inUnit(1.0, "s");
    default:
        return inUnit(1.0, "");
    }
}

} // namespace accumulus::ui

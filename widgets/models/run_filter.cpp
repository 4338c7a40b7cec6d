// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_filter.h"

#include "widgets/models/run_filter_impl.h"

#include <algorithm>
#include <iterator>

namespace accumulus::ui {

using namespace run_filter;

namespace {

// The first name of each column is the one that help shows.
constexpr Key keys[] = {
    {"status", Subject::Column, RunColumn::Status},
    {"state", Subject::Column, RunColumn::Status},
    {"name", Subject::Column, RunColumn::Name},
    {"arm", Subject::Column, RunColumn::Arm},
    {"model", Subject::Column, RunColumn::Model},
    {"data", Subject::Column, RunColumn::Data},
    {"m", Subject::Column, RunColumn::Micro},
    {"micro", Subject::Column, RunColumn::Micro},
    {"k", Subject::Column, RunColumn::Steps},
    {"b", Subject::Column, RunColumn::Batch},
    {"effective", Subject::Column, RunColumn::Batch},
    {"optimizer", Subject::Column, RunColumn::Optimizer},
    {"lr", Subject::Column, RunColumn::Lr},
    {"audit", Subject::Column, RunColumn::Audit},
    {"verdict", Subject::Column, RunColumn::Verdict},
    {"precision", Subject::Column, RunColumn::Precision},
    {"seed", Subject::Column, RunColumn::Seed},
    {"samples", Subject::Column, RunColumn::Samples},
    {"updates", Subject::Column, RunColumn::Updates},
    {"metric", Subject::Column, RunColumn::FinalMetric},
    {"accuracy", Subject::Accuracy, RunColumn::Status},
    {"best", Subject::Column, RunColumn::BestAccuracy},
    {"lowest", Subject::Column, RunColumn::LowestLoss},
    {"valaccuracy", Subject::Column, RunColumn::Validation},
    {"valbest", Subject::Column, RunColumn::BestValidation},
    {"valloss", Subject::Column, RunColumn::ValidationLoss},
    {"memory", Subject::Column, RunColumn::PeakMemory},
    {"evalmemory", Subject::Column, RunColumn::EvaluationPeak},
    {"size", Subject::Column, RunColumn::CheckpointSize},
    {"speed", Subject::Column, RunColumn::SamplesPerSecond},
    {"seconds", Subject::Column, RunColumn::ActiveTime},
    {"date", Subject::Column, RunColumn::Date},
    {"loss", Subject::Column, RunColumn::Loss},
    {"tag", Subject::Tag, RunColumn::Tags},
    {"id", Subject::Id, RunColumn::Name},
    {"note", Subject::Note, RunColumn::Note},
    {"days", Subject::Column, RunColumn::DaysLeft},
    {"has", Subject::Has, RunColumn::Name},
};

} // namespace

const Key* run_filter::findKey(const QString& name) {
    const auto found = std::ranges::find_if(
        keys, [&](const Key& key) { return name.compare(QLatin1String(key.name), Qt::CaseInsensitive) == 0; });
    return found == std::end(keys) ? nullptr : &*found;
}

QChar run_filter::asciiSign(QChar character) {
    constexpr QStringView wide = u"（）：＝＜＞！“”";
    constexpr QStringView ascii = u"():=<>!\"\"";
    const qsizetype sign = wide.indexOf(character);
    return sign < 0 ? character : ascii[sign];
}

bool run_filter::isOperatorSign(QChar character) { return QStringView(u":=<>!").contains(asciiSign(character)); }

qsizetype run_filter::endOfQuotation(const QString& text, qsizetype open) {
    const bool ascii = text[open] == QLatin1Char('"'); // within these, wide ones are letters
    for (qsizetype at = open + 1; at < text.size(); ++at)
        if (text[at] == QLatin1Char('"') || (!ascii && asciiSign(text[at]) == QLatin1Char('"')))
            return at;
    return -1;
}

std::optional<RunColumn> runQueryColumn(const QString& name) {
    const Key* key = findKey(name);
    const bool hasColumn =
        key && (key->subject == Subject::Column || key->subject == Subject::Tag || key->subject == Subject::Note);
    return hasColumn ? std::optional(key->column) : std::nullopt;
}

QString runQueryKey(RunColumn column) {
    for (const QString& key : runQueryKeys())
        if (runQueryColumn(key) == column)
            return key;
    return {};
}

QStringList runQueryHasWords() {
    QStringList words;
    for (const char* word : hasWords)
        words << QLatin1String(word);
    return words;
}

QStringList runQueryKeys() {
    QStringList names;
    for (const Key& key : keys)
        names << QLatin1String(key.name);
    names.removeAll(QStringLiteral("state"));
    names.removeAll(QStringLiteral("micro"));
    names.removeAll(QStringLiteral("effective"));
    return names;
}

} // namespace accumulus::ui

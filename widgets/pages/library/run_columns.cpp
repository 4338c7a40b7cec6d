// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_columns.h"

#include <QBitArray>
#include <QDataStream>
#include <QHeaderView>
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace accumulus::ui {
namespace {

struct FirstColumn {
    RunColumn column;
    const char* name;
    bool hidden = false;
};
/// From left to right. The names stand in settings and in views that people have saved: they never change.
constexpr std::array firstColumns{FirstColumn{RunColumn::Name, "name"},
                                  FirstColumn{RunColumn::Status, "status"},
                                  FirstColumn{RunColumn::DaysLeft, "days-left"},
                                  FirstColumn{RunColumn::FinalMetric, "metric"},
                                  FirstColumn{RunColumn::Verdict, "verdict"},
                                  FirstColumn{RunColumn::Arm, "arm"},
                                  FirstColumn{RunColumn::Micro, "m"},
                                  FirstColumn{RunColumn::Steps, "k"},
                                  FirstColumn{RunColumn::Batch, "b"},
                                  FirstColumn{RunColumn::Audit, "audit"},
                                  FirstColumn{RunColumn::Model, "model"},
                                  FirstColumn{RunColumn::Data, "data"},
                                  FirstColumn{RunColumn::Optimizer, "optimizer"},
                                  FirstColumn{RunColumn::Lr, "lr"},
                                  FirstColumn{RunColumn::Precision, "precision"},
                                  FirstColumn{RunColumn::Seed, "seed"},
                                  FirstColumn{RunColumn::Samples, "samples"},
                                  FirstColumn{RunColumn::Updates, "updates"},
                                  FirstColumn{RunColumn::BestAccuracy, "best"},
                                  FirstColumn{RunColumn::Loss, "loss", true},
                                  FirstColumn{RunColumn::LowestLoss, "lowest"},
                                  FirstColumn{RunColumn::Validation, "validation", true},
                                  FirstColumn{RunColumn::BestValidation, "best-validation", true},
                                  FirstColumn{RunColumn::ValidationLoss, "validation-loss", true},
                                  FirstColumn{RunColumn::SamplesPerSecond, "speed"},
                                  FirstColumn{RunColumn::PeakMemory, "memory"},
                                  FirstColumn{RunColumn::EvaluationPeak, "evaluation-memory", true},
                                  FirstColumn{RunColumn::ActiveTime, "active-time"},
                                  FirstColumn{RunColumn::Date, "date"},
                                  FirstColumn{RunColumn::Tags, "tags"},
                                  FirstColumn{RunColumn::Note, "note"},
                                  FirstColumn{RunColumn::CheckpointSize, "checkpoints"}};
static_assert(firstColumns.size() == runColumnCount);

QLatin1String nameOf(RunColumn column) {
    return QLatin1String(std::ranges::find(firstColumns, column, &FirstColumn::column)->name);
}

std::optional<RunColumn> columnNamed(const QString& name) {
    const auto found =
        std::ranges::find_if(firstColumns, [&](const FirstColumn& one) { return name == QLatin1String(one.name); });
    return found == firstColumns.end() ? std::nullopt : std::optional(found->column);
}

std::optional<RunColumn> columnNumbered(const QString& number) {
    bool isNumber = false;
    const int column = number.toInt(&isNumber);
    return isNumber && column >= 0 && column < static_cast<int>(runColumnCount)
               ? std::optional(static_cast<RunColumn>(column))
               : std::nullopt;
}

/// How many columns there were when a QHeaderView's state was saved, as QHeaderView writes it; 0: it is none.
int columnsOfState(const QByteArray& state) {
    constexpr int marker = 0xff;
    QDataStream in(state);
    in.setVersion(QDataStream::Qt_5_0);
    int begin = 0, version = 0, orientation = 0, sortOrder = 0, sortSection = 0, length = 0, count = 0;
    bool sortShown = false;
    QList<int> visual, logical;
    QBitArray hidden;
    QHash<int, int> sizes;
    in >> begin >> version >> orientation >> sortOrder >> sortSection >> sortShown >> visual >> logical >> hidden >>
        sizes >> length >> count;
    return in.status() == QDataStream::Ok && begin == marker ? count : 0;
}

auto placeOf(ColumnLayout& layout, RunColumn column) {
    return std::ranges::find(layout, column, &PlacedColumn::column);
}

} // namespace

ColumnLayout firstLayout() {
    ColumnLayout layout;
    for (const FirstColumn& first : firstColumns)
        layout.push_back({first.column, 0, first.hidden});
    return layout;
}

bool knows(const ColumnLayout& layout, RunColumn column) {
    return std::ranges::find(layout, column, &PlacedColumn::column) != layout.end();
}

ColumnLayout completed(ColumnLayout layout) {
    std::optional<RunColumn> before; // in the layout by now
    for (const PlacedColumn& first : firstLayout()) {
        if (!knows(layout, first.column))
            layout.insert(before ? std::next(placeOf(layout, *before)) : layout.begin(), first);
        before = first.column;
    }
    return layout;
}

ColumnLayout layoutOf(const QHeaderView& header, const QHash<int, int>& hiddenWidths) {
    ColumnLayout layout;
    for (int place = 0; place < header.count(); ++place) {
        const int section = header.logicalIndex(place);
        const bool hidden = header.isSectionHidden(section);
        layout.push_back({static_cast<RunColumn>(section),
                          hidden ? hiddenWidths.value(section) : header.sectionSize(section), hidden});
    }
    return layout;
}

ColumnLayout layoutFromState(QHeaderView& header, const QByteArray& state) {
    if (!header.restoreState(state))
        return {};
    ColumnLayout layout = layoutOf(header, {});
    if (const int known = columnsOfState(state); known > 0) // restoreState puts the others behind them
        std::erase_if(layout, [known](const PlacedColumn& one) { return static_cast<int>(one.column) >= known; });
    return layout;
}

QStringList layoutTexts(const ColumnLayout& layout) {
    QStringList texts;
    for (const PlacedColumn& placed : layout)
        texts << QStringLiteral("%1%2:%3")
                     .arg(placed.hidden ? QStringLiteral("-") : QString(), nameOf(placed.column))
                     .arg(placed.width);
    return texts;
}

ColumnLayout layoutFrom(const QStringList& texts) {
    ColumnLayout layout;
    for (const QString& text : texts) {
        const bool hidden = text.startsWith(QLatin1Char('-'));
        const auto column = columnNamed(text.section(QLatin1Char(':'), 0, 0).mid(hidden ? 1 : 0));
        if (column && !knows(layout, *column))
            layout.push_back({*column, text.section(QLatin1Char(':'), 1).toInt(), hidden});
    }
    return layout;
}

QString sortText(const std::vector<SortKey>& keys) {
    QStringList parts;
    for (const SortKey& key : keys)
        parts << QLatin1Char(key.order == Qt::AscendingOrder ? '+' : '-') + QString(nameOf(key.column));
    return parts.join(QLatin1Char(' '));
}

std::vector<SortKey> sortKeysFrom(const QString& text) {
    std::vector<SortKey> keys;
    for (const QString& part : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QString name = part.mid(1);
        const auto named = columnNamed(name);
        if (const auto column = named ? named : columnNumbered(name))
            keys.push_back({*column, part.startsWith(QLatin1Char('+')) ? Qt::AscendingOrder : Qt::DescendingOrder});
    }
    return keys;
}

} // namespace accumulus::ui

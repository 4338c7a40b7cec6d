// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_copy.h"

#include "widgets/models/run_cells.h"

#include <QDateTime>
#include <cmath>

namespace accumulus::ui {
namespace {

QString numberText(double value, RunColumn column) {
    if (std::isnan(value))
        return {};
    if (column == RunColumn::Date)
        return QDateTime::fromMSecsSinceEpoch(std::llround(1000.0 * value)).toString(Qt::ISODate);
    return QString::number(value, 'g', 12);
}

QString oneLine(QString text) {
    for (QChar& character : text)
        if (character == QLatin1Char('\t') || character == QLatin1Char('\n') || character == QLatin1Char('\r'))
            character = QLatin1Char(' ');
    return text;
}

template <class Cell>
QStringList lineOf(const QList<RunColumn>& columns, Cell cell) {
    QStringList line;
    for (const RunColumn column : columns)
        line << cell(column);
    return line;
}

} // namespace

QString rowsAsTsv(const RunListModel& model, const QList<int>& rows, const QList<RunColumn>& columns) {
    QString text = lineOf(columns, run_cells::title).join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const int row : rows)
        text += lineOf(columns,
                       [&](RunColumn column) {
                           return isNumeric(column)
                                      ? numberText(model.number(row, column), column)
                                      : oneLine(model.index(row, static_cast<int>(column)).data().toString());
                       })
                    .join(QLatin1Char('\t')) +
                QLatin1Char('\n');
    return text;
}

QString rowsAsMarkdown(const RunListModel& model, const QList<int>& rows, const QList<RunColumn>& columns) {
    const auto line = [](const QStringList& cells) {
        return QStringLiteral("| %1 |\n").arg(cells.join(QStringLiteral(" | ")));
    };
    QString text = line(lineOf(columns, run_cells::title));
    text += line(lineOf(columns, [](RunColumn column) {
        return run_cells::alignment(column).testFlag(Qt::AlignRight) ? QStringLiteral("---:") : QStringLiteral("---");
    }));
    for (const int row : rows)
        text += line(lineOf(columns, [&](RunColumn column) {
            const QModelIndex index = model.index(row, static_cast<int>(column));
            const QString difference = index.data(RunListModel::DifferenceRole).toString();
            QString cell = oneLine(index.data().toString()).replace(QLatin1Char('|'), QStringLiteral("\\|"));
            return difference.isEmpty() ? cell : QStringLiteral("%1 (%2)").arg(cell, difference);
        }));
    return text;
}

} // namespace accumulus::ui

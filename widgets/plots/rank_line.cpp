// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/rank_line.h"

#include "widgets/style/format.h"
#include "widgets/style/workbench_style.h"

#include <QLocale>

namespace accumulus::ui {

namespace {

/// "12.3 ms · 41 %" of one window.
QString timeCell(double seconds, const RankTotals& totals) {
    const double mean = 1000.0 * seconds / static_cast<double>(totals.windows);
    const double share = totals.seconds > 0.0 ? 100.0 * seconds / totals.seconds : 0.0;
    return RankLine::tr("%1 ms  ·  %2 %")
        .arg(QLocale().toString(mean, 'f', mean < 100.0 ? 1 : 0), QLocale().toString(share, 'f', 0));
}

/// Rank, computing, waiting, reducing, sent per update.
QStringList cellsOf(const RankTimes& rank, const RankTotals& totals) {
    const double computing = rank.dataSeconds + rank.forwardSeconds + rank.backwardSeconds + rank.commitSeconds;
    return {format::count(rank.rank), timeCell(computing, totals), timeCell(rank.waitingSeconds, totals),
            timeCell(rank.reducingSeconds, totals),
            format::fromUtf8(trafficText(static_cast<double>(rank.sentBytes) / static_cast<double>(totals.updates)))};
}

/// Numbers stay with their units at the end of a line.
QString sentenceOf(const RankCost& cost) {
    Message message = rankCostMessage(cost);
    for (auto& [name, value] : message.arguments)
        value = QString::fromStdString(value).replace(QLatin1Char(' '), QChar(0x00A0)).toStdString();
    return format::message(message);
}

QString htmlRow(const QStringList& cells, bool heading) {
    const QString cell =
        heading ? QStringLiteral("<th align=\"right\" style=\"padding: 1px 7px; white-space: nowrap\">%1</th>")
                : QStringLiteral("<td align=\"right\" style=\"padding: 1px 7px; white-space: nowrap\">%1</td>");
    QString row;
    for (const QString& text : cells)
        row += cell.arg(text.toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
    return QStringLiteral("<tr>%1</tr>").arg(row);
}

} // namespace

RankLine::RankLine(const Theme& theme, QWidget* parent) : RoleLabel(theme, TextRole::Body, {}, parent) {}

void RankLine::setCost(const QString& title, const RankTotals& totals, const std::optional<RankCost>& cost,
                       std::int64_t lanes) {
    if (!cost) {
        setText({});
        setToolTip({});
        return;
    }
    const QString sentence = sentenceOf(*cost);
    setText(title.isEmpty() ? sentence : tr("%1, %2", "arm, what its ranks cost").arg(title, sentence));

    QString rows = htmlRow({tr("rank"), tr("computing"), tr("waiting"), tr("reducing"), tr("sent per update")}, true);
    QStringList spoken;
    for (const RankTimes& rank : totals.ranks) {
        const QStringList cells = cellsOf(rank, totals);
        rows += htmlRow(cells, false);
        spoken << tr("rank %1: computing %2, waiting %3, reducing %4, sent %5")
                      .arg(cells[0], cells[1], cells[2], cells[3], cells[4]);
    }
    QStringList notes{tr("Per window, mean of the newest %1.").arg(format::count(totals.windows))};
    if (lanes > 1)
        notes << tr("Computing is summed over the lanes of a rank.");
    notes << tr("The others wait for the slowest rank, which waits least.");
    if (cost->expected)
        notes << tr(
            "Formula: f = (R − 1) / R for R ranks, P parameters of S bytes, sums of A bytes, K micro-steps per rank.");
    setRichToolTip(
        this, QStringLiteral("<table>%1</table><p>%2</p>").arg(rows, notes.join(QLatin1Char(' ')).toHtmlEscaped()));
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
}

} // namespace accumulus::ui

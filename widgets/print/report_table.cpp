// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/print/report_table.h"

#include "widgets/print/wrapped_text.h"
#include "widgets/style/format.h"

#include <QFontMetricsF>
#include <algorithm>
#include <numeric>

namespace accumulus::ui {

namespace {

constexpr double pt = kUnitsPerPoint;
constexpr double kPadding = 4.0 * pt; ///< left and right of each cell
constexpr double kVertical = 2.5 * pt;
constexpr double kWidestWord = 120.0 * pt; ///< longer words (hashes, paths) may be broken

constexpr std::size_t kKeptWhole = 10; ///< rows

struct Columns {
    std::vector<double> left, width;
    std::vector<Qt::Alignment> alignment;
};

double widestWord(const QString& text, const QFontMetricsF& metrics) {
    double widest = 0.0;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        widest = std::max(widest, metrics.horizontalAdvance(word));
    return std::min(widest, kWidestWord);
}

Columns columnsOf(const ReportTable& table, const ReportFonts& fonts, double width) {
    const std::size_t count = table.header.size();
    std::vector<double> natural(count, 0.0);
    std::vector<double> least(count, 0.0);
    const auto measure = [&](const std::vector<std::string>& cells, const QFont& font) {
        const QFontMetricsF metrics(font);
        for (std::size_t i = 0; i < std::min(count, cells.size()); ++i) {
            const QString text = format::fromUtf8(cells[i]);
            // A little more than measured: rounding must not break what just fits.
            natural[i] = std::max(natural[i], metrics.horizontalAdvance(text) + 2.0 * kPadding + 1.0 * pt);
            least[i] = std::max(least[i], widestWord(text, metrics) + 2.0 * kPadding + 1.0 * pt);
        }
    };
    measure(table.header, fonts.bold);
    for (const auto& row : table.rows)
        measure(row, fonts.body);

    Columns columns;
    columns.width = columnWidths(natural, least, width);
    double left = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        columns.left.push_back(left);
        left += columns.width[i];
        const bool numeric = i < table.numeric.size() && table.numeric[i];
        columns.alignment.push_back(numeric ? Qt::AlignRight : Qt::AlignLeft);
    }
    return columns;
}

ReportPiece rowPiece(const std::vector<std::string>& cells, const Columns& columns, const QFont& font,
                     const QColor& ink, const QColor& line, double lineWidth, double width) {
    std::vector<std::pair<double, std::shared_ptr<const WrappedText>>> texts;
    double height = 0.0;
    for (std::size_t i = 0; i < std::min(cells.size(), columns.width.size()); ++i) {
        auto text = std::make_shared<const WrappedText>(format::fromUtf8(cells[i]), font,
                                                        columns.width[i] - 2.0 * kPadding, columns.alignment[i]);
        height = std::max(height, text->height());
        texts.emplace_back(columns.left[i] + kPadding, std::move(text));
    }
    ReportPiece piece;
    piece.height = height + 2.0 * kVertical + lineWidth;
    piece.paint = [texts = std::move(texts), ink, line, lineWidth, width, bottom = piece.height](QPainter& painter,
                                                                                                 QPointF at) {
        for (const auto& [left, text] : texts)
            text->paint(painter, at + QPointF(left, kVertical), ink);
        painter.fillRect(QRectF(at.x(), at.y() + bottom - lineWidth, width, lineWidth), line);
    };
    return piece;
}

} // namespace

std::vector<double> columnWidths(const std::vector<double>& natural, const std::vector<double>& least, double width) {
    const double wanted = std::accumulate(natural.begin(), natural.end(), 0.0);
    const double needed = std::accumulate(least.begin(), least.end(), 0.0);
    std::vector<double> widths(natural.size());
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (wanted <= width) // the rest is shared in proportion
            widths[i] = wanted > 0.0 ? natural[i] * width / wanted : 0.0;
        else if (needed < width)
            widths[i] = least[i] + (natural[i] - least[i]) * (width - needed) / (wanted - needed);
        else // even single words must be broken
            widths[i] = needed > 0.0 ? least[i] * width / needed : 0.0;
    }
    return widths;
}

std::vector<ReportPiece> setTable(const ReportTable& table, const ReportFonts& fonts, const ThemeColors& colors,
                                  double width) {
    if (table.header.empty())
        return {};
    const Columns columns = columnsOf(table, fonts, width);
    ReportPiece header = rowPiece(table.header, columns, fonts.bold, colors.text, colors.axis, 0.9 * pt, width);
    header.keepWithNext = !table.rows.empty();
    const auto repeated = std::make_shared<const ReportPiece>(header);
    std::vector<ReportPiece> pieces = {std::move(header)};
    for (const auto& row : table.rows) {
        pieces.push_back(rowPiece(row, columns, fonts.body, colors.text, colors.border, 0.5 * pt, width));
        pieces.back().tableHeader = repeated;
    }
    // Short tables stay whole; of a long one at least two rows stand on either side of a break.
    const std::size_t rows = table.rows.size();
    for (std::size_t row = 0; row + 1 < rows; ++row)
        pieces[row + 1].keepWithNext = rows <= kKeptWhole || row == 0 || row + 2 == rows;
    return pieces;
}

} // namespace accumulus::ui

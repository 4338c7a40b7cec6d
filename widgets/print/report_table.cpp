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

struct RowLook {
    QFont font;
    QColor ink, line;
    double lineWidth = 0.0, width = 0.0;
};

/// A text with its place from the left.
using RowTexts = std::vector<std::pair<double, std::shared_ptr<const WrappedText>>>;

RowTexts textsOf(const std::vector<std::string>& cells, const Columns& columns, const QFont& font) {
    RowTexts texts;
    for (std::size_t i = 0; i < std::min(cells.size(), columns.width.size()); ++i)
        texts.emplace_back(columns.left[i] + kPadding, std::make_shared<const WrappedText>(
                                                           format::fromUtf8(cells[i]), font,
                                                           columns.width[i] - 2.0 * kPadding, columns.alignment[i]));
    return texts;
}

void paintRule(QPainter& painter, QPointF at, double bottom, const RowLook& look) {
    painter.fillRect(QRectF(at.x(), at.y() + bottom - look.lineWidth, look.width, look.lineWidth), look.line);
}

ReportPiece rowPiece(RowTexts texts, const RowLook& look) {
    ReportPiece piece;
    for (const auto& [left, text] : texts)
        piece.height = std::max(piece.height, text->height());
    piece.height += 2.0 * kVertical + look.lineWidth;
    piece.paint = [texts = std::move(texts), look, bottom = piece.height](QPainter& painter, QPointF at) {
        for (const auto& [left, text] : texts)
            text->paint(painter, at + QPointF(left, kVertical), look.ink);
        paintRule(painter, at, bottom, look);
    };
    return piece;
}

/// The same row, a piece for each line of its texts.
std::vector<ReportPiece> linePieces(const RowTexts& texts, const RowLook& look) {
    int lines = 0;
    for (const auto& [left, text] : texts)
        lines = std::max(lines, text->lines());
    std::vector<ReportPiece> pieces;
    for (int line = 0; line < lines; ++line) {
        const double top = line == 0 ? kVertical : 0.0;
        const bool last = line + 1 == lines;
        ReportPiece piece;
        for (const auto& [left, text] : texts)
            if (line < text->lines())
                piece.height = std::max(piece.height, text->lineHeight(line));
        piece.height += top + (last ? kVertical + look.lineWidth : 0.0);
        piece.keepWithNext = line == 0 || line + 2 == lines;
        piece.paint = [texts, look, line, top, last, bottom = piece.height](QPainter& painter, QPointF at) {
            for (const auto& [left, text] : texts)
                if (line < text->lines())
                    text->paintLine(painter, at + QPointF(left, top), line, look.ink);
            if (last)
                paintRule(painter, at, bottom, look);
        };
        pieces.push_back(std::move(piece));
    }
    return pieces;
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
                                  const QSizeF& page) {
    if (table.header.empty())
        return {};
    const double width = page.width();
    const Columns columns = columnsOf(table, fonts, width);
    ReportPiece header =
        rowPiece(textsOf(table.header, columns, fonts.bold), {fonts.bold, colors.text, colors.axis, 0.9 * pt, width});
    header.keepWithNext = !table.rows.empty();
    const double room = page.height() - header.height; // below it, on a page of their own
    const auto repeated = std::make_shared<const ReportPiece>(header);
    std::vector<ReportPiece> pieces = {std::move(header)};
    const RowLook look{fonts.body, colors.text, colors.border, 0.5 * pt, width};
    const std::size_t rows = table.rows.size();
    for (std::size_t row = 0; row < rows; ++row) {
        const RowTexts texts = textsOf(table.rows[row], columns, look.font);
        std::vector<ReportPiece> set{rowPiece(texts, look)};
        if (set.front().height > room)
            set = linePieces(texts, look);
        else // Short tables stay whole; of a long one at least two rows stand on either side of a break.
            set.front().keepWithNext = row + 1 < rows && (rows <= kKeptWhole || row == 0 || row + 2 == rows);
        for (ReportPiece& piece : set) {
            piece.tableHeader = repeated;
            pieces.push_back(std::move(piece));
        }
    }
    return pieces;
}

} // namespace accumulus::ui

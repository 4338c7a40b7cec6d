// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/print/report_pieces.h"

#include "widgets/plots/verdict_mark.h"
#include "widgets/print/report_table.h"
#include "widgets/print/wrapped_text.h"
#include "widgets/style/format.h"

#include <QFontDatabase>
#include <QGuiApplication>
#include <QSvgRenderer>
#include <algorithm>

namespace accumulus::ui {

namespace {

constexpr double pt = kUnitsPerPoint;
constexpr double kTallestFigure = 560.0 * pt; ///< so that a figure with its caption fits on a page

QFont fontOf(const QStringList& families, double points, QFont::Weight weight = QFont::Normal) {
    QFont font;
    font.setFamilies(families);
    font.setPixelSize(static_cast<int>(points * pt));
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::ForceOutline);
    // Any letter spacing switches ligatures off: "ffi" must stay three letters for whoever searches or copies from the
    // PDF.
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.05);
    return font;
}

QString textOf(const std::string& text) { return format::linesFromUtf8(text); }

/// Sets the pieces of one block after another.
class Setter {
public:
    Setter(const ReportFonts& fonts, double width, double height)
        : m_fonts(fonts), m_width(width), m_height(height), m_colors(lightColors()) {}

    void title(const ReportDocument& document) {
        addLines(textOf(document.title), m_fonts.title, m_colors.text, 0.0, true);
        if (!document.subtitle.empty())
            addLines(textOf(document.subtitle), m_fonts.caption, m_colors.secondary, 4.0 * pt, true);
        const QColor color = m_colors.border;
        const double width = m_width;
        ReportPiece rule;
        rule.height = 1.0 * pt;
        rule.before = 8.0 * pt;
        rule.keepWithNext = true;
        rule.paint = [color, width](QPainter& painter, QPointF at) {
            painter.fillRect(QRectF(at, QSizeF(width, 0.8 * pt)), color);
        };
        m_pieces.push_back(std::move(rule));
    }

    void operator()(const ReportHeading& heading) {
        addLines(textOf(heading.text), m_fonts.heading, m_colors.text, 18.0 * pt, true);
    }

    void operator()(const ReportParagraph& paragraph) {
        addLines(textOf(paragraph.text), m_fonts.body, m_colors.text, 7.0 * pt, false);
    }

    void operator()(const ReportList& list) {
        constexpr double indent = 12.0 * pt;
        bool first = true;
        for (const std::string& item : list.items) {
            const auto text = std::make_shared<const WrappedText>(textOf(item), m_fonts.body, m_width - indent);
            for (int line = 0; line < text->lines(); ++line) { // kept together on any page that has the room
                ReportPiece piece;
                piece.before = line > 0 ? 0.0 : (first ? 7.0 : 3.0) * pt;
                piece.height = text->lineHeight(line);
                piece.keepWithNext = line + 1 < text->lines();
                piece.paint = [text, line, ink = m_colors.text](QPainter& painter, QPointF at) {
                    painter.setPen(Qt::NoPen);
                    painter.setBrush(ink);
                    if (line == 0)
                        painter.drawEllipse(at + QPointF(indent / 2.0, text->lineHeight(0) / 2.0), 1.5 * pt, 1.5 * pt);
                    text->paintLine(painter, at + QPointF(indent, 0.0), line, ink);
                };
                m_pieces.push_back(std::move(piece));
            }
            first = false;
        }
    }

    void operator()(const ReportCode& code) {
        const auto text = std::make_shared<const WrappedText>(textOf(code.text), m_fonts.code, m_width - 16.0 * pt);
        const QColor surface = m_colors.cardAlternate;
        const QColor ink = m_colors.text;
        for (int line = 0; line < text->lines(); ++line) {
            const bool first = line == 0;
            const bool last = line + 1 == text->lines();
            const double top = first ? 5.0 * pt : 0.0;
            ReportPiece piece;
            piece.height = top + text->lineHeight(line) + (last ? 5.0 * pt : 0.0);
            piece.before = first ? 7.0 * pt : 0.0;
            piece.paint = [text, line, top, surface, ink, width = m_width, height = piece.height](QPainter& painter,
                                                                                                  QPointF at) {
                painter.fillRect(QRectF(at, QSizeF(width, height + 0.2 * pt)), surface);
                text->paintLine(painter, at + QPointF(8.0 * pt, top), line, ink);
            };
            m_pieces.push_back(std::move(piece));
        }
    }

    void operator()(const ReportFigure& figure) {
        const auto svg = std::make_shared<QSvgRenderer>(QByteArray::fromStdString(figure.svg));
        const QSizeF natural = svg->viewBoxF().size();
        if (!svg->isValid() || natural.isEmpty()) {
            addLines(textOf(figure.alternative), m_fonts.body, m_colors.text, 7.0 * pt, false);
            return;
        }
        const QSizeF size = natural.scaled(m_width, kTallestFigure, Qt::KeepAspectRatio);
        const auto caption = std::make_shared<const WrappedText>(textOf(figure.caption), m_fonts.caption, m_width);
        ReportPiece piece;
        piece.before = 12.0 * pt;
        piece.height = size.height() + 3.0 * pt + caption->height();
        piece.paint = [svg, size, caption, ink = m_colors.secondary](QPainter& painter, QPointF at) {
            svg->render(&painter, QRectF(at, size));
            caption->paint(painter, at + QPointF(0.0, size.height() + 3.0 * pt), ink);
        };
        m_pieces.push_back(std::move(piece));
    }

    void operator()(const ReportVerdict& verdict) {
        constexpr double padding = 12.0 * pt;
        constexpr double sign = 26.0 * pt;
        const double inner = m_width - 2.0 * padding;
        const double textWidth = inner - sign - padding;
        const auto headline = std::make_shared<const WrappedText>(textOf(verdict.headline), m_fonts.verdict, textWidth);
        const auto sentence = std::make_shared<const WrappedText>(textOf(verdict.sentence), m_fonts.body, textWidth);
        const auto svg = std::make_shared<QSvgRenderer>(QByteArray::fromStdString(verdict.intervalSvg));
        const QSizeF picture = svg->isValid() && !svg->viewBoxF().isEmpty()
                                   ? svg->viewBoxF().size().scaled(inner, kTallestFigure, Qt::KeepAspectRatio)
                                   : QSizeF();
        const double words = headline->height() + 4.0 * pt + sentence->height();
        const double head = std::max(sign, words);
        ReportPiece piece;
        piece.before = 10.0 * pt;
        piece.height = 2.0 * padding + head + (picture.isEmpty() ? 0.0 : 10.0 * pt + picture.height());
        piece.paint = [=, colors = m_colors, width = m_width, height = piece.height,
                       kind = verdict.verdict](QPainter& painter, QPointF at) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(verdictColor(colors, kind), 1.0 * pt));
            painter.setBrush(colors.card);
            painter.drawRoundedRect(QRectF(at, QSizeF(width, height)).adjusted(pt / 2, pt / 2, -pt / 2, -pt / 2),
                                    6.0 * pt, 6.0 * pt);
            painter.restore();
            const QPointF corner = at + QPointF(padding, padding);
            paintVerdictSign(painter, QRectF(corner, QSizeF(sign, sign)), kind, verdictColor(colors, kind));
            const QPointF beside = corner + QPointF(sign + padding, 0.0);
            headline->paint(painter, beside, colors.text);
            sentence->paint(painter, beside + QPointF(0.0, headline->height() + 4.0 * pt), colors.text);
            if (!picture.isEmpty())
                svg->render(&painter,
                            QRectF(corner + QPointF((inner - picture.width()) / 2.0, head + 10.0 * pt), picture));
        };
        m_pieces.push_back(std::move(piece));
    }

    void operator()(const ReportTable& table) {
        if (!table.caption.empty())
            addLines(textOf(table.caption), m_fonts.caption, m_colors.secondary, 10.0 * pt, true);
        std::vector<ReportPiece> rows = setTable(table, m_fonts, m_colors, {m_width, m_height});
        if (!rows.empty())
            rows.front().before = table.caption.empty() ? 10.0 * pt : 3.0 * pt;
        std::move(rows.begin(), rows.end(), std::back_inserter(m_pieces));
    }

    std::vector<ReportPiece> take() { return std::move(m_pieces); }

private:
    /// One piece per line: a long paragraph may run over a page, but never leaves or takes a single line.
    void addLines(const QString& content, const QFont& font, const QColor& color, double before, bool keepWithNext) {
        const auto text = std::make_shared<const WrappedText>(content, font, m_width);
        for (int line = 0; line < text->lines(); ++line) {
            const bool last = line + 1 == text->lines();
            ReportPiece piece;
            piece.height = text->lineHeight(line);
            piece.before = line == 0 ? before : 0.0;
            piece.keepWithNext = keepWithNext || (!last && (line == 0 || line + 2 == text->lines()));
            piece.paint = [text, line, color](QPainter& painter, QPointF at) {
                text->paintLine(painter, at, line, color);
            };
            m_pieces.push_back(std::move(piece));
        }
    }

    const ReportFonts& m_fonts;
    double m_width, m_height; ///< of a page
    ThemeColors m_colors;
    std::vector<ReportPiece> m_pieces;
};

} // namespace

ReportFamilies reportFamilies() {
    // With the Chinese family that the theme has chosen: what the system falls back to may be another country's.
    QStringList families = QGuiApplication::font().families();
    if (families.isEmpty())
        families << QGuiApplication::font().family();
    return {families, QFontDatabase::systemFont(QFontDatabase::FixedFont).family()};
}

ReportFonts::ReportFonts(const ReportFamilies& named) {
    const QStringList& families = named.text;
    body = fontOf(families, 9.5);
    bold = fontOf(families, 9.0, QFont::DemiBold);
    title = fontOf(families, 19.0, QFont::DemiBold);
    heading = fontOf(families, 12.5, QFont::DemiBold);
    caption = fontOf(families, 8.2);
    verdict = fontOf(families, 14.0, QFont::DemiBold);
    code = fontOf(QStringList{named.code} + families, 7.8);
}

std::vector<ReportPiece> setReport(const ReportDocument& document, const ReportFonts& fonts, double width,
                                   double height) {
    Setter setter(fonts, width, height);
    setter.title(document);
    for (const ReportBlock& block : document.blocks)
        std::visit(setter, block);
    return setter.take();
}

} // namespace accumulus::ui

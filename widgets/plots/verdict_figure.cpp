// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/verdict_figure.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr int kWidth = 720;
constexpr double kSignSize = 44.0;
constexpr int kDotsPerInch = 96; ///< of every kind of file, so that all of them wrap alike
constexpr double kDotsPerMetre = kDotsPerInch / 0.0254;
constexpr double kPngScale = 2.0;

/// Draws from above to below; measures the same way when it does not draw.
class Column {
public:
    Column(QPainter& painter, bool draws) : m_painter(painter), m_draws(draws) {}

    void addText(const QString& text, const QFont& font, const QColor& color, double left) {
        if (text.isEmpty())
            return;
        m_painter.setFont(font);
        const QRectF room(left, m_y, kWidth - space::cardPadding - left, 10'000.0);
        const QRectF needed = m_painter.boundingRect(room, Qt::TextWordWrap, text);
        if (m_draws) {
            m_painter.setPen(color);
            m_painter.drawText(QRectF(room.topLeft(), QSizeF(room.width(), needed.height())), Qt::TextWordWrap, text);
        }
        m_y += needed.height() + space::xs;
    }
    void addSpace(double height) { m_y += height; }
    [[nodiscard]] double y() const { return m_y; }

private:
    QPainter& m_painter;
    bool m_draws;
    double m_y = space::cardPadding;
};

/// Returns the height of the figure.
double paint(QPainter& painter, const VerdictFigure& figure, const Theme& theme, bool draws) {
    const ThemeColors colors = lightColors();
    painter.setRenderHint(QPainter::Antialiasing);
    if (draws)
        paintVerdictSign(painter, QRectF(space::cardPadding, space::cardPadding, kSignSize, kSignSize), figure.verdict,
                         verdictColor(colors, figure.verdict));
    Column column(painter, draws);
    const double left = space::cardPadding + kSignSize + space::l;
    column.addText(figure.word, theme.pageTitleFont(), colors.text, left);
    for (const QString& sentence : figure.sentences)
        column.addText(sentence, theme.numberFont(), colors.text, left);
    column.addSpace(space::s);
    painter.setFont(theme.captionFont());
    const double line = QFontMetricsF(theme.captionFont(), painter.device()).height();
    const QRectF interval(space::cardPadding, column.y(), kWidth - 2.0 * space::cardPadding, 5.0 * line);
    if (draws)
        paintInterval(painter, interval, figure.interval, colors);
    column.addSpace(interval.height() + space::s);
    for (const QString& caption : figure.captions)
        column.addText(caption, theme.captionFont(), colors.secondary, space::cardPadding);
    return std::ceil(column.y()) + space::cardPadding;
}

QSize sizeOf(const VerdictFigure& figure, const Theme& theme) {
    QImage probe(1, 1, QImage::Format_ARGB32);
    probe.setDotsPerMeterX(qRound(kDotsPerMetre));
    probe.setDotsPerMeterY(qRound(kDotsPerMetre));
    QPainter painter(&probe);
    return {kWidth, static_cast<int>(paint(painter, figure, theme, false))};
}

QImage imageOf(const VerdictFigure& figure, const Theme& theme) {
    const QSize size = sizeOf(figure, theme);
    QImage image(size * kPngScale, QImage::Format_RGB32);
    image.setDotsPerMeterX(qRound(kDotsPerMetre));
    image.setDotsPerMeterY(qRound(kDotsPerMetre));
    image.fill(lightColors().card);
    QPainter painter(&image);
    painter.scale(kPngScale, kPngScale);
    paint(painter, figure, theme, true);
    return image;
}

bool saveSvg(const VerdictFigure& figure, const Theme& theme, QIODevice& out) {
    const QSize size = sizeOf(figure, theme);
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setResolution(kDotsPerInch);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(figure.word);
    generator.setDescription(figure.sentences.join(QLatin1Char(' ')));
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    painter.fillRect(QRect(QPoint(0, 0), size), lightColors().card);
    paint(painter, figure, theme, true);
    return painter.end();
}

bool savePdf(const VerdictFigure& figure, const Theme& theme, QIODevice& out) {
    const QSize size = sizeOf(figure, theme);
    QPdfWriter writer(&out);
    writer.setResolution(kDotsPerInch);
    writer.setTitle(figure.word);
    writer.setPageSize(QPageSize(QSizeF(size) / kDotsPerInch, QPageSize::Inch, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    paint(painter, figure, theme, true);
    return painter.end();
}

} // namespace

bool saveVerdictFigure(const VerdictFigure& figure, const Theme& theme, const QString& file) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return false;
    const QString ending = QFileInfo(file).suffix().toLower();
    const bool drawn = ending == QLatin1String("svg")   ? saveSvg(figure, theme, out)
                       : ending == QLatin1String("pdf") ? savePdf(figure, theme, out)
                                                        : imageOf(figure, theme).save(&out, "PNG");
    return drawn && out.commit();
}

void copyVerdictFigure(const VerdictFigure& figure, const Theme& theme) {
    QGuiApplication::clipboard()->setImage(imageOf(figure, theme));
}

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/verdict_figure.h"

#include "widgets/plots/painted_picture.h"

#include <QImage>
#include <QPainter>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr int kWidth = 720;
constexpr double kSignSize = 44.0;

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

PaintedPicture pictureOf(const VerdictFigure& figure, const Theme& theme) {
    QImage probe = pictureProbe();
    QPainter painter(&probe);
    const QSize size(kWidth, static_cast<int>(paint(painter, figure, theme, false)));
    return {size, figure.word, figure.sentences.join(QLatin1Char(' ')),
            [&figure, &theme](QPainter& onto) { paint(onto, figure, theme, true); }};
}

} // namespace

bool saveVerdictFigure(const VerdictFigure& figure, const Theme& theme, const QString& file) {
    return savePicture(pictureOf(figure, theme), file);
}

void copyVerdictFigure(const VerdictFigure& figure, const Theme& theme) { copyPicture(pictureOf(figure, theme)); }

} // namespace accumulus::ui

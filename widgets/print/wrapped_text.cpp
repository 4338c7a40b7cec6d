// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/print/wrapped_text.h"

#include <algorithm>

namespace accumulus::ui {

WrappedText::WrappedText(const QString& text, const QFont& font, double width, Qt::Alignment alignment) {
    QString content = text;
    content.replace(QLatin1Char('\n'), QChar::LineSeparator);
    m_layout.setText(content);
    m_layout.setFont(font);
    QTextOption option(alignment);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option.setUseDesignMetrics(true);
    m_layout.setTextOption(option);
    m_layout.beginLayout();
    double y = 0.0;
    for (QTextLine line = m_layout.createLine(); line.isValid(); line = m_layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition(QPointF(0.0, y));
        y += line.height();
    }
    m_layout.endLayout();
}

double WrappedText::height() const {
    double sum = 0.0;
    for (int line = 0; line < lines(); ++line)
        sum += lineHeight(line);
    return sum;
}

double WrappedText::naturalWidth() const {
    double widest = 0.0;
    for (int line = 0; line < lines(); ++line)
        widest = std::max(widest, m_layout.lineAt(line).naturalTextWidth());
    return widest;
}

void WrappedText::paint(QPainter& painter, QPointF at, const QColor& color) const {
    painter.setPen(color);
    m_layout.draw(&painter, at);
}

void WrappedText::paintLine(QPainter& painter, QPointF at, int line, const QColor& color) const {
    painter.setPen(color);
    const QTextLine drawn = m_layout.lineAt(line);
    drawn.draw(&painter, at - QPointF(0.0, drawn.y()));
}

} // namespace accumulus::ui

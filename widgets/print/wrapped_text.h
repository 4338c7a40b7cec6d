// SPDX-License-Identifier: GPL-3.0-or-later
// Plain text broken into lines of a given width, in set units. Internal to report_pages.
#pragma once

#include <QPainter>
#include <QTextLayout>

namespace accumulus::ui {

class WrappedText {
public:
    WrappedText(const QString& text, const QFont& font, double width, Qt::Alignment alignment = Qt::AlignLeft);

    [[nodiscard]] int lines() const { return m_layout.lineCount(); }
    [[nodiscard]] double lineHeight(int line) const { return m_layout.lineAt(line).height(); }
    [[nodiscard]] double height() const;
    [[nodiscard]] double naturalWidth() const; ///< of the longest line as broken

    void paint(QPainter& painter, QPointF at, const QColor& color) const;
    void paintLine(QPainter& painter, QPointF at, int line, const QColor& color) const;

private:
    QTextLayout m_layout;
};

} // namespace accumulus::ui

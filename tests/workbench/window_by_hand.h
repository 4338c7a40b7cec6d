// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does beside clicking widgets of a page: answers a file dialog, looks at pixels, measures contrast.
#pragma once

#include <QApplication>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <memory>

namespace accumulus::ui {

/// Types `file` into the file dialog that `open` brings up, and Enter. The dialog is modal: `open` returns after it.
template <class Open>
[[nodiscard]] bool answerFileDialog(const QString& file, Open open) {
    bool answered = false;
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, &poll, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        auto* line = dialog ? dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")) : nullptr;
        if (!line || answered)
            return;
        answered = true;
        line->setFocus();
        line->setText(file); // typed letter by letter, a list of suggestions might take the Return
        QTest::keyClick(line, Qt::Key_Return);
        if (QApplication::activeModalWidget() == dialog) // an old file of that name is asked about
            dialog->reject();
    });
    poll.start(50);
    open();
    return answered;
}

/// Relative luminance and contrast ratio as WCAG 2.1 defines them.
[[nodiscard]] inline double luminance(const QColor& color) {
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

[[nodiscard]] inline double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

/// The largest difference of a channel.
[[nodiscard]] inline int distance(const QColor& a, const QColor& b) {
    return std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()), std::abs(a.blue() - b.blue())});
}

/// `over` drawn with `opacity` on `under`.
[[nodiscard]] inline QColor blended(const QColor& under, const QColor& over, double opacity) {
    const auto mix = [opacity](int a, int b) { return static_cast<int>(std::lround(a + opacity * (b - a))); };
    return QColor(mix(under.red(), over.red()), mix(under.green(), over.green()), mix(under.blue(), over.blue()));
}

/// Columns of `where` that hold a pixel like `color`, from left to right.
[[nodiscard]] inline QList<int> columnsLike(const QImage& image, const QColor& color, const QRect& where,
                                            int tolerance) {
    QList<int> columns;
    for (int x = where.left(); x <= where.right(); ++x)
        for (int y = where.top(); y <= where.bottom(); ++y)
            if (image.rect().contains(x, y) && distance(image.pixelColor(x, y), color) <= tolerance) {
                columns << x;
                break;
            }
    return columns;
}

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of plots share: curves that look like losses, a plot on the screen, and its pixels.
#pragma once

#include "widgets/plots/plot_view.h"

#include <QImage>

#include <cmath>
#include <limits>
#include <random>

namespace accumulus::test {

using namespace ui;

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A loss that falls from `start`, with noise of `spread`; x counts samples in steps of `batch`.
inline Series lossLike(std::size_t points, double start, double spread, unsigned seed, double batch = 256.0) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0.0, spread);
    Series series;
    for (std::size_t i = 0; i < points; ++i) {
        const double t = static_cast<double>(i) / static_cast<double>(points);
        series.x.push_back(batch * static_cast<double>(i + 1));
        series.y.push_back(
            std::max(1e-4, start * std::exp(-6.0 * t) + 0.08 + noise(random) * (0.3 + 0.7 * std::exp(-3.0 * t))));
    }
    return series;
}

inline PlotCurve curve(const QString& id, Series series, const QColor& color, bool dashed = false) {
    PlotCurve result;
    result.id = id;
    result.label = id;
    result.color = color;
    result.dashed = dashed;
    result.series = std::move(series);
    return result;
}

inline int pixelsOf(const QImage& image, const QColor& color, const QRect& where) {
    int found = 0;
    for (int y = where.top(); y <= where.bottom(); ++y)
        for (int x = where.left(); x <= where.right(); ++x)
            found += image.pixelColor(x, y) == color;
    return found;
}

/// Pixels that are at least as far from the ground towards `color` as half coverage.
inline int pixelsLike(const QImage& image, const QColor& color, const QRect& where) {
    int found = 0;
    for (int y = where.top(); y <= where.bottom(); ++y)
        for (int x = where.left(); x <= where.right(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            found += std::abs(pixel.red() - color.red()) < 128 && std::abs(pixel.green() - color.green()) < 80 &&
                     std::abs(pixel.blue() - color.blue()) < 80;
        }
    return found;
}

/// Pixels of a colour on the whole view, those at the edge of a thin line left out.
inline int pixelsOfMarks(PlotView& view, const QColor& color) {
    constexpr int close = 40;
    view.refreshNow();
    const QImage image = view.grab().toImage();
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            found += std::abs(pixel.red() - color.red()) < close && std::abs(pixel.green() - color.green()) < close &&
                     std::abs(pixel.blue() - color.blue()) < close;
        }
    return found;
}

inline void show(PlotView& view, int width, int height) {
    view.resize(width, height);
    view.show();
    view.refreshNow();
}

} // namespace accumulus::test

// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over a panel and is not part of its picture: crosshair with its readout, pinned marker, arrows of outliers,
// marks of non-finite values, rubber band, focus frame, the text of an empty panel. Paints only; PlotView tells it
// what. GUI thread.
#pragma once

#include "widgets/plots/plot_canvas.h"

#include <QWidget>
#include <optional>
#include <span>

namespace accumulus::ui {

/// One line of the readout.
struct ReadoutRow {
    QString label;
    QColor color;
    bool dashed = false;
    double y = 0.0;
    std::optional<double> raw; ///< beside a smoothed value
    bool interpolated = false; ///< the curve has no point at this x
    double pixelDistance = 0.0;
    QString run; ///< as the curve has it
};

/// Values of all labelled curves at x, nearest to pixel `near` first; `selected` (an index of the model's curves)
/// before all.
[[nodiscard]] std::vector<ReadoutRow> readoutAt(const PlotModel& model, const PlotCanvas& canvas, double x,
                                                std::optional<double> near, std::optional<std::size_t> selected);
/// Where a box of this size stands beside a crosshair at pixel x: inside `area`, on the side that has room, off the
/// legend, at the height of pixel y where that is free, else of the top. Nothing where there is no such place.
[[nodiscard]] std::optional<QRect> readoutPlace(const QRect& area, const QRect& legend, int x, std::optional<int> y,
                                                const QSize& size);
/// The rows as one line of text, for screen readers.
[[nodiscard]] QString readoutText(const QString& xTitle, double x, const std::vector<ReadoutRow>& rows);

class PlotOverlay : public QWidget {
    Q_OBJECT
public:
    PlotOverlay(const Theme& theme, const PlotModel& model, const PlotCanvas& canvas, QWidget* parent);

    QString emptyText;
    bool waiting = false; ///< the first curves are on their way: whether there are points is not known yet
    std::optional<double> crosshair;
    std::optional<double> pin;
    std::optional<double> cursorY; ///< pixel
    std::optional<std::size_t> selected;
    QRect rubberBand; ///< empty: none
    bool focused = false;
    YFit fit; ///< of the visible range: arrows

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintCrosshair(QPainter& painter, double x, bool withReadout);
    void paintReadout(QPainter& painter, double x, const std::vector<ReadoutRow>& rows);
    void paintMarks(QPainter& painter);
    [[nodiscard]] std::span<const double> visibleGaps(std::span<const double> x) const;

    const Theme& m_theme;
    const PlotModel& m_model;
    const PlotCanvas& m_canvas;
};

} // namespace accumulus::ui

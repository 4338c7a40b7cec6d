// SPDX-License-Identifier: GPL-3.0-or-later
// One plot panel over QCustomPlot: curves with a raw curve behind the smoothed one, bands, crosshair, zoom, min-max thinning, export. GUI thread.
// QCustomPlot stays inside the .cpp (qcp.h): nobody else includes it. The owner hands complete curves; the view smooths and thins.
#pragma once

#include "core/analysis/series.h"
#include "widgets/style/theme.h"

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace accumulus::ui {

struct PlotCurve {
    QString id;    ///< stable: the same id updates the curve in place
    QString label; ///< legend
    QColor color;
    bool dashed = false;
    bool points = false; ///< draw markers (evaluations: few points)
    bool thin = false;   ///< thin line without legend entry (a single seed behind a mean)
    Series series;       ///< raw values, all points, x ascending
};

struct PlotBand {
    QString id;
    QColor color;
    std::vector<double> x, lower, upper;
};

class PlotView : public QWidget {
    Q_OBJECT
public:
    explicit PlotView(const Theme& theme, QWidget* parent = nullptr);
    ~PlotView() override;

    void setTitle(const QString& title);
    void setAxisTitles(const QString& x, const QString& y); ///< with units
    void setLogX(bool on);
    void setLogY(bool on); ///< values <= 0 are hidden and counted in a badge
    [[nodiscard]] bool logY() const;
    /// beta of the debiased EMA over all points, 0 = none; the raw curve stays behind at 30 %.
    void setSmoothing(double beta);
    void setLegendVisible(bool on);

    /// Replaces curves and bands. Repaint happens at most 10 times a second.
    void setCurves(std::vector<PlotCurve> curves);
    void setBands(std::vector<PlotBand> bands);
    void setZeroLine(bool on);
    void setMarginBand(std::optional<double> margin); ///< shaded ± around zero
    void setEmptyText(const QString& text);           ///< shown while there are no points

    void setFollow(bool on); ///< x and y range follow the data until the person zooms; fit() turns it on again
    void fit();
    void zoomBack();
    /// Views in one group share the x range, the crosshair position and the width of their left margin.
    void linkWith(const std::vector<PlotView*>& others);

    [[nodiscard]] QString summaryText() const; ///< for accessibility: "2 curves, last 0.231 and 0.229, difference 0.002"
    [[nodiscard]] std::size_t curveCount() const;

    [[nodiscard]] bool savePng(const QString& file, double scale = 2.0) const; ///< light colours
    [[nodiscard]] bool saveSvg(const QString& file) const;
    [[nodiscard]] bool saveCsv(const QString& file) const; ///< long format: curve, x, y (raw), smoothed
    void copyToClipboard() const;

Q_SIGNALS:
    void rangeChanged(double xMin, double xMax);
    void exportRequested();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui

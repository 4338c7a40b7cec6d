// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a PlotModel with QCustomPlot. Knows nothing of mice and time: PlotView steers it on the screen, the export
// draws into a hidden one. GUI thread. QCustomPlot's types appear only as forward declarations.
#pragma once

#include "widgets/plots/plot_model.h"
#include "widgets/style/theme.h"

#include <QFont>
#include <functional>

class QCPAxis;
class QCPGraph;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCPLayer;
class QCPLayoutInset;
class QCPLegend;
class QCPTextElement;
class QCustomPlot;

namespace accumulus::ui {

class PanelRect;

struct CanvasStyle {
    ThemeColors colors;
    QFont title, label, tick;
    double lineWidth = 1.0;
    bool compactX = false;
    bool cutLines = false; ///< the painter cannot clip (SVG): lines are cut to the panel beforehand
    double pointsPerPixel = 1.0;
};

class PlotCanvas {
public:
    explicit PlotCanvas(QWidget* parent = nullptr);
    ~PlotCanvas();
    PlotCanvas(const PlotCanvas&) = delete;
    PlotCanvas& operator=(const PlotCanvas&) = delete;

    void setStyle(CanvasStyle style);
    /// `leftMargin` gets the width this panel's y labels need and returns the width it shall use.
    void setLeftMarginRule(std::function<int(int)> leftMargin);
    /// Lays out and fills the panel; the picture is ready after replot() or when a painter draws.
    void show(const PlotModel& model, const AxisRange& x, const AxisRange& y);
    void replot();
    /// The picture has the widget's size; another one is drawn by show() and replot().
    [[nodiscard]] bool fits() const;

    [[nodiscard]] QWidget* widget() const;
    [[nodiscard]] QCustomPlot* plot() const { return m_plot; }
    [[nodiscard]] QRect plotArea() const;
    [[nodiscard]] QRect legendRect() const; ///< empty when there is none
    /// Id of the curve whose entry is there; empty between and beside them.
    [[nodiscard]] QString legendEntryAt(const QPoint& at) const;
    void moveLegend(const QPoint& topLeft);
    [[nodiscard]] double xAt(double pixel) const;
    [[nodiscard]] double yAt(double pixel) const;
    [[nodiscard]] double xPixel(double value) const;
    [[nodiscard]] double yPixel(double value) const;

private:
    struct CurveGraphs {
        QCPGraph* raw = nullptr; ///< behind the smoothed one
        QCPGraph* front = nullptr;
    };
    struct BandGraphs {
        QCPGraph* lower = nullptr;
        QCPGraph* upper = nullptr;
    };
    void takeSize();
    void styleAxes(const PlotModel& model);

    // plot_canvas_legend.cpp
    [[nodiscard]] QCPLayoutInset* insets() const; ///< what lies on the panel: the legend
    static QString smoothingText(const Smoothing& smoothing);
    void buildLegend(const PlotModel& model);
    void settleLegend();

    // plot_canvas_graphs.cpp
    void buildGraphs(const PlotModel& model);
    void styleGraphs(const PlotModel& model);
    void fillGraph(QCPGraph* graph, const CurvePoints& curve, const PlotModel& model);
    void fillBand(const BandGraphs& graphs, const PlotBand& band);

    // plot_canvas_marks.cpp
    void showReferenceLines(const PlotModel& model);
    void showNotes(const PlotModel& model);

    CanvasStyle m_style;
    QCustomPlot* m_plot;
    PanelRect* m_rect = nullptr;
    QCPLayer* m_bandLayer = nullptr; ///< below the curves
    QCPAxis* m_xAxis = nullptr;
    QCPAxis* m_yAxis = nullptr;
    QCPTextElement* m_title = nullptr;
    QCPLegend* m_legend = nullptr;
    QCPItemStraightLine* m_zeroLine = nullptr;
    QCPItemRect* m_marginBand = nullptr;
    std::vector<QCPItemText*> m_notes;
    QStringList m_legendIds; ///< of its entries
    bool m_legendMoved = false;
    QStringList m_built; ///< what the graphs were built for
    std::vector<CurveGraphs> m_curves;
    std::vector<BandGraphs> m_bands;
    AxisRange m_x, m_y;
    SymmetricLog m_symmetric; ///< of y
};

} // namespace accumulus::ui

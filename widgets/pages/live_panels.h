// SPDX-License-Identifier: GPL-3.0-or-later
// The five linked panels of the Live page: training loss and test accuracy at the left, gradient norm, learning rate
// and speed at the right. Both arms overlaid; the current seed prominent, others thin. GUI thread.
#pragma once

#include "widgets/pages/live_curves.h"
#include "widgets/plots/plot_view.h"

#include <QWidget>
#include <array>

class QSplitter;

namespace accumulus::ui {

class LivePanels : public QWidget {
    Q_OBJECT
public:
    LivePanels(const Theme& theme, const LiveCurves& curves, QWidget* parent = nullptr);

    void setAxis(LiveAxis axis);
    void setSmoothing(double beta);
    void setLogX(bool on);
    void setLogY(bool on); ///< loss and gradient norm
    void setFollow(bool on);
    void rebuild();                                                ///< runs came, or all points are new
    void appendWindows(const RunCurves& curves, std::size_t from); ///< rows from `from` on are new
    void rebuildAccuracy();
    [[nodiscard]] PlotView* lossPlot() const { return m_loss; }

Q_SIGNALS:
    void followChanged(bool on);
    void logXChanged(bool on); ///< by a key in a panel
    void logYChanged(bool on); ///< of the loss

protected:
    void changeEvent(QEvent* event) override;

private:
    struct MetricPanel {
        PlotView* view;
        LiveMetric metric;
    };
    void retitle();
    [[nodiscard]] PlotCurve lookOf(const RunCurves& curves) const;

    const Theme& m_theme;
    const LiveCurves& m_curves;
    LiveAxis m_axis = LiveAxis::Samples;
    QSplitter* m_columns;
    PlotView* m_loss;
    PlotView* m_accuracy;
    PlotView* m_gradNorm;
    PlotView* m_lr;
    PlotView* m_speed;
    std::array<MetricPanel, 4> m_panels;
};

} // namespace accumulus::ui

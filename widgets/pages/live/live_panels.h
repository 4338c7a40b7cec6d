// SPDX-License-Identifier: GPL-3.0-or-later
// The panels of the Live page: training loss at the left, below it what evaluations measure and their loss; at the
// right one of four groups: gradient (norm, learning rate, noise scale), time and memory (speed, where a window's time
// goes, what several ranks cost), the peak memory over the run and, where one is set, the parameter probe. Plots over
// the run are linked. Both arms overlaid; the current seed, or the chosen runs, prominent, others thin.
// GUI thread.
#pragma once

#include "widgets/pages/live/live_curves.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"

#include <QSet>
#include <QTimer>
#include <QWidget>
#include <array>

class QButtonGroup;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace accumulus::ui {

class FittingScroll;
class ProbePanel;
class TimeSplit;

class LivePanels : public QWidget {
    Q_OBJECT
public:
    enum Group { Gradient, Cost, Probe, Memory };

    LivePanels(const Theme& theme, const LiveCurves& curves, QWidget* parent = nullptr);
    ~LivePanels() override; ///< the widths of the columns are kept for the next start

    [[nodiscard]] QByteArray columns() const; ///< their widths, for setColumns()
    void setColumns(const QByteArray& widths);
    void resetColumns();

    void setAxis(LiveAxis axis);
    void setSmoothing(const Smoothing& smoothing);
    void setLogX(bool on);
    void setLogY(bool on); ///< loss and gradient norm
    void setFollow(bool on);
    /// Stand out instead of the current seed's; none: that seed's again.
    void setChosen(const QSet<QString>& runs);
    [[nodiscard]] const QSet<QString>& chosen() const { return m_chosen; }
    [[nodiscard]] std::vector<PlotViewpoint> viewpoints() const; ///< of all plots over the run, for setViewpoints()
    void setViewpoints(const std::vector<PlotViewpoint>& at);
    void forgetZoom();                                             ///< before the curves of another study
    void rebuild();                                                ///< runs came, or all points are new
    void restyle();                                                ///< other colours or words for the same points
    void appendWindows(const RunCurves& curves, std::size_t from); ///< rows from `from` on are new
    void rebuildEvaluations();
    void detailsChanged(); ///< the newest windows' insides: shown at most four times a second
    [[nodiscard]] PlotView* lossPlot() const { return m_loss; }

Q_SIGNALS:
    void followChanged(bool on);
    void logXChanged(bool on); ///< by a key in a panel
    void logYChanged(bool on); ///< of the loss
    void runPointedAt(const QString& run);

private:
    struct MetricPanel {
        PlotView* view;
        LiveMetric metric;
    };
    [[nodiscard]] QWidget* makeLeft();
    [[nodiscard]] QWidget* makeRight();
    void chooseGroup(int group);
    void retitle();
    void retitleEvaluations();
    [[nodiscard]] QString axisTitle() const;
    [[nodiscard]] QList<PlotView*> others() const; ///< all plots over the run but the loss
    void showDetails();
    void showNoise();
    void showCost();
    void showProbe();
    /// The current run, or its partner of the same seed where the arm is another.
    [[nodiscard]] const RunCurves* currentOf(Arm arm) const;
    [[nodiscard]] PlotCurve lookOf(const RunCurves& curves) const;
    [[nodiscard]] std::vector<const RunCurves*> shownIn(LiveMetric metric) const;
    [[nodiscard]] std::vector<PlotCurve> looksIn(LiveMetric metric) const; ///< of the same, without points
    void rebuildPanel(const MetricPanel& panel);

    const Theme& m_theme;
    const LiveCurves& m_curves;
    LiveAxis m_axis = LiveAxis::Samples;
    QSplitter* m_columns;
    QSet<QString> m_chosen;
    PlotView* m_loss;
    PlotView* m_accuracy;
    PlotView* m_evaluationLoss;
    PlotView* m_gradNorm;
    [[nodiscard]] int lowestCurve() const; ///< of one without a title below its axis
    PlotView* m_lr;
    PlotView* m_noise;
    RoleLabel* m_noiseWords;
    PlotView* m_speed;
    PlotView* m_memory;
    TimeSplit* m_time;
    FittingScroll* m_numbers; ///< around it
    ProbePanel* m_probe;
    QStackedWidget* m_groups;
    QButtonGroup* m_groupButtons;
    std::array<QPushButton*, 4> m_buttons;
    QWidget* m_buttonRow = nullptr; ///< they stand in it
    std::array<MetricPanel, 6> m_panels;
    QTimer m_detailsClock; ///< single shot: one refresh for many windows
};

} // namespace accumulus::ui

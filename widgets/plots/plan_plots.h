// SPDX-License-Identifier: GPL-3.0-or-later
// Peak memory and speed of a plan over the micro-batch, on one logarithmic axis: the fit and the limit of memory, the
// knee of the speed, and a cross with words for every size that does not fit. Sizes that compute on another number of
// lanes are a curve of their own. GUI thread.
#pragma once

#include "core/analysis/micro_plan.h"
#include "widgets/plots/plot_view.h"

#include <QWidget>

namespace accumulus::ui {

class PlanPlots : public QWidget {
    Q_OBJECT
public:
    explicit PlanPlots(const Theme& theme, QWidget* parent = nullptr);
    void showPlan(const MicroPlan& plan);

private:
    void refresh();
    void showMemory(double lower, double upper);
    void showSpeed();
    [[nodiscard]] QString memorySummary() const;

    const Theme& m_theme;
    MicroPlan m_plan;
    PlotView* m_memory;
    PlotView* m_speed;
};

} // namespace accumulus::ui

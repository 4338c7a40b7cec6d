// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate of every update of the run, as the trainer will use it. GUI thread.
#pragma once

#include "widgets/models/setup_plan.h"
#include "widgets/plots/plot_view.h"

namespace accumulus::ui {

class LrPreview : public QWidget {
    Q_OBJECT
public:
    explicit LrPreview(const Theme& theme, QWidget* parent = nullptr);
    void showPlan(const ExperimentConfig& experiment, const SetupPlan& plan, std::int64_t trainSamples);

private:
    const Theme& m_theme;
    PlotView* m_plot;
    std::vector<std::pair<double, double>> m_points;
};

} // namespace accumulus::ui

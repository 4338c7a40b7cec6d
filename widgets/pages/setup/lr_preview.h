// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate of every update of the run, as the trainer will use it, over updates or samples. GUI thread.
#pragma once

#include "widgets/models/setup_plan.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/wheel_guard.h"

class QComboBox;

namespace accumulus::ui {

class LrPreview : public QWidget {
    Q_OBJECT
public:
    explicit LrPreview(const Theme& theme, QWidget* parent = nullptr);
    void showPlan(const ExperimentConfig& experiment, const SetupPlan& plan, std::int64_t trainSamples);

private:
    enum Axis { Updates, Samples };
    [[nodiscard]] QLayout* makeChoice();
    void draw();

    const Theme& m_theme;
    WheelGuard m_wheel; ///< the form scrolls under the choice
    QComboBox* m_axis = nullptr;
    PlotView* m_plot;
    std::vector<LrPoint> m_points;
};

} // namespace accumulus::ui

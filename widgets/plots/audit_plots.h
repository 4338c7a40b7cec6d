// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of an audit: relative error by tensor with its tolerance and noise floor, error against K, weight distance
// against updates. All on a logarithmic y axis. GUI thread.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "widgets/plots/plot_view.h"

namespace accumulus::ui {

/// Names, axis titles and what stands where there is nothing yet.
[[nodiscard]] PlotView* tensorErrorPlot(const Theme& theme, QWidget* parent);
[[nodiscard]] PlotView* splitErrorPlot(const Theme& theme, QWidget* parent);
[[nodiscard]] PlotView* updateDistancePlot(const Theme& theme, QWidget* parent);

void showTensorErrors(PlotView& plot, const GradientAudit& audit, const ThemeColors& colors);
void showSplitErrors(PlotView& plot, const GradientAudit& audit, const ThemeColors& colors);
void showUpdateDistances(PlotView& plot, const GradientAudit& audit, const ThemeColors& colors);

} // namespace accumulus::ui

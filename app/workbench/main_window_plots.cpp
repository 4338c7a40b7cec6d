// SPDX-License-Identifier: GPL-3.0-or-later
// What the menus do with the plots of the page in front.
#include "app/workbench/main_window.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/settings_plot.h"

namespace accumulus::ui {

void MainWindow::savePlot() {
    QWidget* plot = m_lastPlot && m_lastPlot->isVisible() ? m_lastPlot.data() : nullptr;
    const QList<PlotView*> plots = m_navigator.current()->findChildren<PlotView*>();
    for (PlotView* one : plots)
        if (!plot && one->isVisible())
            plot = one;
    if (auto* curves = qobject_cast<PlotView*>(plot))
        curves->exportWithDialog();
    else if (auto* settings = qobject_cast<SettingsPlot*>(plot))
        settings->exportWithDialog();
    else
        tell(NoticeLevel::Info, tr("This page shows no plot now."));
}

} // namespace accumulus::ui

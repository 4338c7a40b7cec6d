// SPDX-License-Identifier: GPL-3.0-or-later
// The parameter probe on the Live page: how the first elements of one parameter change over the newest windows, drawn
// micro-step by micro-step, so that the stairs of accumulation are to be seen; and the same in a sentence. GUI thread.
#pragma once

#include "widgets/models/recent_windows.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"

namespace accumulus::ui {

/// Curves of the first elements: x counts windows, y is the change since the first value shown. Within a window the
/// micro-steps stand evenly spaced; the update is a vertical step at its end. `steps`: micro-steps of a full window.
[[nodiscard]] std::vector<Series> probeStairs(const std::vector<ProbedWindow>& windows, std::int64_t steps);

class ProbePanel : public QWidget {
    Q_OBJECT
public:
    explicit ProbePanel(const Theme& theme, QWidget* parent = nullptr);
    /// `run`: whose values these are, in words.
    void setProbe(const QString& parameter, const QString& run, std::int64_t steps, std::vector<ProbedWindow> windows);

private:
    void refresh();
    void showSentence();

    const Theme& m_theme;
    QString m_parameter, m_run;
    std::int64_t m_steps = 1;
    std::vector<ProbedWindow> m_windows;
    PlotView* m_plot;
    RoleLabel* m_sentence;
    RoleLabel* m_values;
};

} // namespace accumulus::ui

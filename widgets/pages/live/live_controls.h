// SPDX-License-Identifier: GPL-3.0-or-later
// The row of switches over the panels of the Live page: x axis, logarithmic y, smoothing, follow. Remembers its
// choices. GUI thread.
#pragma once

#include "widgets/pages/live/live_curves.h"
#include "widgets/plots/curve_data.h"
#include "widgets/plots/smoothing_choice.h"
#include "widgets/style/controls.h"

#include <QTimer>
#include <QWidget>
#include <optional>

class QComboBox;
class QPushButton;

namespace accumulus::ui {

class LiveControls : public QWidget {
    Q_OBJECT
public:
    explicit LiveControls(const Theme& theme, QWidget* parent = nullptr);
    ~LiveControls() override;

    [[nodiscard]] LiveAxis axis() const;
    [[nodiscard]] Smoothing smoothing() const;   ///< beta 0 to 0.999, or a mean of up to 1001 windows
    void setWindowSamples(std::int64_t samples); ///< B of the shown run: the mean is told in samples
    [[nodiscard]] bool logX() const;
    [[nodiscard]] bool logY() const;
    void cycleAxis();
    void focusSmoothing();
    void showFollow(bool on);
    void showLogX(bool on);
    void showLogY(bool on);

Q_SIGNALS:
    void axisChanged(accumulus::ui::LiveAxis axis);
    void smoothingChanged(const accumulus::ui::Smoothing& smoothing);
    void logXChanged(bool on);
    void logYChanged(bool on);
    void followChanged(bool on);

private:
    void retranslate();
    void recolor();
    void saveSmoothing();

    const Theme& m_theme;
    RoleLabel* m_axisLabel;
    QComboBox* m_axis;
    QPushButton* m_logX;
    QPushButton* m_logY;
    SmoothingChoice* m_smoothing;
    QPushButton* m_follow;
    QTimer m_saveSoon;
    std::optional<int> m_unsaved; ///< the slider's place
};

} // namespace accumulus::ui

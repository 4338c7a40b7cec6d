// SPDX-License-Identifier: GPL-3.0-or-later
// How a curve is smoothed, as a person chooses it: the kind, and how strongly on a slider whose start is "none". GUI
// thread.
#pragma once

#include "core/analysis/series.h"
#include "widgets/plots/curve_data.h"
#include "widgets/style/controls.h"

#include <QWidget>

class QComboBox;
class QSlider;

namespace accumulus::ui {

class SmoothingChoice : public QWidget {
    Q_OBJECT
public:
    /// The slider has this object name, kind and value have it with "Kind" and "Value" behind.
    SmoothingChoice(const Theme& theme, const QString& name, QWidget* parent = nullptr);

    [[nodiscard]] Smoothing smoothing() const;        ///< beta 0 to 0.999, or a mean of up to 1001 windows
    void showSmoothing(const CurveSmoothing& shown);  ///< the place next to it, without a signal
    [[nodiscard]] bool isHeld() const;                ///< the slider is being dragged
    void setWindowSamples(std::int64_t samples);      ///< B: the mean is told in samples; 0: in windows
    [[nodiscard]] QString kind() const;               ///< "ema" or "mean"
    void setPlace(const QString& kind, int strength); ///< as it was left, without a signal
    void takeFocus();                                 ///< the slider

Q_SIGNALS:
    void smoothingChanged(const accumulus::ui::Smoothing& smoothing);
    void kindChosen(const QString& kind);
    void strengthMoved(int strength); ///< the slider's place

private:
    void showValue();
    [[nodiscard]] QString valueText() const;

    QComboBox* m_kind;
    QSlider* m_slider;
    RoleLabel* m_value;
    std::int64_t m_windowSamples = 0;
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The switches over the curves of a comparison: x axis, band, smoothing of the training loss, single seeds, logarithmic
// differences. GUI thread.
#pragma once

#include "core/analysis/series.h"
#include "widgets/plots/smoothing_choice.h"
#include "widgets/style/theme.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;

namespace accumulus::ui {

class ComparePlotControls : public QWidget {
    Q_OBJECT
public:
    explicit ComparePlotControls(const Theme& theme, QWidget* parent = nullptr);

    void showAxis(CurveAxis axis); ///< without a signal
    void showBand(BandKind band);  ///< likewise
    /// Likewise, unless a person is about to choose another.
    void showSmoothing(const CurveSmoothing& smoothing);
    [[nodiscard]] bool singles() const;
    [[nodiscard]] bool logDifferences() const;
    void setSingles(bool on); ///< with its signal, as by hand
    void setLogDifferences(bool on);
    void cycleAxis(); ///< as if the next one were chosen
    void focusSmoothing();

Q_SIGNALS:
    void axisChosen(accumulus::CurveAxis axis);
    void bandChosen(accumulus::BandKind band);
    void smoothingChosen(const accumulus::CurveSmoothing& smoothing); ///< once the slider rests
    void singlesToggled(bool on);
    void logDifferencesToggled(bool on);

private:
    QComboBox* m_axis;
    QComboBox* m_band;
    SmoothingChoice* m_smoothing;
    QCheckBox* m_singles;
    QCheckBox* m_logDifferences;
    QTimer m_restSoon; ///< single shot
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The switches over the curves of a comparison: x axis, band, single seeds, logarithmic differences. GUI thread.
#pragma once

#include "core/analysis/series.h"
#include "widgets/style/theme.h"

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

Q_SIGNALS:
    void axisChosen(accumulus::CurveAxis axis);
    void bandChosen(accumulus::BandKind band);
    void singlesToggled(bool on);
    void logDifferencesToggled(bool on);

private:
    QComboBox* m_axis;
    QComboBox* m_band;
};

} // namespace accumulus::ui

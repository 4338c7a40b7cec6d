// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of a comparison over samples seen or another axis: a metric of the test set and training loss side by
// side, above each arm's mean with its band, below the difference A - B of the pairs with zero line and margin. All
// four share the x range. GUI thread.
#pragma once

#include "core/analysis/compare.h"
#include "widgets/plots/compare_plot_controls.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"

class QGridLayout;

namespace accumulus::ui {

class ComparePlots : public Card {
    Q_OBJECT
public:
    explicit ComparePlots(const Theme& theme, QWidget* parent = nullptr);

    void setComparison(const ComparisonInput& input, const Comparison& comparison, BandKind band, double lossSmoothing);
    [[nodiscard]] ComparePlotControls& controls() { return *m_controls; }
    void fit();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Metric; ///< which curves of a run and of the comparison belong to one column
    void fillArms(PlotView& plot, const Metric& metric, const Band& a, const Band& b);
    void fillDifference(PlotView& plot, const Metric& metric, const Band& difference);
    void fill();
    void arrange();
    void titleMetric(CompareMetric metric);
    [[nodiscard]] static QString differenceNote(CurveAxis axis);

    const Theme& m_theme;
    ComparePlotControls* m_controls;
    PlotView* m_accuracy;
    PlotView* m_loss;
    PlotView* m_accuracyDifference;
    PlotView* m_lossDifference;
    RoleLabel* m_note;
    QGridLayout* m_grid;
    ComparisonInput m_input;
    Comparison m_comparison;
    BandKind m_band = BandKind::MinMax;
    double m_smoothing = 0.0;
    bool m_singles = false;
    int m_columns = 0;
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of a comparison over samples seen or another axis: a metric of the test set and training loss side by
// side, above each group's mean with its band, below the difference of each other group from the reference with zero
// line and margin. All four share the x range. GUI thread.
#pragma once

#include "core/analysis/compare_family.h"
#include "widgets/plots/compare_plot_controls.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"

#include <vector>

class QGridLayout;

namespace accumulus::ui {

class ComparePlots : public Card {
    Q_OBJECT
public:
    explicit ComparePlots(const Theme& theme, QWidget* parent = nullptr);

    void setComparison(const ComparisonInput& input, const FamilyComparison& family, BandKind band,
                       const CurveSmoothing& lossSmoothing);
    [[nodiscard]] ComparePlotControls& controls() { return *m_controls; }
    /// How it is looked at, whatever is compared.
    struct Look {
        bool singles = false, logDifferences = false;
        std::vector<PlotViewpoint> viewpoints;
    };
    [[nodiscard]] Look look() const;
    void setLook(const Look& look); ///< its viewpoints once something is compared
    void fit();
    void showAllCurves() { m_accuracy->showAllCurves(); }

Q_SIGNALS:
    void runPointedAt(const QString& run); ///< a single trace

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct SingleDifference; ///< of one pair, computed beside the GUI thread
    struct Metric;           ///< which curves of a run and of the comparison belong to one column
    void fillGroups(PlotView& plot, const Metric& metric, Band GroupCurves::*band);
    [[nodiscard]] QString lossTitle() const;
    void fillDifferences(PlotView& plot, const Metric& metric, Band Comparison::*difference);
    void addSingleDifferences(const FamilyMember& member, const Metric& metric, const PlotCurve& line,
                              std::vector<PlotCurve>& curves, std::vector<SingleDifference>& singles) const;
    void fill();
    void arrange();
    void lookAsWanted();
    void titleMetric(CompareMetric metric);
    [[nodiscard]] static QString differenceNote(CurveAxis axis);
    [[nodiscard]] QString noteText(bool margin) const;
    [[nodiscard]] QString differenceTitle(const QString& what) const;
    [[nodiscard]] QString pairText(std::size_t member) const; ///< "A − B"
    [[nodiscard]] std::optional<double> commonMargin() const; ///< of all pairs
    [[nodiscard]] std::vector<PlotView*> plots() const {
        return {m_accuracy, m_loss, m_accuracyDifference, m_lossDifference};
    }
    [[nodiscard]] const Comparison& first() const { return m_family.members.front().comparison; }

    const Theme& m_theme;
    ComparePlotControls* m_controls;
    PlotView* m_accuracy;
    PlotView* m_loss;
    PlotView* m_accuracyDifference;
    PlotView* m_lossDifference;
    RoleLabel* m_note;
    QGridLayout* m_grid;
    ComparisonInput m_input;
    FamilyComparison m_family; ///< without members until something is compared
    BandKind m_band = BandKind::MinMax;
    CurveSmoothing m_smoothing;
    std::vector<PlotViewpoint> m_wanted; ///< of setLook(), until something is compared
    bool m_singles = false;
    int m_columns = 0;
};

} // namespace accumulus::ui

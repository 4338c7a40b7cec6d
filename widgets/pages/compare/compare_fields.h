// SPDX-License-Identifier: GPL-3.0-or-later
// The row of fields over a comparison: which pair, the metric of the verdict, and the metrics judged together with it.
// GUI thread.
#pragma once

#include "widgets/models/comparison_loader.h"
#include "widgets/style/theme.h"

#include <QWidget>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;

namespace accumulus::ui {

class CompareFields : public QWidget {
    Q_OBJECT
public:
    explicit CompareFields(const Theme& theme, QWidget* parent = nullptr);

    /// False: somebody is choosing, and the list stays as it is.
    [[nodiscard]] bool setChoices(const std::vector<PairChoice>& choices, const ComparisonRequest& chosen);
    void clearChoices();
    void setMetrics(const ComparisonInput& input, CompareMetric judged, const QStringList& together);
    /// What the card says of these groups: in the list they have the same verdict, by whatever metric and margin.
    void setVerdict(const QList<QStringList>& groups, Verdict verdict);
    void focusPairs();
    void setComparing(bool on); ///< something is compared: its metrics can be chosen

Q_SIGNALS:
    void pairChosen(const QStringList& groupA, const QStringList& groupB);
    void metricChosen(const QString& metric);
    void togetherChosen(const QStringList& metrics);

private:
    void showVerdicts(); ///< beside the pairs, in the colours of the theme
    [[nodiscard]] QString pairText(const PairChoice& choice) const;
    [[nodiscard]] std::optional<Verdict> verdictOf(const PairChoice& choice) const;
    void fillTogether(const std::vector<CompareMetric>& offered, CompareMetric judged, const QStringList& together);
    [[nodiscard]] QStringList checkedMetrics() const;
    void showTogether();

    const Theme& m_theme;
    QComboBox* m_pairs = nullptr;
    QLabel* m_pairsLabel = nullptr;
    QComboBox* m_metric = nullptr;
    QPushButton* m_together = nullptr;
    std::vector<CompareMetric> m_metrics; ///< that m_metric offers
    std::vector<PairChoice> m_choices;
    QList<QStringList> m_groups; ///< that m_pairs shows
    QList<QStringList> m_judged; ///< that the card is about
    std::optional<Verdict> m_verdict;
};

} // namespace accumulus::ui

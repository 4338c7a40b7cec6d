// SPDX-License-Identifier: GPL-3.0-or-later
// The scrolling content of the Compare page: verdict, groups, curves, cost, tables. Shows a loaded comparison; knows no
// library. GUI thread.
#pragma once

#include "widgets/models/comparison_loader.h"
#include "widgets/models/difference_model.h"
#include "widgets/models/judged_metric_model.h"
#include "widgets/models/pair_model.h"
#include "widgets/pages/compare/compare_groups.h"
#include "widgets/pages/compare/group_verdict_model.h"
#include "widgets/plots/compare_plots.h"
#include "widgets/plots/cost_bars.h"
#include "widgets/plots/settings_card.h"
#include "widgets/plots/verdict_card.h"

#include <QScrollArea>
#include <set>
#include <string>
#include <vector>

class QCheckBox;
class QTableView;
class QBoxLayout;

namespace accumulus::ui {

class CompareView : public QScrollArea {
    Q_OBJECT
public:
    explicit CompareView(const Theme& theme, QWidget* parent = nullptr);

    /// `member` of the family has its verdict on the card. Other runs than before are shown from the top.
    void setComparison(const LoadedComparison& loaded, BandKind band, const CurveSmoothing& lossSmoothing,
                       std::size_t member);
    void showMember(const LoadedComparison& loaded, std::size_t member); ///< of what is shown already
    void chooseRun(const QString& run); ///< its seed's row, in the next comparison that is shown
    [[nodiscard]] VerdictCard& verdict() { return *m_verdict; }
    [[nodiscard]] ComparePlots& plots() { return *m_plots; }
    [[nodiscard]] SettingsCard& settings() { return *m_settings; }
    [[nodiscard]] CompareGroups& groups() { return *m_groups; }
    /// What a person has switched here, whatever is compared.
    struct Look {
        ComparePlots::Look plots;
        SettingsCard::Look settings;
        bool allSettings = false;
    };
    [[nodiscard]] Look look() const;
    void setLook(const Look& look);

Q_SIGNALS:
    void memberChosen(std::size_t member); ///< by its row in the table of groups
    void runChosen(const QString& run);    ///< by its seed's row, or by its trace

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QTableView* makeTable(QAbstractItemModel* model, const QString& objectName, const QString& name,
                                        const std::vector<int>& narrow);

    void showPairs(const Comparison& comparison, const comparison_text::PairNames& names);
    [[nodiscard]] Card* makeSeeds(const Theme& theme);
    void buildFamily(const Theme& theme);
    void buildTogether(const Theme& theme);
    void buildSettings(const Theme& theme, QVBoxLayout* column);

    const Theme& m_theme;
    VerdictCard* m_verdict;
    CompareGroups* m_groups;
    ComparePlots* m_plots;
    CostBars* m_cost;
    SettingsCard* m_settings;
    PairModel* m_pairs;
    QTableView* m_seedTable = nullptr;
    std::vector<std::set<std::string>> m_runs; ///< of each group
    QString m_toBeChosen;                      ///< a run, once its seed's row is there
    bool m_showsPairs = false;                 ///< rows come, nobody chooses one
    DifferenceModel* m_differences;
    JudgedMetricModel* m_judged;
    GroupVerdictModel* m_verdicts;
    Card* m_family; ///< table of the groups against the reference; hidden for two groups
    QTableView* m_familyTable = nullptr;
    Card* m_together;            ///< table of the metrics that are judged together; hidden for one alone
    RoleLabel* m_holm = nullptr; ///< over what their p values are corrected
    QCheckBox* m_allSettings = nullptr;
    QBoxLayout* m_top; ///< verdict and seeds beside groups and cost; one above the other in a narrow window
};

} // namespace accumulus::ui

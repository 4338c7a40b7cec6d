// SPDX-License-Identifier: GPL-3.0-or-later
// Settings and metric of the compared runs: the plot, which of its two pictures is shown, and the setting across the
// scatter plot. GUI thread.
#pragma once

#include "core/analysis/setting_axes.h"
#include "widgets/plots/settings_plot.h"
#include "widgets/style/controls.h"

class QButtonGroup;
class QComboBox;

namespace accumulus::ui {

class SettingsCard : public Card {
    Q_OBJECT
public:
    explicit SettingsCard(const Theme& theme, QWidget* parent = nullptr);

    /// The setting that was chosen stays so as long as it differs.
    void setInput(const ComparisonInput& input);
    [[nodiscard]] SettingsPlot& plot() { return *m_plot; }
    struct Look {
        SettingsView view = SettingsView::Scatter;
        QString setting; ///< key of the one across; empty: none was chosen
        QString run;     ///< id of the one that stands out; empty: none
    };
    [[nodiscard]] Look look() const;
    void setLook(const Look& look); ///< its run stands out once it is there

private:
    void build(const Theme& theme);
    void fillChoices();
    void refresh();
    void showChosenRun();
    [[nodiscard]] SettingsView view() const;
    [[nodiscard]] std::size_t chosenAxis() const;
    [[nodiscard]] QString noteText() const;

    SettingsFigure m_figure; ///< without a highlight
    QString m_chosen;        ///< key of the setting across
    QString m_toBeChosen;    ///< a run, by its id
    QButtonGroup* m_views;
    QComboBox* m_setting;
    QWidget* m_settingField;
    SettingsPlot* m_plot;
    RoleLabel* m_note;
};

} // namespace accumulus::ui

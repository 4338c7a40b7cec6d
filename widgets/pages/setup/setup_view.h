// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of the set-up page, built once from the form; shows what it is given and announces clicks. GUI thread.
#pragma once

#include "widgets/models/config_form.h"
#include "widgets/models/setup_facts.h"
#include "widgets/models/setup_plan.h"
#include "widgets/pages/setup/batch_triple.h"
#include "widgets/pages/setup/lr_preview.h"
#include "widgets/pages/setup/setup_sections.h"
#include "widgets/pages/setup/setup_summary.h"
#include "widgets/plots/batch_bar.h"

#include <vector>

class QScrollArea;

namespace accumulus::ui {

class FoundCard;

class SetupView : public QWidget {
    Q_OBJECT
public:
    SetupView(const Theme& theme, ConfigForm& form, QWidget* parent = nullptr);

    /// Everything that follows from the form and the facts.
    /// `refused`: what was typed and cannot be stored.
    void showState(const ExperimentConfig& experiment, const SetupFacts& facts, const SetupMemory& memory,
                   const SetupTime& time, const std::vector<Finding>& findings, const std::vector<Finding>& refused);
    [[nodiscard]] SetupSummary& summary() const { return *m_summary; }
    [[nodiscard]] NoticeBar& notice() const { return *m_notice; }
    /// Puts the keyboard into the editor of a setting and scrolls to it.
    void focusSetting(const std::string& key);
    /// Scrolls to the first of them that has an editor.
    void bringIntoSight(const std::vector<std::string>& keys);

Q_SIGNALS:
    void fixChosen(const accumulus::Finding& finding, const accumulus::Fix& fix);
    void fileChosen(const QString& file); ///< beside a path
    void presetsClicked();
    void fieldsMade(QWidget* fields); ///< that had been folded away; within it

protected:
    bool focusNextPrevChild(bool next) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* reveal(const std::string& key); ///< its editor; null: none here
    void fitSummary();
    [[nodiscard]] QLayout* makeTitle();
    [[nodiscard]] QWidget* makeForm();
    void addBatch(SetupSection& section);
    void addPairSwitch(SetupSection& section);
    void showBatch(const ExperimentConfig& experiment, const SetupPlan& plan);
    void showFindings(const std::vector<Finding>& findings);

    const Theme& m_theme;
    ConfigForm& m_form;
    std::vector<SetupSection*> m_sections;
    QScrollArea* m_scroll = nullptr;
    NoticeBar* m_notice;
    SetupSummary* m_summary = nullptr;
    BatchTriple* m_triple = nullptr;
    RoleLabel* m_batchLine = nullptr;
    RoleLabel* m_epochLine = nullptr;
    BatchBar* m_bar = nullptr;
    RoleLabel* m_laterLine = nullptr; ///< under a ramp: the last window
    BatchBar* m_laterBar = nullptr;
    FindingList* m_batchFindings = nullptr;
    FieldEditor* m_pair = nullptr;
    RoleLabel* m_pairLine = nullptr;
    LrPreview* m_preview = nullptr;
    FoundCard* m_found = nullptr;
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The column beside the form: what would run, what is wrong, and buttons that never scroll away. It shows what it is
// given. GUI thread.
#pragma once

#include "widgets/models/config_form.h"
#include "widgets/models/setup_facts.h"
#include "widgets/models/setup_memory.h"
#include "widgets/models/setup_plan.h"
#include "widgets/models/setup_time.h"
#include "widgets/pages/setup/finding_list.h"
#include "widgets/pages/setup/memory_bar.h"
#include "widgets/pages/setup/place_box.h"
#include "widgets/style/controls.h"

#include <QWidget>
#include <array>

class QGridLayout;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace accumulus::ui {

/// "2 arms × 5 seeds = 10 runs"; a dash where the seeds are not known
[[nodiscard]] QString runsText(const SetupPlan& plan);

class SetupSummary : public QWidget {
    Q_OBJECT
public:
    explicit SetupSummary(const Theme& theme, QWidget* parent = nullptr);

    void showPlan(const SetupPlan& plan, const ExperimentConfig& experiment);
    /// `mendable`: a finding says what is wrong with the data, and how to mend it.
    void showFacts(const SetupFacts& facts, const DataConfig& config, bool mendable);
    /// Hidden for another place. `known`: it is about what stands in the form.
    void showMemory(const SetupMemory& memory, const SetupPlan& plan, bool known);
    /// `time`: of this computer. `settled`: it is not being looked for any more.
    void showRuns(const SetupPlan& plan, const std::optional<StudyTime>& time, bool settled);
    void showFindings(std::vector<Finding> findings) { m_findings->setFindings(std::move(findings)); }
    /// Why Start and the queue's button are disabled; empty: they are enabled.
    void setBlocked(const QString& start, const QString& queue);
    /// A text that is no value: what goes elsewhere would be the value before it. Empty: there is none.
    void setRefused(const QString& why);
    void setQueues(bool queues); ///< something is running: Start adds to the queue, and no other button does
    [[nodiscard]] std::optional<LaunchPlace> place() const { return m_place->place(); } ///< nothing: this computer
    void setHistory(bool canUndo, bool canRedo);
    void tell(const QString& text); ///< a short answer to a click ("Command copied")

Q_SIGNALS:
    void startClicked();
    void enqueueClicked();
    void auditClicked();
    void copyClicked();
    void saveClicked();
    void loadClicked();
    void undoClicked();
    void redoClicked();
    void placeChanged();
    void fileChosen(const QString& file); ///< the data are there
    void useGeneratedClicked();
    void planClicked();
    void fixChosen(const accumulus::Finding& finding, const accumulus::Fix& fix);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Row { Updates, Samples, Batch, Margin, Parameters, Data, Device, RowCount };
    [[nodiscard]] Card* makeOverview();
    [[nodiscard]] QWidget* makeDataError();
    [[nodiscard]] QLayout* makeButtons();
    void setValue(Row row, const QString& text);
    void showRow(Row row, bool on);
    void retint();

    const Theme& m_theme;
    RoleLabel* m_runs;
    RoleLabel* m_time; ///< why none is told
    MemoryBar* m_memory;
    QVBoxLayout* m_above = nullptr; ///< what would run, and the checks
    QGridLayout* m_grid = nullptr;
    std::array<RoleLabel*, RowCount> m_captions{};
    std::array<RoleLabel*, RowCount> m_values{};
    QWidget* m_dataError = nullptr;
    RoleLabel* m_dataErrorText = nullptr;
    QPushButton* m_generated = nullptr;
    FindingList* m_findings;
    RoleLabel* m_allWell;
    RoleLabel* m_told;
    PlaceBox* m_place;
    QPushButton* m_start;
    QPushButton* m_enqueue;
    QPushButton* m_audit = nullptr;
    QPushButton* m_plan = nullptr;
    bool m_canPlan = false;
    QPushButton* m_copy = nullptr;
    QPushButton* m_save = nullptr;
    QToolButton* m_undo = nullptr;
    QToolButton* m_redo = nullptr;
};

} // namespace accumulus::ui

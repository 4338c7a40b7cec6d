// SPDX-License-Identifier: GPL-3.0-or-later
// Head of the Live page: whose curves these are, how the run stands, the open window as a batch bar, progress and
// remaining time, pause and stop. Shows what it is told; GUI thread.
#pragma once

#include "core/config/batch_plan.h"
#include "core/store/run_records.h"
#include "widgets/models/open_window.h"
#include "widgets/models/run_progress.h"
#include "widgets/plots/batch_bar.h"
#include "widgets/style/controls.h"

#include <QTimer>
#include <string>

class QProgressBar;
class QPushButton;

namespace accumulus::ui {

class ElidedLabel;

class LiveHeader : public Card {
    Q_OBJECT
public:
    explicit LiveHeader(const Theme& theme, QWidget* parent = nullptr);

    void setStudy(const QString& name, bool comparable);
    /// `active`: this program trains the shown study, so the verbs apply to it.
    void setState(RunState state, bool active);
    /// Null: no run has started yet.
    void setRun(const RunRecord* run, std::size_t number, std::size_t count);
    /// Numbers of a running study; repainted at most four times a second.
    void setProgress(const RunProgress& progress);
    /// Numbers of a study that is not running here.
    void setFinished(std::int64_t updates, std::int64_t totalUpdates, double fraction, const QString& note);
    /// So many runs of a study that is not running can go on; 0: none.
    void setUnfinished(int runs);
    void windowClosed(double seconds); ///< how long the newest window took
    /// How far the open window of the running study is, as the trainer tells it; window 0: it does not.
    void setOpenWindow(const WindowProgress& window);

Q_SIGNALS:
    void pauseRequested();
    void resumeRequested();
    void resumeStudyRequested();
    void stopRequested();
    void stopNowRequested();
    void compareRequested();

private:
    void buildRows();
    void refreshState();
    void refreshNumbers();
    void showWindowOf(std::int64_t update);
    void showBlocks(std::int64_t samples); ///< of a window of so many
    [[nodiscard]] bool isOpenWindowShown() const;
    void showOpenWindow();
    void retranslate();

    const Theme& m_theme;
    ElidedLabel* m_name;
    QLabel* m_stateIcon;
    RoleLabel* m_state;
    RoleLabel* m_run;
    RoleLabel* m_updates;
    RoleLabel* m_progressText;
    BatchBar* m_bar;
    RoleLabel* m_microSteps;
    QProgressBar* m_progress;
    QPushButton* m_pause;
    QPushButton* m_stop;
    QPushButton* m_stopNow;
    QPushButton* m_compare;
    QPushButton* m_resumeStudy;
    RunState m_shownState = RunState::Completed;
    bool m_active = false;
    RunProgress m_numbers;
    QTimer m_numbersClock; ///< single shot: one repaint for many windows
    OpenWindow m_open;
    double m_windowSeconds = 0.0; ///< of the newest windows; 0 before the first
    std::string m_shownRun;
    BatchPlan m_batch; ///< of the shown run
    std::int64_t m_barSamples = 0;
    std::size_t m_blocks = 0; ///< of the bar
};

} // namespace accumulus::ui

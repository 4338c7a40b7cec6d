// SPDX-License-Identifier: GPL-3.0-or-later
// What a person may do after a run has failed for lack of memory, or because a value was not finite: one sentence and a
// button for each way out. Hidden while there is no such run. GUI thread.
#pragma once

#include "core/base/error.h"
#include "core/config/experiment_config.h"
#include "core/store/run_records.h"
#include "widgets/style/controls.h"

#include <functional>
#include <optional>
#include <vector>

class QPushButton;

namespace accumulus::ui {

class FlowLayout;

/// A run that has failed in this session. `update`: of its newest checkpoint to go on from; nothing: there is none.
struct FailedRun {
    RunRecord run;
    Error error;
    std::optional<std::int64_t> update;
};

class LiveRecovery : public Card {
    Q_OBJECT
public:
    explicit LiveRecovery(const Theme& theme, QWidget* parent = nullptr);

    /// `experiment`: of the study, for those that begin anew.
    void showFailed(const FailedRun& failed, const ExperimentConfig& experiment);
    void clear();

Q_SIGNALS:
    void setupRequested(const accumulus::ExperimentConfig& experiment);
    void smallerPartsRequested(const QString& run);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void offerForMemory();
    void offerForNonfinite();
    QPushButton* offer(const char* name, const QString& text, const QString& tip);
    void offerSetup(const char* name, const QString& text, const QString& tip, const ExperimentConfig& changed);

    const Theme& m_theme;
    RoleLabel* m_text;
    QWidget* m_buttons;
    FlowLayout* m_flow;
    std::optional<FailedRun> m_failed;
    ExperimentConfig m_experiment;
};

} // namespace accumulus::ui

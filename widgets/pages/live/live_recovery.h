// SPDX-License-Identifier: GPL-3.0-or-later
// What a person may do after runs of a study have failed for lack of memory, or because a value was not finite: one
// sentence and a button for each way out. Hidden while there is no such run. GUI thread.
#pragma once

#include "core/base/error.h"
#include "core/config/experiment_config.h"
#include "core/store/run_records.h"
#include "widgets/style/controls.h"

#include <QStringList>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QPushButton;

namespace accumulus::ui {

class FlowLayout;

/// A run that has failed in this session. `update`: of its newest checkpoint to go on from; nothing: there is none.
struct FailedRun {
    RunRecord run;
    Error error;
    std::optional<std::int64_t> update;
    bool elsewhere = false; ///< it was trained in another place
};

/// Those of a study, in the order in which they failed. `experiment`: for studies that begin anew.
struct FailedRuns {
    std::vector<FailedRun> runs;
    ExperimentConfig experiment;
};

class LiveRecovery : public Card {
    Q_OBJECT
public:
    explicit LiveRecovery(const Theme& theme, QWidget* parent = nullptr);

    void showFailed(const FailedRun& failed, const ExperimentConfig& experiment);
    void forget(const std::string& run);     ///< it goes on
    void keepOnly(const std::string& study); ///< what has failed in another one is no matter now
    [[nodiscard]] const FailedRuns& failed() const { return m_failed; }
    void setFailed(const FailedRuns& failed); ///< as another one has shown them

Q_SIGNALS:
    void setupRequested(const accumulus::ExperimentConfig& experiment);
    void smallerPartsRequested(const QStringList& runs);

private:
    template <class Drops>
    void drop(Drops drops);
    void refresh();
    void offerParts();
    void offerSmaller();
    void offerResplit();
    void offerForNonfinite();
    void offerForSettings();
    QPushButton* offer(const char* name, const QString& text, const QString& tip);
    void offerSetup(const char* name, const QString& text, const QString& tip, const ExperimentConfig& changed);

    const Theme& m_theme;
    RoleLabel* m_text;
    QWidget* m_buttons;
    FlowLayout* m_flow;
    FailedRuns m_failed;
};

} // namespace accumulus::ui

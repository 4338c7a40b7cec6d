// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the log what happens: libraries that are opened, studies and runs with what was chosen for them, evaluations,
// checkpoints, notes, ends and errors. GUI thread.
#pragma once

#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/run_controller.h"
#include "widgets/models/log_model.h"

#include <QHash>
#include <QObject>

namespace accumulus::ui {

class RunNarrator : public QObject {
    Q_OBJECT
public:
    /// All outlive it.
    RunNarrator(RunController& runs, LibraryGateway& library, LogModel& log, QObject* parent = nullptr);

private:
    void tell(const StudyStarted& event);
    void tell(const RunStarted& event);
    void tell(const Evaluated& event);
    void tell(const CheckpointSaved& event);
    void tell(const RunStateChanged& event);
    void tell(const RunNoted& event);
    void tell(const RunFinished& event);
    template <class Other>
    void tell(const Other&) {}
    void say(const QString& text) { m_log.append(LogLevel::Info, text); }
    [[nodiscard]] QString nameOf(const std::string& run) const;

    LibraryGateway& m_library;
    LogModel& m_log;
    QHash<QString, QString> m_names; ///< of the runs, by their id
    std::optional<Error> m_told;     ///< with the end of a run
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the queue in the library: each change is written by the gateway's writer, and what a window left is there,
// paused, when the next one opens the library. A window that may only read shows the queue of the one that writes. GUI
// thread.
#pragma once

#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/run_controller.h"

#include <QObject>
#include <filesystem>
#include <optional>
#include <vector>

namespace accumulus::ui {

class QueueKeeper : public QObject {
    Q_OBJECT
public:
    QueueKeeper(RunController& runs, LibraryGateway& library, QObject* parent = nullptr); ///< both outlive it

Q_SIGNALS:
    void restored(int waiting); ///< so many wait since an earlier session, in a library that can be written

public Q_SLOTS:
    void saveAgain(); ///< whatever stands in the library

private:
    void load();
    void save();

    RunController& m_runs;
    LibraryGateway& m_library;
    std::optional<std::vector<QueueRecord>> m_saved; ///< nothing: unknown
    std::filesystem::path m_file;                    ///< whose queue this is, as its writer
    bool m_loading = false;
};

} // namespace accumulus::ui

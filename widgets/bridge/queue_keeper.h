// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the queue in the library: each change is written by the gateway's writer, and what a window left is there,
// paused, when the next one opens the library. A write that fails is tried again. What cannot be read is not written
// over. A window that may only read shows the queue of the one that writes. GUI thread.
#pragma once

#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/run_controller.h"

#include <QObject>
#include <QTimer>
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
    void failed(const accumulus::Error& error); ///< the queue could not be read, or not be written; told once

public Q_SLOTS:
    void saveAgain(); ///< whatever stands in the library

private:
    void load();
    void save();
    [[nodiscard]] std::vector<QueuedStudy> readable(const std::vector<QueueRecord>& records);
    void cannotRead(const Error& error);
    void written(const Status& status, const std::filesystem::path& file);

    RunController& m_runs;
    LibraryGateway& m_library;
    std::optional<std::vector<QueueRecord>> m_saved; ///< nothing: what the library has is not known
    std::vector<QueueRecord> m_aside;   ///< that another version of the program may understand: written back
    std::filesystem::path m_file;       ///< whose queue this is, as its writer
    std::filesystem::path m_unreadable; ///< whose queue could not be read: nothing is written over it
    QTimer m_retry;
    bool m_loading = false;
};

} // namespace accumulus::ui

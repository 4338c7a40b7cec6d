// SPDX-License-Identifier: GPL-3.0-or-later
// The GUI's way to the library: short reads on the GUI thread, long ones on a query thread with a connection of its
// own, edits through a short-lived writer. Tells when the library has changed (this process or another). GUI thread.
#pragma once

#include "core/base/result.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QThread>
#include <QTimer>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace accumulus::ui {

class LibraryGateway : public QObject {
    Q_OBJECT
public:
    explicit LibraryGateway(QObject* parent = nullptr);
    ~LibraryGateway() override;

    /// Creates the file when missing. Marks stale runs interrupted and announces them.
    [[nodiscard]] Status open(const std::filesystem::path& file);
    [[nodiscard]] const std::filesystem::path& path() const;
    [[nodiscard]] bool isOpen() const;
    /// Opened for reading only: the file may not be written.
    [[nodiscard]] bool readOnly() const;
    /// A sentence of the store a person should see, mostly empty.
    [[nodiscard]] QString notice() const;
    /// Seconds since a commit by anyone was last noticed, by now; negative when none was.
    [[nodiscard]] double secondsSinceCommit() const;

    /// Reader of the GUI thread: lists and single runs only (nothing that touches many windows).
    [[nodiscard]] RunReader& reader();

    /// Runs `work` on the query thread and `done` on the GUI thread, unless `context` has gone or has asked a later
    /// query of the same `token`.
    template <class R>
    void query(QObject* context, const QString& token, std::function<R(RunReader&)> work, std::function<void(R)> done) {
        post(context, token,
             [work = std::move(work), done = std::move(done)](RunReader& reader) -> std::function<void()> {
                 auto result = std::make_shared<R>(work(reader));
                 return [result, done] { done(std::move(*result)); };
             });
    }

    /// Announces once more what is trained elsewhere and not followed.
    void lookForUnfinished();

    /// Runs `edit` with a writer and announces the change.
    [[nodiscard]] Status edit(const std::function<Status(RunStore&)>& edit);

Q_SIGNALS:
    void opened();
    void changed(); ///< rows were committed by someone
    void interruptedRunsFound(
        const QStringList& runs); ///< at open, and once more when a heartbeat has had the time to grow stale
    void launchFound(const accumulus::LaunchRecord& launch); ///< trained elsewhere, goes on, and nobody follows it
    void queryFailed(const accumulus::Error& error);         ///< the query thread could not open the library

private:
    using Token = std::pair<const QObject*, QString>;
    using Ticket = std::shared_ptr<std::atomic<quint64>>; ///< number of the newest query of a token

    void post(QObject* context, const QString& token, std::function<std::function<void()>(RunReader&)> work);
    void poll();
    void findInterrupted();
    void noticeCommit();

    std::filesystem::path m_path;
    QString m_notice;
    std::optional<RunReader> m_reader;
    std::optional<RunStore> m_store; ///< absent when read-only
    QThread m_thread;
    QObject* m_queryHost = nullptr;                          ///< lives in m_thread
    std::shared_ptr<std::optional<RunReader>> m_queryReader; ///< used by m_thread only
    QTimer m_timer;
    QTimer m_staleCheck;
    std::int64_t m_dataVersion = -1;
    QElapsedTimer m_sinceCommit;
    QStringList m_interrupted; ///< announced already
    QString m_launch;          ///< likewise
    std::map<Token, Ticket> m_tickets;
};

} // namespace accumulus::ui

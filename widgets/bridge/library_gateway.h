// SPDX-License-Identifier: GPL-3.0-or-later
// The GUI's way to the library. The GUI thread reads lists and single runs only; queries, long jobs and edits have a
// thread and a connection each, and answer on the GUI thread. Tells when the library has changed (this process or
// another), and whether another window has it. GUI thread.
#pragma once

#include "core/base/result.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

class QLockFile;

namespace accumulus::ui {

class WorkThread;

class LibraryGateway : public QObject {
    Q_OBJECT
public:
    using Failed = std::function<void(const Error&)>;
    using Done = std::function<void(const Status&)>;

    explicit LibraryGateway(QObject* parent = nullptr);
    ~LibraryGateway() override; ///< after the edits that were asked for; long jobs end early

    /// Creates the file when missing. Marks stale runs interrupted and announces them. For reading only where the file
    /// cannot be written, or another window writes it. Mostly it is open when this returns. Where somebody else holds
    /// its lock, or it has to be brought to this version, that goes on behind the edits that were asked for, on their
    /// thread: it is awaited() until opened() or openFailed(), and what was open before stays open until then.
    [[nodiscard]] Status open(const std::filesystem::path& file);
    [[nodiscard]] const std::filesystem::path& awaited() const { return m_awaited; } ///< empty: none
    [[nodiscard]] const std::filesystem::path& path() const;
    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] bool readOnly() const; ///< open, but for reading only
    /// Who has the library open in another window: "process 12 on HOST"; empty: nobody.
    [[nodiscard]] const QString& otherWindow() const;
    [[nodiscard]] QString lockFile() const; ///< held by the window that may write
    /// What a person should know of its storage, in the language of today; mostly empty.
    [[nodiscard]] QString notice() const;
    /// Seconds since a commit by anyone was last noticed, by now; negative when none was.
    [[nodiscard]] double secondsSinceCommit() const;

    /// Reader of the GUI thread: lists and single runs only (nothing that touches many windows). Hardly waits
    /// for a lock.
    [[nodiscard]] RunReader& reader();

    /// Runs `work` on the query thread, then `done` on the GUI thread; or `failed`, with "library.cancelled" where a
    /// later query of the same `token` or another library has taken its place. Nothing once `context` has gone. An
    /// error that nobody takes is announced.
    template <class R>
    void query(QObject* context, const QString& token, std::function<R(RunReader&)> work, std::function<void(R)> done,
               Failed failed = {}) {
        post(context, token, std::move(failed),
             [work = std::move(work), done = std::move(done)](RunReader& reader) -> std::function<void()> {
                 auto result = std::make_shared<R>(work(reader));
                 return [result, done] { done(std::move(*result)); };
             });
    }

    /// Long work, one after the other on a thread of its own, each with a connection of its own. It ends early, with
    /// "library.cancelled", once it is asked to stop.
    std::stop_source start(QObject* context, std::function<Status(RunReader&, const std::stop_token&)> work, Done done);
    [[nodiscard]] bool working() const; ///< long work is on its way

    /// Runs `edit` on the writer's thread, after those that were asked for before, and announces the change. A failure
    /// that nobody takes is announced. A batch that it leaves open is undone.
    void edit(QObject* context, std::function<Status(RunStore&)> edit, Done done = {});
    [[nodiscard]] bool writing() const; ///< edits are on their way
    [[nodiscard]] bool idle() const;    ///< all that was asked for has been answered

    /// Announces once more what is trained elsewhere and not followed.
    void lookForUnfinished();
    void announceReplaced(); ///< the open library has the contents of another one now

Q_SIGNALS:
    void opened();
    void awaiting();                                ///< awaited() has begun, or is given up
    void openFailed(const accumulus::Error& error); ///< of what was awaited
    void replaced();                                ///< by other contents, as announceReplaced() was told
    void changed();                                 ///< rows were committed by someone
    void written();                                 ///< no edit is on its way any more
    /// After open, when a heartbeat has had the time to grow stale, and when a study has ended: where the list is
    /// another one than before. Empty: none is left.
    void interruptedRunsFound(const QStringList& runs);
    void launchFound(const accumulus::LaunchRecord& launch); ///< trained elsewhere, goes on, and nobody follows it
    void failed(const accumulus::Error& error);              ///< what nobody else has taken
    void
    jobFailed(const accumulus::Error& error); ///< of start(), behind what its owner is told; not where it was cancelled

private:
    using Token = std::pair<const QObject*, QString>;
    using Ticket = std::shared_ptr<std::atomic<quint64>>; ///< number of the newest query of a token
    using Context = QPointer<QObject>;
    struct Unfinished {
        std::vector<RunRecord> runs;
        std::vector<LaunchRecord> launches;
    };

    /// A library's connections, before anybody uses them.
    struct Files {
        std::optional<RunStore> store; ///< none: for reading only
        std::optional<RunReader> reader;
    };
    enum class Attempt {
        Short, ///< brings no library to this version: "library.older"
        Long,  ///< does; "library.locked" where somebody else holds the file
        Last,  ///< for reading only where nothing else can be had
    };
    static Result<Files> connectTo(const std::filesystem::path& file, bool mayWrite, std::chrono::milliseconds patience,
                                   Attempt attempt);
    void await(const std::filesystem::path& file, bool mayWrite);
    static Error cancelled() { return {"library.cancelled", {}}; }
    static Error thrown(const char* what) {
        return {"internal.exception", {{"place", "place.library"}, {"reason", what}}};
    }
    void take(const std::filesystem::path& file, Files files);
    void post(QObject* context, const QString& token, Failed failed,
              std::function<std::function<void()>(RunReader&)> work);
    void tell(const Context& context, const Failed& failed, const Error& error);
    void tell(const Context& context, const Done& done, const Status& status);
    void poll();
    void findInterrupted();
    void readUnfinished();
    void announce(const Unfinished& unfinished);

    std::filesystem::path m_path;
    std::vector<Message> m_notices;
    QString m_otherWindow;
    std::unique_ptr<QLockFile> m_window; ///< held while this window may write the library
    std::filesystem::path m_awaited;
    std::unique_ptr<QLockFile> m_nextWindow;   ///< of the library that is being opened, where it is another one
    QString m_nextOther;                       ///< likewise, who has it
    std::shared_ptr<std::atomic<bool>> m_wait; ///< whether it is still wanted
    std::optional<RunReader> m_reader;
    bool m_writable = false;
    std::shared_ptr<std::optional<RunReader>> m_queryReader; ///< used by m_queries only
    std::shared_ptr<std::optional<RunStore>> m_store;        ///< used by m_writer only; empty when read-only
    std::unique_ptr<WorkThread> m_queries, m_jobs, m_writer;
    std::vector<std::stop_source> m_running; ///< long jobs
    int m_edits = 0;                         ///< on their way
    int m_jobsAsked = 0;                     ///< long jobs on their way
    int m_asked = 0;                         ///< queries, jobs and edits that have not answered yet
    QTimer m_timer;
    QTimer m_staleCheck;
    std::int64_t m_dataVersion = -1;
    QElapsedTimer m_sinceCommit;
    QStringList m_interrupted; ///< announced already
    QString m_launch;          ///< likewise
    std::map<Token, Ticket> m_tickets;
};

} // namespace accumulus::ui

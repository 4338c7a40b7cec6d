// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the gateway that opens a library: at once, or patiently on the writer's thread.
#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/work_thread.h"

#include <QDir>
#include <QLockFile>
#include <chrono>
#include <utility>

namespace accumulus::ui {
namespace {
using namespace std::chrono_literals;
constexpr auto lockPatience = 20ms; // of the GUI thread
constexpr auto waitingTurn = 200ms; // of the writer's thread, for a library that somebody else holds
constexpr auto lockedCode = "library.locked", olderCode = "library.older";
/// For runs of other computers, whose processes cannot be asked: their heartbeat has had the time to grow stale by
/// then.
constexpr auto staleCheckDelay =
    std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(staleSeconds + 2.0));

QString lockFileOf(const std::filesystem::path& file) { return QString::fromStdString(file.string() + ".window"); }

/// Held by the window that may write the library; who else holds it where that fails.
struct WindowLock {
    std::unique_ptr<QLockFile> held;
    QString other;
};
WindowLock lockWindow(const std::filesystem::path& file) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::absolute(file, ignored).parent_path(), ignored);
    WindowLock lock{std::make_unique<QLockFile>(lockFileOf(file)), {}};
    lock.held->setStaleLockTime(0); // held for as long as the window lives, and stale only when its process is gone
    if (lock.held->tryLock(0) || lock.held->error() != QLockFile::LockFailedError)
        return lock; // where no lock can be written, the library cannot either
    qint64 process = 0;
    QString host, program;
    lock.other = lock.held->getLockInfo(&process, &host, &program)
                     ? LibraryGateway::tr("process %1 on %2").arg(process).arg(host)
                     : LibraryGateway::tr("unknown process");
    lock.held.reset();
    return lock;
}

} // namespace

QString LibraryGateway::lockFile() const { return QDir::toNativeSeparators(lockFileOf(m_path)); }

Status LibraryGateway::open(const std::filesystem::path& given) {
    std::error_code ignored;
    const std::filesystem::path file = std::filesystem::weakly_canonical(given, ignored); // one name for one file
    if (m_wait)
        *std::exchange(m_wait, nullptr) = false; // this one is wanted now
    const bool waited = !std::exchange(m_awaited, {}).empty();
    m_nextWindow.reset();
    m_nextOther.clear();
    if (!(m_window && isOpen() && file == m_path)) { // else the lock is ours already
        WindowLock window = lockWindow(file);
        m_nextWindow = std::move(window.held);
        m_nextOther = window.other;
    }
    const bool mayWrite = m_nextOther.isEmpty();
    auto files = connectTo(file, mayWrite, lockPatience, Attempt::Short);
    if (files) {
        take(file, std::move(*files));
        return {};
    }
    if (files.error().code == lockedCode || (mayWrite && files.error().code == olderCode)) {
        await(file, mayWrite);
        return {};
    }
    m_nextWindow.reset();
    m_nextOther.clear();
    if (waited)
        Q_EMIT awaiting();
    return failure(files.error());
}

Result<LibraryGateway::Files> LibraryGateway::connectTo(const std::filesystem::path& file, bool mayWrite,
                                                        std::chrono::milliseconds patience, Attempt attempt) {
    if (mayWrite && attempt == Attempt::Short)
        if (const auto asked = Library::open(file, Library::Mode::Read, patience);
            !asked && (asked.error().code == lockedCode || asked.error().code == olderCode))
            return failure(asked.error());
    Files files;
    std::optional<Error> problem;
    if (mayWrite) {
        if (auto writer = Library::open(file, Library::Mode::Write, patience))
            files.store.emplace(std::move(*writer));
        else if (attempt != Attempt::Last && writer.error().code == lockedCode)
            return failure(writer.error());
        else
            problem = writer.error();
    }
    auto readable = Library::open(file, Library::Mode::Read, patience);
    if (!readable)
        return failure(problem.value_or(readable.error()));
    readable->setLockTimeout(lockPatience);
    files.reader.emplace(std::move(*readable));
    return files;
}

void LibraryGateway::await(const std::filesystem::path& file, bool mayWrite) {
    m_awaited = file;
    m_wait = std::make_shared<std::atomic<bool>>(true);
    ++m_asked;
    m_writer->post([this, file, mayWrite, wanted = m_wait] {
        auto files = std::make_shared<Result<Files>>(failure(cancelled()));
        try {
            const auto deadline = std::chrono::steady_clock::now() + 2 * Library::usualPatience;
            while (*wanted) { // in short turns: a window that closes waits for this thread
                const bool last = std::chrono::steady_clock::now() > deadline;
                *files = connectTo(file, mayWrite, waitingTurn, last ? Attempt::Last : Attempt::Long);
                if (last || *files || files->error().code != lockedCode)
                    break;
            }
        } catch (const std::exception& exception) {
            *files = failure(thrown(exception.what()));
        }
        QMetaObject::invokeMethod(
            this,
            [this, file, files, wanted] {
                --m_asked;
                if (wanted != m_wait)
                    return; // another one was asked for meanwhile
                m_wait.reset();
                m_awaited.clear();
                if (*files)
                    return take(file, std::move(**files));
                m_nextWindow.reset();
                Q_EMIT openFailed(files->error());
            },
            Qt::QueuedConnection);
    });
    Q_EMIT awaiting();
}

void LibraryGateway::take(const std::filesystem::path& file, Files files) {
    std::optional<RunStore>& store = files.store;
    m_timer.stop();
    if (m_nextWindow || !m_nextOther.isEmpty() || file != m_path)
        m_window = std::move(m_nextWindow);
    m_path = file;
    if (!store)
        m_window.reset(); // who only reads keeps nobody from writing
    m_otherWindow = std::exchange(m_nextOther, {});
    m_writable = store.has_value();
    m_notices = store ? store->library().notices() : files.reader->library().notices();
    m_reader = std::move(files.reader);
    for (auto& [token, ticket] : m_tickets)
        ++*ticket; // answers out of the library that was open before are stale
    m_queries->post([reader = m_queryReader] { reader->reset(); });
    // Behind the edits of the library that was open before.
    m_writer->post([writer = m_store, fresh = std::make_shared<std::optional<RunStore>>(std::move(store))] {
        *writer = std::move(*fresh);
    });
    m_dataVersion = m_reader->dataVersion().value_or(-1);
    m_interrupted.clear();
    m_launch.clear();
    m_sinceCommit.invalidate();
    m_timer.start();
    Q_EMIT opened();
    findInterrupted();
    m_staleCheck.start(staleCheckDelay);
}

} // namespace accumulus::ui

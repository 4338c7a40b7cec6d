// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/library_gateway.h"

#include "core/base/clock.h"
#include "widgets/bridge/work_thread.h"
#include "widgets/style/format.h"

#include <QLockFile>
#include <QPointer>
#include <algorithm>
#include <chrono>
#include <set>

namespace accumulus::ui {
namespace {
using namespace std::chrono_literals;
constexpr auto pollInterval = 500ms;
} // namespace

LibraryGateway::LibraryGateway(QObject* parent)
    : QObject(parent), m_queryReader(std::make_shared<std::optional<RunReader>>()),
      m_store(std::make_shared<std::optional<RunStore>>()),
      m_queries(std::make_unique<WorkThread>(QStringLiteral("queries"))),
      m_jobs(std::make_unique<WorkThread>(QStringLiteral("jobs"))),
      m_writer(std::make_unique<WorkThread>(QStringLiteral("edits"))) {
    m_timer.setInterval(pollInterval);
    connect(&m_timer, &QTimer::timeout, this, &LibraryGateway::poll);
    m_staleCheck.setSingleShot(true);
    connect(&m_staleCheck, &QTimer::timeout, this, &LibraryGateway::findInterrupted);
}

LibraryGateway::~LibraryGateway() {
    for (auto& [token, ticket] : m_tickets)
        ++*ticket;
    if (m_wait)
        *m_wait = false;
    for (std::stop_source& job : m_running)
        job.request_stop();
    m_writer.reset();
    m_jobs.reset();
    m_queries.reset();
}

const std::filesystem::path& LibraryGateway::path() const { return m_path; }
bool LibraryGateway::isOpen() const { return m_reader.has_value(); }
bool LibraryGateway::readOnly() const { return isOpen() && !m_writable; }
const QString& LibraryGateway::otherWindow() const { return m_otherWindow; }
bool LibraryGateway::writing() const { return m_edits > 0; }
bool LibraryGateway::working() const { return m_jobsAsked > 0; }
bool LibraryGateway::idle() const { return m_asked == 0; }
RunReader& LibraryGateway::reader() { return *m_reader; }

QString LibraryGateway::notice() const {
    QStringList sentences;
    for (const Message& message : m_notices)
        sentences << format::message(message);
    return sentences.join(QLatin1Char(' '));
}

double LibraryGateway::secondsSinceCommit() const {
    return m_sinceCommit.isValid() ? static_cast<double>(m_sinceCommit.elapsed()) / 1000.0 : -1.0;
}

void LibraryGateway::tell(const Context& context, const Failed& taker, const Error& error) {
    if (context && taker)
        taker(error);
    else if (context && error.code != "library.cancelled")
        Q_EMIT failed(error);
}

void LibraryGateway::tell(const Context& context, const Done& done, const Status& status) {
    if (context && done)
        done(status);
    else if (!status && status.error().code != "library.cancelled")
        Q_EMIT failed(status.error());
}

void LibraryGateway::edit(QObject* context, std::function<Status(RunStore&)> edit, Done done) {
    const int counted = context == this ? 0 : 1; // nobody asked for our own
    m_edits += counted;
    ++m_asked;
    m_writer->post([this, counted, store = m_store, file = m_path, host = Context(context), edit = std::move(edit),
                    done = std::move(done)] {
        Status status;
        try {
            status = *store
                         ? edit(**store)
                         : Status(failure("library.write", {{"file", file.string()}, {"reason", "reason.read-only"}}));
        } catch (const std::exception& exception) {
            status = failure(thrown(exception.what()));
        }
        if (*store)
            (*store)->rollback(); // an edit that left its batch open would swallow all later ones
        QMetaObject::invokeMethod(
            this,
            [this, host, done, status, counted] {
                m_edits -= counted;
                --m_asked;
                tell(host, done, status);
                if (m_reader)
                    poll();
                if (m_edits == 0)
                    Q_EMIT written();
            },
            Qt::QueuedConnection);
    });
}

std::stop_source LibraryGateway::start(QObject* context, std::function<Status(RunReader&, const std::stop_token&)> work,
                                       Done done) {
    std::erase_if(m_running, [](const std::stop_source& job) { return job.stop_requested(); });
    const std::stop_source& stop = m_running.emplace_back();
    ++m_jobsAsked;
    ++m_asked;
    m_jobs->post([this, file = m_path, host = Context(context), work = std::move(work), done = std::move(done),
                  stop = stop.get_token()] {
        const auto run = [&]() -> Status {
            if (stop.stop_requested())
                return failure(cancelled());
            ACCUMULUS_TRY_ASSIGN(auto library, Library::open(file, Library::Mode::Read));
            RunReader reader(std::move(library));
            return work(reader, stop);
        };
        Status status;
        try {
            status = run();
        } catch (const std::exception& exception) {
            status = failure(thrown(exception.what()));
        }
        QMetaObject::invokeMethod(
            this,
            [this, host, done, status] {
                --m_jobsAsked;
                --m_asked;
                tell(host, done, status);
                if (!status && status.error().code != cancelled().code)
                    Q_EMIT jobFailed(status.error());
            },
            Qt::QueuedConnection);
    });
    return stop;
}

void LibraryGateway::poll() {
    const auto version = m_reader->dataVersion();
    if (version && *version != m_dataVersion) {
        m_dataVersion = *version;
        m_sinceCommit.start();
        Q_EMIT changed();
    }
}

namespace {

/// Where the run is trained, as far as is known.
const LaunchRecord* openLaunchOf(const RunRecord& run, const std::vector<LaunchRecord>& launches) {
    const auto last = std::ranges::find_if(launches, [&](const LaunchRecord& launch) { return trains(launch, run); });
    return last == launches.end() || last->endedAt > 0.0 ? nullptr : &*last;
}

/// The newest launch that goes on, as far as is known, and that nobody follows.
std::optional<LaunchRecord> findOpenLaunch(const std::vector<LaunchRecord>& launches) {
    for (const LaunchRecord& launch : launches)
        if (launch.endedAt == 0.0 && lifeOf(launch.follower) != OwnerLife::Alive)
            return launch;
    return std::nullopt;
}

/// Of studies of which runs were interrupted, all runs that can go on, in the order in which they are trained: one that
/// was stopped with a checkpoint in between belongs to them.
QStringList unfinishedWithInterrupted(const std::vector<RunRecord>& runs, const std::vector<LaunchRecord>& launches) {
    std::vector<RunRecord> found;
    std::set<std::string> studies;
    for (const RunRecord& run : runs)
        if (run.state == RunState::Interrupted && !openLaunchOf(run, launches)) {
            found.push_back(run);
            studies.insert(run.study);
        }
    for (const RunRecord& run : runs)
        if (run.state == RunState::Stopped && !run.study.empty() && studies.contains(run.study))
            found.push_back(run);
    std::ranges::stable_sort(found, {}, &RunRecord::createdAt);
    QStringList ids;
    for (auto first = found.begin(); first != found.end();) {
        const auto next =
            std::find_if(first, found.end(), [&](const RunRecord& run) { return run.study != first->study; });
        std::vector<RunRecord> study(first, next);
        sortAsTrained(study);
        for (const RunRecord& run : study)
            ids << QString::fromStdString(run.id);
        first = next;
    }
    return ids;
}

} // namespace

void LibraryGateway::lookForUnfinished() {
    m_launch.clear();
    findInterrupted();
}

void LibraryGateway::announceReplaced() {
    m_interrupted.clear();
    Q_EMIT replaced();
    lookForUnfinished();
}

void LibraryGateway::findInterrupted() {
    if (!m_writable)
        return;
    edit(
        this,
        [](RunStore& store) -> Status {
            ACCUMULUS_TRY(store.markInterrupted(unixTime()));
            return {};
        },
        [this](const Status& marked) {
            if (!marked)
                Q_EMIT failed(marked.error());
            readUnfinished();
        });
}

void LibraryGateway::readUnfinished() {
    query<Result<Unfinished>>(
        this, QStringLiteral("unfinished"),
        [](RunReader& reader) -> Result<Unfinished> {
            ACCUMULUS_TRY_ASSIGN(auto runs, reader.runs({.trashed = false, .study = {}, .interrupted = true}));
            ACCUMULUS_TRY_ASSIGN(auto launches, reader.launches());
            return Unfinished{std::move(runs), std::move(launches)};
        },
        [this](Result<Unfinished> unfinished) {
            if (unfinished)
                announce(*unfinished);
            else
                Q_EMIT failed(unfinished.error());
        });
}

void LibraryGateway::announce(const Unfinished& unfinished) {
    const std::optional<LaunchRecord> open = findOpenLaunch(unfinished.launches);
    if (open && m_launch != QString::fromStdString(open->id))
        Q_EMIT launchFound(*open);
    m_launch = open ? QString::fromStdString(open->id) : QString();
    const QStringList found = unfinishedWithInterrupted(unfinished.runs, unfinished.launches);
    if (std::exchange(m_interrupted, found) != found)
        Q_EMIT interruptedRunsFound(found);
}

void LibraryGateway::post(QObject* context, const QString& token, Failed failed,
                          std::function<std::function<void()>(RunReader&)> work) {
    Ticket& ticket = m_tickets[{context, token}];
    if (!ticket) {
        ticket = std::make_shared<std::atomic<quint64>>(0);
        if (context != this)
            connect(context, &QObject::destroyed, this, [this, context, token] { m_tickets.erase({context, token}); });
    }
    const quint64 number = ++*ticket;
    ++m_asked;

    m_queries->post([this, ticket, number, work = std::move(work), failed = std::move(failed), host = Context(context),
                     reader = m_queryReader, file = m_path] {
        // The pointer to the context is looked at on the GUI thread only, where the context lives and dies.
        const auto answer = [&](const std::function<void()>& done, const Error& error) {
            QMetaObject::invokeMethod(
                this,
                [this, host, ticket, number, failed, done, error] {
                    --m_asked;
                    if (ticket->load() != number)
                        tell(host, failed, cancelled());
                    else if (!done)
                        tell(host, failed, error);
                    else if (host)
                        done();
                },
                Qt::QueuedConnection);
        };
        if (ticket->load() != number || file.empty()) // asked for anew once a library is open
            return answer({}, cancelled());
        try {
            if (!*reader) {
                auto library = Library::open(file, Library::Mode::Read);
                if (!library)
                    return answer({}, library.error());
                reader->emplace(std::move(*library));
            }
            answer(work(**reader), {});
        } catch (const std::exception& exception) {
            answer({}, thrown(exception.what()));
        }
    });
}

} // namespace accumulus::ui

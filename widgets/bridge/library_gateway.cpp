// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/library_gateway.h"

#include "core/base/clock.h"

#include <QPointer>
#include <algorithm>
#include <chrono>
#include <set>

namespace accumulus::ui {
namespace {
using namespace std::chrono_literals;
constexpr auto pollInterval = 500ms;
/// For runs of other computers, whose processes cannot be asked: their heartbeat has had the time to grow stale by
/// then.
constexpr auto staleCheckDelay =
    std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(staleSeconds + 2.0));
} // namespace

LibraryGateway::LibraryGateway(QObject* parent)
    : QObject(parent), m_queryHost(new QObject), m_queryReader(std::make_shared<std::optional<RunReader>>()) {
    m_queryHost->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_queryHost, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("queries"));
    m_thread.start();
    m_timer.setInterval(pollInterval);
    connect(&m_timer, &QTimer::timeout, this, &LibraryGateway::poll);
    m_staleCheck.setSingleShot(true);
    connect(&m_staleCheck, &QTimer::timeout, this, &LibraryGateway::findInterrupted);
}

LibraryGateway::~LibraryGateway() {
    m_thread.quit();
    m_thread.wait();
}

Status LibraryGateway::open(const std::filesystem::path& file) {
    std::optional<RunStore> store;
    auto writer = Library::open(file, Library::Mode::Write);
    if (writer)
        store.emplace(std::move(*writer));
    auto readable = Library::open(file, Library::Mode::Read);
    if (!readable)
        return failure(writer ? readable.error() : writer.error());

    m_timer.stop();
    m_path = file;
    m_store = std::move(store);
    m_notice = QString::fromStdString(m_store ? m_store->library().notice() : readable->notice());
    m_reader.emplace(std::move(*readable));
    for (auto& [token, ticket] : m_tickets)
        ++*ticket; // answers out of the library that was open before are stale
    QMetaObject::invokeMethod(
        m_queryHost, [reader = m_queryReader] { reader->reset(); }, Qt::QueuedConnection);
    m_dataVersion = m_reader->dataVersion().value_or(-1);
    m_interrupted.clear();
    m_sinceCommit.invalidate();
    m_timer.start();
    Q_EMIT opened();
    findInterrupted();
    m_staleCheck.start(staleCheckDelay);
    return {};
}

const std::filesystem::path& LibraryGateway::path() const { return m_path; }
bool LibraryGateway::isOpen() const { return m_reader.has_value(); }
bool LibraryGateway::readOnly() const { return isOpen() && !m_store; }
RunReader& LibraryGateway::reader() { return *m_reader; }

QString LibraryGateway::notice() const { return m_notice; }

double LibraryGateway::secondsSinceCommit() const {
    return m_sinceCommit.isValid() ? static_cast<double>(m_sinceCommit.elapsed()) / 1000.0 : -1.0;
}

Status LibraryGateway::edit(const std::function<Status(RunStore&)>& edit) {
    if (!m_store)
        return failure("library.write", {{"file", m_path.string()}, {"reason", "reason.read-only"}});
    const Status status = edit(*m_store);
    // The reader sees a commit of the store beside it as a foreign one: take note of the new version, so that it is
    // announced once.
    if (m_reader)
        m_dataVersion = m_reader->dataVersion().value_or(m_dataVersion);
    noticeCommit();
    return status;
}

void LibraryGateway::noticeCommit() {
    m_sinceCommit.start();
    Q_EMIT changed();
}

void LibraryGateway::poll() {
    const auto version = m_reader->dataVersion();
    if (version && *version != m_dataVersion) {
        m_dataVersion = *version;
        noticeCommit();
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

void LibraryGateway::findInterrupted() {
    if (!m_store)
        return;
    const auto marked = m_store->markInterrupted(unixTime());
    const auto runs = m_reader->runs();
    if (!marked || !runs)
        return;
    const auto launches = m_reader->launches();
    std::optional<LaunchRecord> open = launches ? findOpenLaunch(*launches) : std::nullopt;
    if (open && m_launch != QString::fromStdString(open->id))
        Q_EMIT launchFound(*open);
    m_launch = open ? QString::fromStdString(open->id) : QString();
    const QStringList found = unfinishedWithInterrupted(*runs, launches ? *launches : std::vector<LaunchRecord>());
    if (!found.isEmpty() && found != m_interrupted)
        Q_EMIT interruptedRunsFound(found);
    m_interrupted = found;
}

void LibraryGateway::post(QObject* context, const QString& token,
                          std::function<std::function<void()>(RunReader&)> work) {
    Ticket& ticket = m_tickets[{context, token}];
    if (!ticket) {
        ticket = std::make_shared<std::atomic<quint64>>(0);
        connect(context, &QObject::destroyed, this, [this, context, token] { m_tickets.erase({context, token}); });
    }
    const quint64 number = ++*ticket;

    const auto answer = [this, ticket, number, work = std::move(work), host = QPointer<QObject>(context),
                         reader = m_queryReader, file = m_path] {
        if (ticket->load() != number)
            return;
        if (!*reader) {
            auto library = Library::open(file, Library::Mode::Read);
            if (!library) {
                QMetaObject::invokeMethod(
                    this, [this, error = library.error()] { Q_EMIT queryFailed(error); }, Qt::QueuedConnection);
                return;
            }
            reader->emplace(std::move(*library));
        }
        // The pointer to the context is looked at on the GUI thread only, where the context lives and dies.
        QMetaObject::invokeMethod(
            this,
            [done = work(**reader), ticket, number, host] {
                if (host && ticket->load() == number)
                    done();
            },
            Qt::QueuedConnection);
    };
    QMetaObject::invokeMethod(m_queryHost, answer, Qt::QueuedConnection);
}

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/journal.h"

#include "core/base/atomic_file.h"
#include "core/launch/child_talk.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace accumulus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t largestPiece = std::size_t{1} << 20;
constexpr std::int64_t lastPartOfLog = 4096;
constexpr auto abandonedAfter = std::chrono::hours(7 * 24);
constexpr auto writesEnd = std::chrono::seconds(3);
constexpr auto glance = std::chrono::milliseconds(50);
using Clock = std::chrono::steady_clock;

std::string thisMachine() {
    const auto id = readFile("/etc/machine-id", 64);
    return id ? id->substr(0, id->find('\n')) : std::string();
}

/// "boot:ID pid:[...]" without the namespace of pids.
std::string bootOf(const std::string& host) { return host.substr(0, host.find(' ')); }

tl::unexpected<Error> cannotWrite(const fs::path& file, int problem) {
    return failure("file.write", {{"file", file.string()}, {"reason", std::strerror(problem)}});
}

} // namespace

Result<Journal> Journal::of(const fs::path& library, const std::string& id) {
    const bool good = !id.empty() && id.size() <= 64 && std::ranges::all_of(id, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    });
    if (!good)
        return failure("journal.name", {{"name", id}});
    return Journal(fs::absolute(library).string() + ".journals/" + id);
}

Journal::Lock::Lock(Lock&& other) noexcept : m_file(std::exchange(other.m_file, -1)) {}

Journal::Lock::~Lock() {
    if (m_file >= 0)
        ::close(m_file);
}

Result<Journal::Lock> Journal::lock() const {
    std::error_code problem;
    fs::create_directories(m_folder.parent_path(), problem);
    if (!problem && mkdir(m_folder.c_str(), 0700) != 0 && errno != EEXIST)
        problem = {errno, std::generic_category()};
    if (problem)
        return cannotWrite(m_folder, problem.value());
    const fs::path file = m_folder / "lock";
    const int opened = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (opened < 0)
        return cannotWrite(file, errno);
    Lock held(opened);
    while (flock(opened, LOCK_EX) != 0)
        if (errno != EINTR)
            break; // a file system without locks: begun twice only by two at the same moment
    return held;
}

std::optional<Journal::Trainer> Journal::trainer() const {
    const auto text = readFile(m_folder / "trainer.json");
    const json stored = text ? json::parse(*text, nullptr, false) : json();
    if (!stored.is_object())
        return std::nullopt;
    Trainer trainer;
    trainer.process.pid = stored.value("pid", std::int64_t{0});
    trainer.process.started = stored.value("started", std::int64_t{0});
    trainer.process.host = stored.value("host", "");
    trainer.machine = stored.value("machine", "");
    trainer.job = stored.value("job", "");
    return trainer;
}

Status Journal::setTrainer(const Trainer& trainer) const {
    const json stored = {{"pid", trainer.process.pid},
                         {"started", trainer.process.started},
                         {"host", trainer.process.host},
                         {"machine", trainer.machine},
                         {"job", trainer.job}};
    return writeFileAtomically(m_folder / "trainer.json", stored.dump() + "\n");
}

Journal::Trainer Journal::trainerHere(std::int64_t pid) { return {processOf(pid), thisMachine(), {}}; }

bool Journal::isGone(const Trainer& trainer) {
    const OwnerLife life = lifeOf(trainer.process);
    if (life != OwnerLife::Unknown)
        return life == OwnerLife::Dead;
    // This machine, after another start.
    return !trainer.machine.empty() && trainer.machine == thisMachine() &&
           bootOf(trainer.process.host) != bootOf(thisProcess().host);
}

std::optional<int> Journal::exitCode() const {
    const auto text = readFile(m_folder / "exit-code", 64);
    int code = 0;
    if (!text || !(std::istringstream(*text) >> code))
        return std::nullopt;
    return code;
}

std::string Journal::lastRemark() const {
    std::error_code unknown;
    const auto size = static_cast<std::int64_t>(fs::file_size(log(), unknown));
    TailedFile tail(log(), unknown ? 0 : std::max(std::int64_t{0}, size - lastPartOfLog));
    LastRemark remark;
    std::istringstream lines{std::string(tail.read())};
    for (std::string line; std::getline(lines, line);)
        remark.hear(line);
    return remark.text();
}

Status Journal::ask(std::string_view verb) const {
    const int file = ::open(commands().c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return cannotWrite(commands(), errno);
    const std::string line = std::string(verb) + "\n";
    const bool good = ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    const int problem = errno;
    ::close(file);
    return good ? Status() : cannotWrite(commands(), problem);
}

void Journal::remove() const {
    for (const auto until = Clock::now() + writesEnd; !exitCode() && Clock::now() < until;)
        std::this_thread::sleep_for(glance);
    std::error_code stays;
    fs::remove_all(m_folder, stays);
    fs::remove(m_folder.parent_path(), stays); // the last one
}

void Journal::removeAbandoned() const {
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(m_folder.parent_path(), problem)) {
        const Journal journal(entry.path());
        auto ended = fs::last_write_time(journal.folder() / "exit-code", problem);
        const auto trainer = problem ? journal.trainer() : std::nullopt;
        if (trainer && trainer->job.empty() && isGone(*trainer)) // killed, with the script that would have written it
            ended = fs::last_write_time(journal.events(), problem);
        if (!problem && entry.path() != m_folder && fs::file_time_type::clock::now() - ended > abandonedAfter)
            fs::remove_all(entry.path(), problem);
    }
}

TailedFile::TailedFile(fs::path file, std::int64_t offset) : m_path(std::move(file)), m_offset(offset) {}

TailedFile::~TailedFile() {
    if (m_file >= 0)
        ::close(m_file);
}

void TailedFile::reopen() {
    if (m_file >= 0)
        ::close(std::exchange(m_file, -1));
}

std::string_view TailedFile::read() {
    m_text.erase(0, std::exchange(m_given, 0));
    if (m_file < 0)
        m_file = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC);
    if (m_file < 0)
        return {};
    std::array<char, 65536> buffer;
    std::size_t end = m_text.rfind('\n');
    while (end == std::string::npos || m_text.size() < largestPiece) {
        const ssize_t count = ::pread(m_file, buffer.data(), buffer.size(), m_offset);
        if (count <= 0)
            break;
        m_text.append(buffer.data(), static_cast<std::size_t>(count));
        m_offset += count;
        end = m_text.rfind('\n');
    }
    m_given = end == std::string::npos ? 0 : end + 1;
    return std::string_view(m_text).substr(0, m_given);
}

} // namespace accumulus

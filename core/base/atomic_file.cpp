// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace accumulus {
namespace {

namespace fs = std::filesystem;
using Pieces = std::span<const std::span<const std::byte>>;

// .NAME.BOOT-PID-NUMBER.accumulus-tmp
constexpr std::string_view temporarySuffix = ".accumulus-tmp";
constexpr std::size_t longestStem = 150; // a name may have 255 bytes
constexpr std::time_t foreignAge = 24 * 60 * 60;
constexpr int mostLinks = 40; // as the kernel

tl::unexpected<Error> writeError(const fs::path& path, int number) {
    return failure("file.write", {{"file", path.string()}, {"reason", std::strerror(number)}});
}

class Descriptor {
public:
    explicit Descriptor(int file) : m_file(file) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : m_file(std::exchange(other.m_file, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;

    [[nodiscard]] int get() const { return m_file; }
    [[nodiscard]] bool isOpen() const { return m_file >= 0; }
    /// False with errno when what was written could not be kept.
    bool close() { return m_file < 0 || ::close(std::exchange(m_file, -1)) == 0; }

private:
    int m_file;
};

bool writeAll(int file, Pieces pieces) {
    for (auto bytes : pieces)
        while (!bytes.empty()) {
            const auto written = ::write(file, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                return false;
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
    return true;
}

/// The kernel's name of this boot, shortened; processes that share it share their locks.
std::string bootName() {
    std::string id;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
    id.resize(std::min<std::size_t>(id.size(), 8));
    return id.empty() ? "unknown" : id;
}

fs::path folderOf(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// Not every file system can sync a folder, and not every folder that can be written can be opened.
bool syncFolder(const fs::path& folder) {
    const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return !file.isOpen() || ::fsync(file.get()) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/// Missing folders down to `folder`, each synced into the one above. Failure shows when the file is made.
void makeFolders(const fs::path& folder) {
    std::error_code problem;
    if (fs::exists(folder, problem) || problem)
        return;
    if (const fs::path above = folderOf(folder); above != folder)
        makeFolders(above);
    if (fs::create_directory(folder, problem))
        syncFolder(folderOf(folder));
}

/// Where a write to `path` ends up: behind every symbolic link, whether or not the last one's target exists.
/// Descriptors of this process (/dev/stdout) are links to no path: they are returned by number.
struct Target {
    fs::path path;
    std::optional<int> descriptor;
};
Result<Target> followLinks(const fs::path& given) {
    Target target{given, std::nullopt};
    std::error_code problem;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target.path, problem)); ++links) {
        if (links == mostLinks)
            return writeError(given, ELOOP);
        const fs::path folder = fs::canonical(folderOf(target.path), problem);
        if (folder == "/proc/" + std::to_string(::getpid()) + "/fd") {
            const std::string name = target.path.filename().string();
            int number = -1;
            std::from_chars(name.data(), name.data() + name.size(), number);
            target.descriptor = number;
            return target;
        }
        const fs::path next = fs::read_symlink(target.path, problem);
        if (problem)
            return writeError(given, problem.value());
        target.path = next.is_absolute() ? next : folderOf(target.path) / next;
    }
    return target;
}

/// Writes the whole content; the error is its own, or that of the file.
using Fill = std::function<Status(int file)>;

/// Devices, pipes and sockets.
Status writeThrough(const fs::path& path, const Target& target, const Fill& fill) {
    Descriptor file(target.descriptor ? ::fcntl(*target.descriptor, F_DUPFD_CLOEXEC, 0)
                                      : ::open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!file.isOpen())
        return writeError(path, errno);
    ACCUMULUS_TRY(fill(file.get()));
    return file.close() ? Status() : writeError(path, errno);
}

struct Temporary {
    fs::path path;
    Descriptor file;
};

/// A new file, locked for as long as it is open.
Result<Temporary> makeTemporary(const fs::path& target) {
    static std::atomic<unsigned> count = 0;
    static const std::string boot = bootName();
    const std::string stem =
        '.' + target.filename().string().substr(0, longestStem) + '.' + boot + '-' + std::to_string(::getpid()) + '-';
    while (true) {
        fs::path path = folderOf(target) / (stem + std::to_string(++count) + std::string(temporarySuffix));
        Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (!file.isOpen() && errno == EEXIST)
            continue;
        if (!file.isOpen())
            return writeError(target, errno);
        // Between the two calls another process may have taken it for abandoned.
        const bool locked = ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        struct stat status {};
        if (locked && ::fstat(file.get(), &status) == 0 && status.st_nlink > 0)
            return Temporary{std::move(path), std::move(file)};
    }
}

Status replace(const fs::path& path, const fs::path& target, std::optional<mode_t> mode, const Fill& fill) {
    ACCUMULUS_TRY_ASSIGN(auto temporary, makeTemporary(target));
    const int file = temporary.file.get();
    const auto finish = [&]() -> Status {
        ACCUMULUS_TRY(fill(file));
        const bool good = (!mode || ::fchmod(file, *mode) == 0) && ::fsync(file) == 0 &&
                          ::rename(temporary.path.c_str(), target.c_str()) == 0;
        return good ? Status() : writeError(path, errno);
    };
    try {
        if (const Status finished = finish(); !finished) {
            ::unlink(temporary.path.c_str());
            return finished;
        }
    } catch (...) { // whoever hands over the content has failed
        ::unlink(temporary.path.c_str());
        throw;
    }
    // Kept open until now: the lock has told others that the file is being written.
    if (!temporary.file.close() || !syncFolder(folderOf(target)))
        return writeError(path, errno);
    return {};
}

/// The boot in the name of a temporary file, nothing for other names.
std::optional<std::string> bootOf(std::string_view name) {
    if (!name.starts_with('.') || !name.ends_with(temporarySuffix))
        return std::nullopt;
    name.remove_suffix(temporarySuffix.size());
    const auto dot = name.rfind('.');
    const auto dash = name.find('-', dot);
    if (dot == 0 || dash == std::string_view::npos ||
        name.find_first_not_of("0123456789-", dash) != std::string_view::npos)
        return std::nullopt;
    return std::string(name.substr(dot + 1, dash - dot - 1));
}

bool removeIfAbandoned(const fs::path& path, bool foreign) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!file.isOpen() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    if (foreign && std::time(nullptr) - status.st_mtime < foreignAge)
        return false;
    return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 && ::unlink(path.c_str()) == 0;
}

Status write(const fs::path& path, const Fill& fill) {
    ACCUMULUS_TRY_ASSIGN(const auto target, followLinks(path));
    struct stat status {};
    const bool exists = ::stat(target.path.c_str(), &status) == 0;
    if (target.descriptor || (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
        return writeThrough(path, target, fill);
    makeFolders(folderOf(target.path));
    removeAbandonedFiles(folderOf(target.path));
    return replace(path, target.path, exists ? std::optional<mode_t>(status.st_mode & 0777) : std::nullopt, fill);
}

} // namespace

Status writeFileAtomically(const fs::path& path, std::string_view content) {
    const std::array pieces{std::as_bytes(std::span(content.data(), content.size()))};
    return writeFileAtomically(path, Pieces(pieces));
}

Status writeFileAtomically(const fs::path& path, Pieces pieces) {
    return write(path, [&](int file) { return writeAll(file, pieces) ? Status() : writeError(path, errno); });
}

Status writeFileInPieces(const fs::path& path, const std::function<Status(const TakePiece&)>& produce) {
    return write(path, [&](int file) {
        return produce([&](std::string_view piece) -> Status {
            const std::array pieces{std::as_bytes(std::span(piece.data(), piece.size()))};
            return writeAll(file, pieces) ? Status() : writeError(path, errno);
        });
    });
}

std::size_t removeAbandonedFiles(const fs::path& folder) {
    const std::string boot = bootName();
    std::size_t removed = 0;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem))
        if (const auto origin = bootOf(entry->path().filename().string()))
            removed += removeIfAbandoned(entry->path(), *origin != boot) ? 1 : 0;
    return removed;
}

Result<std::string> readFile(const fs::path& path, std::size_t limit) {
    const auto refuse = [&](const std::string& reason) {
        return failure("file.open", {{"file", path.string()}, {"reason", reason}});
    };
    std::error_code problem;
    const auto size = fs::file_size(path, problem);
    if (problem)
        return refuse(problem.message());
    if (size > limit)
        return refuse("reason.larger-than-expected");
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return refuse(std::strerror(errno));
    std::string content(size, '\0');
    if (!stream.read(content.data(), static_cast<std::streamsize>(size)))
        return failure(
            "file.open",
            {{"file", path.string()}, {"reason", "reason.read-ended"}, {"at", std::to_string(stream.gcount())}});
    return content;
}

} // namespace accumulus

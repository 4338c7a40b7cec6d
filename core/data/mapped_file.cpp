// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mapped_file.h"

#include "core/base/hash.h"
#include "core/data/reason.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace accumulus {
namespace {

MappedFile::Identity identityOf(const struct stat& status) {
    return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
            std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

constexpr std::int64_t coarsest = 2'000'000'000; // nanoseconds: of what file systems tell times in

std::int64_t systemTime() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

tl::unexpected<Message> saidBySystem(int problem) { return tl::unexpected(said(std::strerror(problem))); }

} // namespace

tl::expected<std::shared_ptr<const MappedFile>, Message> MappedFile::open(const std::filesystem::path& path) {
    const std::shared_ptr<MappedFile> file(new MappedFile);
    file->m_path = path;
    file->m_file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe is not waited for
    struct stat status {};
    if (file->m_file < 0 || ::fstat(file->m_file, &status) != 0)
        return saidBySystem(errno);
    if (!S_ISREG(status.st_mode))
        return saidBySystem(S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    file->m_identity = identityOf(status);
    file->m_opened = systemTime();
    if (status.st_size == 0)
        return file;
    void* data = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file->m_file, 0);
    if (data == MAP_FAILED)
        return saidBySystem(errno);
    file->m_data = static_cast<const std::byte*>(data);
    file->m_size = static_cast<std::size_t>(status.st_size);
    return file;
}

MappedFile::~MappedFile() {
    if (m_data)
        ::munmap(const_cast<std::byte*>(m_data), m_size); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    if (m_file >= 0)
        ::close(m_file);
}

void MappedFile::willNeed(std::span<const std::byte> bytes) const {
    // Linux cuts a request to what the disk takes at a time, 128 KiB or more.
    constexpr std::size_t piece = std::size_t{128} << 10;
    m_asked.fetch_add(std::ssize(bytes), std::memory_order_relaxed);
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size())))
        (void)::posix_fadvise(m_file, bytes.data() - m_data, static_cast<off_t>(std::min(piece, bytes.size())),
                              POSIX_FADV_WILLNEED);
}

void MappedFile::expectRandomAccess() const {
    // Advice that is not taken does no harm.
    (void)::madvise(const_cast<std::byte*>(m_data), m_size,
                    MADV_RANDOM); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    (void)::posix_fadvise(m_file, 0, 0, POSIX_FADV_RANDOM);
}

bool MappedFile::read(std::span<const std::byte> bytes, std::byte* out) const {
    auto offset = static_cast<off_t>(bytes.data() - m_data);
    for (std::size_t left = bytes.size(); left > 0;) {
        const auto count = ::pread(m_file, out, left, offset);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        offset += count;
        out += count;
        left -= static_cast<std::size_t>(count);
    }
    return true;
}

bool MappedFile::isUnchanged() const {
    struct stat status {};
    if (::fstat(m_file, &status) != 0)
        return false;
    Identity now = identityOf(status);
    if (now == m_identity)
        return true;
    const std::int64_t modified = std::exchange(now.modified, m_identity.modified);
    return now == m_identity && (modified == m_accepted.load(std::memory_order_relaxed) || holdsTheSame(modified));
}

void MappedFile::rememberContent() const {
    const std::lock_guard lock(m_mutex);
    if (!m_content.empty() || m_size == 0)
        return;
    std::string content = contentHash();
    struct stat status {};
    if (::fstat(m_file, &status) == 0 && identityOf(status) == m_identity)
        m_content = std::move(content);
}

/// Empty where it cannot be read.
std::string MappedFile::contentHash() const {
    constexpr std::size_t whole = std::size_t{1} << 30, block = std::size_t{1} << 18, parts = 256;
    Hasher hasher;
    std::vector<std::byte> copy(std::min(block, m_size));
    const std::size_t step = m_size <= whole ? block : (m_size - block) / parts;
    for (std::size_t at = 0; at < m_size; at += step) {
        const auto bytes = this->bytes().subspan(at, std::min(copy.size(), m_size - at));
        if (!read(bytes, copy.data()))
            return {};
        hasher.add(std::span(copy).first(bytes.size()));
    }
    return hasher.hex();
}

/// A file that was touched, or copied over itself. What was changed a moment ago may change again without looking
/// younger: then it is compared anew the next time.
bool MappedFile::holdsTheSame(std::int64_t modified) const {
    const std::lock_guard lock(m_mutex);
    if (modified == m_accepted)
        return true;
    const std::int64_t begun = systemTime();
    if (m_content.empty() || contentHash() != m_content)
        return false;
    if (std::abs(begun - modified) > coarsest) // a clock of another machine may be ahead
        m_accepted = modified;
    return true;
}

bool MappedFile::isOld() const { return m_opened - m_identity.modified > coarsest; }

Result<std::shared_ptr<const MappedFile>> mapFile(const std::filesystem::path& path, const std::string& family) {
    auto mapped = MappedFile::open(path);
    if (!mapped)
        return failureBecause(family + ".open", {{"file", path.string()}}, std::move(mapped).error());
    return *std::move(mapped);
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mapped_file.h"

#include "core/data/reason.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accumulus {
namespace {

MappedFile::Identity identityOf(const struct stat& status) {
    return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
            std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
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
    file->m_opened =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
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
    return ::fstat(m_file, &status) == 0 && identityOf(status) == m_identity;
}

bool MappedFile::isOld() const {
    constexpr std::int64_t coarsest = 2'000'000'000; // of what file systems tell times in
    return m_opened - m_identity.modified > coarsest;
}

Result<std::shared_ptr<const MappedFile>> mapFile(const std::filesystem::path& path, const std::string& family) {
    auto mapped = MappedFile::open(path);
    if (!mapped)
        return failureBecause(family + ".open", {{"file", path.string()}}, std::move(mapped).error());
    return *std::move(mapped);
}

} // namespace accumulus

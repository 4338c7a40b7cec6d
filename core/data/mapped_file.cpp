// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mapped_file.h"

#include "core/data/reason.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accumulus {
namespace {

std::int64_t modifiedAt(const struct stat& status) {
    return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

tl::unexpected<Message> saidBySystem(int problem) { return tl::unexpected(said(std::strerror(problem))); }

/// madvise() wants whole pages; advice that is not taken does no harm.
void advise(const std::byte* first, std::size_t size, int advice) {
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(first) / page * page;
    const std::size_t length = reinterpret_cast<std::uintptr_t>(first) + size - begin;
    (void)::madvise(reinterpret_cast<void*>(begin), length, advice); // NOLINT(performance-no-int-to-ptr)
}

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
    file->m_modified = modifiedAt(status);
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

void MappedFile::willNeed(std::span<const std::byte> bytes) const { advise(bytes.data(), bytes.size(), MADV_WILLNEED); }

void MappedFile::expectRandomAccess() const {
    advise(m_data, m_size, MADV_RANDOM);
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
    return ::fstat(m_file, &status) == 0 && static_cast<std::size_t>(status.st_size) == m_size &&
           modifiedAt(status) == m_modified;
}

Result<std::shared_ptr<const MappedFile>> mapFile(const std::filesystem::path& path, const std::string& family) {
    auto mapped = MappedFile::open(path);
    if (!mapped)
        return failureBecause(family + ".open", {{"file", path.string()}}, std::move(mapped).error());
    return *std::move(mapped);
}

} // namespace accumulus

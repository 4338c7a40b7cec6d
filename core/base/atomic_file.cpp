// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace accumulus {
namespace {

tl::unexpected<Error> writeError(const std::filesystem::path& path, int number) {
    return failure("file.write", {{"file", path.string()}, {"reason", std::strerror(number)}});
}

bool writeAll(int file, std::span<const std::byte> bytes) {
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

} // namespace

Status writeFileAtomically(const std::filesystem::path& path, std::string_view content) {
    const std::array pieces{std::as_bytes(std::span(content.data(), content.size()))};
    return writeFileAtomically(path, std::span<const std::span<const std::byte>>(pieces));
}

Status writeFileAtomically(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces) {
    std::error_code ignored;
    if (path.has_parent_path())
        std::filesystem::create_directories(path.parent_path(), ignored);
    std::string temporary = path.string() + ".XXXXXX";
    const int file = ::mkstemp(temporary.data());
    if (file < 0)
        return writeError(path, errno);
    bool good = true;
    for (const auto piece : pieces)
        good = good && writeAll(file, piece);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    good = good && ::fchmod(file, static_cast<mode_t>(0666 & ~mask)) == 0 && ::fsync(file) == 0;
    const int number = errno;
    if (::close(file) != 0 || !good || ::rename(temporary.c_str(), path.c_str()) != 0) {
        const int last = good ? errno : number;
        ::unlink(temporary.c_str());
        return writeError(path, last);
    }
    return {};
}

Result<std::string> readFile(const std::filesystem::path& path, std::size_t limit) {
    std::error_code problem;
    const auto size = std::filesystem::file_size(path, problem);
    if (problem)
        return failure("file.open", {{"file", path.string()}, {"reason", problem.message()}});
    if (size > limit)
        return failure("file.open", {{"file", path.string()}, {"reason", "reason.larger-than-expected"}});
    std::ifstream stream(path, std::ios::binary);
    std::string content(size, '\0');
    stream.read(content.data(), static_cast<std::streamsize>(size));
    if (!stream)
        return failure("file.open", {{"file", path.string()}, {"reason", std::strerror(errno)}});
    return content;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/input_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accumulus {

// Without waiting: a pipe that nobody writes to would hold the opening up for ever.
InputFile::InputFile(const std::filesystem::path& file)
    : m_file(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status {};
    m_problem = m_file < 0 || ::fstat(m_file, &status) != 0 ? errno : 0;
    if (m_problem == 0 && !S_ISREG(status.st_mode))
        m_problem = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    m_size = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() {
    if (m_file >= 0)
        ::close(m_file);
}

bool InputFile::read(std::uint64_t offset, std::span<char> target) {
    while (!target.empty()) {
        const auto count = ::pread(m_file, target.data(), target.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            m_problem = count < 0 ? errno : EIO; // it has become shorter
            return false;
        }
        offset += static_cast<std::uint64_t>(count);
        target = target.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

} // namespace accumulus

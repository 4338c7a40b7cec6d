// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mapped_bytes.h"

#include "core/data/reason.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accumulus {
namespace {

class Descriptor {
public:
    explicit Descriptor(const std::filesystem::path& file) : m_number(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~Descriptor() {
        if (m_number >= 0)
            ::close(m_number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number;
};

} // namespace

Result<MappedBytes> mapFile(const std::filesystem::path& file, const std::string& family) {
    const auto refuse = [&](Message reason) {
        return failureBecause(family + ".open", {{"file", file.string()}}, std::move(reason));
    };
    const Descriptor descriptor(file);
    struct stat status {};
    if (descriptor.number() < 0 || ::fstat(descriptor.number(), &status) != 0)
        return refuse(said(std::strerror(errno)));
    if (!S_ISREG(status.st_mode))
        return refuse({S_ISDIR(status.st_mode) ? "reason.is-folder" : "reason.cannot-open", {}});
    MappedBytes mapped;
    mapped.size = status.st_size;
    if (mapped.size == 0)
        return mapped;
    const auto length = static_cast<std::size_t>(mapped.size);
    void* address = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor.number(), 0);
    if (address == MAP_FAILED) // NOLINT(cppcoreguidelines-pro-type-cstyle-cast,performance-no-int-to-ptr)
        return refuse(said(std::strerror(errno)));
    mapped.storage = std::shared_ptr<const void>(address, [length](void* start) { ::munmap(start, length); });
    mapped.data = static_cast<const std::byte*>(address);
    return mapped;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tensor_in_file.h"

#include "core/engine/memory_counter.h"

#include <ATen/ATen.h>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace accumulus {

at::Tensor tensorInFile(std::int64_t count, at::ScalarType type, const std::filesystem::path& folder) {
    std::filesystem::path place = folder; // a run's may come with its first checkpoint only
    std::error_code problem;
    if (!place.empty())
        std::filesystem::create_directories(place, problem);
    if (place.empty() || problem)
        place = std::filesystem::temp_directory_path(problem);
    if (problem)
        return {};
    std::string path = (place / ".beside-XXXXXX").string();
    const int file = ::mkostemp(path.data(), O_CLOEXEC);
    if (file < 0)
        return {};
    at::Tensor tensor;
    const auto bytes = static_cast<off_t>(count) * static_cast<off_t>(c10::elementSize(type));
    // Room for all of it first: a mapped page that the disk has no room for would end the process.
    if (::posix_fallocate(file, 0, bytes) == 0) {
        try {
            tensor = at::from_file(path, /*shared=*/true, count, at::TensorOptions(type));
        } catch (const c10::Error&) { // cannot be mapped
        }
    }
    ::unlink(path.c_str()); // at once: a process that is killed leaves no file
    ::close(file);
    return tensor;
}

at::Tensor tensorBeside(std::int64_t count, at::ScalarType type, const std::filesystem::path& folder) {
    if (MemoryCounter::limit() > 0 && count > 0)
        if (at::Tensor tensor = tensorInFile(count, type, folder); tensor.defined())
            return tensor;
    return at::empty({count}, type);
}

} // namespace accumulus

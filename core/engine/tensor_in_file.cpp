// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tensor_in_file.h"

#include <ATen/ATen.h>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace accumulus {

at::Tensor copyInFile(const at::Tensor& tensor, const std::filesystem::path& folder) {
    std::error_code ignored; // a run's folder is there from its first checkpoint on
    std::filesystem::create_directories(folder, ignored);
    std::string path = (folder / ".window-XXXXXX").string();
    const int file = ::mkostemp(path.data(), O_CLOEXEC);
    if (file < 0)
        return {};
    at::Tensor copy;
    // Room for all of it first: a mapped page that the disk has no room for would end the process.
    if (::posix_fallocate(file, 0, static_cast<off_t>(tensor.nbytes())) == 0) {
        try {
            copy = at::from_file(path, /*shared=*/true, tensor.numel(), tensor.options());
        } catch (const c10::Error&) { // cannot be mapped
        }
    }
    ::unlink(path.c_str()); // at once: a process that is killed leaves no file
    ::close(file);
    if (!copy.defined())
        return {};
    copy.copy_(tensor.view(-1));
    return copy.view(tensor.sizes());
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// An array of a file: found and measured, not yet read. npy, npz and safetensors files all come down to it. Internal to
// core/data.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/data/mapped_file.h"
#include "core/data/tensor_set.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace accumulus {

/// Elements in memory, or where a file is mapped.
struct ArrayBytes {
    const std::byte* data = nullptr;
    std::shared_ptr<const void> storage;
    std::shared_ptr<const MappedFile> file; ///< null where they are not in one
};

struct StoredArray {
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape; ///< of the whole array
    std::int64_t bytes = 0;
    bool packed = false; ///< to be unpacked into memory; otherwise it is used where it lies
    std::function<Result<ArrayBytes>()> read;
};

/// Its name in the file, and how to look at its header. An array that nobody asks for may be of any kind.
struct ArrayEntry {
    std::string name;
    std::function<Result<StoredArray>()> open;
};

/// "data.tensors.array": why `array` of `file` cannot be used. The reason's argument "cure" says what to do.
[[nodiscard]] inline tl::unexpected<Error> arrayError(const std::filesystem::path& file, const std::string& array,
                                                      Message reason) {
    Error error{"data.tensors.array", {{"file", file.string()}, {"array", array}, {"reason", std::move(reason.code)}}};
    for (auto& argument : reason.arguments)
        error.arguments.push_back(std::move(argument));
    return failure(std::move(error));
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// The arrays of a .npz or .safetensors file, or of a folder of .npy files. What a file is shows in its content, not in
// its name. Any thread.
#pragma once

#include "core/data/stored_array.h"

#include <filesystem>
#include <vector>

namespace accumulus {

/// Names and headers; nothing is read yet. A .npy stands for its folder where that holds "inputs" or "test_inputs".
/// Errors "data.tensors.missing", "data.tensors.open", "data.tensors.format", "data.tensors.alone".
[[nodiscard]] Result<std::vector<ArrayEntry>> openTensorFiles(const std::filesystem::path& path);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// Copies that memory is not to hold.
#pragma once

#include <ATen/core/Tensor.h>
#include <filesystem>

namespace accumulus {

/// A copy of a contiguous CPU tensor in a new file of `folder` that has no name: the system writes its pages out where
/// memory is short, and MemoryCounter does not count them. The file ends with the tensor. Undefined where the folder
/// has no room for it or cannot be written.
[[nodiscard]] at::Tensor copyInFile(const at::Tensor& tensor, const std::filesystem::path& folder);

} // namespace accumulus

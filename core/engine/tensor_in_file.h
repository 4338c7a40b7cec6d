// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors that memory is not to hold.
#pragma once

#include <ATen/core/Tensor.h>
#include <filesystem>

namespace accumulus {

/// `count` elements on the CPU, not set, in a new file of `folder` that has no name: the system writes its pages out
/// where memory is short, and MemoryCounter does not count them. The file ends with the tensor. In the system's folder
/// for temporary files where `folder` is empty or cannot be made. Undefined where there is no room, or no folder that
/// can be written.
[[nodiscard]] at::Tensor tensorInFile(std::int64_t count, at::ScalarType type, const std::filesystem::path& folder);

/// The same for what a run holds beside its training for a while: what a limit of the run's own (MemoryCounter) leaves
/// to micro-steps is not spent on it. In memory where there is no limit, or no room in the folder.
[[nodiscard]] at::Tensor tensorBeside(std::int64_t count, at::ScalarType type, const std::filesystem::path& folder);

} // namespace accumulus

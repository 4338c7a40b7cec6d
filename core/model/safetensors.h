// SPDX-License-Identifier: GPL-3.0-or-later
// safetensors files: u64 little-endian header length, JSON header, then row-major little-endian tensors without holes.
// Every offset and size is checked against the file before it is used. Errors "checkpoint.open", "checkpoint.format".
#pragma once

#include "core/base/result.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

struct NamedTensors {
    std::vector<std::pair<std::string, at::Tensor>> tensors; ///< in file order; CPU, contiguous
    std::map<std::string, std::string> metadata;             ///< strings only, as the format demands

    [[nodiscard]] const at::Tensor* find(const std::string& name) const;
};

/// Atomic. Returns the file's size in bytes.
[[nodiscard]] Result<std::int64_t> writeSafetensors(const std::filesystem::path& file, const NamedTensors& content);
/// Only the tensors that `wanted` says yes to are read, all without it; the others cost neither time nor memory.
[[nodiscard]] Result<NamedTensors> readSafetensors(const std::filesystem::path& file,
                                                   const std::function<bool(const std::string&)>& wanted = {});

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// Weights from a safetensors file into flat tensors. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/model/parameter_arena.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <map>
#include <string>

namespace accumulus {

struct NamedTensors;

/// Every parameter of `layout` out of a file's content, in the target's precision. Error "checkpoint.mismatch".
[[nodiscard]] Status copyParameters(const std::filesystem::path& file, const NamedTensors& content,
                                    const ParameterLayout& layout, at::Tensor& flat);
/// Into `parameters` (flat) and `statistics` (flat, of `buffers`). Names and shapes must match. The file's metadata.
/// Errors "checkpoint.mismatch" and those of readSafetensors.
[[nodiscard]] Result<std::map<std::string, std::string>>
loadWeights(const std::filesystem::path& file, const ParameterLayout& layout, at::Tensor& parameters,
            const ParameterLayout& buffers = {}, at::Tensor statistics = {});

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// Weights from files into flat tensors: checkpoints, and what other programs have trained. Any thread.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/model/parameter_arena.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace accumulus {

class SafetensorsFile;
struct NamedTensors;

/// Every parameter of `layout` out of a file, in the target's precision. Error "checkpoint.mismatch".
[[nodiscard]] Status copyParameters(const SafetensorsFile& content, const ParameterLayout& layout, at::Tensor& flat);
/// Into `parameters` (flat) and `statistics` (flat, of `buffers`). Names and shapes must match. The file's metadata.
/// Errors "checkpoint.mismatch" and those of readSafetensors.
[[nodiscard]] Result<std::map<std::string, std::string>>
loadWeights(const std::filesystem::path& file, const ParameterLayout& layout, at::Tensor& parameters,
            const ParameterLayout& buffers = {}, at::Tensor statistics = {});

/// The tensors of a safetensors file or of a state dict of PyTorch; the file's content says which it is. Errors
/// "weights.open", "weights.format".
[[nodiscard]] Result<NamedTensors> readWeightsFile(const std::filesystem::path& file);

/// Weights that another program has trained, into `parameters` (flat, of `layout`) and `statistics` (flat, of
/// `buffers`), of any floating-point type. Names are those of the layout, with or without one prefix that all have in
/// common. Nothing is written unless every parameter is there, in its shape and finite; with `newHead` the parameters
/// of one layer may be missing or of another shape, and stay as they are. Running statistics may be missing altogether.
/// What was left out, kept or not found, as notes. Errors "weights.open", "weights.format", "weights.mismatch",
/// "weights.nonfinite".
[[nodiscard]] Result<std::vector<Message>> loadInitialWeights(const std::filesystem::path& file,
                                                              const ParameterLayout& layout,
                                                              const ParameterLayout& buffers, bool newHead,
                                                              at::Tensor& parameters, at::Tensor& statistics);

} // namespace accumulus

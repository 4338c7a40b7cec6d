// SPDX-License-Identifier: GPL-3.0-or-later
// State dicts as torch.save writes them: a zip archive with a pickle of names, shapes and strides, and the tensors'
// bytes. No code of the file is run (see pickle.h), and no more memory is taken than the file is large. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/model/safetensors.h"

#include <filesystem>

namespace accumulus {

/// The tensors of a state dict, or of the one that a checkpoint holds under "state_dict", "model" or a similar name, in
/// the file's order; on the CPU, maybe views with strides of one storage. What else the file holds is passed over.
/// Error "weights.format": no state dict, damaged, or with names that are code.
[[nodiscard]] Result<NamedTensors> readStateDict(const std::filesystem::path& file);

} // namespace accumulus

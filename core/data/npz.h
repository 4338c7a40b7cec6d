// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy's .npz: a zip file of .npy files. Arrays that were stored are used where they lie in the file; those that were
// deflated (savez_compressed) are unpacked into memory, never more than their own header says. Any thread.
#pragma once

#include "core/data/stored_array.h"

#include <memory>
#include <vector>

namespace accumulus {

/// The .npy members. Errors "data.tensors.format" and, of an array that is opened or read, "data.tensors.array".
[[nodiscard]] Result<std::vector<ArrayEntry>> openNpz(const std::shared_ptr<const MappedFile>& file);

/// The array of a .npy in `bytes` of `file`, which is used where it lies. Error "data.tensors.array".
[[nodiscard]] Result<StoredArray> mappedNpy(const std::shared_ptr<const MappedFile>& file, const std::string& name,
                                            std::span<const std::byte> bytes);

} // namespace accumulus

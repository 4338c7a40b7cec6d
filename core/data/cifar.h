// SPDX-License-Identifier: GPL-3.0-or-later
// CIFAR-10, binary version: records of 3073 bytes, one label (0 to 9) and 32 x 32 pixels in planes R, G, B. Plain or
// gzip, told apart by content. Every size is checked against the file before memory is taken; errors name file, byte
// offset, reason and cure.
#pragma once

#include "core/data/data_source.h"

#include <span>

namespace accumulus {

struct CifarFile {
    std::filesystem::path path;
    std::int64_t count = 0; ///< images, from the file's size
};

struct CifarFiles {
    std::vector<CifarFile> train; ///< in the order of N
    CifarFile test;
};

/// data_batch_N.bin (any N) and test_batch.bin, plain or with .gz, in the folder, in cifar-10-batches-bin/ below it, or
/// in its train/ and test/; where a file is there more than once, the first of these places counts. Looks at sizes
/// only. Errors "data.cifar.missing", "data.cifar.open", "data.cifar.size", "data.cifar.short".
[[nodiscard]] Result<CifarFiles> findCifar(const std::filesystem::path& folder);

/// The first `limit` images (0: all) of the files one after the other.
/// Errors "data.cifar.open", "data.cifar.short", "data.cifar.trailing", "data.cifar.label".
[[nodiscard]] Result<ImageSet> readCifar(std::span<const CifarFile> files, std::int64_t limit);

/// cifar10. Errors as above.
[[nodiscard]] Result<DataSource> openCifar(const DataConfig& config);

} // namespace accumulus

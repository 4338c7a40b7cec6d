// SPDX-License-Identifier: GPL-3.0-or-later
// The identity of the data that a run is trained on. Two sets with the same hash train the same model.
#pragma once

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/data/dataset.h"

#include <string>

namespace accumulus {

/// XXH3-128 (32 hexadecimal digits) of everything that training and evaluation read: the shapes, labels, pixels,
/// tokens or tensors (both see addColumn) of the training, validation and test parts, the number of classes, the
/// vocabulary and the normalisation. Where the data came from (name, description, path) does not count. The same on
/// every machine.
///
/// Not to be compared with Dataset::checksum, which covers the bytes alone and which libraries hold since version 1.
/// Throws ErrorThrown "data.changed" where a file of the data can no longer be read.
[[nodiscard]] std::string datasetHash(const Dataset& data);
/// The same with that error.
[[nodiscard]] Result<std::string> readDatasetHash(const Dataset& data);

/// What is hashed of a large column: other numbers are for tests, since they make other hashes.
struct HashedBlocks {
    std::int64_t largest = std::int64_t{1} << 30; ///< bytes of a column that is hashed as a whole
    std::int64_t between = 1024;                  ///< blocks
    std::int64_t bytes = 1 << 16;                 ///< of each
};
/// The bytes of `count` samples. Of a column of more than `largest` bytes its first and last block and evenly spaced
/// ones `between` them: reading all of it would take longer than many a run. A change between the blocks is not seen;
/// targets are small and so as a rule hashed as a whole.
void addColumn(Hasher& hasher, const TensorColumn& column, std::int64_t count, const HashedBlocks& blocks = {});

} // namespace accumulus

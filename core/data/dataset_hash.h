// SPDX-License-Identifier: GPL-3.0-or-later
// The identity of the data that a run is trained on. Two sets with the same hash train the same model.
#pragma once

#include "core/data/dataset.h"

#include <string>

namespace accumulus {

/// XXH3-128 (32 hexadecimal digits) of everything that training and evaluation read: the shapes, labels, pixels or
/// tokens of the training, validation and test parts, the number of classes, the vocabulary and the normalisation.
/// Of tokens beyond 1 GiB evenly spaced blocks are read (sampled_hash.h). Where the data came from (name, description,
/// path) does not count. The same on every machine.
///
/// Not to be compared with Dataset::checksum, which covers the bytes alone and which libraries hold since version 1.
[[nodiscard]] std::string datasetHash(const Dataset& data);

} // namespace accumulus

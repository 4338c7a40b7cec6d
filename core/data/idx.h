// SPDX-License-Identifier: GPL-3.0-or-later
// IDX files (MNIST's format): big-endian magic 0x00000801 (labels) or 0x00000803 (images), sizes, then bytes. Plain or
// gzip. Every size is checked against the file before anything is allocated. Errors name file, byte offset, reason and
// cure.
#pragma once

#include "core/base/result.h"
#include "core/data/dataset.h"

#include <filesystem>

namespace accumulus {

struct IdxHeader {
    std::int64_t count = 0, height = 0, width = 0; ///< height and width are 0 for labels
};

[[nodiscard]] Result<IdxHeader> readIdxHeader(const std::filesystem::path& file);
/// Images and their labels. At most `limit` samples (0: all). Labels must lie in [0, classes).
/// Errors "data.idx.open", "data.idx.magic", "data.idx.short", "data.idx.trailing", "data.idx.sizes",
/// "data.idx.disagree", "data.idx.label".
[[nodiscard]] Result<ImageSet> readIdx(const std::filesystem::path& images, const std::filesystem::path& labels,
                                       std::int64_t limit, std::int64_t classes);

} // namespace accumulus

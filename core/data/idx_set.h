// SPDX-License-Identifier: GPL-3.0-or-later
// mnist and fashion-mnist: the four IDX files in data.path (or the bundled copy), in the folder itself or in train/ and
// test/ below it, under both usual spellings, plain or .gz.
#pragma once

#include "core/data/data_source.h"

namespace accumulus {

/// Reads the headers. Errors "data.missing", "data.idx.*".
[[nodiscard]] Result<DataSource> openIdxSet(const DataConfig& config, const std::filesystem::path& resources);

} // namespace accumulus

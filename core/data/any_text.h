// SPDX-License-Identifier: GPL-3.0-or-later
// Text of any language, or tokens that another program has made: data.dataset = "text".
#pragma once

#include "core/data/data_source.h"

namespace accumulus {

/// data.path is a text file, a token file (NAME.bin), or a folder with train.bin or train.txt, or with exactly one .txt
/// or, failing that, one .bin. The test part is data.test_path; else test.* or val.* beside train.*; else the last
/// tenth. Errors "data.text.*", "data.tokens.*", "data.no-room".
[[nodiscard]] Result<DataSource> openAnyText(const DataConfig& config);

} // namespace accumulus

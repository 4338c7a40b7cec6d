// SPDX-License-Identifier: GPL-3.0-or-later
// tinyshakespeare, or any other plain text: one token for each byte. A token is the rank of its byte among the bytes
// that occur in the whole file, so a UTF-8 file works too; a letter of two bytes is then two tokens. Byte 0 does not
// occur in text, which leaves at most 255 different tokens, and id 255 at most for the mask.
//
// The first 90 % of the bytes are the training part, the last 10 % the held-out set. Each part is cut into samples of
// data.block tokens; what is left at its end, less than a block and the one token behind it, is not used.
#pragma once

#include "core/data/data_source.h"

namespace accumulus {

/// As many samples of `block` tokens as `tokens` hold with one token behind the last, at most `limit` (0: all).
[[nodiscard]] TextSet cutText(std::span<const std::uint8_t> tokens, std::int64_t block, std::int64_t limit);

/// Copy of samples [first, first + count), with the token behind the last.
[[nodiscard]] TextSet sliceText(const TextSet& set, std::int64_t first, std::int64_t count);

/// data.path is a text file, or a folder with exactly one .txt; empty: the bundled plays. Reads the file, since the
/// vocabulary and so the model's size depend on all of it. Errors "data.text.missing", "data.text.open",
/// "data.text.binary", "data.text.short".
[[nodiscard]] Result<DataSource> openText(const DataConfig& config, const std::filesystem::path& resources);

} // namespace accumulus

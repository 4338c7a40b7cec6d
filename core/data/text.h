// SPDX-License-Identifier: GPL-3.0-or-later
// tinyshakespeare, or another text of single bytes: one token for each byte. A token is the rank of its byte among the
// bytes that occur in the whole file, so a UTF-8 file works too; a letter of two bytes is then two tokens. Byte 0 does
// not occur in text, which leaves at most 255 different tokens, and id 255 at most for the mask.
//
// The first 90 % of the bytes are the training part, the last 10 % the held-out set. Each part is cut into samples of
// data.block tokens; what is left at its end, less than a block and the one token behind it, is not used.
#pragma once

#include "core/data/data_source.h"

namespace accumulus {

/// Two texts in the same tokens, not yet cut into samples.
struct TokenParts {
    TokenColumn train, test;
    std::filesystem::path trainFile, testFile; ///< the same file where the test part is its end
    std::string vocabulary;
    std::int64_t classes = 0;
    std::vector<Message> facts;
};
/// Such a text as a source: cut to the limits. Error "data.text.short".
[[nodiscard]] Result<DataSource> sourceOfTokens(const DataConfig& config, TokenParts parts);

/// Where the held-out part of a text of `size` tokens begins: nine tenths of it, rounded down.
[[nodiscard]] constexpr std::int64_t trainingPart(std::int64_t size) { return size / 10 * 9 + size % 10 * 9 / 10; }

/// As many samples of `block` tokens as `tokens` hold with one token behind the last, at most `limit` (0: all), in the
/// same storage.
[[nodiscard]] TextSet cutText(const TokenColumn& tokens, std::int64_t block, std::int64_t limit);

/// Samples [first, first + count), with the token behind the last, in the same storage.
[[nodiscard]] TextSet sliceText(const TextSet& set, std::int64_t first, std::int64_t count);

/// data.path is a text file, or a folder with exactly one .txt; empty: the bundled plays. Reads the file, since the
/// vocabulary and so the model's size depend on all of it. Errors "data.text.missing", "data.text.open",
/// "data.text.binary", "data.text.short".
[[nodiscard]] Result<DataSource> openText(const DataConfig& config, const std::filesystem::path& resources);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8 text, one token for each character (code point): the rank of the character among those that occur. A byte order
// mark at the beginning is left out; line ends stay as they are.
#pragma once

#include "core/data/text.h"

namespace accumulus {

struct TextFiles {
    std::filesystem::path train;
    std::filesystem::path test; ///< empty: the last tenth of `train`
};

/// Tokens of 8, 16 or 32 bits, as many as the characters of both files need. A larger data.vocabulary leaves room for
/// tokens that do not occur. Errors "data.text.open", "data.text.binary", "data.text.encoding", "data.text.short",
/// "data.text.vocabulary", "data.no-room".
[[nodiscard]] Result<TokenParts> readCharacters(const DataConfig& config, const TextFiles& files);

} // namespace accumulus

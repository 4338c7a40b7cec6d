// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens that another program has made: nothing but numbers of 16 or 32 bits, little-endian, as NumPy's tofile() writes
// them and nanoGPT's prepare.py does. The files are mapped, not copied.
//
// 32 bits where data.vocabulary is beyond 65536, or where read as numbers of 16 bits every second one is small (at most
// 16) and others are not: no text looks like that. A file of 32 bits may hold a vocabulary of up to 16 777 216 tokens
// unless data.vocabulary allows for more.
#pragma once

#include "core/data/character_text.h"

namespace accumulus {

/// The vocabulary is data.vocabulary, or the largest token of both files and one more. All tokens are looked at. Errors
/// "data.tokens.open", "data.tokens.form", "data.tokens.size", "data.tokens.vocabulary", "data.text.short".
[[nodiscard]] Result<TokenParts> readTokenFiles(const DataConfig& config, const TextFiles& files);

} // namespace accumulus

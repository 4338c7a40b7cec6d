// SPDX-License-Identifier: GPL-3.0-or-later
// Hashes of data that may be larger than memory.
#pragma once

#include "core/base/hash.h"

#include <cstdint>

namespace accumulus {

/// Up to this size data are hashed as a whole.
inline constexpr std::size_t wholeHashBytes = std::size_t{1} << 30;

/// Adds `bytes`: all of them up to `whole` bytes; beyond that 1024 blocks of whole / 4096 bytes (256 KiB), evenly
/// spaced from the first byte to the last, so that a hash takes seconds. A change between the blocks is not seen.
void addSampled(Hasher& hasher, std::span<const std::byte> bytes, std::size_t whole = wholeHashBytes);

} // namespace accumulus

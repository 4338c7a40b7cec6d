// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy's .npy: magic, version, a header that reads like a Python dictionary, then the elements. The header is checked
// against the size of the file before anything is done with it; no Python is interpreted. Any thread.
#pragma once

#include "core/base/message.h"
#include "core/data/tensor_set.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <tl/expected.hpp>
#include <vector>

namespace accumulus {

struct NpyHeader {
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape; ///< of the whole array
    std::int64_t dataBegin = 0;      ///< bytes before the elements
    std::int64_t dataBytes = 0;
};

/// `beginning`: at least the header of an array whose file has `size` bytes; versions 1 to 3, little-endian, row-major
/// (C order). Otherwise why not, a sentence of the message catalogue; its argument "cure" is the code of what to do.
[[nodiscard]] tl::expected<NpyHeader, Message> parseNpy(std::span<const std::byte> beginning, std::int64_t size);

/// Longest header that is read, its own length included.
inline constexpr std::size_t longestNpyHeader = std::size_t{1} << 16;

/// Elements of such a shape take so many bytes; less than 0 where a side is, or the product is too large.
[[nodiscard]] std::int64_t bytesOfShape(const std::vector<std::int64_t>& shape, ElementType type);

} // namespace accumulus

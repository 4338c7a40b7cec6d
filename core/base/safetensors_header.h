// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a safetensors file: u64 little-endian length, JSON, then row-major little-endian tensors without holes.
// Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace accumulus {

struct SafetensorsHeader {
    struct Tensor {
        std::string name;
        std::string type; ///< "F32", "I64", "BOOL", ...
        std::vector<std::int64_t> shape;
        std::uint64_t begin = 0, end = 0; ///< bytes of the data part
    };
    std::vector<Tensor> tensors; ///< in file order
    std::map<std::string, std::string> metadata;

    static constexpr std::uint64_t longest = 16U << 20; ///< bytes of JSON
};

/// Why a file is not safetensors: a code of the message catalogue and its {detail}.
struct SafetensorsProblem {
    const char* reason = "";
    std::string detail{};
};

/// `words`: the JSON. Sizes, types and places of all tensors agree with each other and with the `dataSize` bytes that
/// follow; their products fit into std::int64_t.
[[nodiscard]] tl::expected<SafetensorsHeader, SafetensorsProblem> parseSafetensorsHeader(std::string_view words,
                                                                                         std::uint64_t dataSize);

} // namespace accumulus

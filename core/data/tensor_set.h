// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of any shape and type, as a file has them: nothing is copied where the file can be mapped into memory.
// Values; any thread may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

namespace accumulus {

/// Little-endian, as NumPy and safetensors name them.
enum class ElementType { Bool, UInt8, Int8, UInt16, Int16, UInt32, Int32, Int64, Float16, BFloat16, Float32, Float64 };
[[nodiscard]] constexpr std::int64_t elementBytes(ElementType type) {
    using enum ElementType;
    switch (type) {
    case Bool:
    case UInt8:
    case Int8:
        return 1;
    case UInt16:
    case Int16:
    case Float16:
    case BFloat16:
        return 2;
    case UInt32:
    case Int32:
    case Float32:
        return 4;
    case Int64:
    case Float64:
        return 8;
    }
    return 1;
}
[[nodiscard]] constexpr bool isReal(ElementType type) {
    using enum ElementType;
    return type == Float16 || type == BFloat16 || type == Float32 || type == Float64;
}

/// One tensor for each sample, one after the other.
struct TensorColumn {
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;     ///< of one sample; empty: one number
    const std::byte* data = nullptr;     ///< count x sampleBytes()
    std::shared_ptr<const void> storage; ///< keeps `data` alive: a mapped file, or a buffer

    [[nodiscard]] std::int64_t elements() const { ///< of one sample
        return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    }
    [[nodiscard]] std::int64_t sampleBytes() const { return elements() * elementBytes(type); }
    [[nodiscard]] const std::byte* sample(std::int64_t id) const { return data + id * sampleBytes(); }
};

struct TensorSet {
    std::int64_t count = 0; ///< samples
    TensorColumn inputs, targets;
};

} // namespace accumulus

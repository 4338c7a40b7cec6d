// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of a tensor as C++ values: what a file calls float16 is Half here. Internal to core/data.
#pragma once

#include "core/data/tensor_set.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace accumulus {

/// IEEE 754 binary16. Exact.
struct Half {
    std::uint16_t bits = 0;
    [[nodiscard]] constexpr float value() const {
        const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16;
        const std::uint32_t magnitude = bits & 0x7FFFU;
        if (magnitude >= 0x7C00U) // infinite, or not a number
            return std::bit_cast<float>(sign | 0x7F800000U | (magnitude & 0x3FFU) << 13);
        // The exponent is 112 too small as a float's; subnormal ones become normal in the product.
        const float scaled = std::bit_cast<float>(magnitude << 13) * std::bit_cast<float>(0x77800000U);
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | sign);
    }
};
/// The upper half of a float.
struct BFloat {
    std::uint16_t bits = 0;
    [[nodiscard]] constexpr float value() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};

/// A truth value: any byte but 0 is true, whatever wrote the file.
struct Truth {
    std::uint8_t byte = 0;
    [[nodiscard]] constexpr float value() const { return byte != 0 ? 1.0F : 0.0F; }
};

/// The element at `place`, which need not be aligned.
template <class T>
[[nodiscard]] inline T elementAt(const std::byte* place) {
    T element;
    std::memcpy(&element, place, sizeof element);
    return element;
}
/// As a number of type Out.
template <class Out, class T>
[[nodiscard]] inline Out numberOf(T element) {
    if constexpr (std::is_arithmetic_v<T>)
        return static_cast<Out>(element);
    else
        return static_cast<Out>(element.value());
}

/// Calls `work` with a value of the C++ type behind `type`.
template <class Work>
decltype(auto) withElementType(ElementType type, Work&& work) {
    using enum ElementType;
    switch (type) {
    case Bool:
        return work(Truth{});
    case UInt8:
        return work(std::uint8_t{});
    case Int8:
        return work(std::int8_t{});
    case UInt16:
        return work(std::uint16_t{});
    case Int16:
        return work(std::int16_t{});
    case UInt32:
        return work(std::uint32_t{});
    case Int32:
        return work(std::int32_t{});
    case Int64:
        return work(std::int64_t{});
    case Float16:
        return work(Half{});
    case BFloat16:
        return work(BFloat{});
    case Float32:
        return work(float{});
    case Float64:
        break;
    }
    return work(double{});
}

} // namespace accumulus

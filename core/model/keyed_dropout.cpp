// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/keyed_dropout.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

namespace accumulus {
namespace {

constexpr std::uint64_t purposeDropout = 0xD20; // keeps these draws apart from those of augmentation and masking

/// A 32-bit mixer (two multiplications, three shifts) of a counter: cheap enough for every activation, and vectorised by the compiler.
constexpr std::uint32_t mix32(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7FEB352DU;
    x ^= x >> 15;
    x *= 0x846CA68BU;
    return x ^ (x >> 16);
}

} // namespace

at::Tensor keyedMask(const SampleKeys& keys, std::int64_t perRow, double rate, std::uint64_t layer, at::ScalarType type) {
    at::Tensor mask = at::empty({static_cast<std::int64_t>(keys.size()), perRow}, type);
    const auto threshold = static_cast<std::uint32_t>(rate * 4294967296.0); // rate < 1
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, type, "keyedMask", [&] {
        scalar_t* out = mask.mutable_data_ptr<scalar_t>();
        scalar_t kept{};
        if constexpr (std::is_same_v<scalar_t, double>)
            kept = 1.0 / (1.0 - rate);
        else
            kept = static_cast<scalar_t>(static_cast<float>(1.0 / (1.0 - rate)));
        const auto dropped = static_cast<scalar_t>(0.0F);
        for (std::size_t row = 0; row < keys.size(); ++row) {
            const std::uint64_t key = keys.key(row, purposeDropout + (layer << 16));
            const auto low = static_cast<std::uint32_t>(key);
            const auto high = static_cast<std::uint32_t>(key >> 32);
            for (std::int64_t i = 0; i < perRow; ++i)
                out[i] = mix32(mix32(static_cast<std::uint32_t>(i) + low) ^ high) < threshold ? dropped : kept;
            out += perRow;
        }
    });
    return mask;
}

at::Tensor keyedDropout(const at::Tensor& input, double rate, std::uint64_t layer, const ForwardContext& context) {
    if (!context.training || rate == 0.0)
        return input;
    return input * keyedMask(context.keys, input.numel() / input.size(0), rate, layer, input.scalar_type()).view(input.sizes());
}

} // namespace accumulus

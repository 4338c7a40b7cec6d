// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/keyed_dropout.h"

#include "core/cuda/device_kernels.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

namespace accumulus {
at::Tensor keyedMask(const SampleKeys& keys, std::int64_t perRow, double rate, std::uint64_t layer,
                     at::ScalarType type) {
    at::Tensor mask = at::empty({static_cast<std::int64_t>(keys.size()), perRow}, type);
    const std::uint32_t threshold = dropoutThreshold(rate);
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
            for (std::int64_t i = 0; i < perRow; ++i)
                out[i] = isDropped(key, static_cast<std::uint32_t>(i), threshold) ? dropped : kept;
            out += perRow;
        }
    });
    return mask;
}

at::Tensor keyedDropout(const at::Tensor& input, double rate, std::uint64_t layer, const ForwardContext& context) {
    if (!context.training || rate == 0.0)
        return input;
    const std::int64_t perRow = input.numel() / input.size(0);
    const at::Tensor mask = context.deviceKeys.defined()
                                ? kernels::keyedMask(context.deviceKeys, perRow, rate, layer, input.scalar_type())
                                : keyedMask(context.keys, perRow, rate, layer, input.scalar_type());
    return input * mask.view(input.sizes());
}

} // namespace accumulus

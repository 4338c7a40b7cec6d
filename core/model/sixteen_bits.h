// SPDX-License-Identifier: GPL-3.0-or-later
// Products under autocast on a processor that is no faster in 16 bits (MachineFeatures::fastBf16). There LibTorch's
// operators are slower than in fp32: 0.5 to 0.7 of its rate in bf16 with AVX512_BF16, many times slower without
// instructions. So layers read 16-bit numbers as floats, compute in fp32 and round what they hand on. That is what such
// instructions do, too, which add up in fp32; activations and gradients stay in 16 bits, with their memory. Any thread.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <optional>

namespace accumulus {

/// `tensor` in fp32 where it has 16 bits, else itself.
[[nodiscard]] at::Tensor inFloat(const at::Tensor& tensor);

/// Do our own products take numbers of this type on this processor? fp32, and 16 bits that are no faster.
[[nodiscard]] bool productsTake(at::ScalarType type);

/// While it lives, a layer's own products stand in for autocast's, on the CPU: operands are cast by cast(), and
/// autocast does not cast what is computed with them. Without autocast it does nothing; nor where 16 bits are faster,
/// unless `evenWhereFast`: for products that are ours all the same, as those so small that starting LibTorch's operator
/// takes longer.
class RoundedProducts {
public:
    explicit RoundedProducts(bool evenWhereFast = false);
    [[nodiscard]] bool active() const { return m_type.has_value(); }
    /// As autocast would: weights once in its scope. An undefined tensor stays so.
    [[nodiscard]] at::Tensor cast(const at::Tensor& operand) const;

private:
    std::optional<at::ScalarType> m_type;
    std::optional<c10::impl::ExcludeDispatchKeyGuard> m_withoutAutocast;
};

} // namespace accumulus

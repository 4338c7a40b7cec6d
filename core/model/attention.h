// SPDX-License-Identifier: GPL-3.0-or-later
// Attention (Vaswani et al. 2017, section 3.2.1). Any thread.
#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

/// softmax(query key^T / sqrt(width)) value, and its gradients; all [samples, heads, length, width]. `causal`: a
/// position looks at itself and what lies before it. The result lies in memory as [samples, length, heads, width].
/// Probabilities are not dropped out: fused kernels draw from a stream, which would tie the result to the order of the
/// calls.
///
/// On the CPU in fp32 (or 16 bits that are no faster, see sixteen_bits.h) with one length for all, the products go to
/// oneDNN's microkernel (see microkernel.h) by heads and blocks of rows. As in FlashAttention (Dao et al. 2022) only
/// the logarithm of each row's sum is kept, and the probabilities are computed again on the way back, as LibTorch's own
/// kernel does. Equal to at::scaled_dot_product_attention up to rounding; the same bits for any number of threads. In
/// bf16 with AMX so do lengths up to 256, for which LibTorch's way back is slow (forward and back, one thread: 64
/// positions 2.6 to 5.1 times as fast, 256 1.3 to 1.4, 1024 would be 0.7). Anything else goes through that. Measured:
/// tests/bench/bench_layers.
[[nodiscard]] at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                   bool causal);

/// The same of heads that lie side by side, without the views that would tell them apart: all [samples, length, heads x
/// width], and so the result.
[[nodiscard]] at::Tensor attentionSideBySide(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                             std::int64_t heads, bool causal);
/// The same where queries, keys and values lie side by side, too: [samples, length, 3 x heads x width]. Their gradients
/// come back as one tensor.
[[nodiscard]] at::Tensor attentionPacked(const at::Tensor& packed, std::int64_t heads, bool causal);

} // namespace accumulus

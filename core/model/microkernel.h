// SPDX-License-Identifier: GPL-3.0-or-later
// oneDNN's microkernel for matrix products (brgemm), which LibTorch offers to kernels. It is compiled for each shape
// when that comes first, packs nothing, and uses the processor's widest vectors. MKL, to which LibTorch's operators go,
// packs its factors in each call, and on AMD's Zen 5 with AVX-512 it reaches the rate of AVX2. Any thread; each keeps
// its own compiled kernels.
#pragma once

#include "core/base/machine_features.h"
#include "core/model/sixteen_bits.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <ATen/native/CPUBlas.h>
#include <cstdint>

namespace accumulus {

/// Floats row by row, one row `stride` floats behind the other.
template <class Float>
struct MatrixRows {
    Float* data;
    std::int64_t stride;
};

/// Of a product: the rows and columns of the result, and how many products each of its elements sums up.
struct ProductSize {
    std::int64_t rows, columns, depth;
};

/// Whether the microkernel computes with this tensor: on an x86-64 CPU with AVX2 and FMA or more, outside autocast (see
/// RoundedProducts), what productsTake(). 16 bits are read as floats first. `rounded`: 16 bits of any processor.
inline bool microkernelTakes(const at::Tensor& tensor, bool rounded = false) {
#if defined(CPUBLAS_BRGEMM_F32F32F32) && defined(__x86_64__)
    const at::ScalarType type = tensor.scalar_type();
    return machineFeatures().vectors && tensor.is_cpu() &&
           (productsTake(type) || (rounded && at::isReducedFloatingType(type))) && tensor.layout() == at::kStrided &&
           !at::autocast::is_autocast_enabled(at::kCPU);
#else
    (void)tensor, (void)rounded;
    return false;
#endif
}

/// result = or += left right, on this thread.
inline void microkernel(const ProductSize& size, const MatrixRows<const float>& left,
                        const MatrixRows<const float>& right, const MatrixRows<float>& result, bool add) {
    at::native::cpublas::brgemm(size.rows, size.columns, size.depth, left.stride, right.stride, result.stride, add,
                                left.data, right.data, result.data);
}

} // namespace accumulus

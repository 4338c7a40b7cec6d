// SPDX-License-Identifier: GPL-3.0-or-later
// The floats of a tensor, for kernels. Any thread.
#pragma once

#include <ATen/ATen.h>
#include <cstdint>

namespace accumulus {

inline const float* read(const at::Tensor& tensor) { return tensor.const_data_ptr<float>(); }
inline float* write(at::Tensor& tensor) { return tensor.mutable_data_ptr<float>(); }

/// So many floats for as long as a kernel needs them. Their memory is counted as any tensor's.
inline at::Tensor scratch(std::int64_t floats) { return at::empty({floats}, at::kFloat); }

} // namespace accumulus

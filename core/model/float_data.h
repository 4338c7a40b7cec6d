// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels share: the floats of a tensor, its layout, and the lane's threads. Any thread.
#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <cstdint>

namespace accumulus {

inline constexpr auto channelsLast = at::MemoryFormat::ChannelsLast;

inline const float* read(const at::Tensor& tensor) { return tensor.const_data_ptr<float>(); }
inline float* write(at::Tensor& tensor) { return tensor.mutable_data_ptr<float>(); }

/// work(begin, end) for shares of [0, count) on the threads of this lane.
template <class Work>
void inParallel(std::int64_t count, const Work& work) {
    at::parallel_for(0, count, 1, work);
}

/// So many floats for as long as a kernel needs them. Their memory is counted as any tensor's.
inline at::Tensor scratch(std::int64_t floats) { return at::empty({floats}, at::kFloat); }

} // namespace accumulus

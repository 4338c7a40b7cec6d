// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of device_kernels.h for tensors of a GPU; nvcc compiles them. Internal to core/cuda, and declared only
// in builds with CUDA.
#pragma once

#include "core/cuda/device_kernels.h"

namespace accumulus::kernels::gpu {

void gatherImages(const at::Tensor& pixels, const at::Tensor& labels, const at::Tensor& scaleShift,
                  const at::Tensor& keys, bool cropFlip, at::Tensor& images, at::Tensor& targets);
void gatherTokens(const at::Tensor& tokens, const at::Tensor& keys, bool masked, std::int64_t vocabulary,
                  at::Tensor& input, at::Tensor& targets);
void keyedMask(const at::Tensor& keys, double rate, std::uint64_t layer, at::Tensor& mask);
void selectMicroStep(const at::Tensor& windowKeys, const at::Tensor& windowStarts, const at::Tensor& windowWeights,
                     at::Tensor& row, at::Tensor& keys, at::Tensor& weight);
void commit(at::Tensor& flat, std::span<const Piece> pieces, const Scalar& weight, at::Tensor& partials);
void scale(at::Tensor& flat, std::span<const Piece> pieces, const Scalar& factor, at::Tensor& partials);
void clip(at::Tensor& flat, std::span<const Piece> pieces, const at::Tensor& results);
void closeMicroStep(at::Tensor& partials, const at::Tensor& loss, at::Tensor& cursor, at::Tensor& results);
void closeWindow(at::Tensor& partials, std::int64_t chunks, const at::Tensor& cursor, double clipNorm,
                 at::Tensor& results, at::Tensor& foundInf);

} // namespace accumulus::kernels::gpu

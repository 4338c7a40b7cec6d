// SPDX-License-Identifier: GPL-3.0-or-later
// BatchNorm (Ioffe and Szegedy 2015) as a function: statistics are handed out, running buffers are only read. Whoever
// owns the buffers decides when they move.
#pragma once

#include "core/model/model.h"

#include <cstddef>

namespace accumulus {

inline constexpr double normEpsilon = 1e-5; ///< of BatchNorm and GroupNorm, as PyTorch's

/// What follows a normalisation.
struct AfterNorm {
    at::Tensor added;     ///< of the output's shape; undefined: nothing is added
    bool rectify = false; ///< ReLU comes last
};

/// `output` with what follows it. In place: no backward pass of a normalisation needs what is overwritten, and a third
/// of the activations' memory is saved.
[[nodiscard]] at::Tensor followed(at::Tensor output, const AfterNorm& after);

/// Normalises `input` [n, channels, height, width] per channel, then scales by `weight` and shifts by `bias`
/// ([channels] each), then does what follows. Differentiable; any thread.
///
/// Evaluation, and training with BatchNormMode::Frozen: by the running mean and variance, context.buffers[2 layer] and
/// [2 layer + 1]. Training otherwise: by the mean and the biased variance of each group of context.ghost consecutive
/// rows (0: all rows; the last group may be smaller), one NormStatistics of which is appended to
/// context.statistics[layer], in the order of the rows.
///
/// Training on the CPU in fp32 and channels-last order without ghost groups takes two passes over the images each way,
/// addition and ReLU included, by our own kernels (batch_norm_kernels.h); anything else goes through ATen. The same
/// bits for any number of threads.
///
/// A 16-bit `input` (autocast) is normalised with fp32 statistics and stays 16-bit.
/// Throws std::runtime_error where a group has a single element per channel: it has no variance. Such a batch is
/// refused before training, by leastSamples(); this is the last guard.
[[nodiscard]] at::Tensor batchNorm(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                   std::size_t layer, ForwardContext& context, const AfterNorm& after = {});

/// The fewest samples that a training pass takes: 2 where a BatchNorm layer sees a single pixel of each, else 1.
[[nodiscard]] std::int64_t leastSamples(const Model& model, BatchNormMode mode);

} // namespace accumulus

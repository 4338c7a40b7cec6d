// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine does itself on a GPU, beside LibTorch's operators: making micro-batches from resident data, keyed
// dropout, adding gradients up and closing a window. Nothing here waits for the GPU or looks at a value of it, so every
// function may be captured in a CUDA graph. Work is queued on the current stream of the calling thread.
//
// All functions take tensors of the CPU too: plain loops over the same element functions, slow and obvious. Tests
// compare the two, and run the whole of the deferred path without a GPU. CPU training does not come here.
#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <span>

namespace accumulus::kernels {

// Keys: the samples of a micro-batch, int64 [n, 2]: sample id and the bits of epochKey(seed, epoch).

/// A number that is known now, or one that lies on the device when the work is done (fp64, one element).
struct Scalar {
    double value = 1.0;
    at::Tensor onDevice{};
};

/// Images of a micro-batch in one pass: gathered from `pixels` (uint8 [count, channels, height, width]), normalised by
/// scaleShift ([2, channels] in the type of `images`), and with `cropFlip` augmented by the draws of the keys.
/// `targets`: the labels (uint8 [count]) as int64 [n]. The same bits as gatherImages on the CPU.
void gatherImages(const at::Tensor& pixels, const at::Tensor& labels, const at::Tensor& scaleShift,
                  const at::Tensor& keys, bool cropFlip, at::Tensor& images, at::Tensor& targets);
/// Tokens (uint8) and targets of a micro-batch, int64 [n, block] each. `masked`: of a masked-token model, drawn from
/// the keys.
void gatherTokens(const at::Tensor& tokens, const at::Tensor& keys, bool masked, std::int64_t vocabulary,
                  at::Tensor& input, at::Tensor& targets);
/// As accumulus::keyedMask: 0 or 1 / (1 - rate), [n, perRow]. The same bits.
[[nodiscard]] at::Tensor keyedMask(const at::Tensor& keys, std::int64_t perRow, double rate, std::uint64_t layer,
                                   at::ScalarType type);

/// Copies the keys of micro-step `row` (int64, one element, counted up by one) out of those of its window: as many as
/// `keys` has room for, from windowStarts[row] (int64) on, and its weight (fp64).
void selectMicroStep(const at::Tensor& windowKeys, const at::Tensor& windowStarts, const at::Tensor& windowWeights,
                     at::Tensor& row, at::Tensor& keys, at::Tensor& weight);

/// A dense stretch of a flat arena. Sums of squares are kept in `partials` (fp64), one for each chunk of chunkElements,
/// and added up in a fixed order.
inline constexpr std::int64_t chunkElements = 4096;
struct Piece {
    at::Tensor gradient{}; ///< contiguous in the arena's order; not needed for what works in place
    std::int64_t offset = 0;
    std::int64_t count = 0;
    std::int64_t firstChunk = 0; ///< of its partial sums
};
[[nodiscard]] constexpr std::int64_t chunksOf(std::int64_t count) {
    return (count + chunkElements - 1) / chunkElements;
}

/// flat += weight x gradient; partials = sums of gradient^2. `flat`: the gradients' type, or bfloat16 beside fp32
/// gradients.
void commit(at::Tensor& flat, std::span<const Piece> pieces, const Scalar& weight, at::Tensor& partials);
/// flat *= factor; partials = sums of the squares of the result.
void scale(at::Tensor& flat, std::span<const Piece> pieces, const Scalar& factor, at::Tensor& partials);
/// flat *= results[clipFactor], unless that is 1.
void clip(at::Tensor& flat, std::span<const Piece> pieces, const at::Tensor& results);

// What a window leaves for the host, fp64: the header, then for each committed micro-step (squared norm, loss).
enum WindowResult : std::int64_t { squaredNorm, broken, clipFactor, headerSize };

/// A micro-step is complete: results of micro-step `cursor` (int64, one element, counted up) = (sum of all partials,
/// `loss`); the partials become zero.
void closeMicroStep(at::Tensor& partials, const at::Tensor& loss, at::Tensor& cursor, at::Tensor& results);
/// The header of `results`: the squared norm is the sum of the first `chunks` partials, which become zero; broken is 1
/// when it, or anything of a committed micro-step, is not finite; clipFactor is clipNorm / norm where the norm exceeds
/// a clipNorm above 0. `foundInf` (fp32, one element): the same as broken, for LibTorch's optimizers.
void closeWindow(at::Tensor& partials, std::int64_t chunks, const at::Tensor& cursor, double clipNorm,
                 at::Tensor& results, at::Tensor& foundInf);

} // namespace accumulus::kernels

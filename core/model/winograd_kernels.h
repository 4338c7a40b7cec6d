// SPDX-License-Identifier: GPL-3.0-or-later
// Winograd's minimal filtering F(m x m, 3x3), m = 2 or 4, for convolutions of 3x3 with stride 1 and padding 1. The
// images are cut into tiles of m x m outputs; each tile's (m + 2) x (m + 2) inputs, and each 3x3 filter, become as many
// numbers, one a position, and at each position the convolution is a matrix product over channels: four outputs take 16
// products, and 16 outputs 36, where the sum over nine taps takes 36 and 144. Source: A. Lavin, S. Gray, "Fast
// Algorithms for Convolutional Neural Networks", CVPR 2016, section 4.1; the gradient of the weights is the transpose
// of the same formula.
//
// F(4x4, 3x3) rounds more. Two things keep it near a plain convolution: the points at which polynomials are evaluated,
// 0, 11/16, -11/16, 3/2, -3/2 and infinity (with the usual 0, 1, -1, 2, -2 the error is twice as large; on the choice
// of points see B. Barabasz et al., "Error Analysis and Improving the Accuracy of Winograd Convolution for Deep Neural
// Networks", ACM TOMS 46(4), 2020), and sums over at most 16 channels in a row. Errors of the outputs relative to fp64,
// RMS, for 64, 128 and 256 channels: 4.5e-7, 4.9e-7, 5.6e-7; oneDNN's direct convolution in channels-last order 3.0e-7,
// 4.2e-7, 5.7e-7, in the other order 1.6e-7 for all; F(2x2, 3x3) 2.2e-7, 3.1e-7, 4.5e-7 (test_winograd prints them). In
// whole networks the difference mostly vanishes: the large batch in an audit of ResNet-18 (64 = 16 x 4) is 1.2e-3
// (BatchNorm) and 7.1e-3 (GroupNorm) from fp64 with Winograd's convolutions, and 2.1e-3 and 6.2e-3 without.
//
// These are the loops of one thread; core/model/winograd.h divides the work. Images are [samples, height, width,
// channels], weights [out, 3, 3, in]: both as tensors in channels-last order lie in memory. Either may be in bfloat16,
// which is read as floats, and rounded once where it is written. Channels are multiples of winogradPanel. No function
// allocates or throws.
#pragma once

#include <c10/util/BFloat16.h>
#include <cstdint>

namespace accumulus {

inline constexpr std::int64_t winogradPanel = 32; ///< channels that a product computes together
inline constexpr std::int64_t winogradRows = 8;   ///< its rows (tiles, or output channels) are a multiple of it
/// Numbers that stand for a tile or a filter.
constexpr std::int64_t winogradPositions(std::int64_t tile) { return (tile + 2) * (tile + 2); }

/// Floats from one position to the next where each takes `floats`: a cache line more, or the lines of all positions
/// would compete for one set of the caches wherever `floats` is a power of two.
constexpr std::int64_t winogradStride(std::int64_t floats) { return floats + 16; }

/// Images and how they are cut. Tiles are numbered sample by sample, row by row; those at an edge may reach over it,
/// where inputs count as zero.
struct WinogradImages {
    std::int64_t samples = 0, height = 0, width = 0, channels = 0;
    std::int64_t tile = 2; ///< outputs along a tile's side: 2 or 4
    [[nodiscard]] std::int64_t tileRows() const { return (height + tile - 1) / tile; }
    [[nodiscard]] std::int64_t tileColumns() const { return (width + tile - 1) / tile; }
    [[nodiscard]] std::int64_t tiles() const { return samples * tileRows() * tileColumns(); }

    /// Of a tile's first output.
    struct Place {
        std::int64_t sample, top, left;
    };
    [[nodiscard]] Place place(std::int64_t number) const {
        return {number / tileColumns() / tileRows(), number / tileColumns() % tileRows() * tile,
                number % tileColumns() * tile};
    }
};

/// Where the transformed tiles go: position p, tile t, channel c at
/// to[(c / winogradPanel) * panel + p * position + t * tile + c % winogradPanel].
struct WinogradPlaces {
    float* to = nullptr;
    std::int64_t panel = winogradPanel, position = 0, tile = 0;
};

/// Each tile's inputs, `channels` of them, of which `images` points to the first. `zeros`: as many, for what lies
/// beyond the edge.
void winogradInputs(const float* images, const WinogradImages& shape, std::int64_t channels, std::int64_t firstTile,
                    std::int64_t tiles, const float* zeros, const WinogradPlaces& places);
void winogradInputs(const c10::BFloat16* images, const WinogradImages& shape, std::int64_t channels,
                    std::int64_t firstTile, std::int64_t tiles, const c10::BFloat16* zeros,
                    const WinogradPlaces& places);
/// Each tile's gradients of the output, for the weights' gradient.
void winogradOutputGradients(const float* images, const WinogradImages& shape, std::int64_t firstTile,
                             std::int64_t tiles, const float* zeros, const WinogradPlaces& places);
void winogradOutputGradients(const c10::BFloat16* images, const WinogradImages& shape, std::int64_t firstTile,
                             std::int64_t tiles, const c10::BFloat16* zeros, const WinogradPlaces& places);

/// Filters of the outputs of one panel, to filters[position][input][output in panel]. weight: [out, 3, 3, in].
void winogradFilters(const float* weight, std::int64_t out, std::int64_t in, std::int64_t tile, std::int64_t panel,
                     float* filters);
void winogradFilters(const c10::BFloat16* weight, std::int64_t out, std::int64_t in, std::int64_t tile,
                     std::int64_t panel, float* filters);
/// The same for the gradient of the input, a convolution of the output's gradient with the filters turned by 180
/// degrees: of the inputs of one panel, to filters[position][output][input in panel].
void winogradTurnedFilters(const float* weight, std::int64_t out, std::int64_t in, std::int64_t tile,
                           std::int64_t panel, float* filters);
void winogradTurnedFilters(const c10::BFloat16* weight, std::int64_t out, std::int64_t in, std::int64_t tile,
                           std::int64_t panel, float* filters);

/// One panel of outputs of `tiles` tiles (see winogradInputs, places {transformed, winogradPanel, position, depth};
/// rows up to a multiple of winogradRows are read). `filters`: that panel's. `depth`: channels that are summed over.
/// `products`: scratch of winogradPositions x winogradStride(tiles, rounded up to winogradRows, x winogradPanel).
/// `shape`: of the images written.
void winogradOutputs(const float* transformed, std::int64_t position, std::int64_t depth, const float* filters,
                     const WinogradImages& shape, std::int64_t firstTile, std::int64_t tiles, std::int64_t panel,
                     float* products, float* images);
void winogradOutputs(const float* transformed, std::int64_t position, std::int64_t depth, const float* filters,
                     const WinogradImages& shape, std::int64_t firstTile, std::int64_t tiles, std::int64_t panel,
                     float* products, c10::BFloat16* images);

/// One position of the weights' gradient, one panel of inputs: sums[out][in of the panel] = or += sum over tiles
/// gradient[tile][out] x input[tile][in of the panel]. `out` is a multiple of winogradRows; `rowLength`: from one
/// output to the next in `sums`.
void winogradSum(const float* gradients, std::int64_t out, const float* inputs, std::int64_t tiles, bool add,
                 float* sums, std::int64_t rowLength);
/// Gradients of the filters between all outputs and the inputs of one panel. Sums of position p, output k at sums[p *
/// position + k * rowLength]. weightGradient: [out, 3, 3, in].
void winogradFilterGradients(const float* sums, std::int64_t position, std::int64_t rowLength, std::int64_t out,
                             std::int64_t in, std::int64_t tile, std::int64_t panel, float* weightGradient);

} // namespace accumulus

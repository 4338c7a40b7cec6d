// SPDX-License-Identifier: GPL-3.0-or-later
// ATen (oneDNN) beside our own convolutions: those of 3x3 of ResNet-18 (CIFAR stem), and those of 1x1 of ResNet-50 (224
// pixels), for an eighth of the samples. Rows "2x2, 4x4" have Winograd's two kinds of tiles in place of ATen and our
// own. Then ATen in bfloat16 beside tileConvolution on shapes of both networks.
//
//     bench_convolution [SAMPLES [ROUNDS]]
#include "core/model/pointwise_convolution.h"
#include "core/model/tile_convolution.h"
#include "core/model/winograd.h"
#include "tests/bench/side_by_side.h"

#include <ATen/ATen.h>
#include <array>
#include <cstdlib>

namespace {

using accumulus::WinogradTiles;

constexpr auto channelsLast = at::MemoryFormat::ChannelsLast;

struct Shape {
    std::int64_t in, out, side, kernel, stride;
};

at::Tensor leaf(const at::Tensor& values) { return values.contiguous(channelsLast).detach().requires_grad_(true); }

void compareInBfloat16(std::int64_t samples, int rounds) {
    for (const auto& [in, out, side, kernel, stride] :
         {Shape{64, 64, 32, 3, 1}, Shape{128, 128, 16, 3, 1}, Shape{256, 256, 8, 3, 1}, Shape{512, 512, 4, 3, 1},
          Shape{64, 128, 32, 3, 2}, Shape{128, 256, 16, 3, 2}, Shape{256, 512, 8, 3, 2}, Shape{256, 512, 8, 1, 2},
          Shape{256, 1024, 14, 1, 1}, Shape{1024, 256, 14, 1, 1}, Shape{256, 256, 14, 3, 1}, Shape{512, 512, 7, 3, 1},
          Shape{64, 64, 56, 1, 1}, Shape{64, 256, 56, 1, 1}, Shape{512, 2048, 7, 1, 1}}) {
        const std::int64_t padding = kernel / 2;
        const at::Tensor x = leaf(at::randn({samples, in, side, side}).to(at::kBFloat16)),
                         w = leaf((0.05 * at::randn({out, in, kernel, kernel})).to(at::kBFloat16));
        const auto aten = [&, step = stride] { return at::conv2d(x, w, at::Tensor(), step, padding); };
        side_by_side::compare(
            std::to_string(in) + "-" + std::to_string(out) + "x" + std::to_string(side) + (kernel == 1 ? " 1x1" : "") +
                (stride == 2 ? " /2" : ""),
            aten, [&, step = stride] { return accumulus::tileConvolution(x, w, {}, step); }, x, {w},
            at::randn_like(aten().detach()), rounds);
    }
}

} // namespace

int main(int count, char** words) {
    const std::int64_t samples = count > 1 ? std::atoll(words[1]) : 32;
    const int rounds = count > 2 ? std::atoi(words[2]) : 15;
    side_by_side::printHeader(std::to_string(samples) + " samples", rounds);
    for (const auto& [channels, side] :
         std::array<std::array<std::int64_t, 2>, 4>{{{64, 32}, {128, 16}, {256, 8}, {512, 4}}}) {
        const at::Tensor x = leaf(at::randn({samples, channels, side, side})),
                         w = leaf(0.05 * at::randn({channels, channels, 3, 3}));
        const auto own = [&](WinogradTiles tiles) {
            return [&, tiles] { return accumulus::winogradConvolution(x, w, tiles); };
        };
        const std::string name = std::to_string(channels) + "x" + std::to_string(side);
        const at::Tensor gradient = at::randn(x.sizes()).contiguous(channelsLast);
        side_by_side::compare(
            name, [&] { return at::conv2d(x, w, {}, 1, 1); }, own(WinogradTiles::Best), x, {w}, gradient, rounds);
        side_by_side::compare("  2x2, 4x4", own(WinogradTiles::Of2x2), own(WinogradTiles::Of4x4), x, {w}, gradient,
                              rounds);
    }
    struct Pointwise {
        std::int64_t in, out, side, stride;
    };
    for (const auto& [in, out, side, stride] :
         {Pointwise{64, 256, 56, 1}, Pointwise{256, 64, 56, 1}, Pointwise{128, 512, 28, 1}, Pointwise{512, 128, 28, 1},
          Pointwise{256, 1024, 14, 1}, Pointwise{1024, 256, 14, 1}, Pointwise{512, 2048, 7, 1},
          Pointwise{2048, 512, 7, 1}, Pointwise{256, 512, 56, 2}, Pointwise{512, 1024, 28, 2},
          Pointwise{1024, 2048, 14, 2}}) {
        const at::Tensor x = leaf(at::randn({std::max<std::int64_t>(1, samples / 8), in, side, side})),
                         w = leaf(0.05 * at::randn({out, in, 1, 1}));
        const auto aten = [&, step = stride] { return at::conv2d(x, w, at::Tensor(), step); };
        side_by_side::compare(
            std::to_string(in) + "-" + std::to_string(out) + "x" + std::to_string(side), aten,
            [&, step = stride] { return accumulus::pointwiseConvolution(x, w, {}, step); }, x, {w},
            at::randn_like(aten().detach()), rounds);
    }
    side_by_side::printHeader("bfloat16, " + std::to_string(samples) + " samples", rounds);
    compareInBfloat16(samples, rounds);
}

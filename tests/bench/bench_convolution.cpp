// SPDX-License-Identifier: GPL-3.0-or-later
// The 3x3 convolutions of ResNet-18 (CIFAR stem): Winograd's algorithm beside ATen (oneDNN).
// bench_convolution [SAMPLES [ROUNDS]]
#include "core/model/winograd.h"
#include "tests/bench/side_by_side.h"

#include <ATen/ATen.h>
#include <array>
#include <cstdlib>

namespace {

constexpr auto channelsLast = at::MemoryFormat::ChannelsLast;

at::Tensor leaf(const at::Tensor& values) { return values.contiguous(channelsLast).detach().requires_grad_(true); }

} // namespace

int main(int count, char** words) {
    const std::int64_t samples = count > 1 ? std::atoll(words[1]) : 32;
    const int rounds = count > 2 ? std::atoi(words[2]) : 15;
    side_by_side::printHeader(std::to_string(samples) + " samples", rounds);
    for (const auto& [channels, side] :
         std::array<std::array<std::int64_t, 2>, 4>{{{64, 32}, {128, 16}, {256, 8}, {512, 4}}}) {
        const at::Tensor x = leaf(at::randn({samples, channels, side, side})),
                         w = leaf(0.05 * at::randn({channels, channels, 3, 3}));
        side_by_side::compare(
            std::to_string(channels) + "x" + std::to_string(side), [&] { return at::conv2d(x, w, {}, 1, 1); },
            [&] { return accumulus::winogradConvolution(x, w); }, x, {w}, at::randn(x.sizes()).contiguous(channelsLast),
            rounds);
    }
}

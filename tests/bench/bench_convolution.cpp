// SPDX-License-Identifier: GPL-3.0-or-later
// The 3x3 convolutions of ResNet-18 (CIFAR stem): Winograd's algorithm against ATen (oneDNN), forward, gradient of the
// input, gradient of the weights, in interleaved rounds. bench_convolution [SAMPLES [ROUNDS]]
#include "core/model/winograd.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <torch/csrc/autograd/autograd.h>
#include <vector>

namespace {

constexpr auto channelsLast = at::MemoryFormat::ChannelsLast;

double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

at::Tensor leaf(const at::Tensor& values) { return values.contiguous(channelsLast).detach().requires_grad_(true); }

} // namespace

int main(int count, char** words) {
    const std::int64_t samples = count > 1 ? std::atoll(words[1]) : 32;
    const int rounds = count > 2 ? std::atoi(words[2]) : 15;
    std::printf("%d threads, %lld samples, medians of %d rounds\n%-22s%12s%12s%8s\n", at::get_num_threads(),
                static_cast<long long>(samples), rounds, "", "ATen, ms", "own, ms", "ratio");
    for (const auto& [channels, side] :
         std::array<std::array<std::int64_t, 2>, 4>{{{64, 32}, {128, 16}, {256, 8}, {512, 4}}}) {
        const at::Tensor x = leaf(at::randn({samples, channels, side, side})),
                         w = leaf(0.05 * at::randn({channels, channels, 3, 3}));
        const at::Tensor gradient = at::randn(x.sizes()).contiguous(channelsLast);
        const std::array<std::function<at::Tensor()>, 2> forward{[&] { return at::conv2d(x, w, {}, 1, 1); },
                                                                 [&] { return accumulus::winogradConvolution(x, w); }};
        std::array<std::array<std::vector<double>, 3>, 2> times;
        for (int round = -2; round < rounds; ++round)
            for (std::size_t which = 0; which < 2; ++which) {
                at::Tensor y;
                std::array<double, 3> seconds{milliseconds([&] { y = forward[which](); }), 0, 0};
                const auto backward = [&](const at::Tensor& to) {
                    return milliseconds([&] { (void)torch::autograd::grad({y}, {to}, {gradient}, true); });
                };
                seconds[1] = backward(x);
                seconds[2] = backward(w);
                for (std::size_t part = 0; round >= 0 && part < 3; ++part)
                    times[which][part].push_back(seconds[part]);
            }
        constexpr std::array<const char*, 3> names{"forward", "input gradient", "weight gradient"};
        for (std::size_t part = 0; part < 3; ++part) {
            const double aten = median(times[0][part]), own = median(times[1][part]);
            std::printf("%4lldx%-3lld%-15s%12.2f%12.2f%8.2f\n", static_cast<long long>(channels),
                        static_cast<long long>(side), names[part], aten, own, aten / own);
        }
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
// A layer of ours beside ATen's, in interleaved rounds: forward, gradient of the input, all gradients.
#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <torch/csrc/autograd/autograd.h>
#include <utility>
#include <vector>

namespace side_by_side {

using Layer = std::function<at::Tensor()>;

inline double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

inline void printHeader(const std::string& what, int rounds) {
    std::printf("%d threads, %s, medians of %d rounds\n%-34s%12s%12s%8s\n", at::get_num_threads(), what.c_str(), rounds,
                "", "ATen, ms", "own, ms", "ratio");
}

/// `aten` and `own` compute the same of `input` and `parameters` (leaves); prints a line for each part.
inline void compare(const std::string& name, const Layer& aten, const Layer& own, const at::Tensor& input,
                    const std::vector<at::Tensor>& parameters, const at::Tensor& gradient, int rounds) {
    constexpr std::array<const char*, 3> parts{"forward", "input gradient", "all gradients"};
    std::vector<at::Tensor> leaves = parameters;
    leaves.push_back(input);
    std::array<std::array<std::vector<double>, 3>, 2> times;
    for (int round = -2; round < rounds; ++round)
        for (std::size_t which = 0; which < 2; ++which) {
            at::Tensor y;
            const auto backward = [&](const std::vector<at::Tensor>& to) {
                return milliseconds([&] { (void)torch::autograd::grad({y}, to, {gradient}, true); });
            };
            const double forward = milliseconds([&] { y = which == 0 ? aten() : own(); });
            const std::array<double, 3> taken{forward, backward({input}), backward(leaves)};
            for (std::size_t part = 0; round >= 0 && part < parts.size(); ++part)
                times[which][part].push_back(taken[part]);
        }
    for (std::size_t part = 0; part < parts.size(); ++part) {
        if (part == 2 && parameters.empty())
            continue;
        const double usual = median(times[0][part]), ours = median(times[1][part]);
        std::printf("%-18s%-16s%12.3f%12.3f%8.2f\n", name.c_str(), parts[part], usual, ours, usual / ours);
    }
}

} // namespace side_by_side

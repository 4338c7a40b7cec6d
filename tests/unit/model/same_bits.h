// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels promise of their bits.
#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>

namespace accumulus::test {

/// Whether compute(), which returns tensors, gives the same bits on 1, 2, 3, 4 and 16 threads.
template <class Compute>
bool threadsAgree(const Compute& compute) {
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const auto one = compute();
    bool agree = true;
    for (const int threads : {2, 3, 4, 16}) {
        at::set_num_threads(threads);
        agree = agree && std::ranges::equal(one, compute(),
                                            [](const at::Tensor& a, const at::Tensor& b) { return at::equal(a, b); });
    }
    at::set_num_threads(before);
    return agree;
}

} // namespace accumulus::test

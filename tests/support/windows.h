// SPDX-License-Identifier: GPL-3.0-or-later
// Gradient windows for tests of their arithmetic.
#pragma once

#include "core/window/gradient_window.h"
#include "core/window/host_sums.h"

#include <memory>

namespace accumulus::test {

inline GradientWindow hostWindow(const ParameterLayout& layout, at::ScalarType type,
                                 const GradientWindow::Settings& settings = {}) {
    return {layout, std::make_unique<HostSums>(layout, type, type), settings};
}

} // namespace accumulus::test

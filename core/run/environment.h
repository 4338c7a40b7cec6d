// SPDX-License-Identifier: GPL-3.0-or-later
// What the program runs on. Declared for applications in study_runner.h as far as they need it.
#pragma once

#include "core/run/study_runner.h"

namespace accumulus {

/// Cores this process may use (affinity mask), at least 1.
[[nodiscard]] int availableCores();

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/thread_waits.h"

#include <cstdlib>

namespace accumulus {

bool limitThreadWaits() {
    constexpr const char* spins = "GOMP_SPINCOUNT";
    return !std::getenv(spins) && !std::getenv("OMP_WAIT_POLICY") && setenv(spins, "1000", 0) == 0;
}

} // namespace accumulus

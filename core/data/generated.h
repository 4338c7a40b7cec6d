// SPDX-License-Identifier: GPL-3.0-or-later
// digits-generated: digits drawn by the program, 28x28, for tests and demonstrations of any size and without files.
#pragma once

#include "core/data/dataset.h"

namespace accumulus {

/// `count` images; image i depends on (stream, i) alone: seven-segment digits, slanted, shifted, scaled in stroke width, blurred and with noise.
[[nodiscard]] ImageSet generateDigits(std::int64_t count, std::uint64_t stream);

} // namespace accumulus

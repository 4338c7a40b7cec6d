// SPDX-License-Identifier: GPL-3.0-or-later
// digits-generated: digits drawn by the program, 28x28, for tests and demonstrations of any size and without files.
#pragma once

#include "core/data/data_source.h"

namespace accumulus {

/// Sizes of the two parts of a drawn set where data.train_limit and data.test_limit do not say.
inline constexpr std::int64_t defaultGeneratedTrain = 10'000;
inline constexpr std::int64_t defaultGeneratedTest = 2'000;

/// `count` images; image i depends on (stream, i) alone: seven-segment digits, slanted, shifted, scaled in stroke
/// width, blurred and with noise.
[[nodiscard]] ImageSet generateDigits(std::int64_t count, std::uint64_t stream);

/// digits-generated.
[[nodiscard]] Result<DataSource> openDigits(const DataConfig& config);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// textures-generated: ten kinds of texture in colour, 32x32, drawn by the program in whole numbers, so the same on
// every machine. 0 level stripes, 1 upright stripes, 2 diagonal stripes, 3 chessboard, 4 dots, 5 rings, 6 fine grain, 7
// clouds, 8 grid, 9 waves. Each image has its own colours, contrast, period, phase, tilt, slope of light and noise. No
// class becomes another one in a mirror.
#pragma once

#include "core/data/data_source.h"

namespace accumulus {

/// `count` images; image i depends on (stream, i) alone.
[[nodiscard]] ImageSet generateTextures(std::int64_t count, std::uint64_t stream);

/// textures-generated.
[[nodiscard]] Result<DataSource> openTextures(const DataConfig& config);

} // namespace accumulus

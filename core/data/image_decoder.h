// SPDX-License-Identifier: GPL-3.0-or-later
// stb_image's declarations, reduced to PNG and JPEG from memory, and a bound on its memory: a PNG of some bytes may
// unpack to gigabytes.
#pragma once

#include <cstddef>

#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#include <stb/stb_image.h>

namespace accumulus {

/// No single block that the decoder asks for in this thread may be larger from now on (0 at first); it then reports
/// "outofmem".
void limitImageDecoder(std::size_t bytes);

} // namespace accumulus

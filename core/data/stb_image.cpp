// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where stb_image is compiled: PNG and JPEG from memory. A file may promise what it does not hold, and a
// PNG may unpack to anything, so no single block of memory may exceed what the largest image allowed (image_file.cpp)
// needs; beyond that the decoder is told that memory ran out.
#include <cstddef>
#include <cstdlib>

namespace {

constexpr std::size_t largestBlock = std::size_t{1} << 29;

void* boundedAlloc(std::size_t size) { return size <= largestBlock ? std::malloc(size) : nullptr; }
void* boundedRealloc(void* block, std::size_t size) {
    return size <= largestBlock ? std::realloc(block, size) : nullptr;
}

} // namespace

#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 16384
#define STBI_MALLOC(size) boundedAlloc(size)
#define STBI_REALLOC(block, size) boundedRealloc(block, size)
#define STBI_FREE(block) std::free(block)
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where stb_image is compiled: PNG and JPEG from memory.
#include "core/data/image_decoder.h"

#include <cstdlib>

namespace accumulus {
namespace {

thread_local std::size_t largestBlock = 0;

void* boundedAlloc(std::size_t size) { return size <= largestBlock ? std::malloc(size) : nullptr; }
void* boundedRealloc(void* block, std::size_t size) {
    return size <= largestBlock ? std::realloc(block, size) : nullptr;
}

} // namespace

void limitImageDecoder(std::size_t bytes) { largestBlock = bytes; }

} // namespace accumulus

#define STBI_MALLOC(size) accumulus::boundedAlloc(size)
#define STBI_REALLOC(block, size) accumulus::boundedRealloc(block, size)
#define STBI_FREE(block) std::free(block)
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/allocator.h"

#include <malloc.h>
#include <new>
#if __has_include(<mimalloc.h>)
#include <mimalloc.h>
// Programs choose their allocator when they are linked (packaging/cmake/Accumulus.cmake); where it is not mimalloc,
// this is null.
#pragma weak mi_option_set_default
#pragma weak mi_collect
#endif

namespace accumulus {
namespace {

bool tuneMimalloc() {
#ifdef MI_MALLOC_VERSION
    constexpr long milliseconds = 10'000;
    if (mi_option_set_default == nullptr)
        return false;
#if MI_MALLOC_VERSION < 210
    mi_option_set_default(mi_option_decommit_delay, milliseconds);
    mi_option_set_default(mi_option_segment_decommit_delay, milliseconds);
#else
    mi_option_set_default(mi_option_purge_delay, milliseconds);
#endif
    return true;
#else
    return false;
#endif
}

void tuneGlibc() {
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
#endif
}

/// mimalloc, which is written in C, ends the program where `new` fails, unless somebody throws for it.
[[maybe_unused]] const auto handlerBefore = std::set_new_handler([] { throw std::bad_alloc(); });

} // namespace

void tuneAllocator() {
    static const bool mimalloc = tuneMimalloc();
    static const bool glibc = !mimalloc && (tuneGlibc(), true);
    (void)glibc;
}

void returnFreedMemory() {
#ifdef MI_MALLOC_VERSION
    if (mi_collect != nullptr)
        mi_collect(/*force=*/true);
#endif
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

} // namespace accumulus

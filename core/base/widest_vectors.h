// SPDX-License-Identifier: GPL-3.0-or-later
// For the few loops that the compiler turns into vector instructions: ACCUMULUS_WIDEST before a function compiles it
// for several instruction sets, of which the processor's widest is taken when the program starts: AVX-512 (x86-64-v4),
// AVX2 with fused multiply-adds (x86-64-v3), or what every processor has. Where results must not depend on the
// processor, the file is compiled with -ffp-contract=off and keeps the order of its sums in the code, so every set
// gives the same bits (core/window/flat_kernels.cpp). Sanitizers cannot stand the selection; with them, and elsewhere,
// there is one version.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#ifdef ACCUMULUS_AT_MOST_AVX2
#define ACCUMULUS_WIDEST __attribute__((target_clones("arch=x86-64-v3", "default"), optimize("O3")))
#else
#define ACCUMULUS_WIDEST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
#endif
#else
#define ACCUMULUS_WIDEST
#endif

/// What such a function calls must become part of it, or it stays compiled for the oldest processor.
#if defined(__GNUC__)
#define ACCUMULUS_PART_OF_CALLER __attribute__((always_inline)) inline
#else
#define ACCUMULUS_PART_OF_CALLER inline
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/machine_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace accumulus {

namespace {

#if defined(__x86_64__)
// Intel's and AMD's manuals, CPUID leaf 7. __builtin_cpu_supports knows AMX by name only in newer compilers. 16-bit
// vectors do not count: with AVX512_BF16 oneDNN reaches 0.5 to 0.7 of fp32's rate, with AVX512_FP16 the same rate
// (measured on Intel's Emerald Rapids with oneDNN 3.10, products of 2048 x 2048; bf16 also convolutions of ResNet-18).
void ask(MachineFeatures& machine) {
    constexpr unsigned amxBf16 = 1U << 22; // sub-leaf 0, EDX
    constexpr unsigned amxFp16 = 1U << 21; // sub-leaf 1, EAX
    unsigned a = 0, b = 0, c = 0, d = 0;
#ifdef ACCUMULUS_AT_MOST_AVX2
    const bool avx512 = false;
#else
    // As the widest of our kernels are compiled (core/base/widest_vectors.h); the system saves its registers, too.
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512cd");
#endif
    machine.vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    machine.wideVectors = avx512;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0)
        return;
    const unsigned subLeaves = a;
    machine.fastBf16 = (d & amxBf16) != 0;
    machine.fastFp16 = subLeaves >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & amxFp16) != 0;
}
#elif defined(__aarch64__) && defined(__linux__)
void ask(MachineFeatures& machine) {
    machine.fastBf16 = (getauxval(AT_HWCAP2) & HWCAP2_BF16) != 0;
    machine.fastFp16 = (getauxval(AT_HWCAP) & HWCAP_ASIMDHP) != 0;
}
#else
void ask(MachineFeatures&) {}
#endif

MachineFeatures detect() {
    MachineFeatures machine;
    ask(machine);
#ifdef ACCUMULUS_WITH_CUDA
    machine.cuda = true;
#endif
    return machine;
}

} // namespace

const MachineFeatures& machineFeatures() {
    static const MachineFeatures machine = detect();
    return machine;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// What this processor and this build can do, as far as settings ask for it. Any thread.
#pragma once

namespace accumulus {

struct MachineFeatures {
    bool fastBf16 = false;      ///< matrix products in bfloat16 are faster than in fp32
    bool fastFp16 = false;      ///< the same in half precision
    bool vectors = false;       ///< vectors of 256 bits with fused multiply-adds (AVX2 and FMA)
    bool wideVectors = false;   ///< vectors of 512 bits (AVX-512)
    bool cuda = false;          ///< this build can compute on a GPU
    int ranks = 1;              ///< processes that were started to compute together
    bool launchesRanks = false; ///< whoever asks starts as many ranks as a run has devices
};

/// Asked of the processor once.
[[nodiscard]] const MachineFeatures& machineFeatures();

} // namespace accumulus

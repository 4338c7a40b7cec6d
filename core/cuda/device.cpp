// SPDX-License-Identifier: GPL-3.0-or-later
// The part of device.h that needs no CUDA.
#include "core/cuda/device.h"

#include <ATen/Context.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <cstdlib>

namespace accumulus::gpu {

void setKernelPolicy(at::Device device, bool deterministic) {
    at::Context& context = at::globalContext();
    const bool strict = device.is_cuda() && deterministic;
    context.setDeterministicAlgorithms(strict, /*warn_only=*/false);
    context.setDeterministicFillUninitializedMemory(false); // nothing reads memory before it is written
    if (!device.is_cuda())
        return;
    // Read by cuBLAS at its first call: later a deterministic run could not ask for it any more.
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
    context.setDeterministicCuDNN(strict);
    context.setBenchmarkCuDNN(!strict);
    context.setAllowTF32CuBLAS(false);
    context.setAllowTF32CuDNN(false);
}

WorkStream::WorkStream(at::Device device) {
    if (!device.is_cuda())
        return;
    const c10::impl::VirtualGuardImpl guard(device.type());
    m_stream = guard.getStreamFromGlobalPool(device);
}

} // namespace accumulus::gpu

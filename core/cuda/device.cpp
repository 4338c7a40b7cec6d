// SPDX-License-Identifier: GPL-3.0-or-later
// The part of device.h that needs no CUDA.
#include "core/cuda/device.h"

#include <ATen/Context.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <cstdlib>

namespace accumulus::gpu {
namespace {

void useKernels(bool deterministic) {
    at::Context& context = at::globalContext();
    context.setDeterministicAlgorithms(deterministic, /*warn_only=*/false);
    context.setDeterministicFillUninitializedMemory(false); // nothing reads memory before it is written
    context.setDeterministicCuDNN(deterministic);
    context.setBenchmarkCuDNN(!deterministic);
}

} // namespace

WorkStream::WorkStream(at::Device device, bool deterministic) : m_deterministic(deterministic) {
    if (!device.is_cuda())
        return;
    // Read by cuBLAS at its first call: later a deterministic run could not ask for it any more.
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
    // cuDNN's more careful choice among kernels, which no measurement decides either. Read by LibTorch at its first
    // convolution.
    ::setenv("TORCH_CUDNN_USE_HEURISTIC_MODE_B", "1", /*overwrite=*/0);
    const c10::impl::VirtualGuardImpl guard(device.type());
    m_stream = guard.getStreamFromGlobalPool(device);
}

WorkStream::Scope::Scope(const WorkStream& work) {
    if (!work.m_stream)
        return;
    m_guard.emplace(*work.m_stream);
    at::Context& context = at::globalContext();
    context.setAllowTF32CuBLAS(false);
    context.setAllowTF32CuDNN(false);
    m_wasDeterministic = context.deterministicAlgorithms();
    useKernels(work.m_deterministic);
}

WorkStream::Scope::~Scope() {
    if (m_guard)
        useKernels(m_wasDeterministic); // work on the CPU does not ask for it
}

} // namespace accumulus::gpu

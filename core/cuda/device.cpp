// SPDX-License-Identifier: GPL-3.0-or-later
// The part of device.h that needs no CUDA.
#include "core/cuda/device.h"

#include <ATen/Context.h>
#include <algorithm>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <vector>

namespace accumulus::gpu {
namespace {

void useKernels(bool deterministic) {
    at::Context& context = at::globalContext();
    context.setDeterministicAlgorithms(deterministic, /*warn_only=*/false);
    context.setDeterministicFillUninitializedMemory(false); // nothing reads memory before it is written
    context.setDeterministicCuDNN(deterministic);
    context.setBenchmarkCuDNN(!deterministic);
}

/// A stream that nobody works on, or a new one. cuBLAS keeps tens of MB for each stream that it was ever called on, so
/// runs that follow each other share one; those side by side must not, for a graph records all that its stream is
/// given.
std::shared_ptr<const c10::Stream> lentStream(at::Device device) {
    static std::mutex mutex;
    static std::vector<c10::Stream> unused;
    const std::lock_guard lock(mutex);
    const auto found = std::ranges::find(unused, device, &c10::Stream::device);
    const bool isNew = found == unused.end();
    const c10::Stream stream =
        isNew ? c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device) : *found;
    if (!isNew)
        unused.erase(found);
    return {new c10::Stream(stream), [](const c10::Stream* lent) {
                const std::lock_guard back(mutex);
                unused.push_back(*lent);
                delete lent;
            }};
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
    m_stream = lentStream(device);
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
    if (!m_guard)
        return;
    useKernels(m_wasDeterministic); // work on the CPU does not ask for it
    try {
        m_guard->current_stream().synchronize();
    } catch (const std::exception&) { // a device that has failed; whoever asks it next is told
    }
}

} // namespace accumulus::gpu

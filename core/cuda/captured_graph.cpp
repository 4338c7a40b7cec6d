// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/captured_graph.h"

#include <atomic>
#include <c10/util/Exception.h>
#include <utility>

#ifdef ACCUMULUS_WITH_CUDA
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#endif

namespace accumulus::gpu {

#ifdef ACCUMULUS_WITH_CUDA

struct CapturedGraph::Graph {
    /// Whether a capture has ended, and its pool before it has, are protected in LibTorch.
    struct Capture final : at::cuda::CUDAGraph {
        [[nodiscard]] bool ended() const { return capture_ended_; }
    } capture;

    void record(const Work& work, at::Device device) {
        c10::cuda::getCurrentCUDAStream().synchronize();
        const at::cuda::MempoolId_t pool = at::cuda::graph_pool_handle();
        // Only calls of this thread could break the recording, not what other threads of the program do meanwhile.
        capture.capture_begin(pool, cudaStreamCaptureModeThreadLocal);
        try {
            work();
            capture.capture_end();
        } catch (...) {
            abandon(pool, device);
            throw;
        }
    }

    /// A capture that CUDA has invalidated: LibTorch's capture_end() throws before it takes its allocator out of the
    /// capture, and its destructor gives the pool back only after a capture that ended. Every later allocation on this
    /// stream would go to a pool that nobody owns.
    void abandon(at::cuda::MempoolId_t pool, at::Device device) {
        if (!capture.ended())
            try {
                capture.capture_end();
            } catch (const c10::Error&) { // the first failure says more
            }
        if (capture.ended())
            return;
        try {
            c10::cuda::CUDACachingAllocator::endAllocateToPool(device.index(), pool);
        } catch (const c10::Error&) { // capture_end() has come that far
        }
        c10::cuda::CUDACachingAllocator::releasePool(device.index(), pool);
        (void)cudaGetLastError(); // forgotten, or the next call would report it
    }
};

#else

struct CapturedGraph::Graph {};

#endif

namespace {

std::atomic<int> capturesThatFail{0};

} // namespace

void failNextCaptures(int count) { capturesThatFail = count; }

CapturedGraph::CapturedGraph(at::Device device, Work work, int warmUps) {
    for (int i = 0; i < warmUps; ++i)
        work();
    if (capturesThatFail > 0) {
        --capturesThatFail;
        TORCH_CHECK(false, "a capture that was made to fail");
    }
    if (device.is_cpu()) {
        m_work = std::move(work);
        return;
    }
#ifdef ACCUMULUS_WITH_CUDA
    m_graph = std::make_unique<Graph>();
    m_graph->record(work, device);
#else
    TORCH_CHECK(false, "this build has no CUDA");
#endif
}

CapturedGraph::~CapturedGraph() = default;

void CapturedGraph::run() {
#ifdef ACCUMULUS_WITH_CUDA
    if (m_graph) {
        m_graph->capture.replay();
        return;
    }
#endif
    m_work();
}

} // namespace accumulus::gpu

// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are named here are PyTorch's, as in 2.11 (CUDAGraph, allocators).
#include "core/cuda/captured_graph.h"

#include <array>
#include <atomic>
#include <c10/util/Exception.h>
#include <exception>
#include <optional>
#include <utility>

#ifdef ACCUMULUS_WITH_CUDA
#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#endif

namespace accumulus::gpu {
namespace {

std::array<std::atomic<std::int64_t>, 128> heldBytes{}; ///< by device
std::atomic<int> capturesThatSucceed{0}, capturesThatFail{0};
std::atomic<CaptureFailure> captureFailure{CaptureFailure::Refused};
std::atomic<int> made{0};

std::atomic<std::int64_t>& heldOn(at::Device device) {
    return heldBytes.at(device.has_index() ? static_cast<std::size_t>(device.index()) : 0);
}

void failWhereToldTo() {
    if (capturesThatFail <= 0)
        return;
    if (capturesThatSucceed > 0) {
        --capturesThatSucceed;
        return;
    }
    --capturesThatFail;
    TORCH_CHECK_WITH(OutOfMemoryError, captureFailure != CaptureFailure::OutOfMemory,
                     "a capture that was made to run out of memory");
    TORCH_CHECK(false, "a capture that was made to fail");
}

} // namespace

#ifdef ACCUMULUS_WITH_CUDA

struct CapturedGraph::Graph {
    /// Some of what a capture has to be freed from is protected in LibTorch.
    struct Capture final : at::cuda::CUDAGraph {
        [[nodiscard]] bool ended() const { return capture_ended_; }
        /// Since capture_begin() the default generator takes every draw as one of the graph's, and refuses those of
        /// other work (CUDAGeneratorImpl.cpp, CUDAGeneratorState::increase).
        void freeGenerators() {
            for (auto& [generator, increment] : captured_generator_states_)
                generator->capturing_ = false;
        }
    } capture;
    at::Device device;
    std::int64_t bytes = 0;
    std::optional<c10::cuda::CUDAStream> ranOn{};

    explicit Graph(at::Device on) : device(on) {}
    /// What is queued is worked off before it is destroyed, and before its memory may go elsewhere.
    ~Graph() {
        if (ranOn)
            orNothing([&] { ranOn->synchronize(); });
        heldOn(device) -= bytes;
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    void record(const Work& work) {
        c10::cuda::getCurrentCUDAStream().synchronize();
        // While a capture is under way the allocator gives nothing of its cache back (CUDACachingAllocator.cpp,
        // DeviceCachingAllocator::malloc), and the graph's pool cannot use what the warm-ups have left there.
        c10::cuda::CUDACachingAllocator::emptyCache();
        const std::int64_t before = reserved();
        // A pool of its own: what one graph allocates is never another's (CUDACachingAllocator.cpp, Note [Interaction
        // with CUDA graph capture]).
        const at::cuda::MempoolId_t pool = at::cuda::graph_pool_handle();
        try {
            // Only calls of this thread could break the recording, not what other threads of the program do meanwhile.
            capture.capture_begin(pool, cudaStreamCaptureModeThreadLocal);
            work();
            capture.capture_end();
        } catch (...) {
            abandon(pool);
            throw;
        }
        bytes = reserved() - before;
        heldOn(device) += bytes;
    }

    void replay() {
        ranOn = c10::cuda::getCurrentCUDAStream();
        capture.replay();
    }

    [[nodiscard]] std::int64_t reserved() const {
        return c10::cuda::CUDACachingAllocator::getDeviceStats(device.index()).reserved_bytes[0].current;
    }

    /// A capture that CUDA has invalidated: capture_end() (CUDAGraph.cpp) throws before it takes either allocator and
    /// the generator out of the capture, and reset() gives pools back only after a capture that ended. Every later
    /// allocation on this stream would go to a pool that nobody owns, the host's allocator would ask a graph that is
    /// gone, and nothing could be drawn on this GPU any more.
    void abandon(at::cuda::MempoolId_t pool) {
        if (!capture.ended())
            orNothing([&] { capture.capture_end(); }); // the first failure says more
        if (capture.ended())
            return;
        capture.freeGenerators();
        // Each of these throws where capture_begin() did not get as far, or capture_end() did.
        auto* host = at::getHostAllocator(at::kCUDA);
        orNothing([&] { c10::cuda::CUDACachingAllocator::endAllocateToPool(device.index(), pool); });
        orNothing([&] { c10::cuda::CUDACachingAllocator::releasePool(device.index(), pool); });
        orNothing([&] { host->end_allocate_to_pool(pool); });
        orNothing([&] { host->release_pool(pool); });
        (void)cudaGetLastError(); // forgotten, or the next call would report it
    }

    template <class Call>
    static void orNothing(Call call) {
        try {
            call();
        } catch (const std::exception&) { // NOLINT(bugprone-empty-catch)
        }
    }
};

#else

struct CapturedGraph::Graph {
    std::int64_t bytes = 0;
};

#endif

std::int64_t bytesOfGraphs(at::Device device) { return heldOn(device); }

void failNextCaptures(int count, CaptureFailure failure, int first) {
    captureFailure = failure;
    capturesThatSucceed = first;
    capturesThatFail = count;
}

int capturesMade() { return made; }

CapturedGraph::CapturedGraph(at::Device device, Work work, int warmUps) {
    for (int i = 0; i < warmUps; ++i)
        work();
    failWhereToldTo();
    if (device.is_cpu()) {
        m_work = std::move(work);
    } else {
#ifdef ACCUMULUS_WITH_CUDA
        m_graph = std::make_unique<Graph>(device);
        m_graph->record(work);
#else
        TORCH_CHECK(false, "this build has no CUDA");
#endif
    }
    ++made;
}

CapturedGraph::~CapturedGraph() = default;

void CapturedGraph::run() {
#ifdef ACCUMULUS_WITH_CUDA
    if (m_graph) {
        m_graph->replay();
        return;
    }
#endif
    m_work();
}

std::int64_t CapturedGraph::bytes() const { return m_graph ? m_graph->bytes : 0; }

} // namespace accumulus::gpu

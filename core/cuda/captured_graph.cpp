// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/captured_graph.h"

#include <c10/util/Exception.h>
#include <utility>

#ifdef ACCUMULUS_WITH_CUDA
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAStream.h>
#endif

namespace accumulus::gpu {

#ifdef ACCUMULUS_WITH_CUDA

struct CapturedGraph::Graph {
    at::cuda::CUDAGraph graph;

    void record(const Work& work) {
        c10::cuda::getCurrentCUDAStream().synchronize();
        // Only calls of this thread could break the recording, not what other threads of the program do meanwhile.
        graph.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
        try {
            work();
        } catch (...) {
            try {
                graph.capture_end();
            } catch (const c10::Error&) { // the first failure says more
            }
            throw;
        }
        graph.capture_end();
    }
};

#else

struct CapturedGraph::Graph {};

#endif

CapturedGraph::CapturedGraph(at::Device device, Work work, int warmUps) {
    for (int i = 0; i < warmUps; ++i)
        work();
    if (device.is_cpu()) {
        m_work = std::move(work);
        return;
    }
#ifdef ACCUMULUS_WITH_CUDA
    m_graph = std::make_unique<Graph>();
    m_graph->record(work);
#else
    TORCH_CHECK(false, "this build has no CUDA");
#endif
}

CapturedGraph::~CapturedGraph() = default;

void CapturedGraph::run() {
#ifdef ACCUMULUS_WITH_CUDA
    if (m_graph) {
        m_graph->graph.replay();
        return;
    }
#endif
    m_work();
}

} // namespace accumulus::gpu

// SPDX-License-Identifier: GPL-3.0-or-later
// Work that is recorded once as a CUDA graph and then queued with one call, however many kernels it consists of.
#pragma once

#include <c10/core/Device.h>
#include <cstdint>
#include <functional>
#include <memory>

namespace accumulus::gpu {

class CapturedGraph {
public:
    using Work = std::function<void()>;

    /// Runs `work` `warmUps` times (libraries set up their kernels, what it changes is changed), then records it
    /// without running it. `work` has fixed shapes, works on tensors that stay where they are, and never waits for the
    /// GPU. On the current stream, which is not the default one. Throws what `work` throws (memory may not suffice),
    /// and c10::Error where CUDA cannot record it; then nothing is left behind. For the CPU nothing is recorded: run()
    /// calls `work`.
    CapturedGraph(at::Device device, Work work, int warmUps);
    ~CapturedGraph();
    CapturedGraph(const CapturedGraph&) = delete;
    CapturedGraph& operator=(const CapturedGraph&) = delete;

    /// Queues it on the current stream.
    void run();
    /// Of the device, taken by what `work` allocates, for as long as this lives; 0 on the CPU.
    [[nodiscard]] std::int64_t bytes() const;

    /// How often libraries want to see work before it is recorded.
    static constexpr int usualWarmUps = 3;

private:
    struct Graph;
    Work m_work; ///< CPU only
    std::unique_ptr<Graph> m_graph;
};

/// Bytes of all graphs that live: LibTorch's allocator counts them as unused, but gives them to nobody.
[[nodiscard]] std::int64_t bytesOfGraphs(at::Device device);

// Tests, without a GPU, too.
enum class CaptureFailure { Refused, OutOfMemory };
/// So many captures fail from now on, as they do where CUDA refuses an operator or memory runs out, after `first` that
/// succeed.
void failNextCaptures(int count, CaptureFailure failure = CaptureFailure::Refused, int first = 0);
/// Captures of this process that have succeeded.
[[nodiscard]] int capturesMade();

} // namespace accumulus::gpu

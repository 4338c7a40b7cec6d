// SPDX-License-Identifier: GPL-3.0-or-later
// The GPUs of this machine: which there are, why none can be used, their memory, and the stream that training works on.
// Free of CUDA's headers; in a build without CUDA there is no GPU and the functions that need one throw.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/StreamGuard.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace accumulus::gpu {

/// GPUs that this build can use.
[[nodiscard]] int count();
/// Why count() is 0, as the end of a sentence; empty otherwise.
[[nodiscard]] std::string whyNone();
/// Why this one of them cannot be used, likewise: old cards may stand beside newer ones.
[[nodiscard]] std::string whyNot(int index);
/// "NVIDIA H200, 150 GB".
[[nodiscard]] std::string nameOf(int index);
/// The same for two processes that see the same card, whatever they call it.
[[nodiscard]] std::string identityOf(int index);
/// Of the driver that the GPUs are reached by: "NVIDIA 580.65.06, CUDA 13.0"; without the first part where the kernel
/// module does not tell its version.
[[nodiscard]] std::string driver();

/// Bytes of the card.
struct Memory {
    std::int64_t free = 0; ///< with what LibTorch's allocator keeps unused, and within limitMemory()
    std::int64_t total = 0;
};
[[nodiscard]] Memory memoryOf(at::Device device);
/// The same for a run that comes later: what this process holds counts as free, since its runs follow each other. As
/// long as it does not use the card the driver is asked, for CUDA would take some hundred MB of it. Both 0 where the
/// driver does not tell.
[[nodiscard]] Memory memoryForNextRun(int index);
/// Most bytes of tensors at a time since resetPeak(), as LibTorch's caching allocator counts them.
[[nodiscard]] std::int64_t peakBytes(at::Device device);
void resetPeak(at::Device device);
/// What exceeds it is refused as c10::OutOfMemoryError. 0: no limit.
void limitMemory(at::Device device, std::int64_t bytes);
/// Gives memory that the allocator keeps unused back to the card, before something is tried again in smaller parts.
void releaseUnused(at::Device device);

/// While it is forbidden, whatever makes the host wait for a GPU throws c10::Error (tests).
void forbidWaiting(bool forbidden);

/// Where all work of one engine is queued, and by which kernels: on a stream of its own, because graphs cannot be
/// captured on the default one; fp32 means fp32 (no TF32), and with `deterministic` only kernels that give the same
/// bits each time; an operator without such a kernel then throws.
class WorkStream {
public:
    /// The CPU has none: its scopes do nothing.
    WorkStream(at::Device device, bool deterministic);

    /// Makes it the current stream of the calling thread, and its kernels those of the whole process, until it ends.
    /// Then what was queued has been computed: who reads the results may use another stream.
    class Scope {
    public:
        explicit Scope(const WorkStream& work);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        std::optional<c10::StreamGuard> m_guard;
        bool m_wasDeterministic = false; ///< before
    };

private:
    std::shared_ptr<const c10::Stream> m_stream; ///< lent; the next one that needs one takes it over
    bool m_deterministic;
};

} // namespace accumulus::gpu

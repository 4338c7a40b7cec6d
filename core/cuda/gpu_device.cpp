// SPDX-License-Identifier: GPL-3.0-or-later
// The part of device.h that needs CUDA.
#include "core/cuda/captured_graph.h"
#include "core/cuda/device.h"
#include "core/cuda/driver_memory.h"

#include <ATen/Context.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cmath>
#include <cuda_runtime_api.h>
#include <fstream>

namespace accumulus::gpu {
namespace {

constexpr int leastCapability = 75; // major x 10 + minor: what the kernels are compiled for

struct Found {
    int count = 0;
    std::string problem;
};

/// Empty: it is new enough.
std::string whyTooOld(int index) {
    cudaDeviceProp properties{};
    C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
    if (properties.major * 10 + properties.minor >= leastCapability)
        return {};
    return std::string(properties.name) + " is of compute capability " + std::to_string(properties.major) + "." +
           std::to_string(properties.minor) + "; 7.5 or newer is needed";
}

Found find() {
    Found found;
    // Asked of the runtime itself: LibTorch's own count says 0 without a reason.
    const cudaError_t error = cudaGetDeviceCount(&found.count);
    if (error != cudaSuccess) {
        (void)cudaGetLastError(); // forgotten, or the next call would report it
        int driver = 0;
        const bool none = cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0;
        return {0, none ? "no NVIDIA driver is installed" : cudaGetErrorString(error)};
    }
    if (found.count == 0)
        return {0, "no NVIDIA GPU was found"};
    found.count = std::min(found.count, static_cast<int>(c10::cuda::device_count()));
    for (int index = 0; index < found.count; ++index) {
        std::string problem = whyTooOld(index);
        if (problem.empty())
            return found;
        found.problem = std::move(problem);
    }
    return {0, found.problem};
}

const Found& found() {
    static const Found once = find();
    return once;
}

c10::cuda::CUDACachingAllocator::CUDAAllocator& allocator() {
    at::globalContext().lazyInitDevice(
        at::kCUDA); // it is set up with the first tensor; asking for statistics before would fail
    return *c10::cuda::CUDACachingAllocator::get();
}

/// The current one, without regard to what LibTorch keeps there.
Memory onCard() {
    std::size_t free = 0, total = 0;
    C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    return {static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
}

/// What limitMemory() was told, of each device; 0: nothing.
std::atomic<std::int64_t>& limitOf(int index) {
    static std::array<std::atomic<std::int64_t>, C10_COMPILE_TIME_MAX_GPUS> limits{};
    return limits.at(static_cast<std::size_t>(index));
}

} // namespace

int count() { return found().count; }
std::string whyNone() { return found().count > 0 ? std::string() : found().problem; }
std::string whyNot(int index) { return whyTooOld(index); }

std::string nameOf(int index) {
    cudaDeviceProp properties{};
    C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
    return std::string(properties.name) + ", " +
           std::to_string(std::lround(static_cast<double>(properties.totalGlobalMem) / 1e9)) + " GB";
}

std::string identityOf(int index) {
    cudaDeviceProp properties{};
    C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
    return {properties.uuid.bytes, sizeof properties.uuid.bytes};
}

std::string driver() {
    std::string module;
    std::ifstream("/sys/module/nvidia/version") >> module;
    int version = 0; // 1000 x major + 10 x minor
    C10_CUDA_CHECK(cudaDriverGetVersion(&version));
    const std::string cuda = "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    return module.empty() ? cuda : "NVIDIA " + module + ", " + cuda;
}

Memory memoryOf(at::Device device) {
    const c10::cuda::CUDAGuard guard(device);
    const auto stats = allocator().getDeviceStats(device.index());
    const Memory now = onCard();
    const std::int64_t reserved = stats.reserved_bytes[0].current;
    const std::int64_t unused =
        std::max<std::int64_t>(0, reserved - stats.allocated_bytes[0].current - bytesOfGraphs(device));
    const std::int64_t limit = limitOf(device.index());
    const std::int64_t more = limit > 0 ? std::clamp<std::int64_t>(limit - reserved, 0, now.free) : now.free;
    return {more + unused, now.total};
}

Memory memoryForNextRun(int index) {
    const auto card = static_cast<c10::DeviceIndex>(index);
    if (!c10::cuda::hasPrimaryContext(card))
        return memoryByDriver(identityOf(index)).value_or(Memory{});
    const c10::cuda::CUDAGuard guard(card);
    const Memory now = onCard();
    return {now.free + allocator().getDeviceStats(card).reserved_bytes[0].current, now.total};
}

std::int64_t peakBytes(at::Device device) { return allocator().getDeviceStats(device.index()).allocated_bytes[0].peak; }
void resetPeak(at::Device device) { allocator().resetPeakStats(device.index()); }

void limitMemory(at::Device device, std::int64_t bytes) {
    const auto total = static_cast<double>(memoryOf(device).total);
    limitOf(device.index()) = bytes;
    allocator().setMemoryFraction(bytes > 0 ? std::min(1.0, static_cast<double>(bytes) / total) : 1.0, device.index());
}

void releaseUnused(at::Device device) {
    const c10::cuda::CUDAGuard guard(device);
    allocator().emptyCache();
}

void forbidWaiting(bool forbidden) {
    c10::cuda::warning_state().set_sync_debug_mode(forbidden ? c10::cuda::SyncDebugMode::L_ERROR
                                                             : c10::cuda::SyncDebugMode::L_DISABLED);
}

} // namespace accumulus::gpu

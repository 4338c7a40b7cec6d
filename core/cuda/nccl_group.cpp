// SPDX-License-Identifier: GPL-3.0-or-later
// nccl_group.h over NCCL 2.14 or newer, whose calls can be made to return at once (ncclConfig_t::blocking = 0).
#include "core/cuda/nccl_group.h"

#include "core/base/clock.h"

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cstring>
#include <cuda_runtime_api.h>
#include <nccl.h>
#include <thread>

namespace accumulus::gpu {
namespace {

/// Members that do not come to the end together are left to themselves.
constexpr double endSeconds = 10.0;

[[noreturn]] void fail(ncclResult_t result, ncclComm_t members) {
    const char* more = ncclGetLastError(members);
    std::string text = ncclGetErrorString(result);
    if (more && *more != '\0')
        text += std::string(": ") + more;
    throw NcclFailed(text);
}

void require(ncclResult_t result, ncclComm_t members = nullptr) {
    if (result != ncclSuccess && result != ncclInProgress)
        fail(result, members);
}

/// An operation is whole or was never begun: ncclGroupStart() without its end would spoil what comes after.
class Group {
public:
    Group() { require(ncclGroupStart()); }
    ~Group() {
        if (!m_ended)
            (void)ncclGroupEnd();
    }
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    void end(ncclComm_t members) {
        m_ended = true;
        require(ncclGroupEnd(), members);
    }

private:
    bool m_ended = false;
};

void* addressOf(const at::Tensor& tensor) { return tensor.mutable_data_ptr(); }

} // namespace

struct NcclGroup::Members {
    ncclComm_t comm = nullptr;
    cudaEvent_t event = nullptr;
    int rank = 0;
    int device = 0;
    Await await;
    bool failed = true; ///< until it is joined, and while something is under way: from swap() or collect() to finish()

    /// Has NCCL taken what it was told? Throws where it has failed.
    [[nodiscard]] bool taken() const {
        ncclResult_t state = ncclSuccess;
        require(ncclCommGetAsyncError(comm, &state));
        require(state, comm);
        return state == ncclSuccess;
    }
};

std::string whyNoNccl() { return {}; }

std::string newNcclId() {
    ncclUniqueId id{};
    require(ncclGetUniqueId(&id));
    return {id.internal, sizeof id.internal};
}

NcclGroup::NcclGroup(const std::string& id, int rank, int size, at::Device device, Await await)
    : m_members(std::make_unique<Members>()) {
    Members& members = *m_members;
    members.rank = rank;
    members.device = device.index();
    members.await = std::move(await);
    const c10::cuda::CUDAGuard guard(device);
    ncclUniqueId unique{};
    if (id.size() != sizeof unique.internal)
        throw NcclFailed("reason.nccl-other");
    std::memcpy(unique.internal, id.data(), id.size());
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    try {
        require(ncclCommInitRankConfig(&members.comm, size, unique, rank, &config));
        members.await([&] { return members.taken(); });
        C10_CUDA_CHECK(cudaEventCreateWithFlags(&members.event, cudaEventDisableTiming));
    } catch (...) {
        if (members.comm)
            (void)ncclCommAbort(members.comm);
        throw;
    }
    members.failed = false;
}

NcclGroup::~NcclGroup() {
    Members& members = *m_members;
    const c10::cuda::CUDAGuard guard(static_cast<c10::DeviceIndex>(members.device));
    ncclResult_t state = ncclInProgress;
    if (!members.failed) {
        const Stopwatch watch;
        (void)ncclCommFinalize(members.comm);
        while (ncclCommGetAsyncError(members.comm, &state) == ncclSuccess && state == ncclInProgress &&
               watch.seconds() < endSeconds)
            std::this_thread::yield();
    }
    (void)(state == ncclSuccess ? ncclCommDestroy(members.comm) : ncclCommAbort(members.comm));
    if (members.event)
        (void)cudaEventDestroy(members.event);
}

void NcclGroup::swap(std::span<const at::Tensor> outgoing, std::span<const at::Tensor> incoming) {
    Members& members = *m_members;
    members.failed = true;
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream().stream();
    Group group;
    for (std::size_t peer = 0; peer < outgoing.size(); ++peer) {
        if (static_cast<int>(peer) == members.rank)
            continue;
        const auto to = static_cast<int>(peer);
        if (outgoing[peer].defined())
            require(ncclSend(addressOf(outgoing[peer]), outgoing[peer].nbytes(), ncclInt8, to, members.comm, stream));
        if (incoming[peer].defined())
            require(ncclRecv(addressOf(incoming[peer]), incoming[peer].nbytes(), ncclInt8, to, members.comm, stream));
    }
    group.end(members.comm);
    members.await([&] { return members.taken(); }); // only then is it on the stream
}

void NcclGroup::collect(const at::Tensor& whole, std::span<const std::pair<std::int64_t, std::int64_t>> parts) {
    Members& members = *m_members;
    members.failed = true;
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream().stream();
    Group group;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        const auto [begin, end] = parts[rank];
        if (begin == end)
            continue;
        const at::Tensor part = whole.narrow(0, begin, end - begin);
        require(ncclBroadcast(addressOf(part), addressOf(part), part.nbytes(), ncclInt8, static_cast<int>(rank),
                              members.comm, stream));
    }
    group.end(members.comm);
    members.await([&] { return members.taken(); });
}

void NcclGroup::finish() {
    Members& members = *m_members;
    members.failed = true;
    C10_CUDA_CHECK(cudaEventRecord(members.event, c10::cuda::getCurrentCUDAStream().stream()));
    members.await([&] {
        (void)members.taken();
        const cudaError_t state = cudaEventQuery(members.event);
        if (state == cudaErrorNotReady) {
            (void)cudaGetLastError();
            return false;
        }
        C10_CUDA_CHECK(state);
        return true;
    });
    members.failed = false;
}

} // namespace accumulus::gpu

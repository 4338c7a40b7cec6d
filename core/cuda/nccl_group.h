// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs of several processes, one each, that send each other tensors by NCCL. Work is queued on the current stream of
// the calling thread. Free of CUDA's headers; in a build without NCCL nobody can join, and whyNoNccl() says so.
#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace accumulus::gpu {

/// What NCCL says of a failure, or a reason of ours as a code of the catalogue.
class NcclFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Why this build has no NCCL, as a code of the catalogue; empty where it has.
[[nodiscard]] std::string whyNoNccl();
/// What the members of a new group must all know: one of them asks for it and tells the others. Throws NcclFailed.
[[nodiscard]] std::string newNcclId();

class NcclGroup {
public:
    /// Returns when its condition holds. NCCL never keeps the calling thread: it is asked again and again how far it
    /// is, so that whoever waits can find out that another process is gone.
    using Await = std::function<void(const std::function<bool()>&)>;

    /// Joins; all members do so. `await` is kept. Throws NcclFailed, what `await` throws.
    NcclGroup(const std::string& id, int rank, int size, at::Device device, Await await);
    /// Ends in order, unless something has failed or was not finished: then what is under way is broken off. Until then
    /// the stream may wait for a rank that is gone, and whoever waits for the stream with it.
    ~NcclGroup();
    NcclGroup(const NcclGroup&) = delete;
    NcclGroup& operator=(const NcclGroup&) = delete;

    /// Queues: outgoing[s] goes to rank s, incoming[s] is filled by rank s. Contiguous; undefined tensors, and this
    /// rank's own, are left out. All members call it with sizes that fit.
    void swap(std::span<const at::Tensor> outgoing, std::span<const at::Tensor> incoming);
    /// Queues: `whole` consists of one part a rank, [begin, end) in elements; this rank's is there, the others' are
    /// filled.
    void collect(const at::Tensor& whole, std::span<const std::pair<std::int64_t, std::int64_t>> parts);
    /// Waits until all that was queued is done.
    void finish();

private:
    struct Members;
    std::unique_ptr<Members> m_members;
};

} // namespace accumulus::gpu

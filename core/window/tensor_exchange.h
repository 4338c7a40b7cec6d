// SPDX-License-Identifier: GPL-3.0-or-later
// What Communicator's exchange() and collect() are for bytes of the host, for tensors that lie on the ranks' devices:
// by NCCL where each rank has a GPU of its own, else through the hosts' memory, also for the CPU (tests). Either way
// pieces are taken in the order of the ranks, so that sums over ranks repeat their bits, and the ranks count the same
// bytes. One thread; all ranks make the same calls.
#pragma once

#include "core/base/message.h"
#include "core/ranks/communicator.h"
#include "core/window/shards.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace accumulus {

class TensorExchange {
public:
    virtual ~TensorExchange() = default;

    /// Elements [begin, begin + count) of what goes to rank `to`: one dimension, contiguous, on the device.
    using Give = std::function<at::Tensor(int to, std::int64_t begin, std::int64_t count)>;
    /// What came from rank `from`, from element `begin` on; gone after the call.
    using Take = std::function<void(int from, std::int64_t begin, const at::Tensor& piece)>;
    /// As Communicator::exchange(), in elements of `type`: sizes[s] go to rank s, expected[s] come from it, this rank's
    /// own part (sizes of it) is taken in its turn. Throws as that does; NcclFailed.
    virtual void exchange(at::ScalarType type, std::span<const std::int64_t> sizes, const Give& give,
                          std::span<const std::int64_t> expected, const Take& take) = 0;
    /// As Communicator::collect(): `whole` (one dimension) consists of these parts, one a rank and in order.
    virtual void collect(at::Tensor& whole, const std::vector<FlatRange>& parts) = 0;
    /// What a person should know, once anything was exchanged: that GPUs go through the hosts' memory, and why.
    [[nodiscard]] virtual std::optional<Message> note() const { return std::nullopt; }
};

/// For tensors of `device`. The ranks agree on the way when the first exchange comes. `ranks` must outlive it.
[[nodiscard]] std::unique_ptr<TensorExchange> makeTensorExchange(Communicator& ranks, at::Device device);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/tensor_exchange.h"

#include "core/base/clock.h"
#include "core/cuda/device.h"
#include "core/cuda/nccl_group.h"
#include "core/ranks/packed.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <c10/util/Exception.h>
#include <set>
#include <utility>

namespace accumulus {
namespace {

const char* wordsOf(const std::exception& problem) {
    const auto* error = dynamic_cast<const c10::Error*>(&problem);
    return error ? error->what_without_backtrace() : problem.what();
}

/// Through the hosts' memory.
class HostExchange final : public TensorExchange {
public:
    /// `reason`: why GPUs go this way, as a code of the catalogue or in the words of a library; empty on the CPU.
    HostExchange(Communicator& ranks, at::Device device, std::string reason)
        : m_ranks(ranks), m_device(device), m_reason(std::move(reason)) {}

    void exchange(at::ScalarType type, std::span<const std::int64_t> sizes, const Give& give,
                  std::span<const std::int64_t> expected, const Take& take) override {
        const at::NoGradGuard noGrad;
        const std::size_t element = at::elementSize(type);
        const auto bytesOf = [element](std::span<const std::int64_t> counts) {
            std::vector<std::size_t> bytes;
            for (const std::int64_t count : counts)
                bytes.push_back(static_cast<std::size_t>(count) * element);
            return bytes;
        };
        const auto onHost = [type, element](const void* place, std::size_t bytes) {
            // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): from_blob() knows no constant memory
            return at::from_blob(const_cast<void*>(place), {static_cast<std::int64_t>(bytes / element)},
                                 at::TensorOptions(type));
        };
        m_ranks.exchange(
            bytesOf(sizes),
            [&](int to, std::size_t offset, std::span<std::byte> place) {
                at::Tensor host = onHost(place.data(), place.size());
                host.copy_(give(to, static_cast<std::int64_t>(offset / element), host.numel()));
            },
            bytesOf(expected),
            [&](int from, std::size_t offset, Communicator::Bytes bytes) {
                take(from, static_cast<std::int64_t>(offset / element),
                     onHost(bytes.data(), bytes.size()).to(m_device));
            });
    }

    void collect(at::Tensor& whole, const std::vector<FlatRange>& parts) override {
        const at::NoGradGuard noGrad;
        at::Tensor host = whole.cpu();
        m_ranks.collect({static_cast<std::byte*>(host.mutable_data_ptr()), host.nbytes()},
                        endsInBytes(parts, static_cast<std::size_t>(host.element_size())));
        if (!host.is_same(whole))
            whole.copy_(host);
    }

    [[nodiscard]] std::optional<Message> note() const override {
        if (m_reason.empty())
            return std::nullopt;
        return Message{"ranks.through-hosts", {{"reason", m_reason}}};
    }

private:
    Communicator& m_ranks;
    at::Device m_device;
    std::string m_reason;
};

/// Between GPUs. The host waits at the end of each exchange, so that a rank that is gone is found by those of its
/// company and not by a stream that never comes to its end.
class NcclExchange final : public TensorExchange {
public:
    static constexpr std::int64_t pieceBytes = std::int64_t{16} << 20;

    NcclExchange(Communicator& ranks, std::unique_ptr<gpu::NcclGroup> group, at::Device device)
        : m_ranks(ranks), m_group(std::move(group)), m_device(device) {}

    void exchange(at::ScalarType type, std::span<const std::int64_t> sizes, const Give& give,
                  std::span<const std::int64_t> expected, const Take& take) override {
        orBreakOff([&] { m_ranks.countExchange(exchanged(type, sizes, give, expected, take)); });
    }

    void collect(at::Tensor& whole, const std::vector<FlatRange>& parts) override {
        const at::NoGradGuard noGrad;
        std::vector<std::pair<std::int64_t, std::int64_t>> ends;
        for (const FlatRange& part : parts)
            ends.emplace_back(part.begin, part.end);
        orBreakOff([&] {
            m_group->collect(whole, ends);
            m_group->finish();
        });
        // As if each rank sent its part to every other one; how NCCL carries it is its own affair.
        const FlatRange& own = parts[static_cast<std::size_t>(m_ranks.rank())];
        m_ranks.countExchange(own.size() * whole.element_size() * (m_ranks.size() - 1));
    }

private:
    /// Of the bytes it has sent.
    std::int64_t exchanged(at::ScalarType type, std::span<const std::int64_t> sizes, const Give& give,
                           std::span<const std::int64_t> expected, const Take& take) {
        const at::NoGradGuard noGrad;
        const auto own = static_cast<std::size_t>(m_ranks.rank());
        const auto piece = pieceBytes / static_cast<std::int64_t>(at::elementSize(type));
        const auto options = at::TensorOptions(type).device(m_device);
        const std::int64_t largest = std::max(*std::ranges::max_element(sizes), *std::ranges::max_element(expected));
        std::int64_t sent = 0;
        std::vector<at::Tensor> places(sizes.size());
        for (std::int64_t begin = 0; begin < largest; begin += piece) {
            const auto left = [&](std::int64_t whole) { return std::clamp<std::int64_t>(whole - begin, 0, piece); };
            std::vector<at::Tensor> outgoing(sizes.size()), incoming(sizes.size());
            for (std::size_t peer = 0; peer < sizes.size(); ++peer) {
                if (const std::int64_t count = left(sizes[peer]); count > 0)
                    outgoing[peer] = give(static_cast<int>(peer), begin, count);
                const std::int64_t comes = peer == own ? 0 : left(expected[peer]);
                if (comes > 0 && !places[peer].defined())
                    places[peer] = at::empty({comes}, options); // the first piece is the largest
                if (comes > 0)
                    incoming[peer] = places[peer].narrow(0, 0, comes);
                if (peer != own && outgoing[peer].defined())
                    sent += static_cast<std::int64_t>(outgoing[peer].nbytes());
            }
            m_group->swap(outgoing, incoming);
            for (std::size_t peer = 0; peer < sizes.size(); ++peer)
                if (const at::Tensor& came = peer == own ? outgoing[peer] : incoming[peer]; came.defined())
                    take(static_cast<int>(peer), begin, came);
        }
        m_group->finish();
        return sent;
    }

    /// What fails in the middle cannot be done again: the others wait on their streams. What is queued here is broken
    /// off at once, since whoever puts the window back or drops its graphs waits for the stream. The others hear of
    /// what would else be tried again here (memory that ran out); of NCCL's failures who ends the run tells them.
    void orBreakOff(const std::function<void()>& work) {
        if (!m_group)
            throw gpu::NcclFailed("reason.nccl-broken");
        try {
            work();
        } catch (const RanksInterfere&) {
            m_group.reset();
            throw;
        } catch (const gpu::NcclFailed&) {
            m_group.reset();
            throw;
        } catch (const std::exception& problem) {
            m_group.reset();
            m_ranks.leave(wordsOf(problem));
            throw;
        }
    }

    Communicator& m_ranks;
    std::unique_ptr<gpu::NcclGroup> m_group;
    at::Device m_device;
};

/// Has every rank a GPU of its own, and a build with NCCL? The same answer on all: empty, or why not.
std::string whyThroughHosts(Communicator& ranks, at::Device device) {
    std::set<std::string> cards;
    std::string reason;
    const std::string own = device.is_cuda() ? gpu::identityOf(device.index()) : std::string();
    for (const std::string& told : ranks.gather(Packed().put(own).put(gpu::whyNoNccl()).bytes())) {
        Unpacked from(told);
        if (!cards.insert(from.getText()).second && reason.empty())
            reason = "reason.ranks-share-gpu";
        if (const std::string without = from.getText(); !without.empty() && reason.empty())
            reason = without;
    }
    return reason;
}

/// All have joined, or nobody: then why.
std::unique_ptr<gpu::NcclGroup> joinedGroup(Communicator& ranks, at::Device device, std::string& reason) {
    constexpr double mostSeconds = 60.0;
    std::unique_ptr<gpu::NcclGroup> group;
    std::string id, problem;
    try {
        if (ranks.rank() == 0)
            id = gpu::newNcclId();
    } catch (const gpu::NcclFailed& failed) {
        problem = failed.what();
    }
    id = ranks.gather(id).front();
    const Stopwatch watch;
    const auto joining = std::make_shared<bool>(true);
    if (!id.empty()) {
        try {
            group = std::make_unique<gpu::NcclGroup>(id, ranks.rank(), ranks.size(), device,
                                                     [&ranks, watch, joining](const std::function<bool()>& done) {
                                                         ranks.await([&] {
                                                             // One that could not join says so below, and the others
                                                             // must not wait for it.
                                                             if (*joining && watch.seconds() > mostSeconds)
                                                                 throw gpu::NcclFailed("reason.nccl-late");
                                                             return done();
                                                         });
                                                     });
        } catch (const RanksInterfere&) {
            throw;
        } catch (const std::exception& failed) { // the others wait for what this rank says below
            problem = wordsOf(failed);
        }
    }
    *joining = false;
    for (const std::string& told : ranks.gather(problem))
        if (!told.empty() && reason.empty())
            reason = told;
    if (!reason.empty())
        group.reset();
    return group;
}

/// The ranks come to their first exchange together, but not to their set-up: only then can they agree on the way.
class GpuExchange final : public TensorExchange {
public:
    GpuExchange(Communicator& ranks, at::Device device) : m_ranks(ranks), m_device(device) {}

    void exchange(at::ScalarType type, std::span<const std::int64_t> sizes, const Give& give,
                  std::span<const std::int64_t> expected, const Take& take) override {
        way().exchange(type, sizes, give, expected, take);
    }
    void collect(at::Tensor& whole, const std::vector<FlatRange>& parts) override { way().collect(whole, parts); }
    [[nodiscard]] std::optional<Message> note() const override { return m_way ? m_way->note() : std::nullopt; }

private:
    TensorExchange& way() {
        if (m_way)
            return *m_way;
        std::string reason = whyThroughHosts(m_ranks, m_device);
        if (reason.empty())
            if (auto group = joinedGroup(m_ranks, m_device, reason))
                m_way = std::make_unique<NcclExchange>(m_ranks, std::move(group), m_device);
        if (!m_way)
            m_way = std::make_unique<HostExchange>(m_ranks, m_device, reason);
        return *m_way;
    }

    Communicator& m_ranks;
    at::Device m_device;
    std::unique_ptr<TensorExchange> m_way;
};

} // namespace

std::unique_ptr<TensorExchange> makeTensorExchange(Communicator& ranks, at::Device device) {
    if (device.is_cuda())
        return std::make_unique<GpuExchange>(ranks, device);
    return std::make_unique<HostExchange>(ranks, device, std::string());
}

} // namespace accumulus

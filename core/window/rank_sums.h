// SPDX-License-Identifier: GPL-3.0-or-later
// A window's sums on several ranks, in the hosts' memory (on devices: device_rank_sums.h). ReducedSums: each rank adds
// up its own micro-steps, and the sums meet once, at the window's end (parallel.mode ddp and zero1). ScatteredSums:
// every micro-gradient goes to the ranks that own its shards, which add it in micro-step order (zero2, and
// parallel.order = "micro-steps"). Either way the owner of an element adds, in a fixed order, so a run on R ranks
// repeats its bits.
//
// gradient() is then the whole one on every rank (ddp), or this rank's shard (zero1, zero2). P elements of S bytes in
// the arena, K rounds of micro-steps, f = (R - 1) / R: each rank sends on average 2 f P S a window in ddp and zero1
// (the weights are gathered instead of the gradient), (K + 1) f P S in zero2.
#pragma once

#include "core/model/parameter_arena.h"
#include "core/ranks/communicator.h"
#include "core/window/contributions.h"
#include "core/window/host_sums.h"
#include "core/window/shards.h"
#include "core/window/touched_scale.h"
#include "core/window/window_sums.h"

namespace accumulus {

/// The part of both kinds that knows shards.
class ShardedGradient {
public:
    ShardedGradient(const ParameterLayout& layout, Communicator& ranks, bool whole, Workers* workers);

    [[nodiscard]] FlatRange shard() const { return m_shards[static_cast<std::size_t>(m_ranks.rank())]; }
    [[nodiscard]] const std::vector<FlatRange>& shards() const { return m_shards; }
    /// Does every rank hold the whole gradient after reduce()?
    [[nodiscard]] bool whole() const { return m_whole; }
    /// `gradient`: all elements, of which this rank's shard is filled. On return all are.
    void collect(at::Tensor& gradient);
    /// Scales the touched elements of `gradient` (all, or the shard) and clips; returns the squared norm in between.
    /// Where ranks hold shards they take turns, so that the norm is summed in the order of the whole.
    double close(at::Tensor& gradient, const std::vector<bool>& touched, double factor, double clipNorm);

    const ParameterLayout& layout;

private:
    void scale(at::Tensor& gradient, const std::vector<bool>& touched, double factor, RunningSquares& running) const;

    Communicator& m_ranks;
    std::vector<FlatRange> m_shards;
    bool m_whole;
    Workers* m_workers;
};

class ReducedSums final : public WindowSums {
public:
    /// Types and workers as HostSums. `whole`: every rank gets the whole gradient.
    ReducedSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator, Communicator& ranks,
                bool whole, Workers* workers = nullptr);

    void add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>& touched) override;
    void addParameter(std::size_t parameter, const at::Tensor& gradient, double weight, bool touched) override;
    void endMicroStep(double loss, const at::Tensor& lossOnDevice) override;
    void reduce(const std::vector<bool>& here, const std::vector<bool>& touched) override;
    void close(const std::vector<bool>& touched, double factor, double clipNorm) override;
    void closeAlone(const std::vector<bool>& here, double factor, double clipNorm) override {
        m_host.close(here, factor, clipNorm);
    }
    [[nodiscard]] Values values(std::int64_t microSteps) const override;
    void settle() override { m_host.settle(); }
    void clear() override { m_host.clear(); }
    void restore(std::span<const double> squaredNorms, std::span<const double> losses,
                 const at::Tensor& accumulator) override;
    [[nodiscard]] const at::Tensor& accumulator() const override { return m_host.accumulator(); }
    [[nodiscard]] const at::Tensor& gradient() const override { return m_sharded.whole() ? m_gradient : m_shardView; }

private:
    HostSums m_host;
    ShardedGradient m_sharded;
    Communicator& m_ranks;
    at::Tensor m_gradient;  ///< the host's
    at::Tensor m_shardView; ///< of it
    at::Tensor m_running;   ///< a piece of the sum while it is taken
    double m_squaredNorm = 0.0;
};

class ScatteredSums final : public WindowSums {
public:
    ScatteredSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator, Communicator& ranks,
                  bool whole, Workers* workers = nullptr);

    void add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>& touched) override;
    /// Not with lean accumulation: config_check refuses it.
    void addParameter(std::size_t parameter, const at::Tensor& gradient, double weight, bool touched) override;
    void endMicroStep(double loss, const at::Tensor& lossOnDevice) override;
    void reduce(const std::vector<bool>& here, const std::vector<bool>& touched) override;
    void close(const std::vector<bool>& touched, double factor, double clipNorm) override;
    [[nodiscard]] Values values(std::int64_t microSteps) const override;
    void settle() override;
    void clear() override;
    void restore(std::span<const double> squaredNorms, std::span<const double> losses,
                 const at::Tensor& accumulator) override;
    [[nodiscard]] const at::Tensor& accumulator() const override { return m_accumulator; }
    [[nodiscard]] const at::Tensor& gradient() const override { return m_gradient; }
    [[nodiscard]] bool couples() const override { return true; }
    void addNothing() override;

private:
    void scatter(std::span<const at::Tensor> gradients, const std::vector<Contribution>& round);
    void take(const std::vector<Contribution>& round, int from, FlatRange range, const std::byte* bytes);

    ShardedGradient m_sharded;
    Communicator& m_ranks;
    at::Tensor m_accumulator; ///< of the shard
    at::Tensor m_gradient;    ///< of the shard, or whole
    std::vector<bool> m_held; ///< parameters of which the accumulator holds something
    Values m_values;
    double m_openSquaredNorm = 0.0;
};

} // namespace accumulus

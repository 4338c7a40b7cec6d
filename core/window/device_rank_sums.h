// SPDX-License-Identifier: GPL-3.0-or-later
// A window's sums on several ranks, on their devices: what rank_sums.h is in the hosts' memory. ReducedDeviceSums: each
// rank adds up its own micro-steps, and the sums meet once, at the window's end. ScatteredDeviceSums: every
// micro-gradient goes to the ranks that own its shards, which add it in micro-step order. Elements are added in the
// same order as there, so a run on R ranks repeats its bits, whatever carries them.
//
// The norm of a gradient that lies in shards is added up shard by shard, where rank_sums.h goes on from one shard to
// the next: its last bit may be another one than that of one rank, and with clipping so may be that of the weights.
#pragma once

#include "core/ranks/communicator.h"
#include "core/window/contributions.h"
#include "core/window/device_sums.h"
#include "core/window/shards.h"
#include "core/window/tensor_exchange.h"
#include "core/window/window_sums.h"

#include <vector>

namespace accumulus {

/// The part of both kinds that knows shards, as ShardedGradient.
class ShardedDeviceGradient {
public:
    ShardedDeviceGradient(const ParameterLayout& layout, Communicator& ranks, bool whole, at::Device device);

    [[nodiscard]] FlatRange shard() const { return m_shards[static_cast<std::size_t>(m_ranks.rank())]; }
    [[nodiscard]] const std::vector<FlatRange>& shards() const { return m_shards; }
    /// Does every rank hold the whole gradient after reduce()?
    [[nodiscard]] bool whole() const { return m_whole; }
    /// Scales the touched elements of `gradient` (all, or the shard) and clips; returns the squared norm in between.
    /// Waits for the device.
    double close(at::Tensor& gradient, const std::vector<bool>& touched, double factor, double clipNorm);

    const ParameterLayout& layout;

private:
    Communicator& m_ranks;
    std::vector<FlatRange> m_shards;
    bool m_whole;
    at::Tensor m_partials, m_cursor, m_results, m_foundInf; ///< see kernels::closeWindow
};

class ReducedDeviceSums final : public WindowSums {
public:
    /// Types as DeviceSums. `whole`: every rank gets the whole gradient. `exchange` must outlive it.
    ReducedDeviceSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator, at::Device device,
                      std::int64_t microSteps, Communicator& ranks, TensorExchange& exchange, bool whole);

    void add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>& touched) override {
        m_own.add(gradients, weight, touched);
    }
    void addParameter(std::size_t parameter, const at::Tensor& gradient, double weight, bool touched) override {
        m_own.addParameter(parameter, gradient, weight, touched);
    }
    void endMicroStep(double loss, const at::Tensor& lossOnDevice) override { m_own.endMicroStep(loss, lossOnDevice); }
    void reduce(const std::vector<bool>& here, const std::vector<bool>& touched) override;
    void close(const std::vector<bool>& touched, double factor, double clipNorm) override;
    void closeAlone(const std::vector<bool>& here, double factor, double clipNorm) override {
        m_own.close(here, factor, clipNorm);
    }
    [[nodiscard]] Values values(std::int64_t microSteps) const override;
    void settle() override { m_own.settle(); }
    void clear() override { m_own.clear(); }
    void restore(std::span<const double> squaredNorms, std::span<const double> losses,
                 const at::Tensor& accumulator) override {
        m_own.restore(squaredNorms, losses, accumulator);
    }
    [[nodiscard]] const at::Tensor& accumulator() const override { return m_own.accumulator(); }
    [[nodiscard]] const at::Tensor& gradient() const override { return m_sharded.whole() ? m_gradient : m_shardView; }

    /// What this rank adds itself, for CUDA graphs that do so.
    [[nodiscard]] DeviceSums& own() { return m_own; }

private:
    DeviceSums m_own;
    ShardedDeviceGradient m_sharded;
    TensorExchange& m_exchange;
    int m_lastRank;
    at::Tensor m_gradient;  ///< m_own's
    at::Tensor m_shardView; ///< of it
    double m_squaredNorm = 0.0;
};

class ScatteredDeviceSums final : public WindowSums {
public:
    ScatteredDeviceSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator,
                        at::Device device, Communicator& ranks, TensorExchange& exchange, bool whole);

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
    [[nodiscard]] at::Tensor packed(std::span<const at::Tensor> gradients, FlatRange range) const;
    void take(const Contribution& contribution, FlatRange range, const at::Tensor& piece);

    ShardedDeviceGradient m_sharded;
    Communicator& m_ranks;
    TensorExchange& m_exchange;
    at::Tensor m_accumulator;           ///< of the shard
    at::Tensor m_gradient;              ///< of the shard, or whole
    at::Tensor m_partials;              ///< asked for by kernels::commit; nobody reads them
    Values m_known;                     ///< on the host
    std::vector<at::Tensor> m_measured; ///< since then, fp64 on the device: squared norm and loss of a micro-step
    at::Tensor m_openSquaredNorm;       ///< of what add() brought since the last endMicroStep()
};

} // namespace accumulus

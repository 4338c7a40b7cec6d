// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/rank_sums.h"

#include "core/model/sixteen_bits.h"
#include "core/ranks/packed.h"
#include "core/window/flat_kernels.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace accumulus {
namespace {

std::span<const std::byte> bytesOf(const at::Tensor& flat, FlatRange range) {
    const auto size = static_cast<std::size_t>(flat.element_size());
    return {static_cast<const std::byte*>(flat.const_data_ptr()) + static_cast<std::size_t>(range.begin) * size,
            static_cast<std::size_t>(range.size()) * size};
}

std::span<std::byte> writableBytesOf(at::Tensor& flat) {
    return {static_cast<std::byte*>(flat.mutable_data_ptr()), flat.nbytes()};
}

} // namespace

// What both kinds share.

ShardedGradient::ShardedGradient(const ParameterLayout& parameters, Communicator& ranks, bool whole, Workers* workers)
    : layout(parameters), m_ranks(ranks), m_shards(shardsOf(parameters, ranks.size())), m_whole(whole),
      m_workers(workers) {}

void ShardedGradient::collect(at::Tensor& gradient) {
    m_ranks.collect(writableBytesOf(gradient),
                    endsInBytes(m_shards, static_cast<std::size_t>(gradient.element_size())));
}

void ShardedGradient::scale(at::Tensor& gradient, const std::vector<bool>& touched, double factor,
                            RunningSquares& running) const {
    const FlatRange range = m_whole ? FlatRange{0, layout.gradientSize()} : shard();
    scaleTouched(gradient, layout, range, touched, factor, running, m_workers);
}

double ShardedGradient::close(at::Tensor& gradient, const std::vector<bool>& touched, double factor, double clipNorm) {
    RunningSquares running;
    if (m_whole) {
        scale(gradient, touched, factor, running);
    } else {
        for (int turn = 0; turn < m_ranks.size(); ++turn) {
            if (turn == m_ranks.rank())
                scale(gradient, touched, factor, running);
            const auto told = m_ranks.gather(turn == m_ranks.rank() ? Packed().put(running).bytes() : std::string());
            running = Unpacked(told[static_cast<std::size_t>(turn)]).get<RunningSquares>();
        }
    }
    const double norm = std::sqrt(running.squared);
    if (RunningSquares ignored; clipNorm > 0.0 && norm > clipNorm)
        scale(gradient, touched, clipNorm / norm, ignored);
    return running.squared;
}

// Once a window.

ReducedSums::ReducedSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator,
                         Communicator& ranks, bool whole, Workers* workers)
    : m_host(layout, type, accumulator), m_sharded(layout, ranks, whole, workers), m_ranks(ranks),
      m_gradient(m_host.gradient()),
      m_shardView(m_gradient.narrow(0, m_sharded.shard().begin, m_sharded.shard().size())) {}

void ReducedSums::add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>& touched) {
    m_host.add(gradients, weight, touched);
}

void ReducedSums::addParameter(std::size_t parameter, const at::Tensor& gradient, double weight, bool touched) {
    m_host.addParameter(parameter, gradient, weight, touched);
}

void ReducedSums::endMicroStep(double loss, const at::Tensor& lossOnDevice) { m_host.endMicroStep(loss, lossOnDevice); }

void ReducedSums::reduce(const std::vector<bool>& here, const std::vector<bool>& touched) {
    const at::NoGradGuard noGrad;
    const ParameterLayout& layout = m_sharded.layout;
    at::Tensor accumulator = m_host.accumulator();
    for (std::size_t i = 0; i < layout.size(); ++i)
        if (touched[i] && !here[i]) // what lies there is of an earlier window
            accumulator.narrow(0, layout.offset(i), layout.extent(i)).zero_();

    std::vector<Communicator::Bytes> parts;
    for (const FlatRange& shard : m_sharded.shards())
        parts.push_back(bytesOf(accumulator, shard));
    const FlatRange shard = m_sharded.shard();
    const std::vector<std::size_t> expected(parts.size(), bytesOf(accumulator, shard).size());
    const auto last = m_ranks.size() - 1;
    const auto takeAs = [&]<class Sum, class Part>(Sum, Part) {
        m_ranks.exchange(parts, expected, [&](int from, std::size_t offset, Communicator::Bytes bytes) {
            const auto count = static_cast<std::int64_t>(bytes.size() / sizeof(Part));
            if (!m_running.defined() || m_running.numel() < count)
                m_running = at::empty({count}, m_gradient.options());
            Sum* running = m_running.mutable_data_ptr<Sum>();
            const Part* part = reinterpret_cast<const Part*>(bytes.data());
            if (from == 0)
                std::copy(part, part + count, running);
            else
                addKernel(running, part, count);
            if (from == last) // every rank's part of these elements is in, this rank's too
                std::copy(running, running + count,
                          m_gradient.mutable_data_ptr<Sum>() + shard.begin +
                              static_cast<std::int64_t>(offset / sizeof(Part)));
        });
    };
    if (accumulator.scalar_type() == at::kDouble)
        takeAs(double(), double());
    else if (accumulator.scalar_type() == at::kFloat)
        takeAs(float(), float());
    else
        takeAs(float(), at::BFloat16());
    if (m_sharded.whole())
        m_sharded.collect(m_gradient);
}

void ReducedSums::close(const std::vector<bool>& touched, double factor, double clipNorm) {
    m_squaredNorm = m_sharded.close(m_sharded.whole() ? m_gradient : m_shardView, touched, factor, clipNorm);
}

ReducedSums::Values ReducedSums::values(std::int64_t microSteps) const {
    Values values = m_host.values(microSteps);
    values.squaredNorm = m_squaredNorm;
    return values;
}

void ReducedSums::restore(std::span<const double> squaredNorms, std::span<const double> losses,
                          const at::Tensor& accumulator) {
    m_host.restore(squaredNorms, losses, accumulator);
}

// With every micro-step.

ScatteredSums::ScatteredSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator,
                             Communicator& ranks, bool whole, Workers* workers)
    : m_sharded(layout, ranks, whole, workers), m_ranks(ranks),
      m_accumulator(at::zeros({m_sharded.shard().size()}, at::TensorOptions(accumulator))),
      m_gradient(whole                 ? layout.allocateGradient(type)
                 : accumulator == type ? m_accumulator
                                       : at::zeros({m_sharded.shard().size()}, at::TensorOptions(type))),
      m_held(layout.size(), false) {}

void ScatteredSums::add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>&) {
    const at::NoGradGuard noGrad;
    const ParameterLayout& layout = m_sharded.layout;
    std::vector<at::Tensor> dense(gradients.begin(), gradients.end());
    Contribution own{weight, std::vector<bool>(layout.size(), false)};
    for (std::size_t i = 0; i < dense.size(); ++i) {
        if (!dense[i].defined())
            continue;
        dense[i] = inFloat(dense[i]).contiguous(layout.specs()[i].memoryFormat());
        own.touched[i] = true;
        AT_DISPATCH_FLOATING_TYPES(dense[i].scalar_type(), "norm", [&] {
            m_openSquaredNorm += squareSumKernel(dense[i].const_data_ptr<scalar_t>(), dense[i].numel());
        });
    }
    scatter(dense, announce(m_ranks, own));
}

void ScatteredSums::addNothing() {
    scatter({}, announce(m_ranks, {0.0, std::vector<bool>(m_sharded.layout.size(), false)}));
}

void ScatteredSums::scatter(std::span<const at::Tensor> gradients, const std::vector<Contribution>& round) {
    const ParameterLayout& layout = m_sharded.layout;
    const auto elementSize = static_cast<std::size_t>(m_gradient.element_size());
    const FlatRange own = m_sharded.shard();
    const auto part = [&](FlatRange shard, std::size_t offset, std::size_t bytes) {
        const std::int64_t begin = shard.begin + static_cast<std::int64_t>(offset / elementSize);
        return FlatRange{begin, begin + static_cast<std::int64_t>(bytes / elementSize)};
    };
    const auto bytesOfShard = [&](FlatRange shard) { return static_cast<std::size_t>(shard.size()) * elementSize; };
    const auto self = static_cast<std::size_t>(m_ranks.rank());
    std::vector<std::size_t> sizes, expected;
    for (std::size_t rank = 0; rank < round.size(); ++rank) {
        sizes.push_back(round[self].adds() ? bytesOfShard(m_sharded.shards()[rank]) : 0);
        expected.push_back(round[rank].adds() ? bytesOfShard(own) : 0);
    }
    const auto give = [&](int to, std::size_t offset, std::span<std::byte> place) {
        const FlatRange range = part(m_sharded.shards()[static_cast<std::size_t>(to)], offset, place.size());
        for (const ShardPiece& piece : piecesOf(layout, range))
            if (const at::Tensor& gradient = gradients[piece.parameter]; gradient.defined())
                std::memcpy(place.data() + static_cast<std::size_t>(piece.begin - range.begin) * elementSize,
                            static_cast<const std::byte*>(gradient.const_data_ptr()) +
                                static_cast<std::size_t>(piece.inside) * elementSize,
                            static_cast<std::size_t>(piece.count) * elementSize);
    };
    m_ranks.exchange(sizes, give, expected, [&](int from, std::size_t offset, Communicator::Bytes bytes) {
        take(round, from, part(own, offset, bytes.size()), bytes.data());
    });
    for (const Contribution& contribution : round)
        for (std::size_t i = 0; i < m_held.size(); ++i)
            m_held[i] = m_held[i] || contribution.touched[i];
}

/// What rank `from` adds to the elements `range` of this rank's shard.
void ScatteredSums::take(const std::vector<Contribution>& round, int from, FlatRange range, const std::byte* bytes) {
    const Contribution& contribution = round[static_cast<std::size_t>(from)];
    const std::int64_t shardBegin = m_sharded.shard().begin;
    for (const ShardPiece& piece : piecesOf(m_sharded.layout, range)) {
        if (!contribution.touched[piece.parameter])
            continue;
        bool first = !m_held[piece.parameter];
        for (int before = 0; before < from; ++before)
            first = first && !round[static_cast<std::size_t>(before)].touched[piece.parameter];
        const auto commitAs = [&]<class Out, class In>(Out*, In*) {
            const In* in = reinterpret_cast<const In*>(bytes) + (piece.begin - range.begin);
            commitKernel(m_accumulator.mutable_data_ptr<Out>() + (piece.begin - shardBegin), in, piece.count,
                         static_cast<In>(contribution.weight), first);
        };
        if (m_accumulator.scalar_type() == at::kBFloat16)
            commitAs(static_cast<at::BFloat16*>(nullptr), static_cast<float*>(nullptr));
        else
            AT_DISPATCH_FLOATING_TYPES(m_accumulator.scalar_type(), "commit", [&] {
                commitAs(static_cast<scalar_t*>(nullptr), static_cast<scalar_t*>(nullptr));
            });
    }
}

void ScatteredSums::addParameter(std::size_t, const at::Tensor&, double, bool) {
    throw std::logic_error("a shared accumulator takes whole micro-gradients");
}

void ScatteredSums::endMicroStep(double loss, const at::Tensor& lossOnDevice) {
    m_values.squaredNorms.push_back(m_openSquaredNorm);
    m_values.losses.push_back(lossOnDevice.defined() ? lossOnDevice.item<double>() : loss);
    m_openSquaredNorm = 0.0;
}

void ScatteredSums::reduce(const std::vector<bool>&, const std::vector<bool>&) {
    const at::NoGradGuard noGrad;
    if (m_sharded.whole()) {
        const FlatRange shard = m_sharded.shard();
        m_gradient.narrow(0, shard.begin, shard.size()).copy_(m_accumulator);
        m_sharded.collect(m_gradient);
    } else if (!m_gradient.is_same(m_accumulator)) {
        m_gradient.copy_(m_accumulator);
    }
}

void ScatteredSums::close(const std::vector<bool>& touched, double factor, double clipNorm) {
    m_values.squaredNorm = m_sharded.close(m_gradient, touched, factor, clipNorm);
}

ScatteredSums::Values ScatteredSums::values(std::int64_t) const { return m_values; }

void ScatteredSums::settle() {
    m_values.squaredNorms.clear();
    m_values.losses.clear();
}

void ScatteredSums::clear() {
    m_values = {};
    m_openSquaredNorm = 0.0;
    m_accumulator.zero_(); // so that restore() may take all of it
    m_held.assign(m_held.size(), false);
}

void ScatteredSums::restore(std::span<const double> squaredNorms, std::span<const double> losses,
                            const at::Tensor& accumulator) {
    clear();
    m_values.squaredNorms.assign(squaredNorms.begin(), squaredNorms.end());
    m_values.losses.assign(losses.begin(), losses.end());
    m_accumulator.copy_(accumulator);
    m_held.assign(m_held.size(), true);
}

} // namespace accumulus

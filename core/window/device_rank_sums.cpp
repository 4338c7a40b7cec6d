// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/device_rank_sums.h"

#include "core/ranks/packed.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace accumulus {
namespace {

std::int64_t chunksOfAll(const ParameterLayout& layout) {
    std::int64_t chunks = 0;
    for (std::size_t i = 0; i < layout.size(); ++i)
        chunks += kernels::chunksOf(layout.extent(i)) + 1;
    return chunks;
}

/// The touched stretches inside `range`, which begins at element 0 of what they are applied to.
std::vector<kernels::Piece> touchedIn(const ParameterLayout& layout, FlatRange range,
                                      const std::vector<bool>& touched) {
    std::vector<kernels::Piece> pieces;
    std::int64_t chunk = 0;
    for (const kernels::Piece& piece : touchedPieces(layout, touched)) {
        const std::int64_t begin = std::max(range.begin, piece.offset);
        const std::int64_t end = std::min(range.end, piece.offset + piece.count);
        if (begin >= end)
            continue;
        pieces.push_back({{}, begin - range.begin, end - begin, chunk});
        chunk += kernels::chunksOf(end - begin);
    }
    return pieces;
}

/// The elements of a parameter's gradient in the arena's order.
at::Tensor flatOf(const at::Tensor& gradient, const ParameterSpec& spec) {
    const at::Tensor dense = gradient.contiguous(spec.memoryFormat());
    return dense.as_strided({dense.numel()}, {1});
}

} // namespace

// What both kinds share.

ShardedDeviceGradient::ShardedDeviceGradient(const ParameterLayout& parameters, Communicator& ranks, bool whole,
                                             at::Device device)
    : layout(parameters), m_ranks(ranks), m_shards(shardsOf(parameters, ranks.size())), m_whole(whole) {
    const auto reals = at::TensorOptions(at::kDouble).device(device);
    m_partials = at::zeros({chunksOfAll(layout)}, reals);
    m_cursor = at::zeros({1}, reals.dtype(at::kLong));
    m_results = at::zeros({kernels::headerSize}, reals);
    m_foundInf = at::zeros({1}, reals.dtype(at::kFloat));
}

double ShardedDeviceGradient::close(at::Tensor& gradient, const std::vector<bool>& touched, double factor,
                                    double clipNorm) {
    const at::NoGradGuard noGrad;
    const auto pieces = touchedIn(layout, m_whole ? FlatRange{0, layout.gradientSize()} : shard(), touched);
    double squared = 0.0;
    if (!pieces.empty()) {
        kernels::scale(gradient, pieces, {factor, {}}, m_partials);
        kernels::closeWindow(m_partials, pieces.back().firstChunk + kernels::chunksOf(pieces.back().count), m_cursor,
                             0.0, m_results, m_foundInf);
        squared = m_results[kernels::squaredNorm].item<double>();
    }
    if (!m_whole) {
        double all = 0.0;
        for (const std::string& told : m_ranks.gather(Packed().put(squared).bytes()))
            all += Unpacked(told).get<double>();
        squared = all;
    }
    const double norm = std::sqrt(squared);
    if (clipNorm > 0.0 && norm > clipNorm && !pieces.empty()) {
        kernels::scale(gradient, pieces, {clipNorm / norm, {}}, m_partials);
        m_partials.zero_();
    }
    return squared;
}

// Once a window.

ReducedDeviceSums::ReducedDeviceSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator,
                                     at::Device device, std::int64_t microSteps, Communicator& ranks,
                                     TensorExchange& exchange, bool whole)
    : m_own(layout, type, accumulator, device, microSteps), m_sharded(layout, ranks, whole, device),
      m_exchange(exchange), m_lastRank(ranks.size() - 1), m_gradient(m_own.gradient()),
      m_shardView(m_gradient.narrow(0, m_sharded.shard().begin, m_sharded.shard().size())) {}

/// What a rank has not touched is zero there.
void ReducedDeviceSums::reduce(const std::vector<bool>&, const std::vector<bool>&) {
    const at::NoGradGuard noGrad;
    const at::Tensor& accumulator = m_own.accumulator();
    std::vector<std::int64_t> sizes;
    for (const FlatRange& shard : m_sharded.shards())
        sizes.push_back(shard.size());
    const std::vector<std::int64_t> expected(sizes.size(), m_sharded.shard().size());
    at::Tensor running;
    m_exchange.exchange(
        accumulator.scalar_type(), sizes,
        [&](int to, std::int64_t begin, std::int64_t count) {
            return accumulator.narrow(0, m_sharded.shards()[static_cast<std::size_t>(to)].begin + begin, count);
        },
        expected,
        [&](int from, std::int64_t begin, const at::Tensor& piece) {
            if (from == 0)
                running = piece.to(m_gradient.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
            else
                running.add_(piece);
            if (from == m_lastRank) // every rank's part of these elements is in, this rank's too
                m_shardView.narrow(0, begin, running.numel()).copy_(running);
        });
    if (m_sharded.whole())
        m_exchange.collect(m_gradient, m_sharded.shards());
}

void ReducedDeviceSums::close(const std::vector<bool>& touched, double factor, double clipNorm) {
    m_squaredNorm = m_sharded.close(m_sharded.whole() ? m_gradient : m_shardView, touched, factor, clipNorm);
}

ReducedDeviceSums::Values ReducedDeviceSums::values(std::int64_t microSteps) const {
    Values values = m_own.values(microSteps);
    values.squaredNorm = m_squaredNorm;
    return values;
}

// With every micro-step.

ScatteredDeviceSums::ScatteredDeviceSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator,
                                         at::Device device, Communicator& ranks, TensorExchange& exchange, bool whole)
    : m_sharded(layout, ranks, whole, device), m_ranks(ranks), m_exchange(exchange) {
    const auto options = at::TensorOptions(type).device(device);
    const std::int64_t size = m_sharded.shard().size();
    m_accumulator = at::zeros({size}, options.dtype(accumulator));
    m_gradient = whole                 ? layout.allocateGradient(type, device)
                 : accumulator == type ? m_accumulator
                                       : at::zeros({size}, options);
    m_partials =
        at::zeros({kernels::chunksOf(size) + static_cast<std::int64_t>(layout.size())}, options.dtype(at::kDouble));
    m_openSquaredNorm = at::zeros({1}, options.dtype(at::kDouble));
}

void ScatteredDeviceSums::add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>&) {
    const at::NoGradGuard noGrad;
    Contribution own{weight, std::vector<bool>(gradients.size(), false)};
    std::vector<at::Tensor> dense(gradients.size()), defined;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (!gradients[i].defined())
            continue;
        dense[i] = flatOf(gradients[i], m_sharded.layout.specs()[i]);
        defined.push_back(dense[i]);
        own.touched[i] = true;
    }
    if (!defined.empty())
        m_openSquaredNorm = m_openSquaredNorm + at::stack(at::_foreach_norm(defined, 2, at::kDouble)).square().sum();
    scatter(dense, announce(m_ranks, own));
}

void ScatteredDeviceSums::addNothing() {
    scatter({}, announce(m_ranks, {0.0, std::vector<bool>(m_sharded.layout.size(), false)}));
}

void ScatteredDeviceSums::scatter(std::span<const at::Tensor> gradients, const std::vector<Contribution>& round) {
    const at::NoGradGuard noGrad;
    const FlatRange own = m_sharded.shard();
    const auto self = static_cast<std::size_t>(m_ranks.rank());
    std::vector<std::int64_t> sizes, expected;
    for (std::size_t rank = 0; rank < round.size(); ++rank) {
        sizes.push_back(round[self].adds() ? m_sharded.shards()[rank].size() : 0);
        expected.push_back(round[rank].adds() ? own.size() : 0);
    }
    m_exchange.exchange(
        m_gradient.scalar_type(), sizes,
        [&](int to, std::int64_t begin, std::int64_t count) {
            const std::int64_t first = m_sharded.shards()[static_cast<std::size_t>(to)].begin + begin;
            return packed(gradients, {first, first + count});
        },
        expected,
        [&](int from, std::int64_t begin, const at::Tensor& piece) {
            take(round[static_cast<std::size_t>(from)], {own.begin + begin, own.begin + begin + piece.numel()}, piece);
        });
}

/// Elements `range` of the arena of gradients that this micro-step would fill.
at::Tensor ScatteredDeviceSums::packed(std::span<const at::Tensor> gradients, FlatRange range) const {
    at::Tensor piece = at::zeros({range.size()}, m_gradient.options());
    for (const ShardPiece& part : piecesOf(m_sharded.layout, range))
        if (const at::Tensor& gradient = gradients[part.parameter]; gradient.defined())
            piece.narrow(0, part.begin - range.begin, part.count).copy_(gradient.narrow(0, part.inside, part.count));
    return piece;
}

/// What a rank adds to the elements `range` of this rank's shard.
void ScatteredDeviceSums::take(const Contribution& contribution, FlatRange range, const at::Tensor& piece) {
    std::vector<kernels::Piece> pieces;
    std::int64_t chunk = 0;
    for (const ShardPiece& part : piecesOf(m_sharded.layout, range)) {
        if (!contribution.touched[part.parameter])
            continue;
        pieces.push_back({piece.narrow(0, part.begin - range.begin, part.count), part.begin - m_sharded.shard().begin,
                          part.count, chunk});
        chunk += kernels::chunksOf(part.count);
    }
    if (!pieces.empty())
        kernels::commit(m_accumulator, pieces, {contribution.weight, {}}, m_partials);
}

void ScatteredDeviceSums::addParameter(std::size_t, const at::Tensor&, double, bool) {
    throw std::logic_error("a shared accumulator takes whole micro-gradients");
}

void ScatteredDeviceSums::endMicroStep(double loss, const at::Tensor& lossOnDevice) {
    const at::NoGradGuard noGrad;
    const at::Tensor own =
        lossOnDevice.defined() ? lossOnDevice.to(at::kDouble).reshape({1}) : at::full({1}, loss, m_partials.options());
    m_measured.push_back(at::cat({m_openSquaredNorm, own}));
    m_openSquaredNorm = at::zeros_like(m_openSquaredNorm);
}

void ScatteredDeviceSums::reduce(const std::vector<bool>&, const std::vector<bool>&) {
    const at::NoGradGuard noGrad;
    if (m_sharded.whole()) {
        const FlatRange shard = m_sharded.shard();
        m_gradient.narrow(0, shard.begin, shard.size()).copy_(m_accumulator);
        m_exchange.collect(m_gradient, m_sharded.shards());
    } else if (!m_gradient.is_same(m_accumulator)) {
        m_gradient.copy_(m_accumulator);
    }
}

void ScatteredDeviceSums::close(const std::vector<bool>& touched, double factor, double clipNorm) {
    m_known.squaredNorm = m_sharded.close(m_gradient, touched, factor, clipNorm);
}

ScatteredDeviceSums::Values ScatteredDeviceSums::values(std::int64_t) const {
    Values values = m_known;
    if (m_measured.empty())
        return values;
    const at::Tensor measured = at::stack(m_measured).cpu();
    const double* numbers = measured.const_data_ptr<double>();
    for (std::size_t k = 0; k < m_measured.size(); ++k) {
        values.squaredNorms.push_back(numbers[2 * k]);
        values.losses.push_back(numbers[2 * k + 1]);
    }
    return values;
}

void ScatteredDeviceSums::settle() {
    m_known.squaredNorms.clear();
    m_known.losses.clear();
    m_measured.clear();
}

void ScatteredDeviceSums::clear() {
    const at::NoGradGuard noGrad;
    m_known = {};
    m_measured.clear();
    m_openSquaredNorm.zero_();
    m_accumulator.zero_();
}

void ScatteredDeviceSums::restore(std::span<const double> squaredNorms, std::span<const double> losses,
                                  const at::Tensor& accumulator) {
    const at::NoGradGuard noGrad;
    clear();
    m_known.squaredNorms.assign(squaredNorms.begin(), squaredNorms.end());
    m_known.losses.assign(losses.begin(), losses.end());
    m_accumulator.copy_(accumulator);
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/device_sums.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <utility>

namespace accumulus {

DeviceSums::DeviceSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator,
                       at::Device device, std::int64_t microSteps)
    : m_layout(layout), m_accumulator(layout.allocateGradient(accumulator, device)),
      m_gradient(accumulator == type ? m_accumulator : layout.allocateGradient(type, device)),
      m_capacity(std::max<std::int64_t>(16, microSteps)) {
    std::int64_t chunks = 0;
    for (const ParameterSpec& spec : layout.specs()) {
        m_firstChunks.push_back(chunks);
        chunks += kernels::chunksOf(spec.count());
    }
    // Merged stretches hold the gaps too, which may make one chunk more of each.
    const auto reals = at::TensorOptions(at::kDouble).device(device);
    m_partials = at::zeros({chunks + static_cast<std::int64_t>(layout.size())}, reals);
    m_cursor = at::zeros({1}, reals.dtype(at::kLong));
    m_results = at::zeros({kernels::headerSize + 2 * m_capacity}, reals);
    m_factor = at::ones({1}, reals);
    m_foundInf = at::zeros({1}, reals.dtype(at::kFloat));
}

kernels::Piece DeviceSums::pieceOf(std::size_t parameter, const at::Tensor& gradient) const {
    const ParameterSpec& spec = m_layout.specs()[parameter];
    return {gradient.contiguous(spec.memoryFormat()), m_layout.offset(parameter), spec.count(),
            m_firstChunks[parameter]};
}

void DeviceSums::commit(std::span<const at::Tensor> gradients, const kernels::Scalar& weight) {
    std::vector<kernels::Piece> pieces;
    for (std::size_t i = 0; i < gradients.size(); ++i)
        if (gradients[i].defined())
            pieces.push_back(pieceOf(i, gradients[i]));
    m_settled = false;
    kernels::commit(m_accumulator, pieces, weight, m_partials);
}

// The accumulator is empty where nothing was added: a recorded commit always adds, so clear() fills it with zeros.
void DeviceSums::add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>&) {
    const at::NoGradGuard noGrad;
    commit(gradients, {weight, {}});
}

void DeviceSums::addParameter(std::size_t parameter, const at::Tensor& gradient, double weight, bool) {
    const at::NoGradGuard noGrad;
    const kernels::Piece piece = pieceOf(parameter, gradient);
    m_settled = false;
    kernels::commit(m_accumulator, {&piece, 1}, {weight, {}}, m_partials);
}

void DeviceSums::endMicroStep(double loss, const at::Tensor& lossOnDevice) {
    const at::NoGradGuard noGrad;
    reserve(++m_microSteps);
    m_fromTheFirst = false;
    kernels::closeMicroStep(m_partials,
                            lossOnDevice.defined() ? lossOnDevice : at::full({1}, loss, m_partials.options()), m_cursor,
                            m_results);
    m_settled = true;
}

void DeviceSums::queueMicroStep(std::span<const at::Tensor> gradients, const at::Tensor& weight,
                                const at::Tensor& loss) {
    const at::NoGradGuard noGrad;
    commit(gradients, {1.0, weight});
    m_fromTheFirst = false;
    kernels::closeMicroStep(m_partials, loss, m_cursor, m_results);
    m_settled = true;
}

void DeviceSums::reserve(std::int64_t microSteps) {
    if (microSteps <= m_capacity)
        return;
    m_capacity = std::max(microSteps, 2 * m_capacity);
    at::Tensor larger = at::zeros({kernels::headerSize + 2 * m_capacity}, m_results.options());
    larger.narrow(0, 0, m_results.numel()).copy_(m_results);
    m_results = larger;
    ++m_generation;
}

void DeviceSums::reduce(const std::vector<bool>&, const std::vector<bool>&) { reduce(); }

void DeviceSums::reduce() {
    const at::NoGradGuard noGrad;
    if (!m_gradient.is_same(m_accumulator))
        m_gradient.copy_(m_accumulator);
}

void DeviceSums::close(const std::vector<bool>& touched, double factor, double clipNorm) {
    setFactor(factor);
    queueScaling(touched, clipNorm);
}

void DeviceSums::queueClose(const std::vector<bool>& touched, double clipNorm) {
    reduce();
    queueScaling(touched, clipNorm);
}

void DeviceSums::queueScaling(const std::vector<bool>& touched, double clipNorm) {
    const at::NoGradGuard noGrad;
    const std::vector<kernels::Piece> pieces = touchedPieces(m_layout, touched);
    std::int64_t chunks = 0;
    for (const kernels::Piece& piece : pieces)
        chunks = std::max(chunks, piece.firstChunk + kernels::chunksOf(piece.count));
    m_settled = false;
    kernels::scale(m_gradient, pieces, {1.0, m_factor}, m_partials);
    kernels::closeWindow(m_partials, chunks, m_cursor, clipNorm, m_results, m_foundInf);
    m_settled = true;
    if (clipNorm > 0.0)
        kernels::clip(m_gradient, pieces, m_results);
}

DeviceSums::Values DeviceSums::values(std::int64_t microSteps) const {
    at::Tensor results = m_results.narrow(0, 0, kernels::headerSize + 2 * microSteps);
    if (results.is_cuda()) {
        if (!m_fetched.defined() || m_fetched.numel() != m_results.numel())
            m_fetched = at::empty(m_results.sizes(), at::TensorOptions(at::kDouble).pinned_memory(true));
        results = m_fetched.narrow(0, 0, results.numel()).copy_(results);
    }
    const double* values = results.const_data_ptr<double>();
    Values fetched;
    fetched.squaredNorm = values[kernels::squaredNorm];
    for (const double* slot = values + kernels::headerSize; slot != values + results.numel(); slot += 2) {
        fetched.squaredNorms.push_back(slot[0]);
        fetched.losses.push_back(slot[1]);
    }
    return fetched;
}

void DeviceSums::queueRestart() {
    const at::NoGradGuard noGrad;
    if (!std::exchange(m_fromTheFirst, true))
        m_cursor.zero_();
}

void DeviceSums::settle() {
    queueRestart();
    m_microSteps = 0;
}

void DeviceSums::clear() {
    const at::NoGradGuard noGrad;
    settle();
    if (!std::exchange(m_settled, true)) // of a micro-step that was broken off
        m_partials.zero_();
    m_accumulator.zero_();
}

void DeviceSums::restore(std::span<const double> squaredNorms, std::span<const double> losses,
                         const at::Tensor& accumulator) {
    clear();
    const auto count = static_cast<std::int64_t>(losses.size());
    reserve(count);
    at::Tensor slots = at::empty({count, 2}, at::kDouble);
    for (std::int64_t k = 0; k < count; ++k) {
        slots.mutable_data_ptr<double>()[2 * k] = squaredNorms[static_cast<std::size_t>(k)];
        slots.mutable_data_ptr<double>()[2 * k + 1] = losses[static_cast<std::size_t>(k)];
    }
    m_results.narrow(0, kernels::headerSize, 2 * count).copy_(slots.flatten());
    m_cursor.fill_(count);
    m_fromTheFirst = count == 0;
    m_microSteps = count;
    m_accumulator.copy_(accumulator);
}

std::vector<kernels::Piece> touchedPieces(const ParameterLayout& layout, const std::vector<bool>& touched) {
    std::vector<kernels::Piece> pieces;
    std::int64_t chunk = 0;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (!touched[i])
            continue;
        const std::int64_t begin = layout.offset(i);
        if (!pieces.empty() && pieces.back().offset + pieces.back().count == begin) {
            pieces.back().count += layout.extent(i);
        } else {
            if (!pieces.empty())
                chunk += kernels::chunksOf(pieces.back().count);
            pieces.push_back({{}, begin, layout.extent(i), chunk});
        }
    }
    return pieces;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parameter_arena.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace accumulus {

namespace {
constexpr std::int64_t alignmentElements = 16; // 64 bytes of fp32, 128 of fp64
}

std::int64_t ParameterSpec::count() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::vector<ParameterSpec> withAutocast(std::vector<ParameterSpec> specs) {
    for (ParameterSpec& spec : specs)
        spec.autocast = true;
    return specs;
}

ParameterLayout::ParameterLayout(std::vector<ParameterSpec> specs)
    : m_specs(std::move(specs)), m_offsets(m_specs.size(), 0) {
    for (const bool trainable : {true, false}) {
        for (std::size_t i = 0; i < size(); ++i)
            if (m_specs[i].trainable == trainable) {
                m_offsets[i] = m_flatSize;
                m_flatSize += extent(i);
            }
        if (trainable)
            m_gradientSize = m_flatSize;
    }
}

std::int64_t ParameterLayout::extent(std::size_t parameter) const {
    return (m_specs[parameter].count() + alignmentElements - 1) / alignmentElements * alignmentElements;
}

std::int64_t ParameterLayout::parameterCount() const {
    return std::accumulate(m_specs.begin(), m_specs.end(), std::int64_t{0},
                           [](std::int64_t sum, const ParameterSpec& spec) { return sum + spec.count(); });
}

std::int64_t ParameterLayout::frozenCount() const {
    return std::accumulate(
        m_specs.begin(), m_specs.end(), std::int64_t{0},
        [](std::int64_t sum, const ParameterSpec& spec) { return sum + (spec.trainable ? 0 : spec.count()); });
}

bool ParameterLayout::anyAutocast() const { return std::ranges::any_of(m_specs, &ParameterSpec::autocast); }

at::Tensor ParameterLayout::allocate(at::ScalarType type, at::Device device) const {
    return at::zeros({flatSize()}, at::TensorOptions(type).device(device));
}

at::Tensor ParameterLayout::allocateGradient(at::ScalarType type, at::Device device) const {
    return at::zeros({gradientSize()}, at::TensorOptions(type).device(device));
}

bool ParameterLayout::isIn(const at::Tensor& flat, std::size_t parameter) const {
    return offset(parameter) + m_specs[parameter].count() <= flat.numel();
}

at::Tensor ParameterLayout::view(const at::Tensor& flat, std::size_t parameter) const {
    const ParameterSpec& spec = m_specs[parameter];
    const at::Tensor part = flat.narrow(0, m_offsets[parameter], spec.count());
    if (!spec.channelsLast)
        return part.view(spec.shape);
    const auto& s = spec.shape; // [out, in, height, width]
    return part.view({s[0], s[2], s[3], s[1]}).permute({0, 3, 1, 2});
}

std::vector<at::Tensor> ParameterLayout::views(const at::Tensor& flat) const {
    std::vector<at::Tensor> result;
    for (std::size_t i = 0; i < size(); ++i)
        result.push_back(view(flat, i));
    return result;
}

std::vector<at::Tensor> ParameterLayout::leaves(const at::Tensor& flat, const at::Tensor& cast) const {
    std::vector<at::Tensor> result;
    for (std::size_t i = 0; i < size(); ++i)
        result.push_back(view(cast.defined() && m_specs[i].autocast ? cast : flat, i)
                             .detach()
                             .set_requires_grad(m_specs[i].trainable));
    return result;
}

at::Tensor ParameterLayout::rowMajor(const at::Tensor& flat, const std::vector<bool>& kept) const {
    at::Tensor result = at::empty_like(flat, at::kCPU);
    copyRowMajor(flat.cpu(), kept, result); // of a GPU: one copy
    return result;
}

void ParameterLayout::copyRowMajor(const at::Tensor& flat, const std::vector<bool>& kept, const at::Tensor& to) const {
    std::int64_t end = 0;
    for (const at::Tensor& piece : rowMajorPieces(flat, kept)) {
        to.narrow(0, end, piece.numel()).view(piece.sizes()).copy_(piece);
        end += piece.numel();
    }
}

std::vector<at::Tensor> ParameterLayout::rowMajorPieces(const at::Tensor& flat, const std::vector<bool>& kept) const {
    std::vector<std::size_t> inOrder; // frozen parameters lie behind the others
    for (std::size_t i = 0; i < size(); ++i)
        if (isIn(flat, i))
            inOrder.push_back(i);
    std::ranges::sort(inOrder, {}, [this](std::size_t i) { return offset(i); });
    std::vector<at::Tensor> pieces;
    std::int64_t end = 0;
    const auto zerosUpTo = [&](std::int64_t next) {
        if (next > end)
            pieces.push_back(at::zeros({1}, flat.options()).expand({next - end}));
        end = std::max(end, next);
    };
    for (const std::size_t i : inOrder) {
        if (!kept.empty() && !kept[i])
            continue;
        zerosUpTo(offset(i));
        pieces.push_back(view(flat, i));
        end += m_specs[i].count();
    }
    zerosUpTo(flat.numel());
    return pieces;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/bundle_tensors.h"

#include <ATen/ATen.h>

namespace accumulus {

tl::unexpected<Error> bundleMismatch(const std::filesystem::path& file, const std::string& reason,
                                     const std::string& parameter) {
    return failure("checkpoint.mismatch", {{"file", file.string()}, {"reason", reason}, {"parameter", parameter}});
}

std::string accumulatorName(std::size_t rank) {
    const std::string first = "window.accumulator";
    return rank == 0 ? first : first + "." + std::to_string(rank);
}

Status BundleTensors::read(const std::string& name, FlatRange range, at::Tensor target) const {
    const SafetensorsFile::Place* place = m_content.find(name);
    if (!place || place->shape != std::vector<std::int64_t>{m_layout.gradientSize()} ||
        SafetensorsFile::typeOf(*place) != target.scalar_type())
        return bundleMismatch(m_content.path(), "reason.tensor-differs", name);
    at::Tensor host = target.is_cpu() ? target : at::empty_like(target, at::kCPU);
    ACCUMULUS_TRY(m_content.readElements(*place, range.begin, host));
    if (m_isRowMajor)
        ACCUMULUS_TRY(reorder(*place, range, host));
    if (!target.is_cpu())
        target.copy_(host);
    return {};
}

/// Parameters whose elements the arena holds in an order of its own are read as a whole: a part of them lies in many
/// places of the file.
Status BundleTensors::reorder(const SafetensorsFile::Place& place, FlatRange range, at::Tensor& target) const {
    for (const ShardPiece& piece : piecesOf(m_layout, range)) {
        const ParameterSpec& spec = m_layout.specs()[piece.parameter];
        if (!spec.channelsLast)
            continue;
        const at::Tensor whole = at::empty(spec.shape, target.options());
        ACCUMULUS_TRY(m_content.readElements(place, m_layout.offset(piece.parameter), whole));
        const at::Tensor ordered = whole.permute({0, 2, 3, 1});
        const at::Tensor part = target.narrow(0, piece.begin - range.begin, piece.count);
        if (piece.count == spec.count())
            part.view(ordered.sizes()).copy_(ordered);
        else
            part.copy_(ordered.reshape({-1}).narrow(0, piece.inside, piece.count));
    }
    return {};
}

std::size_t BundleTensors::accumulators() const {
    std::size_t parts = 1;
    while (m_content.find(accumulatorName(parts)))
        ++parts;
    return parts;
}

Status BundleTensors::readAccumulator(std::optional<std::size_t> rank, FlatRange range, at::Tensor target) const {
    ACCUMULUS_TRY(read(accumulatorName(rank.value_or(0)), range, target));
    for (std::size_t other = 1; !rank && m_content.find(accumulatorName(other)); ++other)
        for (const ShardPiece& piece : piecesOf(m_layout, range)) {
            const at::Tensor part = at::empty({piece.count}, target.options());
            ACCUMULUS_TRY(read(accumulatorName(other), {piece.begin, piece.begin + piece.count}, part));
            target.narrow(0, piece.begin - range.begin, piece.count).add_(part);
        }
    return {};
}

} // namespace accumulus

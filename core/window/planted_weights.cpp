// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/planted_weights.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

namespace accumulus {

bool plantsWeights(PlantedBug bug) {
    switch (bug) {
    case PlantedBug::LastMicroBatchLost:
    case PlantedBug::OnlyLastKept:
    case PlantedBug::GeometricWeights:
    case PlantedBug::RanksAveragedAlone:
    case PlantedBug::GradientsNotCleared:
        return true;
    default:
        return false;
    }
}

std::vector<double> plantedWeights(PlantedBug bug, std::span<const double> units) {
    constexpr std::size_t ranks = 2;
    const double all = std::accumulate(units.begin(), units.end(), 0.0);
    std::array<double, ranks> ofRank{};
    for (std::size_t k = 0; k < units.size(); ++k)
        ofRank[k % ranks] += units[k];
    std::vector<double> weights(units.size());
    for (std::size_t k = 0; k < units.size(); ++k) {
        const bool last = k + 1 == units.size();
        const double n = units[k];
        weights[k] = n / all;
        if (bug == PlantedBug::LastMicroBatchLost && last)
            weights[k] = 0.0;
        else if (bug == PlantedBug::OnlyLastKept)
            weights[k] = last ? 1.0 : 0.0;
        else if (bug == PlantedBug::GeometricWeights)
            weights[k] *= std::exp2(static_cast<double>(units.size() - 1 - k));
        else if (bug == PlantedBug::RanksAveragedAlone && units.size() > 1)
            weights[k] = n / (static_cast<double>(ranks) * ofRank[k % ranks]);
    }
    return weights;
}

void PlantedWeights::keep(const MicroGradient& micro) {
    const at::NoGradGuard noGrad;
    Kept kept{{}, micro.units, 0.0};
    for (const at::Tensor& gradient : micro.gradients)
        kept.gradients.push_back(gradient.defined() ? gradient / micro.scale : at::Tensor());
    m_kept.push_back(std::move(kept));
}

void PlantedWeights::addTo(WindowSums& sums, std::vector<bool>& touched, double divisor) {
    std::vector<double> units;
    for (const Kept& kept : m_kept)
        units.push_back(kept.units);
    const std::vector<double> weights = plantedWeights(m_bug, units);
    for (std::size_t k = 0; k < m_kept.size(); ++k)
        m_kept[k].weight = weights[k];
    for (const auto* list : {&m_earlier, &m_kept})
        for (const Kept& kept : *list) {
            sums.add(kept.gradients, kept.weight / kept.units * divisor, touched);
            for (std::size_t i = 0; i < kept.gradients.size(); ++i)
                touched[i] = touched[i] || kept.gradients[i].defined();
        }
}

void PlantedWeights::clear() {
    if (m_bug == PlantedBug::GradientsNotCleared)
        std::ranges::move(m_kept, std::back_inserter(m_earlier));
    m_kept.clear();
}

} // namespace accumulus

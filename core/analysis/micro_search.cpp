// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/micro_search.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace accumulus {
namespace {

constexpr std::size_t mostSizes = 12;

std::vector<std::int64_t> divisorsOf(std::int64_t number) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t i = 1; i <= number / i; ++i) {
        if (number % i != 0)
            continue;
        divisors.push_back(i);
        if (i != number / i)
            divisors.push_back(number / i);
    }
    std::ranges::sort(divisors);
    return divisors;
}

std::vector<std::int64_t> powersOfTwo(std::int64_t most) {
    std::vector<std::int64_t> powers;
    for (std::int64_t power = 1; power < most; power *= 2)
        powers.push_back(power);
    powers.push_back(most);
    return powers;
}

/// About equally far from each other on a logarithmic axis; the largest stays.
std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& sizes) {
    if (sizes.size() <= mostSizes)
        return sizes;
    const double ratio = std::pow(static_cast<double>(sizes.back()), 1.0 / static_cast<double>(mostSizes - 1));
    std::vector<std::int64_t> kept;
    double next = 1.0;
    for (const std::int64_t size : sizes) {
        if (static_cast<double>(size) < next * (1.0 - 1e-9) && size != sizes.back())
            continue;
        kept.push_back(size);
        next = static_cast<double>(size) * ratio;
    }
    return kept;
}

} // namespace

std::int64_t stepsOf(std::int64_t effective, std::int64_t micro) { return (effective + micro - 1) / micro; }

Result<MicroSearch> MicroSearch::create(const MicroSearchSettings& settings) {
    MicroSearch search(settings);
    search.m_waiting = settings.sizes;
    std::ranges::sort(search.m_waiting);
    const auto twice = std::ranges::unique(search.m_waiting);
    search.m_waiting.erase(twice.begin(), twice.end());
    for (const std::int64_t micro : search.m_waiting)
        if (micro < 1 || micro > settings.effective || (!settings.ragged && settings.effective % micro != 0))
            return failure("plan.size",
                           {{"micro", std::to_string(micro)}, {"effective", std::to_string(settings.effective)}});
    if (search.m_waiting.empty())
        search.m_waiting = thinned(settings.ragged ? powersOfTwo(settings.effective) : divisorsOf(settings.effective));
    return search;
}

std::optional<std::int64_t> MicroSearch::next() const {
    if (!m_waiting.empty())
        return m_waiting.front();
    return m_settings.ragged && m_settings.sizes.empty() ? between() : std::nullopt;
}

/// A size between the largest that fits and the smallest that lacks memory: in turn where the line of the memory meets
/// the limit, and the middle, which is there for the case that the line says nothing.
std::optional<std::int64_t> MicroSearch::between() const {
    const auto lacking = std::ranges::find_if(m_points, lacksMemory);
    if (lacking == m_points.end() || lacking == m_points.begin() || !std::prev(lacking)->fits)
        return std::nullopt;
    const std::int64_t fits = std::prev(lacking)->micro;
    const std::int64_t lacks = lacking->micro;
    const auto close =
        std::max(std::int64_t{1}, static_cast<std::int64_t>(m_settings.resolution * static_cast<double>(fits)));
    if (lacks - fits <= close)
        return std::nullopt;
    const auto memory = fitMemory(m_points);
    const auto promised = memory && m_limit > 0 ? largestPromised(*memory, m_limit) : std::nullopt;
    if (!promised || *promised >= lacks || m_refinements % 2 == 1)
        return fits + (lacks - fits) / 2;
    return *promised > fits ? *promised : fits + close; // the latter shows that what fits is the largest
}

void MicroSearch::add(MicroPoint point, std::int64_t memoryLimit) {
    if (memoryLimit > 0 && m_limit == 0)
        m_limit = memoryLimit;
    if (m_waiting.empty())
        ++m_refinements;
    else
        m_waiting.erase(m_waiting.begin());
    const bool lacks = lacksMemory(point);
    const std::int64_t micro = point.micro;
    insert(std::move(point));
    if (lacks)
        giveUpLarger(micro);
}

void MicroSearch::giveUpLarger(std::int64_t micro) {
    for (const std::int64_t larger : std::exchange(m_waiting, {})) {
        MicroPoint point;
        point.micro = larger;
        point.steps = stepsOf(m_settings.effective, larger);
        point.problem = Message{"plan.not-tried", {{"micro", std::to_string(micro)}}};
        insert(std::move(point));
    }
}

void MicroSearch::insert(MicroPoint point) {
    const auto place = std::ranges::lower_bound(m_points, point.micro, {}, &MicroPoint::micro);
    m_points.insert(place, std::move(point));
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/covering_array.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

namespace accumulus::test {
namespace {

constexpr int candidatesOfARow = 40;

using Random = std::mt19937_64;

// Not std::uniform_int_distribution: its numbers differ between standard libraries.
std::size_t below(Random& random, std::size_t count) { return static_cast<std::size_t>(random() % count); }

class Greedy {
public:
    Greedy(const std::vector<Factor>& factors, const CoveredPairs& covers, std::uint64_t seed, int attempts)
        : m_factors(factors), m_covers(covers), m_random(seed), m_attempts(attempts) {
        for (const SettingPair& pair : allPairsOf(factors))
            m_open.insert(pair);
    }

    CoveringArray run() {
        CoveringArray array;
        while (!m_open.empty()) {
            const SettingPair wanted = *std::next(m_open.begin(), std::ptrdiff_t(below(m_random, m_open.size())));
            const auto row = bestRowWith(wanted);
            if (!row) {
                array.impossible.push_back(wanted);
                m_open.erase(wanted);
                continue;
            }
            for (const SettingPair& pair : m_covers(*row)) {
                m_open.erase(pair);
                array.covered.insert(pair);
            }
            array.rows.push_back(*row);
        }
        std::erase_if(array.impossible, [&](const SettingPair& pair) { return array.covered.contains(pair); });
        std::ranges::sort(array.impossible);
        return array;
    }

private:
    /// Of several rows that cover `wanted` the one that covers most of what is open.
    std::optional<FactorRow> bestRowWith(const SettingPair& wanted) {
        std::optional<FactorRow> best;
        std::size_t mostNew = 0;
        int found = 0;
        for (int attempt = 0; attempt < m_attempts && found < candidatesOfARow; ++attempt) {
            const FactorRow row = fill(wanted, /*greedily=*/attempt % 2 == 0);
            const std::vector<SettingPair> pairs = m_covers(row);
            if (std::ranges::find(pairs, wanted) == pairs.end())
                continue;
            ++found;
            const auto fresh = static_cast<std::size_t>(
                std::ranges::count_if(pairs, [&](const SettingPair& pair) { return m_open.contains(pair); }));
            if (fresh > mostNew) {
                mostNew = fresh;
                best = row;
            }
        }
        return best;
    }

    /// A row with `wanted`; the other factors in random order, each with the value that makes most open pairs with
    /// those before it.
    FactorRow fill(const SettingPair& wanted, bool greedily) {
        FactorRow row(m_factors.size(), 0);
        std::vector<std::size_t> done = {wanted.first.factor, wanted.second.factor};
        row[wanted.first.factor] = wanted.first.value;
        row[wanted.second.factor] = wanted.second.value;
        std::vector<std::size_t> order(m_factors.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = order.size(); i-- > 1;)
            std::swap(order[i], order[below(m_random, i + 1)]);
        for (const std::size_t factor : order) {
            if (std::ranges::find(done, factor) != done.end())
                continue;
            const std::size_t values = m_factors[factor].values.size();
            const std::size_t first = below(m_random, values);
            row[factor] = first;
            std::size_t mostNew = 0;
            for (std::size_t i = 0; greedily && i < values; ++i) {
                const std::size_t value = (first + i) % values;
                std::size_t fresh = 0;
                for (const std::size_t other : done) {
                    const Setting here{factor, value}, there{other, row[other]};
                    fresh += m_open.contains({std::min(here, there), std::max(here, there)}) ? 1 : 0;
                }
                if (fresh > mostNew) {
                    mostNew = fresh;
                    row[factor] = value;
                }
            }
            done.push_back(factor);
        }
        return row;
    }

    const std::vector<Factor>& m_factors;
    const CoveredPairs& m_covers;
    Random m_random;
    int m_attempts;
    std::set<SettingPair> m_open;
};

} // namespace

std::vector<SettingPair> allPairsOf(const FactorRow& row) {
    std::vector<SettingPair> pairs;
    for (std::size_t f = 0; f < row.size(); ++f)
        for (std::size_t g = f + 1; g < row.size(); ++g)
            pairs.push_back({{f, row[f]}, {g, row[g]}});
    return pairs;
}

std::vector<SettingPair> allPairsOf(const std::vector<Factor>& factors) {
    std::vector<SettingPair> pairs;
    for (std::size_t f = 0; f < factors.size(); ++f)
        for (std::size_t g = f + 1; g < factors.size(); ++g)
            for (std::size_t v = 0; v < factors[f].values.size(); ++v)
                for (std::size_t w = 0; w < factors[g].values.size(); ++w)
                    pairs.push_back({{f, v}, {g, w}});
    return pairs;
}

CoveringArray coverPairs(const std::vector<Factor>& factors, const CoveredPairs& covers, std::uint64_t seed,
                         int attempts) {
    return Greedy(factors, covers, seed, attempts).run();
}

} // namespace accumulus::test

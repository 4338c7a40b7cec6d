// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/rank_totals.h"

#include "core/base/measured_values.h"

#include <type_traits>
#include <variant>

namespace accumulus {
namespace {

void addTo(RankTimes& sum, const RankTimes& more) {
    const std::int64_t rank = sum.rank;
    for (const RankValue& value : rankValues())
        std::visit(
            [&]<class Type>(Type RankTimes::*member) {
                if constexpr (std::is_same_v<Type, double> || std::is_same_v<Type, std::int64_t>)
                    sum.*member += more.*member;
            },
            value.member);
    sum.window = 0;
    sum.rank = rank;
}

} // namespace

void RankTotals::add(const RankTotals& more) {
    if (more.ranks.empty())
        return;
    if (more.ranks.size() != ranks.size()) {
        *this = more;
        return;
    }
    windows += more.windows;
    updates += more.updates;
    seconds += more.seconds;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        addTo(ranks[i], more.ranks[i]);
}

void RankTotals::add(const WindowRecord& window) {
    RankTotals one{1, window.update ? 1 : 0, window.seconds, window.ranks};
    for (RankTimes& rank : one.ranks)
        rank.window = 0;
    add(one);
}

} // namespace accumulus

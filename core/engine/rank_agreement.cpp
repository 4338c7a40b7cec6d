// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/rank_agreement.h"

#include "core/ranks/packed.h"
#include "core/window/contributions.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace accumulus {
namespace {

constexpr double secondsOfStretch = 0.5;
constexpr std::int64_t mostRounds = 1'000'000;

} // namespace

RankAgreement::Report RankAgreement::agree(const Report& own, std::int64_t rounds) {
    Packed message;
    message.put(RankWord::Reports).put(own.stop).put(own.tokens).put(own.seconds);
    message.put(own.recovery.overflows).put(own.recovery.overflowed).put(own.recovery.part);
    message.put(std::uint64_t{own.recovery.faults.size()});
    for (const Recovery::Fault& fault : own.recovery.faults)
        message.put(std::string_view(fault.reason));
    Report all;
    int rank = 0;
    bool broken = false;
    for (const std::string& told : m_ranks.gather(message.bytes())) {
        Unpacked from(told);
        if (from.get<RankWord>() != RankWord::Reports) {
            broken = true;
            continue;
        }
        all.stop = from.get<bool>() || all.stop;
        all.tokens += from.get<std::int64_t>();
        all.seconds = std::max(all.seconds, from.get<double>());
        all.recovery.overflows += from.get<int>();
        all.recovery.overflowed = from.get<bool>() || all.recovery.overflowed;
        if (const auto part = from.get<std::int64_t>(); part > 0)
            all.recovery.part = all.recovery.part > 0 ? std::min(all.recovery.part, part) : part;
        for (std::string& reason : from.getList<std::string>())
            all.recovery.faults.push_back({std::move(reason), rank});
        ++rank;
    }
    if (broken)
        throw WindowBrokenElsewhere();
    if (rounds > 0) {
        const double perRound = std::max(all.seconds / static_cast<double>(rounds), 1e-9);
        m_rounds = static_cast<std::int64_t>(
            std::clamp(std::floor(secondsOfStretch / perRound), 1.0, static_cast<double>(mostRounds)));
    }
    return all;
}

void RankAgreement::breakOff() { (void)m_ranks.gather(Packed().put(RankWord::Broken).bytes()); }

bool RankAgreement::all(bool yes) {
    bool result = true;
    for (const std::string& told : m_ranks.gather(Packed().put(RankWord::Reports).put(yes).bytes())) {
        Unpacked from(told);
        (void)from.get<RankWord>();
        result = from.get<bool>() && result;
    }
    return result;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/contributions.h"

#include "core/ranks/packed.h"

#include <algorithm>
#include <utility>

namespace accumulus {

bool Contribution::adds() const { return std::ranges::find(touched, true) != touched.end(); }

std::vector<Contribution> announce(Communicator& ranks, const Contribution& own) {
    std::vector<Contribution> round;
    for (const std::string& message :
         ranks.gather(Packed().put(RankWord::Adds).put(own.weight).put(own.touched).bytes())) {
        Unpacked from(message);
        if (from.get<RankWord>() != RankWord::Adds)
            throw WindowBrokenElsewhere();
        Contribution contribution;
        contribution.weight = from.get<double>();
        contribution.touched = from.getList<bool>();
        round.push_back(std::move(contribution));
    }
    return round;
}

} // namespace accumulus

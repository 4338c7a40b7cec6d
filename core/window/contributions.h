// SPDX-License-Identifier: GPL-3.0-or-later
// What ranks tell each other while a window is open: what each adds in a round of micro-steps, and that a window begins
// anew.
#pragma once

#include "core/ranks/communicator.h"

#include <cstddef>
#include <vector>

namespace accumulus {

/// First byte of what ranks tell each other while a window is open.
enum class RankWord : char {
    Adds = 'A',    ///< a micro-gradient, or nothing, follows
    Broken = 'B',  ///< begins the window anew
    Reports = 'R', ///< has computed what it was to compute
};

/// Thrown by sums that couple where another rank began its window anew.
class WindowBrokenElsewhere : public RanksInterfere {
public:
    [[nodiscard]] const char* what() const noexcept override { return "another rank begins the window anew"; }
};

/// What a rank adds in a round.
struct Contribution {
    double weight = 0.0;
    std::vector<bool> touched; ///< by parameter; all false: nothing
    [[nodiscard]] bool adds() const;
};

/// Every rank says what it adds and learns what the others do, by rank. Throws WindowBrokenElsewhere.
[[nodiscard]] std::vector<Contribution> announce(Communicator& ranks, const Contribution& own);

} // namespace accumulus

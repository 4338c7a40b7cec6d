// SPDX-License-Identifier: GPL-3.0-or-later
// What ranks tell each other while they compute a window, at fixed points: after every stretch of micro-steps whether
// somebody wants to stop and what befell whom, so that no rank waits for one that has left. A stretch takes about half
// a second, as the ranks' own speed decides. The trainer's thread.
#pragma once

#include "core/engine/recovery.h"
#include "core/ranks/communicator.h"

#include <cstdint>

namespace accumulus {

class RankAgreement {
public:
    explicit RankAgreement(Communicator& ranks) : m_ranks(ranks) {}

    [[nodiscard]] Communicator& ranks() { return m_ranks; }
    /// Rounds (one micro-step a rank) until the next agreement.
    [[nodiscard]] std::int64_t rounds() const { return m_rounds; }

    /// What one rank reports at the end of a stretch, and what all have.
    struct Report {
        bool stop = false; ///< somebody wants to stop
        Recovery::Report recovery{};
        std::int64_t tokens = 0;
        double seconds = 0.0; ///< of the stretch, on the slowest rank
    };
    /// Sums and unions over ranks; faults are named by their rank. Throws WindowBrokenElsewhere where another rank
    /// begins the window anew, and what gather() throws.
    [[nodiscard]] Report agree(const Report& own, std::int64_t rounds);
    /// In place of the next word of this rank in an open window: all begin the window anew.
    void breakOff();
    /// Do all say yes?
    [[nodiscard]] bool all(bool yes);

private:
    Communicator& m_ranks;
    std::int64_t m_rounds = 1;
};

} // namespace accumulus

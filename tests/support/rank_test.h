// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that run as several ranks (tests/CMakeLists.txt, accumulus_rank_tests): every rank runs the same functions.
// A test joins the others in initTestCase(), calls endAllIfFailed() in cleanup(), and lets go in cleanupTestCase().
#pragma once

#include "core/ranks/communicator.h"

#include <memory>

namespace accumulus::test {

/// The ranks that mpirun has started, or one alone. Null, with a warning, where they cannot be joined. Once a process.
[[nodiscard]] std::unique_ptr<Communicator> joinTestRanks();

/// A function that failed on one rank would leave the others waiting: this ends all of them.
void endAllIfFailed(Communicator& ranks);

} // namespace accumulus::test

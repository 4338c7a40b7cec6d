// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rank_test.h"

#include "core/ranks/launch.h"

#include <QTest>

namespace accumulus::test {

std::unique_ptr<Communicator> joinTestRanks() {
    auto joined = joinRanks(launched().value_or(Launch{0, 1, "mpirun"}));
    if (joined)
        return std::move(*joined);
    qWarning("%s", describe(joined.error()).c_str());
    return nullptr;
}

void endAllIfFailed(Communicator& ranks) {
    if (!QTest::currentTestFailed())
        return;
    qWarning("rank %d of %d ends all: %s failed", ranks.rank(), ranks.size(), QTest::currentTestFunction());
    ranks.abort(1);
}

} // namespace accumulus::test

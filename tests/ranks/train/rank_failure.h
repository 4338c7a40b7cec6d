// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that fails for good ends all of them at once, with its name. Nothing comes after that in this process, so each
// number of ranks tries another mode.
#pragma once

#include "core/base/kept_message.h"
#include "tests/support/rank_test.h"
#include "tests/support/training.h"

#include <QTest>

#include <stdexcept>

namespace accumulus::test {

/// `onDevices`: as on GPUs, without one.
inline void oneRankEndsAll(Communicator& ranks, const QTemporaryDir& folder, bool onDevices) {
    const int last = ranks.size() - 1;
    QVERIFY(last > 0);
    RunConfig config = smallConfig(200, 8 * (last + 1), 8);
    config.train.length = {3, Extent::Unit::Updates};
    constexpr ParallelMode modes[] = {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2};
    config.parallel.mode = modes[last % 3];
    TrainerSetup setup = makeSetup(config, folder);
    setup.ranks = &ranks;
    setup.deferred = onDevices;
    setup.fault = [&](FaultPoint at, std::int64_t window, std::int64_t) {
        if (ranks.rank() == last && at == FaultPoint::Backward && window == 2)
            throw std::runtime_error("a planted fault");
    };
    RecordingObserver observer;
    auto trainer = Trainer::create(std::move(setup)).value();
    const TrainingEnd end = trainer->train(observer);
    QVERIFY(end.error);
    QCOMPARE(end.summary.updates, 1);
    QVERIFY(trainer->ranksLeft());
    if (ranks.rank() == last) {
        QCOMPARE(end.error->code, std::string("training.engine"));
        return;
    }
    QCOMPARE(end.error->code, std::string("ranks.failed"));
    QCOMPARE(end.error->argument("rank"), std::to_string(last));
    const auto why = messagesOf(end.error->argument("reason")); // in the language of whoever reads it
    QVERIFY2(why.size() == 1 && why[0].message.code == "training.engine", describe(*end.error).c_str());
    QVERIFY2(describe(*end.error).find("planted fault") != std::string::npos, describe(*end.error).c_str());
    // The first rank of a run whose ranks keep everything saves what it has.
    QCOMPARE(observer.checkpoints.size(),
             std::size_t(ranks.rank() == 0 && config.parallel.mode == ParallelMode::Ddp ? 1 : 0));
}

} // namespace accumulus::test

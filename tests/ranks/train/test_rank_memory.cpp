// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks write bundles and go on from them within the memory that their training takes, to the byte.
#include "core/engine/memory_counter.h"
#include "tests/ranks/train/rank_trainings.h"

#include <QTest>

#include <algorithm>
#include <atomic>

namespace test_rank_memory {
using namespace accumulus;
using namespace accumulus::test;

class TestRankMemory : public QObject, protected RankTrainings {
    Q_OBJECT

    struct Measured {
        Trained trained;
        std::int64_t peak = 0; ///< of this rank, before the last checkpoint
    };
    /// Trains without a limit.
    Measured measure(const RunConfig& config) {
        Measured result;
        result.trained = onRanks(config, [&](TrainerSetup& setup, Observer&) {
            MemoryCounter::resetPeak();
            setup.afterCommit = [&](std::int64_t) { result.peak = std::max(result.peak, MemoryCounter::peak()); };
        });
        return result;
    }
    static auto within(std::int64_t bytes, int stopsNowAfter = 0) {
        return [=](TrainerSetup& setup, Observer& observer) {
            setup.config.device.memoryLimit = std::to_string(bytes);
            observer.stopsNowAfter = stopsNowAfter;
        };
    }

private Q_SLOTS:
    void initTestCase() { joinRanks(); }
    void cleanup() { endIfFailed(); }
    void cleanupTestCase() { leaveRanks(); }

    void bundlesFit_data() {
        QTest::addColumn<QString>("assignments");
        for (const QString& mode : everyMode)
            for (const char* optimizer : {"sgd", "adamw"})
                for (const char* model : {"mlp", "lenet5", "resnet18"})
                    QTest::addRow("%s, %s, %s", qPrintable(mode), optimizer, model)
                        << QString("parallel.mode=%1; optimizer.name=%2; model.name=%3").arg(mode, optimizer, model);
    }
    void bundlesFit() {
        QFETCH(const QString, assignments);
        RunConfig config = rankConfig();
        config.batch.effective = 8 * 6;
        setAll(config, assignments);
        config.optimizer.momentum = config.optimizer.name == OptimizerKind::Sgd ? 0.9 : 0.0;
        if (config.model.name == "resnet18")
            setAll(config, "batch.effective=24; batch.micro=4");
        const Measured whole = measure(config);
        QVERIFY2(!whole.trained.end.error, whole.trained.end.error ? describe(*whole.trained.end.error).c_str() : "");

        // At the end, and in the middle of the first window.
        for (const int stopsNowAfter : {0, 1}) {
            const Trained first = onRanks(config, within(whole.peak, stopsNowAfter));
            QVERIFY2(!first.end.error, first.end.error ? describe(*first.end.error).c_str() : "");
            QCOMPARE(std::ranges::count(first.notes, "memory.resplit"), 0);
            QCOMPARE(first.end.stopped, stopsNowAfter > 0);
            if (stopsNowAfter == 0)
                QCOMPARE(first.hash, whole.trained.hash);
            const std::string bundle = m_ranks->gather(first.checkpoints.back().bundlePath).front();
            QVERIFY(!bundle.empty());
            QCOMPARE(openMicroSteps(bundle), stopsNowAfter > 0 ? size() : 0);
            const Trained rest = train(config, m_ranks.get(), within(whole.peak), bundle);
            QVERIFY2(!rest.end.error, rest.end.error ? describe(*rest.end.error).c_str() : "");
            QCOMPARE(std::ranges::count(rest.notes, "memory.resplit"), 0);
            QCOMPARE(rest.hash, whole.trained.hash);
        }
    }

    /// One rank may have less memory than the others: the run tells, whichever it is.
    void partsOfAnyRankAreTold_data() { sharedStateIsWholeNowhere_data(); }
    void partsOfAnyRankAreTold() {
        QFETCH(const QString, mode);
        RunConfig config = rankConfig();
        setAll(config, "model.name=mlp; parallel.mode=" + mode);
        std::atomic<bool> failed{false};
        const Trained run = onRanks(config, [&](TrainerSetup& setup, Observer&) {
            setup.fault = [&](FaultPoint point, std::int64_t, std::int64_t) { // all ranks have one, or none
                const bool last = m_ranks->rank() == m_ranks->size() - 1;
                if (last && point == FaultPoint::Forward && !failed.exchange(true))
                    throw OutOfMemory(8, 0, 4);
            };
        });
        QVERIFY2(!run.end.error, run.end.error ? describe(*run.end.error).c_str() : "");
        QVERIFY(std::ranges::count(run.notes, "memory.resplit") == 1); // on every rank
    }

    /// Whoever shares out the optimizer's state has it whole on no rank, also while a bundle is written.
    void sharedStateIsWholeNowhere_data() {
        QTest::addColumn<QString>("mode");
        for (const QString& mode : everyMode)
            QTest::addRow("%s", qPrintable(mode)) << mode;
    }
    void sharedStateIsWholeNowhere() {
        QFETCH(const QString, mode);
        RunConfig config = rankConfig();
        setAll(config, "model.name=mlp; optimizer.name=adamw; optimizer.momentum=0; parallel.mode=" + mode);
        config.model.hidden = {512, 512}; // weights and state far larger than activations
        const Measured whole = measure(config);
        QVERIFY(!whole.trained.end.error);
        QCOMPARE_LE(whole.trained.end.summary.peakBytes, whole.peak); // with the last bundle
    }
};

QTEST_APPLESS_MAIN(TestRankMemory)
} // namespace test_rank_memory
#include "test_rank_memory.moc"

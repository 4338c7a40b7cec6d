// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs whose effective batch changes on the way: what the trainer makes of a ramp, against one whole-batch
// gradient per window.
#include "core/config/batch_plan.h"
#include "tests/support/numeric.h"
#include "tests/support/plain_training.h"
#include "tests/support/training.h"

#include <QTest>
#include <algorithm>
#include <cmath>

namespace test_ramp {
using namespace accumulus;
using namespace accumulus::test;

namespace {

// 200 samples: 24 24 48 48 30 30 ..., the change to 30 in mid-epoch, tails of 200 - 24 - 24 - 48 - 48 - 30 = 26 and of
// 200 - 6 x 30 = 20.
RunConfig rampConfig() {
    RunConfig config = tinyConfig(200, 24, 10);
    config.batch.ramp = {{3, 48}, {5, 30}};
    config.train.length = {2, Extent::Unit::Epochs};
    return config;
}

const std::vector<std::int64_t> rampUnits = {24, 24, 48, 48, 30, 26, 30, 30, 30, 30, 30, 30, 20};

struct Run {
    TrainingEnd end;
    std::vector<WindowRecord> windows;
    std::vector<std::vector<double>> gradients;
    std::int64_t planned = 0;

    [[nodiscard]] std::vector<double> units() const {
        std::vector<double> units;
        for (const WindowRecord& window : windows)
            units.push_back(window.units);
        return units;
    }
};

Run run(const RunConfig& config, PlantedBug bug = PlantedBug::None) {
    const QTemporaryDir folder;
    TrainerSetup setup = makeSetup(config, folder);
    setup.bug = bug;
    Run result;
    setup.gradientProbe = [&](const WindowRecord&, const std::vector<double>& gradient) {
        result.gradients.push_back(gradient);
    };
    RecordingObserver observer;
    const auto trainer = Trainer::create(std::move(setup)).value();
    result.planned = trainer->totalUpdates();
    result.end = trainer->train(observer);
    result.windows = observer.windows;
    return result;
}

/// The same ramp with every window one micro-batch.
RunConfig largeBatch(RunConfig config) {
    config.batch.micro = 48;
    return config;
}

double norm(const std::vector<double>& values) {
    double squared = 0.0;
    for (const double value : values)
        squared += value * value;
    return std::sqrt(squared);
}

/// Stops after two micro-steps.
struct StopsEverywhere : RecordingObserver {
    Wish proceed() override { return ++m_asked > 3 ? Wish::StopNow : Wish::GoOn; }

private:
    int m_asked = 0;
};

} // namespace

class TestRamp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void windowsHoldWhatTheRampSays() {
        const Run result = run(rampConfig());
        QVERIFY(!result.end.error);
        const auto units = result.units();
        QCOMPARE(std::vector<std::int64_t>(units.begin(), units.end()), rampUnits);
        QCOMPARE(result.planned, std::ssize(rampUnits)); // so that the schedule ends with the run
        QCOMPARE(result.end.summary.samples, 400);
        for (std::size_t i = 0; i < rampUnits.size(); ++i) {
            QCOMPARE(result.windows[i].update, std::optional(std::int64_t(i) + 1));
            QCOMPARE(result.windows[i].microSteps, (rampUnits[i] + 9) / 10);
        }
    }

    // Each window against one backward pass over the samples that the ramp gives it, worked out without the engine, at
    // the weights that the run had there. The planted bugs: a window that keeps its old size, and one divided by the B
    // of its place.
    void everyWindowIsItsWholeBatch_data() {
        QTest::addColumn<int>("tail");
        for (const TailPolicy tail : {TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry, TailPolicy::Leak})
            QTest::addRow("tail %d", int(tail)) << int(tail);
    }
    void everyWindowIsItsWholeBatch() {
        QFETCH(int, tail);
        RunConfig config = rampConfig();
        config.batch.tail = static_cast<TailPolicy>(tail);
        const auto worstOf = [&](PlantedBug bug) {
            const QTemporaryDir folder;
            TrainerSetup setup = makeSetup(config, folder);
            setup.bug = bug;
            const auto data = setup.data;
            const auto model = makeModel(config.model, {1, data->train.height, data->train.width, 10, 0}).value();
            PlainPlanner planner(config, data->train.count, 0);
            const Trainer* running = nullptr;
            double worst = 0.0;
            std::int64_t updates = 0;
            setup.gradientProbe = [&](const WindowRecord& record, const std::vector<double>& gradient) {
                std::vector<PlainMicro> micros;
                for (bool makesUpdate = false; !makesUpdate;) {
                    const PlainWindow window = planner.next(updates);
                    micros.insert(micros.end(), window.micros.begin(), window.micros.end());
                    makesUpdate = window.makesUpdate;
                }
                const PlainGradient wanted = plainGradient(*model, running->weights(), {}, *data, config, 0, micros);
                const bool same = record.units == static_cast<double>(wanted.units);
                worst = std::max(worst, same ? worstTensor(gradient, wanted) : std::numeric_limits<double>::infinity());
                ++updates;
            };
            const auto trainer = Trainer::create(std::move(setup)).value();
            running = trainer.get();
            RecordingObserver observer;
            const TrainingEnd end = trainer->train(observer);
            return end.error || updates != trainer->totalUpdates() ? std::numeric_limits<double>::infinity() : worst;
        };
        const double right = worstOf(PlantedBug::None);
        qInfo("%.1e", right);
        QVERIFY(right <= 1e-12);
        QVERIFY(worstOf(PlantedBug::NewBatchOldSteps) > 1e-3);
        if (config.batch.tail == TailPolicy::Apply || config.batch.tail == TailPolicy::Leak)
            QVERIFY(worstOf(PlantedBug::NominalDivisor) > 1e-3);
    }

    // Accumulated and large batch: the same gradient at every update, to fp64 rounding that 13 small updates of plain
    // SGD do not amplify much: 1e-15 per window, far inside 1e-11.
    void theLargeBatchHasTheSameGradients() {
        const Run accumulated = run(rampConfig());
        const Run large = run(largeBatch(rampConfig()));
        const auto units = large.units();
        QCOMPARE(std::vector<std::int64_t>(units.begin(), units.end()), rampUnits);
        QVERIFY(std::ranges::all_of(large.windows, [](const WindowRecord& window) { return window.microSteps == 1; }));
        QCOMPARE(accumulated.gradients.size(), rampUnits.size());
        for (std::size_t i = 0; i < rampUnits.size(); ++i)
            QVERIFY(relativeL2(accumulated.gradients[i], large.gradients[i]) < 1e-11);
        // The planted bug divides by B: only windows shorter than the B of their own place in the ramp are wrong,
        // by N / B.
        const Run nominal = run(rampConfig(), PlantedBug::NominalDivisor);
        for (std::size_t i = 0; i < 6; ++i) {
            const double factor = norm(nominal.gradients[i]) / norm(large.gradients[i]);
            QVERIFY(compareRel(factor, i == 5 ? 26.0 / 30.0 : 1.0, 1e-11));
        }
    }

    // Stopped after every second micro-step, so in the middle of windows too, and taken up from the bundle by a new
    // trainer: bit for bit the run that was never stopped.
    void aRunResumedAnywhereIsTheSame() {
        for (const TailPolicy tail : {TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry, TailPolicy::Leak}) {
            RunConfig config = rampConfig();
            config.model.name = "lenet5"; // small checkpoints: there are many
            config.batch.tail = tail;
            const Run whole = run(config);
            const QTemporaryDir folder;
            std::vector<double> units;
            std::string bundle, hash;
            int starts = 0;
            for (bool stopped = true; stopped; ++starts) {
                QVERIFY(starts < 200);
                const auto trainer = Trainer::create(makeSetup(config, folder)).value();
                if (!bundle.empty())
                    QVERIFY(trainer->restore(bundle));
                StopsEverywhere observer;
                const TrainingEnd end = trainer->train(observer);
                QVERIFY(!end.error);
                for (const WindowRecord& window : observer.windows)
                    units.push_back(window.units);
                bundle = observer.checkpoints.back().bundlePath;
                hash = end.summary.weightsHash;
                stopped = end.stopped;
            }
            QVERIFY(starts > 13);
            QCOMPARE(units, whole.units());
            QCOMPARE(hash, whole.end.summary.weightsHash);
        }
    }

    // T16 under every policy and unit: as many updates as planned. Under the leak samples end a run only where an
    // update has used them.
    void everyLengthEndsAtThePlannedUpdate() {
        for (const TailPolicy tail : {TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry, TailPolicy::Leak})
            for (const Extent length : {Extent{7, Extent::Unit::Updates}, Extent{190, Extent::Unit::Samples},
                                        Extent{198, Extent::Unit::Samples}, Extent{240, Extent::Unit::Samples}}) {
                RunConfig config = rampConfig();
                config.batch.tail = tail;
                config.train.length = length;
                const Run result = run(config);
                QVERIFY(!result.end.error);
                QCOMPARE(result.end.summary.updates, result.planned);
                QVERIFY(result.windows.back().update);
            }
    }

    void aRampBeyondTheDataIsRefused() {
        const QTemporaryDir folder;
        RunConfig config = rampConfig();
        config.batch.ramp.push_back({100, 201});
        const auto trainer = Trainer::create(makeSetup(config, folder));
        QVERIFY(!trainer);
        QCOMPARE(trainer.error().code, std::string("config.batch.exceeds-data"));
    }
};

QTEST_APPLESS_MAIN(TestRamp)
} // namespace test_ramp
#include "test_ramp.moc"

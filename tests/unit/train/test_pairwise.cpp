// SPDX-License-Identifier: GPL-3.0-or-later
// Faults live in combinations: every pair of values of twenty settings, over small networks, in runs of three updates.
// Each run agrees window by window with training written out plainly (plain_run.h), and with its own unbroken run on
// one lane; or it is refused, for a reason that stands in a table (pairwise_rows.h).
#include "core/config/config_check.h"
#include "core/engine/memory_counter.h"
#include "tests/unit/train/plain_run.h"

#include <QTest>
#include <atomic>
#include <map>

namespace test_pairwise {
using namespace accumulus;
using namespace accumulus::test;

namespace {

TrainerSetup setupOf(const FactorRow& row, const QTemporaryDir& folder, int lanes) {
    TrainerSetup setup;
    setup.config = configOf(row);
    setup.seed = seed;
    setup.lanes = {lanes, 1};
    setup.data = dataOf(row);
    setup.folder = folder.path().toStdString();
    setup.deferred = row[Path] != host;
    if (isSpoilt(row))
        setup.model = std::make_shared<WithSpoiltSample>(modelOf(row), spoiltSample(row));
    else if (hasNorm(row))
        setup.model = modelOf(row);
    if (row[Memory] == 1)
        setup.fault = [thrown = std::make_shared<std::atomic<bool>>(false)](FaultPoint point, std::int64_t window,
                                                                            std::int64_t k) {
            if (point == FaultPoint::Forward && window == 1 && k == 1 && !thrown->exchange(true))
                throw OutOfMemory(1, 2, 3);
        };
    return setup;
}

struct RowOutcome {
    std::string problem; ///< empty: agrees
    std::string refused; ///< error code
    int runs = 0;
};

/// The run of a row without interruption on one lane; its hash.
std::string unbrokenHash(const FactorRow& row, RowOutcome& result) {
    const QTemporaryDir folder;
    ++result.runs;
    auto trainer = Trainer::create(setupOf(row, folder, 1));
    FollowingObserver observer(nullptr, false);
    observer.trainer = trainer->get();
    return (*trainer)->train(observer).summary.weightsHash;
}

RowOutcome runRow(const FactorRow& row, PlantedBug bug = PlantedBug::None) {
    RowOutcome result;
    const QTemporaryDir folder;
    ++result.runs;
    ExperimentConfig experiment;
    experiment.run = configOf(row);
    if (const Status valid = requireValid(experiment, samples); !valid) {
        result.refused = valid.error().code;
        return result;
    }
    PlainRun plain(row);
    // Which parts several lanes cut is a matter of time, and BatchNorm's groups follow the parts: one lane there.
    const bool byTime = mixesSamples(row) && row[Memory] == 1;
    const int lanes = byTime ? 1 : static_cast<int>(row[LaneCount]) + 1;
    TrainingEnd end;
    std::string bundle, weightsFile;
    const bool stop = row[Resume] == 1;
    const auto train = [&](bool resumed) {
        TrainerSetup setup = setupOf(row, folder, lanes);
        setup.bug = bug;
        if (resumed)
            setup.fault = {};
        setup.gradientProbe = [&](const WindowRecord&, const std::vector<double>& values) { plain.gradient(values); };
        setup.afterCommit = [&](std::int64_t k) { plain.committed(k); };
        setup.afterRestart = [&] { plain.restarted(); };
        auto trainer = Trainer::create(std::move(setup));
        if (!trainer) {
            result.refused = trainer.error().code;
            return;
        }
        if (resumed)
            if (const Status restored = (*trainer)->restore(bundle); !restored) {
                plain.complain("restore: " + describe(restored.error()));
                return;
            }
        plain.starts((*trainer)->weights(), resumed);
        FollowingObserver observer(&plain, stop && !resumed);
        observer.trainer = trainer->get();
        end = (*trainer)->train(observer);
        if (!observer.checkpoints.empty()) {
            bundle = observer.checkpoints.back().bundlePath;
            weightsFile = observer.checkpoints.back().weightsPath;
        }
    };
    train(false);
    if (stop && result.refused.empty()) {
        if (!end.stopped && !plain.stops()) // the spoilt sample may come in the first window
            plain.complain("did not stop" + (end.error ? ": " + describe(*end.error) : std::string()));
        else if (end.stopped)
            train(true);
    }
    if (!result.refused.empty())
        return result;
    if (plain.stops()) {
        if (!end.error || end.error->code != "training.nonfinite")
            plain.complain("did not end with training.nonfinite");
        else if (stop) { // again from the last checkpoint: it must meet the same window
            auto trainer = Trainer::create(setupOf(row, folder, lanes));
            if (const Status restored = (*trainer)->restore(bundle); !restored)
                plain.complain("restore after the stop: " + describe(restored.error()));
            FollowingObserver observer(nullptr, false);
            const TrainingEnd again = (*trainer)->train(observer);
            if (!again.error || again.error->code != "training.nonfinite" || observer.windows.size() != 1)
                plain.complain("resumed after the stop, the window is gone");
        }
    } else if (end.error) {
        plain.complain(describe(*end.error));
    } else if (plain.updatesMade() != updates) {
        plain.complain("made " + std::to_string(plain.updatesMade()) + " updates");
    }
    plain.buffersAtTheEnd(weightsFile);
    const bool comparable = row[Memory] == 0; // parts are other sums
    if (plain.problem().empty() && comparable && (stop || lanes > 1))
        if (unbrokenHash(row, result) != end.summary.weightsHash)
            plain.complain("other bits than unbroken on one lane");
    result.problem = plain.problem();
    return result;
}

} // namespace

class TestPairwise : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { MemoryCounter::setLimit(0); }

    void everyPairAgreesOrIsRefused() {
        const CoveringArray array = coverPairs(factors(), covers, /*seed=*/3);
        // A second array puts the pairs into other company; what was wrong once gets rows of its own.
        std::vector<FactorRow> rows = array.rows;
        std::ranges::copy(coverPairs(factors(), covers, /*seed=*/4).rows, std::back_inserter(rows));
        std::ranges::copy(rowsOfPastFaults(4), std::back_inserter(rows));
        int runs = 0, agreed = 0;
        std::vector<std::string> wrong;
        std::map<std::string, int> refused;
        for (const FactorRow& row : rows) {
            const RowOutcome result = runRow(row);
            runs += result.runs;
            const Refusal* refusal = refusalOf(row);
            if (!result.refused.empty()) {
                const bool oneSample = result.refused == "model.batch-norm-one" && normalisesOneSample(row);
                if (refusal && refusal->code == result.refused)
                    ++refused[textOf(refusal->first) + " with " + textOf(refusal->second) + ": " + refusal->reason];
                else if (oneSample)
                    ++refused["a fully connected BatchNorm with a micro-batch of one sample: it has no variance"];
                else
                    wrong.push_back("refused with " + result.refused + ": " + textOf(row));
            } else if (refusal) {
                wrong.push_back("not refused: " + textOf(row));
            } else if (!result.problem.empty()) {
                wrong.push_back(result.problem + ": " + textOf(row));
            } else {
                ++agreed;
            }
        }
        std::vector<SettingPair> unexplained;
        std::map<std::string, int> reasons;
        for (const SettingPair& pair : array.impossible) {
            const auto rule = std::ranges::find_if(noEffects, [&](const NoEffect& one) { return one.explains(pair); });
            if (rule == noEffects.end())
                unexplained.push_back(pair);
            else
                ++reasons[rule->reason];
        }
        qInfo("pairs: %zu, covered %zu, without effect %zu", allPairsOf(factors()).size(), array.covered.size(),
              array.impossible.size());
        qInfo("rows: %zu in %d runs: %d agree, %zu kinds of refusal, %zu wrong", rows.size(), runs, agreed,
              refused.size(), wrong.size());
        for (const auto& [reason, count] : refused)
            qInfo("refused %d: %s", count, reason.c_str());
        for (const auto& [reason, count] : reasons)
            qInfo("no effect, %d pairs: %s", count, reason.c_str());
        for (const std::string& text : wrong)
            qWarning("%s", text.c_str());
        for (const SettingPair& pair : unexplained)
            qWarning("in no row: %s with %s", textOf(pair.first).c_str(), textOf(pair.second).c_str());
        QVERIFY(wrong.empty());
        QVERIFY(unexplained.empty());
    }

    // On a device the loss is read later: a loss that is not finite is still no overflow, which a lower scale would
    // mend.
    void aLossThatIsNotFiniteIsNoOverflow() {
        FactorRow row(factors().size(), 0);
        row[Net] = resnet;
        row[Norm] = 1;
        row[PrecisionOf] = 3;
        row[Nonfinite] = 2;
        row[Sample] = 1;
        std::vector<std::vector<double>> scales;
        for (const std::size_t path : {host, deferred}) {
            row[Path] = path;
            const QTemporaryDir folder;
            auto trainer = Trainer::create(setupOf(row, folder, 1));
            RecordingObserver observer;
            QVERIFY(!(*trainer)->train(observer).error);
            scales.emplace_back();
            for (const WindowRecord& window : observer.windows)
                scales.back().push_back(window.lossScale);
            QCOMPARE(std::ranges::count(observer.windows, 1, &WindowRecord::leftOut), 1);
        }
        QVERIFY(scales[0] == scales[1]);
    }

    // What the comparison sees: each mistake that the engine can be told to make, in a row that would otherwise agree.
    void mistakesAreSeen_data() {
        QTest::addColumn<int>("bug");
        QTest::addColumn<std::vector<Setting>>("settings");
        using Settings = std::vector<Setting>;
        const auto row = [](const char* name, PlantedBug bug, Settings settings) {
            QTest::newRow(name) << int(bug) << std::move(settings);
        };
        row("T2 sum", PlantedBug::NotDivided, {});
        row("T2 divided twice", PlantedBug::DividedTwice, {});
        row("T3 nominal divisor", PlantedBug::NominalDivisor, {});
        row("T3 nominal divisor, deferred", PlantedBug::NominalDivisor, {{Path, deferred}});
        row("T12 the rest left out", PlantedBug::RestLeftOut, {{Ragged, 1}});
        row("T20 noise scale unweighted", PlantedBug::NoiseUnweighted, {{Ragged, 1}});
        row("T5 boundary", PlantedBug::BoundaryOffByOne, {});
        row("T6 each micro-batch clipped", PlantedBug::ClipEachMicroBatch, {{Clip, 1}});
        row("T6 clip, then divide", PlantedBug::ClipThenDivide, {{Clip, 1}});
        row("T7 not unscaled", PlantedBug::NotUnscaled, {{PrecisionOf, 3}});
        row("T10 draws by call order", PlantedBug::DrawsByCallOrder, {{Dropout, 1}});
        row("T10 draws by call order, crop-flip", PlantedBug::DrawsByCallOrder, {{Augment, 1}});
        row("T11 a retry that keeps", PlantedBug::RetryCommitsTwice, {{Lean, 1}, {Memory, 1}});
        row("T15 a new B, the old window", PlantedBug::NewBatchOldSteps, {{Ramp, 1}});
        row("T17 loss of the last", PlantedBug::LossOfLastMicroBatch, {});
        row("T18 resume forgets the window", PlantedBug::ResumeForgetsWindow, {{Resume, 1}});
        row("T25 cast weights kept", PlantedBug::AutocastCacheKept, {{PrecisionOf, 2}, {Net, mlp}});
    }
    void mistakesAreSeen() {
        QFETCH(int, bug);
        QFETCH(std::vector<Setting>, settings);
        FactorRow row(factors().size(), 0);
        row[Net] = resnet;
        for (const Setting& setting : settings)
            row[setting.factor] = setting.value;
        const RowOutcome right = runRow(row);
        QVERIFY2(right.refused.empty() && right.problem.empty(), right.problem.c_str());
        const RowOutcome wrong = runRow(row, static_cast<PlantedBug>(bug));
        qInfo("%s", wrong.problem.c_str());
        QVERIFY(!wrong.problem.empty());
    }
};

QTEST_APPLESS_MAIN(TestPairwise)
} // namespace test_pairwise
#include "test_pairwise.moc"

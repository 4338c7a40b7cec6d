// SPDX-License-Identifier: GPL-3.0-or-later
// Studies from plan to library: both arms, what is recorded, stop and resume, failures, verification.
#include "core/base/kept_message.h"
#include "core/config/batch_plan.h"
#include "core/config/config_fields.h"
#include "core/run/study_runner.h"
#include "core/run/verify.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"
#include "tests/support/numeric.h"
#include "tests/support/study_fixture.h"

#include <QTest>

#include <atomic>
#include <filesystem>
#include <fstream>

namespace test_study_runner {
using namespace accumulus;
using namespace accumulus::test;

class TestStudyRunner : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Seed by seed, the accumulated arm first; the large batch is m = B, K = 1 on one lane with the same everything
    // else.
    void aStudyIsSeedTimesArm() {
        const auto planned = planStudy(smallStudy());
        REQUIRE(planned);
        QCOMPARE(planned->size(), std::size_t{4});
        for (std::size_t i = 0; i < 4; i += 2) {
            const PlannedRun& accumulated = (*planned)[i];
            const PlannedRun& large = (*planned)[i + 1];
            QVERIFY(accumulated.arm == Arm::Accumulated && large.arm == Arm::LargeBatch);
            QCOMPARE(accumulated.seed, std::int64_t(1 + i / 2));
            QCOMPARE(large.seed, accumulated.seed);
            const BatchPlan split = resolveBatch(accumulated.config.batch).value();
            const BatchPlan whole = resolveBatch(large.config.batch).value();
            QCOMPARE(split.micro, 8);
            QCOMPARE(split.steps, 4);
            QCOMPARE(whole.micro, 32);
            QCOMPARE(whole.steps, 1);
            QCOMPARE(large.config.device.lanes, 1);
            QCOMPARE(large.config.device.threads, 0);
            QCOMPARE(pairHash(large.config, large.seed), pairHash(accumulated.config, accumulated.seed));
            QVERIFY(configHash(large.config, large.seed) != configHash(accumulated.config, accumulated.seed));
            // The same budget: as many updates of as many samples.
            const auto updates = [](const RunConfig& config, const BatchPlan& batch) {
                return totalUpdates(batch, 192, config.batch.tail, config.train.length);
            };
            QCOMPARE(updates(large.config, whole), updates(accumulated.config, split));
            QCOMPARE(whole.effective, split.effective);
        }
        QVERIFY(pairHash((*planned)[0].config, 1) != pairHash((*planned)[2].config, 2));
    }

    void theEffectiveBatchIsResolvedFirst() {
        ExperimentConfig experiment = smallStudy();
        experiment.run.batch.effective = 0;
        experiment.run.batch.steps = 4;
        const auto planned = planStudy(experiment);
        REQUIRE(planned);
        QCOMPARE(planned->at(1).config.batch.effective, 32);
        QCOMPARE(planned->at(1).config.batch.micro, 32);
        // Given as B or as m x K, it is the same run.
        QCOMPARE(configHash(planned->at(0).config, 1), configHash(planStudy(smallStudy())->at(0).config, 1));
        experiment.study.largeBatch = false;
        QCOMPARE(planStudy(experiment)->size(), std::size_t{2});
        experiment.run.batch.effective = 40;
        QCOMPARE(planStudy(experiment).error().code, std::string("config.batch.disagree"));
    }

    // Under a ramp each window of the large batch is one micro-batch, of the same samples as its partner's window.
    void theLargeBatchFollowsARamp() {
        ExperimentConfig experiment = smallStudy();
        experiment.run.batch.ramp = {{3, 64}, {5, 16}};
        const auto planned = planStudy(experiment);
        REQUIRE(planned);
        const RunConfig& accumulated = planned->at(0).config;
        const RunConfig& large = planned->at(1).config;
        QCOMPARE(large.batch.ramp, accumulated.batch.ramp);
        QCOMPARE(pairHash(large, 1), pairHash(accumulated, 1));
        const BatchPlan split = resolveBatch(accumulated.batch).value();
        const BatchPlan whole = resolveBatch(large.batch).value();
        QCOMPARE(whole.micro, 64);
        QCOMPARE(whole.largestSteps(), 1);
        for (std::int64_t update = 1; update < 9; ++update) {
            QCOMPARE(whole.effectiveAt(update), split.effectiveAt(update));
            QCOMPARE(microSizes(whole.effectiveAt(update), whole.micro).size(), std::size_t{1});
        }
    }

    void theLargeBatchLeavesOutAndNormalisesAsItsPartner() {
        ExperimentConfig experiment = smallStudy();
        experiment.run.data.dropLast = true;
        experiment.study.ghost = true;
        const auto planned = planStudy(experiment);
        REQUIRE(planned);
        const RunConfig& accumulated = planned->at(0).config;
        const RunConfig& large = planned->at(1).config;
        QCOMPARE(pairHash(large, 1), pairHash(accumulated, 1));
        QCOMPARE(accumulated.numerics.ghost, 0);
        QCOMPARE(large.numerics.ghost, 8);
        for (const std::int64_t samples : {192, 195, 200, 207})
            QCOMPARE(usedSamples(large.data, resolveBatch(large.batch).value(), samples),
                     usedSamples(accumulated.data, resolveBatch(accumulated.batch).value(), samples));
        QCOMPARE(usedSamples(large.data, resolveBatch(large.batch).value(), 195), 192);
        experiment.study.ghost = false;
        QCOMPARE(planStudy(experiment)->at(1).config.numerics.ghost, 0);
    }

    // A pair on a ramp, end to end: the same number of updates, of the same sizes.
    void aPairTrainsOnTheSameRamp() {
        const TemporaryLibrary library;
        RunControl control;
        Events events;
        ExperimentConfig experiment = smallStudy();
        experiment.study.seeds = {1};
        experiment.run.batch.ramp = {{3, 64}, {5, 16}};
        const auto outcome = runStudy(experiment, library.file(), control, into(events));
        REQUIRE(outcome);
        const auto sizesOf = [&](std::size_t run) {
            std::vector<std::int64_t> sizes;
            for (const WindowRecord& window : events.windowsOf(outcome->runs.at(run).run))
                sizes.push_back(static_cast<std::int64_t>(window.units));
            return sizes;
        };
        const auto sizes = sizesOf(0);
        QCOMPARE((std::vector<std::int64_t>{sizes.begin(), sizes.begin() + 6}),
                 (std::vector<std::int64_t>{32, 32, 64, 64, 16, 16})); // more of 16 follow
        QCOMPARE(sizesOf(1), sizes);
        for (const WindowRecord& window : events.windowsOf(outcome->runs.at(1).run))
            QCOMPARE(window.microSteps, 1);
        const BatchPlan plan = resolveBatch(experiment.run.batch).value();
        QCOMPARE(std::ssize(sizes), totalUpdates(plan, 192, experiment.run.batch.tail, experiment.run.train.length));
    }

    // The library holds what the trainer said, bit for bit, and what was resolved.
    void aStudyEndToEnd() {
        const TemporaryLibrary library;
        RunControl control;
        Events events;
        const auto outcome = runStudy(smallStudy(), library.file(), control, into(events));
        REQUIRE(outcome);
        QVERIFY(!outcome->stopped);
        QCOMPARE(outcome->runs.size(), std::size_t{4});
        RunReader reader = library.reader();
        QCOMPARE(reader.studies()->size(), std::size_t{1});
        QCOMPARE(reader.runs()->size(), std::size_t{4});
        for (const RunFinished& finished : outcome->runs) {
            QVERIFY(finished.state == RunState::Completed);
            const RunRecord run = reader.run(finished.run).value();
            const bool large = finished.arm == Arm::LargeBatch;
            QVERIFY(run.state == RunState::Completed);
            QCOMPARE(run.batch.micro, large ? 32 : 8);
            QCOMPARE(run.batch.steps, large ? 1 : 4);
            QCOMPARE(run.lanes, large ? 1 : 2);
            QCOMPARE(run.trainSamples, 192);
            QCOMPARE(run.totalUpdates, 12);
            QVERIFY(run.summary == finished.summary);
            QCOMPARE(run.summary.updates, 12);
            QCOMPARE(run.summary.microSteps, large ? 12 : 48);
            QCOMPARE(run.summary.samples, 384);
            QVERIFY(!run.environment.data.empty() && !run.environment.libtorch.empty());
            const auto windows = reader.windows(run.id).value();
            QCOMPARE(windows.size(), std::size_t{12});
            QVERIFY(windows == events.windowsOf(run.id));
            QCOMPARE(*windows.back().update, 12);
            const auto evaluations = reader.evaluations(run.id).value();
            QCOMPARE(evaluations.size(), std::size_t{2});
            QVERIFY(compareBits(*run.summary.testAccuracy, *evaluations.back().accuracy));
            const auto checkpoints = reader.checkpoints(run.id).value();
            QVERIFY(checkpoints.size() >= 3);
            for (const CheckpointRecord& checkpoint : checkpoints) {
                QVERIFY(fs::exists(checkpoint.weightsPath));
                QVERIFY(checkpoint.bundlePath.empty() || fs::exists(checkpoint.bundlePath));
            }
            QCOMPARE(checkpointOf(reader, run.id, CheckpointKind::Last).weightsHash, run.summary.weightsHash);
            QCOMPARE(checkpointOf(reader, run.id, CheckpointKind::Initial).update, 0);
        }
        QVERIFY(std::holds_alternative<StudyStarted>(events.all.front()));
        QVERIFY(std::holds_alternative<StudyFinished>(events.all.back()));
        QCOMPARE(events.of<RunStarted>().size(), std::size_t{4});
    }

    // Two arms of a seed start from the same weights and see the same samples; another seed does not.
    void theArmsOfASeedArePartners() {
        const TemporaryLibrary library;
        RunControl control;
        Events events;
        const auto outcome = runStudy(smallStudy(), library.file(), control, into(events));
        REQUIRE(outcome);
        RunReader reader = library.reader();
        const auto initial = [&](std::size_t i) {
            return checkpointOf(reader, outcome->runs[i].run, CheckpointKind::Initial).weightsHash;
        };
        const auto firstLoss = [&](std::size_t i) { return reader.windows(outcome->runs[i].run)->front().loss; };
        QCOMPARE(initial(0), initial(1));
        QVERIFY(initial(0) != initial(2));
        // The same 32 losses added in another order in fp32.
        QVERIFY(compareRel(firstLoss(0), firstLoss(1), 1e-6));
        QVERIFY(!compareRel(firstLoss(0), firstLoss(2), 1e-5));
    }

    void aRunIsVerified() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = smallStudy();
        experiment.study.largeBatch = false;
        experiment.study.seeds = {1};
        RunControl control;
        const auto outcome = runStudy(experiment, library.file(), control, {});
        REQUIRE(outcome);
        const RunFinished& finished = outcome->runs.front();
        for (const std::string& target : {finished.run, finished.run.substr(0, 8), finished.summary.checkpoint}) {
            const auto verified = verify(target, {library.file()});
            REQUIRE(verified);
            QCOMPARE(verified->run, finished.run);
            QVERIFY(verified->recorded.has_value());
            QVERIFY(verified->weightsHashAgrees);
            QVERIFY(verified->agrees());
            QVERIFY(compareBits(*verified->now.accuracy, *finished.summary.testAccuracy));
        }
        // Who waits sees it come forward, and may end it.
        std::atomic<int> asked{0};
        QVERIFY(verify(finished.run, {library.file()}, [&](std::int64_t taken, std::int64_t count) {
            ++asked;
            return taken >= 0 && taken < count;
        }));
        QVERIFY(asked > 0);
        const auto ended = verify(finished.run, {library.file()}, [](std::int64_t, std::int64_t) { return false; });
        QVERIFY(!ended);
        QCOMPARE(ended.error().code, std::string("library.cancelled"));
        // The last bit of the last weight: the hash sees it.
        std::string bytes;
        {
            std::ifstream stream(finished.summary.checkpoint, std::ios::binary);
            bytes.assign(std::istreambuf_iterator<char>(stream), {});
        }
        bytes[bytes.size() - 4] = static_cast<char>(bytes[bytes.size() - 4] ^ 1);
        const fs::path changed = fs::path(finished.summary.checkpoint).parent_path() / "changed.safetensors";
        std::ofstream(changed, std::ios::binary) << bytes;
        const auto verified = verify(changed.string(), {library.file()});
        REQUIRE(verified);
        QVERIFY(!verified->weightsHashAgrees);
        QVERIFY(!verified->agrees());

        QCOMPARE(verify("deadbeef", {library.file()}).error().code, std::string("library.no-run"));
        QCOMPARE(verify("/nonexistent.safetensors", {library.file()}).error().code, std::string("checkpoint.open"));
    }

    // Each run that breaks is recorded with its reason, and the study goes on to its end.
    void aFailureIsRecorded() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = smallStudy();
        experiment.run.model.init = "normal";
        experiment.run.model.initStd = 10.0;
        experiment.run.optimizer.lr = 1000.0;
        experiment.run.train.length = {50, Extent::Unit::Updates};
        RunControl control;
        Events events;
        const auto outcome = runStudy(experiment, library.file(), control, into(events));
        REQUIRE(outcome);
        QVERIFY(outcome->error);
        QCOMPARE(outcome->error->code, std::string("study.runs-failed"));
        QCOMPARE(outcome->error->argument("failed"), std::string("4"));
        QVERIFY(describe(*outcome->error).find("not finite") != std::string::npos);
        // Each run's own error is said in the language of whoever reads it.
        const auto reasons = messagesOf(outcome->error->argument("reasons"));
        QCOMPARE(reasons.size(), std::size_t{4});
        for (std::size_t i = 0; i < reasons.size(); ++i) {
            const auto own = messagesOf(reasons[i].message.argument("error"));
            QVERIFY(own.size() == 1 && own.front().message == outcome->runs[i].error);
        }
        QCOMPARE(exitCode(*outcome->error), 6);
        RunReader reader = library.reader();
        const auto runs = reader.runs().value();
        QCOMPARE(runs.size(), std::size_t{4});
        for (const RunRecord& run : runs) {
            QVERIFY(run.state == RunState::Failed);
            QVERIFY(run.error.find("not finite") != std::string::npos);
            const auto windows = reader.windows(run.id).value();
            QVERIFY(windows.back().nonfinite && !windows.back().update);
            QVERIFY(fs::exists(checkpointOf(reader, run.id, CheckpointKind::Last).weightsPath));
        }
        QVERIFY(events.of<StudyFinished>().at(0).error == outcome->error);
    }

    // The large batch does not fit into the memory, its partners do: they are trained all the same.
    void oneRunThatFailsDoesNotEndTheStudy() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = smallStudy();
        experiment.run.data.testLimit = 8;
        experiment.run.batch.effective = 96;
        experiment.run.batch.micro = 4;
        experiment.run.device.lanes = 1;
        experiment.run.train.length = {4, Extent::Unit::Updates};
        experiment.run.device.onOom = OnOutOfMemory::Stop;
        experiment.run.device.memoryLimit = "2 MB";
        RunControl control;
        const auto outcome = runStudy(experiment, library.file(), control, {});
        REQUIRE(outcome);
        QCOMPARE(outcome->runs.size(), std::size_t{4});
        for (const RunFinished& run : outcome->runs)
            QCOMPARE(QString::fromStdString(runStateName(run.state) + (run.error ? " " + run.error->code : "")),
                     QString(run.arm == Arm::LargeBatch ? "failed training.memory" : "completed"));
        QCOMPARE(outcome->error->code, std::string("study.runs-failed"));
        QCOMPARE(outcome->error->argument("failed"), std::string("2"));
    }

    void whatCannotRunLeavesNoTrace() {
        const TemporaryLibrary library;
        RunControl control;
        ExperimentConfig tooLarge = smallStudy();
        tooLarge.run.batch.effective = 200;
        QCOMPARE(runStudy(tooLarge, library.file(), control, {}).error().code,
                 std::string("config.batch.exceeds-data"));
        ExperimentConfig noData = smallStudy();
        noData.run.data.dataset = "fashion-mnist";
        noData.run.data.path = "/nonexistent";
        QCOMPARE(runStudy(noData, library.file(), control, {}).error().code, std::string("data.missing"));
        ExperimentConfig oneSample = smallStudy(); // before lanes are measured, by training
        oneSample.run.model.name = "resnet18";
        oneSample.run.data.trainLimit = 24;
        oneSample.run.batch.effective = 2;
        oneSample.run.batch.micro = 1;
        oneSample.study.largeBatch = false;
        oneSample.study.seeds = {1};
        oneSample.run.device.lanes = 0;
        const TemporaryLibrary other;
        const auto refused = runStudy(oneSample, other.file(), control, {});
        QCOMPARE(refused ? refused->error.value_or(Error()).code : refused.error().code,
                 std::string("model.batch-norm-one"));
        oneSample.study.seeds = {1, 2, 3}; // what all runs say is said once
        oneSample.study.largeBatch = false;
        const TemporaryLibrary several;
        const auto all = runStudy(oneSample, several.file(), control, {});
        QVERIFY(all && all->runs.size() == 3 && all->error && all->error->code == "model.batch-norm-one");
        QVERIFY(!fs::exists(library.file()));
        QVERIFY(!resumeRun("deadbeef", library.file(), control, {}).has_value());
    }

    void configurationsAreInspectedWithoutLoading() {
        const ExperimentConfig experiment = smallStudy();
        QCOMPARE(parameterCount(experiment.run).value(), 61'706);
        const auto data = inspectData(experiment.run.data, "lenet5");
        REQUIRE(data);
        QCOMPARE(data->trainSamples, 192);
        QCOMPARE(data->testSamples, 60);
    }
};

QTEST_APPLESS_MAIN(TestStudyRunner)
} // namespace test_study_runner
#include "test_study_runner.moc"

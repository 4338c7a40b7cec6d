// SPDX-License-Identifier: GPL-3.0-or-later
// Studies with validation samples from training to verdict: what a run's end says, by what it is judged, and that
// older studies keep their question.
#include "core/config/metric_rows.h"
#include "core/run/library_views.h"
#include "tests/support/numeric.h"
#include "tests/unit/run/stopped_runs.h"

namespace test_validation_study {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Evaluations at 15, 30 and 40 updates.
ExperimentConfig validated() {
    ExperimentConfig experiment = shortStudy();
    experiment.run.data.validation = 20;
    experiment.study.largeBatch = true;
    experiment.study.margin = 0.125;
    return experiment;
}

StudyOutcome trained(const ExperimentConfig& experiment, const fs::path& library) {
    RunControl control;
    auto outcome = runStudy(experiment, library, control, {});
    if (!outcome)
        qFatal("%s", describe(outcome.error()).c_str());
    return std::move(*outcome);
}

/// What its evaluations leave.
RunSummary measured(RunReader& reader, const std::string& run) {
    RunSummary summary;
    const auto evaluations = reader.evaluations(run).value();
    for (const EvaluationRecord& evaluation : evaluations)
        takeEvaluation(summary, evaluation);
    return summary;
}

bool sameValidation(const RunSummary& a, const RunSummary& b) {
    return a.validationLoss == b.validationLoss && a.validationAccuracy == b.validationAccuracy &&
           a.bestValidationAccuracy == b.bestValidationAccuracy;
}

Result<ComparisonInput> compared(RunReader& reader, const std::vector<const StudyOutcome*>& studies) {
    std::vector<std::string> groupA, groupB;
    for (const StudyOutcome* study : studies)
        for (const RunFinished& run : study->runs)
            (run.arm == Arm::Accumulated ? groupA : groupB).push_back(run.run);
    return loadComparison(reader, groupA, groupB, {}, std::nullopt);
}

} // namespace

class TestValidationStudy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theEndSaysWhatTheEvaluationsSaid() {
        const TemporaryLibrary library;
        const StudyOutcome outcome = trained(validated(), library.file());
        RunReader reader = library.reader();
        QCOMPARE(outcome.runs.size(), std::size_t{2});
        for (const RunFinished& finished : outcome.runs) {
            const RunSummary expected = measured(reader, finished.run);
            QVERIFY(expected.validationLoss && expected.validationAccuracy && expected.bestValidationAccuracy);
            QVERIFY(expected.validationLoss != expected.testLoss);
            QVERIFY(sameValidation(finished.summary, expected));
            QVERIFY(sameValidation(reader.run(finished.run).value().summary, expected));
            // The best one is that of the checkpoint.
            const std::int64_t best = checkpointOf(reader, finished.run, CheckpointKind::Best).update;
            const auto evaluations = reader.evaluations(finished.run).value();
            for (const EvaluationRecord& evaluation : evaluations)
                if (evaluation.split == "validation" && evaluation.update == best)
                    QVERIFY(evaluation.accuracy == expected.bestValidationAccuracy);
        }
    }

    void withoutAChoiceItIsJudgedByThem() {
        const TemporaryLibrary library;
        const StudyOutcome outcome = trained(validated(), library.file());
        RunReader reader = library.reader();
        QCOMPARE(reader.study(outcome.study.id)->config.metric, std::string("validation_accuracy"));
        const auto input = compared(reader, {&outcome});
        REQUIRE(input);
        QVERIFY(input->metric == CompareMetric::ValidationAccuracy);
        QVERIFY(compareBits(input->margin, 0.125) && !input->metricChosenAfterResults);
        const Comparison comparison = compareGroups(*input);
        QVERIFY(comparison.pairs.front().a == outcome.runs[0].summary.validationAccuracy);
        QVERIFY(comparison.pairs.front().b == outcome.runs[1].summary.validationAccuracy);
        QCOMPARE(metricCurve(input->groupA.front(), input->metric).x, (std::vector<double>{120.0, 240.0, 320.0}));
    }

    /// Where nobody fixed one question for all, "auto" means what it always did, whichever group comes first.
    void withoutACommonQuestionItIsTheTestSet() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = validated();
        const StudyOutcome with = trained(experiment, library.file());
        experiment.run.data.validation = 0;
        const StudyOutcome without = trained(experiment, library.file());
        RunReader reader = library.reader();
        const auto group = [](const StudyOutcome& study) { return std::vector{study.runs.front().run}; };
        for (const auto& [a, b] : {std::pair(&with, &without), std::pair(&without, &with)}) {
            const auto input = loadComparison(reader, group(*a), group(*b), {}, std::nullopt);
            REQUIRE(input);
            QVERIFY(input->metric == CompareMetric::TestAccuracy);
        }
    }

    void whatWasChosenStays_data() {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<int>("validation");
        QTest::newRow("the test set") << "test_accuracy" << 20;
        QTest::newRow("the best") << "best_validation_accuracy" << 20;
        QTest::newRow("nothing to validate on") << "auto" << 0;
    }
    void whatWasChosenStays() {
        QFETCH(QString, metric);
        QFETCH(int, validation);
        const TemporaryLibrary library;
        ExperimentConfig experiment = validated();
        experiment.run.data.validation = validation;
        experiment.study.metric = metric.toStdString();
        const StudyOutcome outcome = trained(experiment, library.file());
        RunReader reader = library.reader();
        QCOMPARE(reader.study(outcome.study.id)->config.metric, metric.toStdString());
        QVERIFY(compared(reader, {&outcome})->metric == *studyMetric(metric.toStdString(), experiment.run));
        QCOMPARE(outcome.runs.front().summary.validationLoss.has_value(), validation > 0);
    }

    /// Stored before there were metrics of the validation samples, and joined by seeds that name what it meant.
    void anOlderStudyKeepsItsQuestion() {
        const TemporaryLibrary library;
        const StudyOutcome older = trained(validated(), library.file());
        execute(library.file(), "UPDATE studies SET config = replace(config, 'validation_accuracy', 'auto')");
        RunReader reader = library.reader();
        QCOMPARE(reader.study(older.study.id)->config.metric, std::string("auto"));
        QVERIFY(compared(reader, {&older})->metric == CompareMetric::TestAccuracy);
        ExperimentConfig more = validated();
        more.study.seeds = {2};
        more.study.metric = "test_accuracy";
        const StudyOutcome later = trained(more, library.file());
        const auto input = compared(reader, {&older, &later});
        REQUIRE(input);
        QVERIFY(input->metric == CompareMetric::TestAccuracy);
        QVERIFY(compareBits(input->marginSetAt, older.study.createdAt));
        QVERIFY(compareBits(input->margin, 0.125) && !input->metricChosenAfterResults);
    }

    void aStopBeforeTheNextEvaluationKeepsThem() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = validated();
        experiment.study.largeBatch = false;
        const std::string run = stoppedAt(experiment, library.file(), 20);
        QVERIFY(!run.empty());
        const RunSummary before = rowOf(library, run).summary;
        QVERIFY(before.validationLoss && before.validationAccuracy && before.bestValidationAccuracy);
        RunControl control;
        control.stop();
        REQUIRE(resumeRun(run, library.file(), control, {}));
        QVERIFY(sameValidation(rowOf(library, run).summary, before));
        // To its end, as if it had never been stopped.
        REQUIRE(resume(run, library.file()));
        const TemporaryLibrary other;
        const StudyOutcome whole = trained(experiment, other.file());
        QVERIFY(sameValidation(rowOf(library, run).summary, whole.runs.front().summary));
    }

    void theReportOfARunTellsThem() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = validated();
        experiment.study.largeBatch = false;
        const StudyOutcome outcome = trained(experiment, library.file());
        RunReader reader = library.reader();
        const auto report = runReport(reader, outcome.runs.front().run);
        REQUIRE(report);
        const std::string text = reportHtml(*report);
        for (const char* part : {"Final validation accuracy", "Best validation accuracy", "Final validation loss",
                                 "Validation accuracy at each evaluation."})
            QVERIFY2(text.find(part) != std::string::npos, part);
    }
};

QTEST_APPLESS_MAIN(TestValidationStudy)
} // namespace test_validation_study
#include "test_validation_study.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The library's columns of validation samples, and the seeds that are added to a study of before there were such
// metrics.
#include "widgets/models/comparison_loader.h"
#include "widgets/models/run_list_model.h"

#include <QTest>

namespace test_validation_columns {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

RunRecord runOf(int seed, double accuracy) {
    RunRecord run;
    run.id = run.name = "run-" + std::to_string(seed);
    run.seed = seed;
    run.state = RunState::Completed;
    run.createdAt = 1'700'000'000.0 + seed;
    run.config.data.validation = 100;
    run.summary.validationAccuracy = accuracy;
    run.summary.bestValidationAccuracy = accuracy + 0.01;
    run.summary.validationLoss = 1.0 - accuracy;
    return run;
}

QString cell(const RunListModel& model, int row, RunColumn column, int role = Qt::DisplayRole) {
    return model.index(row, static_cast<int>(column)).data(role).toString();
}

ComparedRun comparedOf(Arm arm) {
    ComparedRun run;
    run.arm = arm;
    run.config.data.validation = 100;
    run.config.batch.effective = 64;
    run.config.batch.micro = arm == Arm::Accumulated ? 16 : 64;
    return run;
}

LoadedComparison loadedWith(const std::string& metric) {
    LoadedComparison loaded;
    loaded.input.groupA = {comparedOf(Arm::Accumulated)};
    loaded.input.groupB = {comparedOf(Arm::LargeBatch)};
    loaded.family.members.emplace_back();
    loaded.studies.resize(2);
    if (!metric.empty()) {
        loaded.study.id = "study";
        loaded.study.config.metric = metric;
        loaded.studies = {loaded.study, loaded.study};
    }
    return loaded;
}

} // namespace

class TestValidationColumns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyShowAndSortWhatWasMeasured() {
        RunListModel model;
        RunRecord without = runOf(2, 0.0);
        without.summary = {};
        model.setRows({makeRunRow(runOf(0, 0.8)), makeRunRow(runOf(1, 0.9)), makeRunRow(without)});
        model.sort(static_cast<int>(RunColumn::Validation), Qt::DescendingOrder);
        QCOMPARE(cell(model, 0, RunColumn::Validation), QStringLiteral("90.00\u00A0%"));
        QCOMPARE(cell(model, 0, RunColumn::BestValidation), QStringLiteral("91.00\u00A0%"));
        QCOMPARE(cell(model, 0, RunColumn::ValidationLoss), QStringLiteral("0.1000"));
        for (const RunColumn column : {RunColumn::Validation, RunColumn::BestValidation, RunColumn::ValidationLoss})
            QCOMPARE(cell(model, 2, column), QStringLiteral("–"));
    }

    /// More is better of an accuracy, less of a loss.
    void theBaselineJudgesEachInItsDirection() {
        RunListModel model;
        model.setRows({makeRunRow(runOf(0, 0.8)), makeRunRow(runOf(1, 0.9))});
        model.setBaseline({Baseline::Kind::Run, "run-0"});
        QVERIFY(cell(model, 1, RunColumn::Validation, RunListModel::DifferenceRole).startsWith("▲ +10"));
        QVERIFY(cell(model, 1, RunColumn::ValidationLoss, RunListModel::DifferenceRole).startsWith("▼"));
        for (const RunColumn column : {RunColumn::Validation, RunColumn::BestValidation, RunColumn::ValidationLoss})
            QCOMPARE(cell(model, 1, column, RunListModel::JudgementRole), QStringLiteral("1"));
    }

    void theFilterKnowsThem_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<bool>("expected");
        const auto row = [](const char* query, bool expected) {
            QTest::newRow(query) << QString::fromLatin1(query) << expected;
        };
        row("valaccuracy>=98", true);
        row("valaccuracy>0.98", false);
        row("valaccuracy=98%", true);
        row("valbest=99", true);
        row("valbest>99.1", false);
        row("valloss<0.03", true);
        row("valloss>0.03", false);
    }
    void theFilterKnowsThem() {
        QFETCH(QString, query);
        QFETCH(bool, expected);
        const auto parsed = RunQuery::parse(query);
        QVERIFY(std::holds_alternative<RunQuery>(parsed));
        QCOMPARE(std::get<RunQuery>(parsed).matches(makeRunRow(runOf(0, 0.98))), expected);
    }

    /// By name, because "auto" of a study that begins now is the metric of the validation samples.
    void moreSeedsAskWhatTheStudyAsked_data() {
        QTest::addColumn<QString>("stored");
        QTest::addColumn<QString>("asked");
        QTest::newRow("older") << "auto"
                               << "test_accuracy";
        QTest::newRow("newer") << "validation_accuracy"
                               << "validation_accuracy";
        QTest::newRow("chosen") << "best_test_accuracy"
                                << "best_test_accuracy";
        QTest::newRow("no study") << ""
                                  << "validation_accuracy";
    }
    void moreSeedsAskWhatTheStudyAsked() {
        QFETCH(QString, stored);
        QFETCH(QString, asked);
        const auto experiment = moreSeeds(loadedWith(stored.toStdString()), 3);
        QVERIFY(experiment.has_value());
        QCOMPARE(experiment->study.metric, asked.toStdString());
        QCOMPARE(experiment->study.seeds.size(), std::size_t{3});
    }
};

QTEST_MAIN(TestValidationColumns)
} // namespace test_validation_columns
#include "test_validation_columns.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_filter.h"

#include <QDateTime>
#include <QTest>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

RunRow paperRun() {
    RunRecord run;
    run.id = "0b5c1d2e-0000-4000-8000-000000000000";
    run.name = "Warm Up study";
    run.arm = Arm::LargeBatch;
    run.seed = 3;
    run.config.model.name = "lenet5";
    run.config.optimizer.lr = 0.001;
    run.config.batch.effective = run.config.batch.micro = 256;
    run.batch = resolveBatch(run.config.batch).value();
    run.state = RunState::Completed;
    run.summary.samples = 60000;
    run.summary.testAccuracy = 0.98;
    run.summary.testLoss = 0.123449;
    run.summary.checkpoint = "last.safetensors";
    run.tags = {"paper", "tmp-old"};
    run.notes = "Second try after the 12:30 restart";
    run.createdAt = static_cast<double>(QDate(2026, 11, 21).startOfDay().addSecs(3600).toSecsSinceEpoch());
    return makeRunRow(run);
}

} // namespace

class TestRunFilter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void matches_data();
    void matches();
    void errors_data();
    void errors();
    void unmeasuredValuesMatchNoComparison();
    void accuracyIsNeverAnotherMetric();
    void emptyQueryMatchesEverything();
};

void TestRunFilter::matches_data() {
    QTest::addColumn<QString>("query");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char* query, bool expected) {
        QTest::newRow(query) << QString::fromUtf8(query) << expected;
    };
    row("warm", true);
    row("WARM lenet5", true);
    row("warm mlp", false);
    row("\"warm up\"", true);
    row("\"up warm\"", false);
    row("restart", true); // notes are searched, too
    row("status:completed", true);
    row("status:done", true);
    row("status:running", false);
    row("arm:large", true);
    row("arm=large", false); // "=" wants the whole word
    row("arm=large-batch", true);
    row("B>=256", true);
    row("b > 256", false);
    row("B<1k", true);
    row("samples=60k", true);
    row("lr<1e-3", false);
    row("lr<=1e-3", true);
    row("lr=0.001", true);
    row("lr!=0.001", false);
    row("accuracy>97%", true);
    row("accuracy>=0.98", true);
    row("accuracy>98%", false);
    // As the table shows it.
    row("accuracy>97.9", true);
    row("accuracy>98", false);
    row("accuracy=98", true);
    row("accuracy<=98.0", true);
    row("accuracy:98.1", false);
    row("loss=0.1234", true);
    row("loss>0.1234", false);
    row("model:LeNet-5", true);
    row("model=lenet-5", true);
    row("model!=LeNet-5", false);
    row("model!=mlp", true);
    row("data:MNIST", true);
    row("arm:\"large batch\"", true);
    row("arm:large-batch", true);
    row("tag:paper", true);
    row("tag:tmp", false); // a tag is a word of its own
    row("tag!=tmp", true);
    row("NOT tag:tmp", true);
    row("NOT NOT tag:tmp", false);
    row("tag:paper NOT tag:tmp has:checkpoint", true);
    row("seed:1 OR seed:3", true);
    row("seed:1 OR seed:2", false);
    row("seed:1 OR seed:3 model:mlp", false); // AND binds tighter
    row("(seed:1 OR seed:3) model:lenet5", true);
    row("NOT (seed:1 OR seed:3)", false);
    row("model:lenet5 AND B:256", true);
    row("has:error", false);
    row("has!=error", true);
    row("has!=note", false);
    row("has=note", true);
    row("id!=0b5c", false);
    row("id!=abc", true);
    row("date:2026-11-21", true);
    row("date>2026-11-21", false);
    row("date>=2026-11-21 date<2026-11-22", true);
    row("id:0b5c", true);
    row("note:restart", true);
    row("or", false); // only capitals are operators; "or" is a word, and this run has none
}

void TestRunFilter::matches() {
    QFETCH(QString, query);
    QFETCH(bool, expected);
    const auto parsed = RunQuery::parse(query);
    QVERIFY2(std::holds_alternative<RunQuery>(parsed), qPrintable(query));
    QCOMPARE(std::get<RunQuery>(parsed).matches(paperRun()), expected);
}

void TestRunFilter::errors_data() {
    QTest::addColumn<QString>("query");
    QTest::addColumn<int>("position");
    QTest::addColumn<int>("length");
    const auto row = [](const char* query, int position, int length) {
        QTest::newRow(query) << QString::fromUtf8(query) << position << length;
    };
    row("lenet5 colour:red", 7, 6);
    row("B>=many", 3, 4);
    row("B>=", 3, 1);
    row("\"warm", 0, 5);
    row("(seed:1 OR seed:2", 0, 1);
    row("seed:1)", 6, 1);
    row("OR seed:1", 0, 2);
    row("seed:1 AND", 10, 1);
    row("seed:1 OR OR", 10, 2);
    row("NOT", 3, 1);
    row("!tag", 0, 1);
    row(":paper", 0, 1);
    row("date>yesterday", 5, 9);
    row("has:wings", 4, 5);
    row("has>note", 3, 1);
    row("id<=0b5c", 2, 2);
    row("tag<paper", 3, 1);
    row("()", 1, 1);
}

void TestRunFilter::errors() {
    QFETCH(QString, query);
    QFETCH(int, position);
    QFETCH(int, length);
    const auto parsed = RunQuery::parse(query);
    const auto* error = std::get_if<QueryError>(&parsed);
    QVERIFY(error);
    QCOMPARE(error->position, position);
    QCOMPARE(error->length, length);
    QVERIFY(!error->message.isEmpty());
}

void TestRunFilter::unmeasuredValuesMatchNoComparison() {
    RunRow row = paperRun();
    row.record.summary.testAccuracy.reset();
    const RunRow unmeasured = makeRunRow(row.record);
    for (const char* query : {"accuracy>0", "accuracy<1", "accuracy!=0.5", "accuracy:0"})
        QVERIFY2(!std::get<RunQuery>(RunQuery::parse(QString::fromLatin1(query))).matches(unmeasured), query);
}

void TestRunFilter::accuracyIsNeverAnotherMetric() {
    RunRecord run = paperRun().record;
    run.config.loss.kind = LossKind::Mse;
    run.summary.testAccuracy.reset();
    run.summary.testRmse = 0.5;
    for (const char* query : {"accuracy>0", "accuracy<1", "accuracy:0.5"})
        QVERIFY2(!std::get<RunQuery>(RunQuery::parse(QString::fromLatin1(query))).matches(makeRunRow(run)), query);
    QVERIFY(std::holds_alternative<QueryError>(RunQuery::parse(QStringLiteral("accuracy>good"))));
}

void TestRunFilter::emptyQueryMatchesEverything() {
    const auto parsed = RunQuery::parse(QStringLiteral("   "));
    QVERIFY(std::get<RunQuery>(parsed).matchesAll());
    QVERIFY(std::get<RunQuery>(parsed).matches(paperRun()));
}

QTEST_APPLESS_MAIN(TestRunFilter)
#include "test_run_filter.moc"

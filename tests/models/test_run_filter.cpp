// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_filter.h"

#include "core/base/clock.h"
#include "widgets/style/format.h"

#include <QDateTime>
#include <QScopeGuard>
#include <QTest>
#include <cmath>

namespace test_run_filter {
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
    run.summary.samplesPerSecond = 10299.7;
    run.summary.activeSeconds = 3659.0;
    run.summary.peakBytes = 5'870'123;
    run.checkpointBytes = 10'460'000'000;
    run.lowestLoss = 0.0987654;
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
    void whatTheTableShowsIsFound_data();
    void whatTheTableShowsIsFound();
    void daysLeftAreWhole();
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
    row("lowest=0.09877", true);
    row("metric=98", true);
    row("metric=98%", true);
    row("metric<98", false);
    row("metric>0.9", true);
    row("speed=10300", true);
    row("speed=10,300", true);
    row("speed>10300", false);
    row("speed>10299.5", true); // finer than the table
    // Sizes and times with their units.
    row("memory=5.9M", true);
    row("memory=5.9MB", true);
    row("memory:5.9 mb", true);
    row("memory:\"5.9 MB\"", true);
    row("memory>10MB", false);
    row("memory>5.9 MB", false);
    row("memory>=5MiB", true); // 5 242 880
    row("memory>5.7MiB", false);
    row("memory<5.9 MB OR memory>1 GB", false);
    row("memory>1 MB seed:3", true);
    row("size=10.5GB", true);
    row("size>10.4G", true);
    row("size<1TB", true);
    row("seconds=1h", true); // shown as "1 h 0 min"
    row("seconds:1 h 0 min", true);
    row("seconds>1h", false);
    row("seconds>60 min 50 s", true);
    row("seconds<3700s warm", true);
    row("seconds>=1 h k:1", true); // k is a key, not a thousand
    row("seconds:60 min restart", true);
    row("days<5", false); // not in the trash
    row("note:\"second try\"", true);
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
    // As a Chinese keyboard types the signs.
    row("status：completed B＞＝256", true);
    row("lr＜1e-3", false);
    row("seed！＝3", false);
    row("（seed＝1 OR seed＝3） NOT tag：“tmp”", true);
    row("“warm up”", true);
    row("\"（12:30）\"", false); // in quotes as it stands
    row("or", false);            // only capitals are operators; "or" is a word, and this run has none
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
    row("memory>10XB", 7, 4);
    row("has:wings", 4, 5);
    row("has>note", 3, 1);
    row("id<=0b5c", 2, 2);
    row("tag<paper", 3, 1);
    row("()", 1, 1);
    row("status：", 7, 1);
    row("（seed:1", 0, 1);
    row("！tag", 0, 1);
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
    run.summary.testRmse = 1.5;
    const auto finds = [&](const char* query) {
        return std::get<RunQuery>(RunQuery::parse(QString::fromLatin1(query))).matches(makeRunRow(run));
    };
    for (const char* query : {"accuracy>0", "accuracy<1", "accuracy:1.5", "metric<150%"})
        QVERIFY2(!finds(query), query);
    QVERIFY(finds("metric=1.5")); // no per cent
    QVERIFY(std::holds_alternative<QueryError>(RunQuery::parse(QStringLiteral("accuracy>good"))));
}

/// Every text of a size or a time, as it stands in the table, finds its run, in each magnitude.
void TestRunFilter::whatTheTableShowsIsFound_data() {
    QTest::addColumn<QLocale>("locale");
    QTest::newRow("a point before decimals") << QLocale(QLocale::English, QLocale::UnitedStates);
    QTest::newRow("a comma") << QLocale(QLocale::English, QLocale::Germany);
}

void TestRunFilter::whatTheTableShowsIsFound() {
    QFETCH(QLocale, locale);
    const QLocale before;
    const auto back = qScopeGuard([&before] { QLocale::setDefault(before); });
    QLocale::setDefault(locale);
    for (const double value : {0.04, 9.94, 9.96, 59.6, 61.0, 999.0, 3599.7, 4321.0, 90'061.0, 999'499.0, 999'600.0,
                               12'345'678.0, 987'654'321.0, 5'123'456'789.0}) {
        RunRecord run = paperRun().record;
        run.summary.activeSeconds = value;
        run.summary.peakBytes = std::llround(value) + 1;
        run.summary.samplesPerSecond = value;
        const RunRow row = makeRunRow(run);
        for (const QString& query : {QStringLiteral("seconds=") + format::duration(value),
                                     QStringLiteral("memory=") + format::bytes(run.summary.peakBytes),
                                     QStringLiteral("speed=") + format::count(std::llround(value))}) {
            const auto parsed = RunQuery::parse(query);
            QVERIFY2(std::holds_alternative<RunQuery>(parsed), qPrintable(query));
            QVERIFY2(std::get<RunQuery>(parsed).matches(row), qPrintable(query));
        }
    }
}

void TestRunFilter::daysLeftAreWhole() {
    RunRecord run = paperRun().record;
    run.trashed = true;
    run.trashedAt = unixTime() - 86'400.0; // a moment later there are less than 29 days left: "29"
    const RunRow row = makeRunRow(run);
    for (const char* query : {"days=29", "days<30", "days>=29", "NOT days>29"})
        QVERIFY2(std::get<RunQuery>(RunQuery::parse(QString::fromLatin1(query))).matches(row), query);
}

void TestRunFilter::emptyQueryMatchesEverything() {
    const auto parsed = RunQuery::parse(QStringLiteral("   "));
    QVERIFY(std::get<RunQuery>(parsed).matchesAll());
    QVERIFY(std::get<RunQuery>(parsed).matches(paperRun()));
}

QTEST_APPLESS_MAIN(TestRunFilter)
} // namespace test_run_filter
#include "test_run_filter.moc"

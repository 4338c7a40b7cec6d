// SPDX-License-Identifier: GPL-3.0-or-later
// Settings as text: assignments are typed by the table, what is wrong says what is allowed, and values read back.
#include "core/config/config_fields.h"
#include "tests/unit/config/settings.h"

#include <QtTest>
#include <cmath>

namespace test_config_assignments {
using namespace accumulus;
using accumulus::test::anotherValue;

namespace {

QString words(const Status& status) { return status ? QString() : QString::fromStdString(describe(status.error())); }

} // namespace

class TestConfigAssignments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void setAndApplyAreTheSame() {
        for (const ConfigField& field : configFields()) {
            const FieldValue value = anotherValue(field, field.get({}));
            ExperimentConfig direct;
            QVERIFY2(setField(direct, field.key, value), field.key.c_str());
            ExperimentConfig assigned;
            const Status status = applyAssignment(assigned, field.key + "=" + fieldText(value));
            QVERIFY2(status, qPrintable(words(status)));
            QCOMPARE(assigned, direct);
            QVERIFY(direct != ExperimentConfig{});
        }
    }

    void assignmentsAreTypedByTheTable() {
        ExperimentConfig config;
        for (const char* text :
             {"batch.micro=16", " optimizer.lr = 1 ", "study.seeds=[0, 1,2]", "train.length=3 epochs",
              "data.path=/a b/c=d", "study.large_batch=true", "evaluate.every=\"1 update\"", "optimizer.name='adamw'",
              "study.name=", "schedule.warmup=1e"})
            if (const Status status = applyAssignment(config, text); !status)
                QCOMPARE(text, "schedule.warmup=1e");
        QCOMPARE(config.run.batch.micro, 16);
        QVERIFY(config.run.optimizer.lr == 1.0);
        QCOMPARE(config.study.seeds, (std::vector<std::int64_t>{0, 1, 2}));
        QCOMPARE(config.run.train.length, (Extent{3, Extent::Unit::Epochs}));
        QCOMPARE(config.run.data.path, std::string("/a b/c=d"));
        QVERIFY(config.study.largeBatch);
        QCOMPARE(config.run.evaluate.every, (Extent{1, Extent::Unit::Updates}));
        QCOMPARE(config.run.optimizer.name, OptimizerKind::AdamW);
    }

    void aRampIsAListOfPairs() {
        ExperimentConfig config;
        QVERIFY(applyAssignment(config, "batch.ramp=[[1, 128], [500,512],]"));
        QCOMPARE(config.run.batch.ramp, (BatchRamp{{1, 128}, {500, 512}}));
        const ConfigField& field = *findField("batch.ramp");
        QCOMPARE(fieldText(field.get(config)), std::string("[[1, 128], [500, 512]]"));
        QCOMPARE(configDifferences(config.run, {}),
                 (std::vector<FieldDifference>{{"batch.ramp", "[[1, 128], [500, 512]]", "[]", false}}));
        QVERIFY(applyAssignment(config, "batch.ramp=[]"));
        QCOMPARE(config, ExperimentConfig{});
        BatchRamp longest;
        for (std::int64_t update = 1; update <= 10000; ++update)
            longest.push_back({update, 32});
        QVERIFY(setField(config, "batch.ramp", longest));
        longest.push_back({10001, 32});
        QVERIFY(!setField(config, "batch.ramp", longest));
        QVERIFY(!setField(config, "batch.ramp", std::vector<std::int64_t>{1, 128}));
    }

    void wrongAssignmentsSayWhatIsAllowed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* text, const char* code, const char* part) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(code) << QString::fromUtf8(part);
        };
        row("batch.micro", "config.assignment", "--set batch.micro");
        row("=3", "config.assignment", "");
        row("", "config.assignment", "");
        row("batch.micr=3", "config.unknown-key", "batch.micro");
        row("lr=0.1", "config.unknown-key", "optimizer.lr");
        row("optimiser.lr=0.1", "config.unknown-key", "optimizer.lr");
        row("optimizer.name=lbfgs", "config.refused", "its closure sees the last micro-batch"); // T23
        row("loss.kind=contrastive", "config.refused", "compare the samples of a batch");       // T21
        row("optimizer.in_backward=true", "config.refused", "batch.lean");
        row("train.clip_value=0.5", "config.refused", "train.clip_norm");
        row("batch.micro=1.5", "config.value", "a real number is given");
        row("batch.micro=0", "config.value", "too small");
        row("batch.micro=", "config.value", "nothing is given");
        row("batch.micro=abc", "config.value", "whole number, 1 to 1\u00a0000\u00a0000\u00a0000");
        row("batch.micro=99999999999999999999", "config.value", "valid");
        row("batch.micro=9223372036854775807", "config.value", "too large");
        row("batch.micro=\"16\"", "config.value", "text is given");
        row("batch.micro=[1]", "config.value", "a list is given");
        row("batch.micro={a=1}", "config.value", "a table is given");
        row("batch.micro=2020-01-01", "config.value", "a date");
        row("batch.micro=3\nbatch.steps=4", "config.value", "control character");
        row("optimizer.lr=0", "config.value", "above 0");
        row("optimizer.lr=nan", "config.value", "not a finite number");
        row("optimizer.lr=inf", "config.value", "not a finite number");
        row("optimizer.lr=-inf", "config.value", "not a finite number");
        row("optimizer.lr=1e999", "config.value", "");
        row("optimizer.lr=fast", "config.value", "");
        row("optimizer.momentum=1", "config.value", "too large");
        row("optimizer.name=lamb", "config.value", "sgd | adam | adamw");
        row("study.large_batch=1", "config.value", "true or false");
        row("train.length=3", "config.value", "unit is missing");
        row("train.length=0 epochs", "config.value", "too small");
        row("train.length=-1 epochs", "config.value", "too small");
        row("train.length=3 parsecs", "config.value", "none of epochs");
        row("train.length=99999999999999999999 epochs", "config.value", "too large");
        row("train.length=epochs", "config.value", "begin with a whole number");
        row("train.length=3.5 epochs", "config.value", "");
        row("study.seeds=[]", "config.value", "empty");
        row("study.seeds=[1, 1]", "config.value", "twice");
        row("study.seeds=[-1]", "config.value", "too small");
        row("study.seeds=[0.5]", "config.value", "a list is given");
        row("study.seeds=3", "config.value", "a whole number is given");
        row("batch.ramp=128", "config.value", "a whole number is given");
        row("batch.ramp=[1, 128]", "config.value", "a list is given");
        row("batch.ramp=[[1, 128], [2]]", "config.value", "a list is given");
        row("batch.ramp=[[1, 128, 3]]", "config.value", "a list is given");
        row("batch.ramp=[[1, 128.0]]", "config.value", "a list is given");
        row("batch.ramp=[[1, [128]]]", "config.value", "such as [[1, 128], [500, 512]]");
        row("batch.ramp=[[0, 128]]", "config.value", "updates count from 1");
        row("batch.ramp=[[5, 128], [5, 256]]", "config.value", "must increase");
        row("batch.ramp=[[5, 128], [4, 256]]", "config.value", "must increase");
        row("batch.ramp=[[1, 0]]", "config.value", "too small");
        row("batch.ramp=[[1, -8]]", "config.value", "too small");
        row("batch.ramp=[[1, 1000000001]]", "config.value", "too large");
        row("batch.ramp=[[-9223372036854775808, 8]]", "config.value", "updates count from 1");
        row("data.resize=7", "config.value", "0, or 8 to 256");
        row("data.path=a\tb", "config.value", "control character");
        row("data.path=\"unclosed", "config.value", "valid");
    }
    void wrongAssignmentsSayWhatIsAllowed() {
        QFETCH(QString, text);
        QFETCH(QString, code);
        QFETCH(QString, part);
        ExperimentConfig config;
        const Status status = applyAssignment(config, text.toStdString());
        QVERIFY(!status);
        QCOMPARE(QString::fromStdString(status.error().code), code);
        QVERIFY2(words(status).contains(part), qPrintable(words(status)));
        QVERIFY2(!words(status).contains(QLatin1String("{")) || text.contains(QLatin1Char('{')),
                 qPrintable(words(status)));
        QCOMPARE(config, ExperimentConfig{}); // nothing was stored
    }

    void textsThatAreNoTextAreRefused() {
        ExperimentConfig config;
        for (const std::string text : {"\xFF", "a\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
            QVERIFY(!setField(config, "study.name", text));
            QVERIFY(!applyAssignment(config, "study.name=" + text));
            QVERIFY(!applyAssignment(config, text + "=1"));
        }
        QVERIFY(!setField(config, "study.name", std::string(5000, 'x')));
        QVERIFY(!setField(config, "study.name", std::string("a\0b", 3)));
        QVERIFY(!setField(config, "study.name", std::int64_t{3}));
        QCOMPARE(config, ExperimentConfig{});
    }

    void longGarbageIsCutInMessages() {
        ExperimentConfig config;
        const Status status = applyAssignment(config, std::string(100000, 'k') + "=" + std::string(100000, 'v'));
        QVERIFY(!status);
        QVERIFY(describe(status.error()).size() < 500);
    }

    void extentsReadBack() {
        for (const auto unit : {Extent::Unit::Updates, Extent::Unit::Samples, Extent::Unit::Epochs})
            for (const std::int64_t count : {0, 1, 2, 60000})
                QCOMPARE(*parseExtent(extentText({count, unit})), (Extent{count, unit}));
        QCOMPARE(extentText({1, Extent::Unit::Updates}), std::string("1 update"));
        QCOMPARE(*parseExtent("  3epochs "), (Extent{3, Extent::Unit::Epochs}));
        QVERIFY(!parseExtent(""));
        QVERIFY(!parseExtent("3 epochs or so"));
    }

    void realsReadBackBitForBit() {
        for (const double value : {0.1, 1.0, 1e-8, 1.0 / 3.0, 1e300, 5e-324, 123456789.0}) {
            const std::string text = fieldText(value);
            QVERIFY(std::strtod(text.c_str(), nullptr) == value);
            QVERIFY2(text.find_first_of(".e") != std::string::npos, text.c_str());
        }
        QCOMPARE(fieldText(1.0), std::string("1.0"));
        ExperimentConfig config;
        QVERIFY(setField(config, "train.clip_norm", -0.0));
        QVERIFY(!std::signbit(config.run.train.clipNorm));
    }
};

QTEST_APPLESS_MAIN(TestConfigAssignments)
} // namespace test_config_assignments
#include "test_config_assignments.moc"

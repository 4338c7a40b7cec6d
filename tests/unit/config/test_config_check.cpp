// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_check.h"

#include "core/config/config_fields.h"

#include <QtTest>

using namespace accumulus;

namespace {

constexpr std::int64_t mnist = 60000;

const Finding* find(const std::vector<Finding>& findings, std::string_view id) {
    const auto found = std::ranges::find(findings, id, &Finding::id);
    return found == findings.end() ? nullptr : &*found;
}

/// Settings as --set, on top of the defaults with a full last window so that no finding is there to begin with.
ExperimentConfig configOf(std::initializer_list<const char*> assignments) {
    ExperimentConfig config;
    config.run.batch.tail = TailPolicy::Carry;
    for (const char* assignment : assignments)
        if (!applyAssignment(config, assignment))
            qFatal("bad test: %s", assignment);
    return config;
}

} // namespace

class TestConfigCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSoundConfigurationHasNoFinding() {
        QVERIFY(checkConfig(configOf({}), mnist).empty());
        QVERIFY(requireValid(configOf({}), mnist));
        QVERIFY(requireValid(ExperimentConfig{}, 0));
    }

    void findings_data() {
        QTest::addColumn<QStringList>("assignments");
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("level");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("fixes");
        const auto row = [](const char* name, const QStringList& assignments, const char* id, FindingLevel level,
                            const char* key, const char* text, const QStringList& fixes) {
            QTest::newRow(name) << assignments << id << static_cast<int>(level) << key << text << fixes;
        };
        using enum FindingLevel;
        row("multiple", {"batch.effective=250"}, "B01", Error, "batch.effective",
            "Effective batch 250 is not a multiple of micro-batch 32.", {"use-upper", "use-lower", "allow-ragged"});
        row("multiple, steps given", {"batch.effective=250", "batch.steps=8"}, "B01", Error, "batch.effective",
            "Effective batch 250 is not a multiple of micro-batch 32.", {"use-upper", "use-lower", "allow-ragged"});
        row("micro above effective", {"batch.effective=16"}, "B01", Error, "batch.effective",
            "One micro-step takes 32 x 1 device(s) = 32 samples, more than the effective batch 16.",
            {"use-upper", "use-micro"});
        row("disagree", {"batch.steps=3"}, "B01", Error, "batch.steps",
            "Micro-batch 32 x 3 accumulation steps x 1 device(s) is 96, not the effective batch 128.",
            {"derive-steps", "use-product"});
        row("more than the data", {"batch.effective=70016"}, "B02", Error, "batch.effective",
            "Effective batch 70016 is larger than the training set (60000).", {"use-training-set"});
        row("more than the data, no divisor", {"batch.effective=70000", "batch.micro=7"}, "B02", Error,
            "batch.effective", "Effective batch 70000 is larger than the training set (60000).", {"use-training-set"});
        row("more than the data, derived", {"batch.effective=0", "batch.micro=7", "batch.steps=10000"}, "B02", Error,
            "batch.effective", "Effective batch 70000 is larger than the training set (60000).", {"use-training-set"});
        row("micro more than the data", {"batch.effective=70000", "batch.micro=70000"}, "B02", Error, "batch.effective",
            "Effective batch 70000 is larger than the training set (60000).", {"use-training-set"});
        row("tail applied", {"batch.effective=256", "batch.tail=apply"}, "B04", Info, "batch.tail",
            "Last window of each epoch has 96 of 256 samples.", {"tail-drop", "tail-carry"});
        row("tail dropped", {"batch.effective=256", "batch.tail=drop"}, "B04", Warning, "batch.tail",
            "Last window of each epoch has 96 of 256 samples.", {"tail-apply", "tail-carry"});
        row("tail leaking", {"batch.effective=256", "batch.tail=leak"}, "B04", Warning, "batch.tail",
            "Last window of each epoch has 96 of 256 samples.", {"tail-apply", "tail-drop", "tail-carry"});
        row("means of a ragged window", {"batch.effective=250", "batch.ragged=weight", "loss.normalise=mean-of-means"},
            "B05", Warning, "loss.normalise",
            "Loss is averaged per micro-batch; with unequal sizes this is not the batch mean.", {"normalise-samples"});
        row("warm-up", {"schedule.warmup=2000 updates", "batch.effective=256", "train.length=5 epochs"}, "O02", Error,
            "schedule.warmup", "Warm-up 2000 updates exceeds the 1171 updates of this run.",
            {"warmup-5-percent"}); // floor(300000 / 256)
        row("clipping", {"train.clip_norm=1"}, "O03", Info, "train.clip_norm",
            "Gradient clipping is applied once per update, after accumulation.", {});
        row("one seed", {"study.large_batch=true"}, "P01", Warning, "study.seeds", "1 seed: no verdict is possible.",
            {"five-seeds"});
        row("two seeds", {"study.large_batch=true", "study.seeds=[7,8]"}, "P01", Warning, "study.seeds",
            "2 seeds: no verdict is possible.", {"five-seeds"});
        row("image size", {"data.resize=64"}, "D02", Error, "data.resize",
            "data.resize = 64 does not go together with model.name = \"lenet5\".", {"resize-32", "use-mlp"});
        row("nothing left", {"data.train_limit=100", "data.validation=100", "batch.effective=32"}, "D03", Error,
            "data.validation", "data.validation = 100 does not go together with data.train_limit = 100.",
            {"no-validation"});
        row("devices", {"batch.devices=2"}, "D04", Error, "batch.devices",
            "batch.devices = 2 does not go together with a single process.", {"one-device"});
    }
    void findings() {
        QFETCH(QStringList, assignments);
        QFETCH(QString, id);
        QFETCH(int, level);
        QFETCH(QString, key);
        QFETCH(QString, text);
        QFETCH(QStringList, fixes);
        ExperimentConfig config = configOf({});
        for (const QString& assignment : assignments)
            QVERIFY(applyAssignment(config, assignment.toStdString()));
        const auto found = checkConfig(config, mnist);
        QCOMPARE(found.size(), std::size_t{1});
        const Finding& finding = found.front();
        QCOMPARE(QString::fromStdString(finding.id), id);
        QCOMPARE(static_cast<int>(finding.level), level);
        QCOMPARE(QString::fromStdString(finding.key), key);
        QCOMPARE(QString::fromStdString(finding.text), text);
        QVERIFY(findField(finding.key));
        QCOMPARE(bool(requireValid(config, mnist)), finding.level != FindingLevel::Error);
        QStringList ids;
        for (const Fix& fix : finding.fixes) {
            ids << QString::fromStdString(fix.id);
            ExperimentConfig mended = config;
            for (const std::string& assignment : fix.assignments)
                QVERIFY2(applyAssignment(mended, assignment), assignment.c_str());
            QVERIFY2(mended != config, fix.id.c_str()); // a fix changes something ...
            const auto left = checkConfig(mended, mnist);
            const Finding* same = find(left, finding.id);
            const bool chosen = id == QLatin1String("B04"); // ... and mends, unless the short window itself is chosen
            QVERIFY2(!same || chosen, fix.id.c_str());
            QVERIFY2(requireValid(mended, mnist), fix.id.c_str());
        }
        QCOMPARE(ids, fixes);
    }

    void requireValidNamesTheError() {
        const auto status = requireValid(configOf({"batch.effective=250"}), mnist);
        QVERIFY(!status);
        QCOMPARE(status.error().code, std::string("config.batch.multiple"));
        QCOMPARE(
            describe(status.error()),
            std::string(
                "Effective batch 250 is not a multiple of micro-batch 32. One micro-step takes 32 x 1 device(s) = 32 "
                "samples. Use 256 or 224, or set batch.ragged = \"weight\"."));
        QCOMPARE(exitCode(status.error()), 2);
    }

    void valuesOutOfRangeAreFound() {
        ExperimentConfig config = configOf({});
        config.run.batch.micro = -3; // a form or a library may bypass setField
        config.run.optimizer.lr = std::numeric_limits<double>::quiet_NaN();
        config.study.seeds.clear();
        const auto findings = checkConfig(config, mnist);
        QCOMPARE(findings.size(), std::size_t{3});
        for (const Finding& finding : findings) {
            QCOMPARE(finding.id, std::string("V01"));
            for (const std::string& assignment : finding.fixes.front().assignments)
                QVERIFY(applyAssignment(config, assignment));
        }
        QVERIFY(requireValid(config, mnist));
    }

    void anUnknownDataSizeIsNotJudged() {
        const auto findings = checkConfig(configOf({"batch.effective=70016", "batch.tail=apply"}), 0);
        QVERIFY(!find(findings, "B02") && !find(findings, "B04"));
        QVERIFY(!find(checkConfig(configOf({"schedule.warmup=9 epochs"}), 0), "O02"));
        QVERIFY(find(checkConfig(configOf({"schedule.warmup=9 updates", "train.length=8 updates"}), 0), "O02"));
        QVERIFY(!find(checkConfig(configOf({"schedule.warmup=8 updates", "train.length=8 updates"}), 0), "O02"));
    }

    void equalSizesNeedNoWeighting() {
        // 60000 = 468 x 128 + 3 x 32: the short window is short in micro-batches, not in their size.
        QVERIFY(!find(checkConfig(configOf({"loss.normalise=mean-of-means", "batch.tail=apply"}), mnist), "B05"));
        QVERIFY(!find(checkConfig(configOf({"loss.normalise=sum-of-means"}), 60001), "B05")); // carried, so always full
        QVERIFY(find(checkConfig(configOf({"loss.normalise=sum-of-means", "batch.tail=apply"}), 60001), "B05"));
        QVERIFY(!find(checkConfig(configOf({"batch.effective=250", "batch.ragged=weight"}), mnist), "B05"));
    }

    void errorsComeFirst() {
        const auto findings = checkConfig(
            configOf({"train.clip_norm=1", "study.large_batch=true", "data.resize=64", "batch.tail=apply"}), mnist);
        QVERIFY(std::ranges::is_sorted(findings, std::ranges::greater{}, &Finding::level));
        QCOMPARE(findings.front().id, std::string("D02"));
        QCOMPARE(findings.back().id, std::string("O03"));
        QCOMPARE(findings.size(), std::size_t{4});
    }

    void everySizeOfImageThatLeNetTakes() {
        for (const char* size : {"data.resize=0", "data.resize=28", "data.resize=32"})
            QVERIFY(requireValid(configOf({size}), mnist));
        QVERIFY(requireValid(configOf({"data.resize=64", "model.name=mlp"}), mnist));
    }
};

QTEST_APPLESS_MAIN(TestConfigCheck)
#include "test_config_check.moc"

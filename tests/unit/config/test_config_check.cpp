// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_check.h"

#include "core/config/config_fields.h"

#include <QtTest>

namespace test_config_check {
using namespace accumulus;

namespace {
constexpr std::int64_t mnist = 60000;
constexpr MachineFeatures modern{.fastBf16 = true, .fastFp16 = true};
constexpr MachineFeatures old{};
constexpr MachineFeatures withGpu{.cuda = true};

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
            "The last window of each epoch has 96 of 256 samples.", {"tail-drop", "tail-carry"});
        row("tail dropped", {"batch.effective=256", "batch.tail=drop"}, "B04", Warning, "batch.tail",
            "The last window of each epoch has 96 of 256 samples.", {"tail-apply", "tail-carry"});
        row("tail leaking", {"batch.effective=256", "batch.tail=leak"}, "B04", Warning, "batch.tail",
            "The last window of each epoch has 96 of 256 samples.", {"tail-apply", "tail-drop", "tail-carry"});
        row("means of a ragged window", {"batch.effective=250", "batch.ragged=weight", "loss.normalise=mean-of-means"},
            "B05", Warning, "loss.normalise",
            "The loss is averaged per micro-batch; with unequal sizes this is not the mean of the batch.",
            {"normalise-samples"});
        row("warm-up", {"schedule.warmup=2000 updates", "batch.effective=256", "train.length=5 epochs"}, "O02", Error,
            "schedule.warmup", "A warm-up of 2000 updates does not fit into this run, which makes 1171.",
            {"warmup-5-percent"}); // floor(300000 / 256)
        row("clipping", {"train.clip_norm=1"}, "O03", Info, "train.clip_norm",
            "Gradient clipping is applied once per update, after accumulation.", {});
        row("one seed", {"study.large_batch=true"}, "P01", Warning, "study.seeds",
            "A verdict needs at least 3 seeds; this study has 1, the seed with the number 0. Each number is one seed, "
            "as "
            "in 0, 1, 2.",
            {"five-seeds"});
        row("a number of seeds", {"study.large_batch=true", "study.seeds=[4]"}, "P01", Warning, "study.seeds",
            "A verdict needs at least 3 seeds; this study has 1, the seed with the number 4. Each number is one seed, "
            "as "
            "in 0, 1, 2.",
            {"that-many-seeds", "five-seeds"});
        row("two seeds", {"study.large_batch=true", "study.seeds=[7,8]"}, "P01", Warning, "study.seeds",
            "A verdict needs at least 3 seeds; this study has 2.", {"five-seeds"});
        row("few test samples", {"study.large_batch=true", "study.seeds=[0,1,2]", "data.test_limit=100"}, "P03",
            Warning, "data.test_limit",
            "A single prediction changes final test accuracy by 1 points, more than the margin of ±0.2 points: no "
            "result could show equivalence within it.",
            {"whole-test-set", "use-loss"});
        row("image size", {"data.resize=64"}, "D02", Error, "data.resize",
            "data.resize = 64 cannot be combined with model.name = \"lenet5\".", {"resize-32", "use-mlp"});
        row("nothing left", {"data.train_limit=100", "data.validation=100", "batch.effective=32"}, "D03", Error,
            "data.validation", "data.validation = 100 cannot be combined with data.train_limit = 100.",
            {"no-validation"});
        row("ramp, multiple", {"batch.ramp=[[5, 256], [9, 300]]"}, "B01", Error, "batch.ramp",
            "Effective batch 300, which batch.ramp asks for from update 9 on, is not a multiple of micro-batch 32.",
            {"use-upper", "use-lower", "allow-ragged"});
        row("ramp, below the micro-batch", {"batch.ramp=[[5, 16]]"}, "B01", Error, "batch.ramp",
            "One micro-step takes 32 x 1 device(s) = 32 samples, more than the effective batch 16 that batch.ramp asks "
            "for from update 5 on.",
            {"use-upper", "allow-ragged"});
        row("ramp, more than the data", {"batch.ramp=[[5, 70016], [9, 256], [12, 65536]]"}, "B02", Error, "batch.ramp",
            "Effective batch 70016 is larger than the training set (60000).", {"use-training-set"});
        row("ramp and batch, more than the data", {"batch.effective=70016", "batch.ramp=[[5, 80000]]"}, "B02", Error,
            "batch.effective", "Effective batch 80000 is larger than the training set (60000).", {"use-training-set"});
        row("ramp, steps", {"batch.ramp=[[1, 256]]", "batch.steps=4"}, "B01", Error, "batch.steps",
            "Micro-batch 32 x 4 accumulation steps x 1 device(s) is 128, not the effective batch 256.",
            {"derive-steps"});
        row("means of a ramp", {"batch.ramp=[[5, 250]]", "batch.ragged=weight", "loss.normalise=mean-of-means"}, "B05",
            Warning, "loss.normalise",
            "The loss is averaged per micro-batch; with unequal sizes this is not the mean of the batch.",
            {"normalise-samples"});
        row("BatchNorm", {"model.name=resnet18"}, "B03", Warning, "model.norm",
            "BatchNorm uses the statistics of each micro-batch (32), not of 128. Arms will differ by design.",
            {"norm-group", "norm-frozen", "keep-norm", "ghost-control"});
        row("BatchNorm, pooled", {"model.name=resnet50", "numerics.batch_norm=pooled"}, "B03", Warning, "model.norm",
            "BatchNorm uses the statistics of each micro-batch (32), not of 128. Arms will differ by design.",
            {"norm-group", "norm-frozen", "keep-norm", "ghost-control"});
        row("BatchNorm, single samples", {"model.name=resnet18", "batch.micro=1"}, "B08", Warning, "batch.micro",
            "BatchNorm normalises each sample by itself: one sample has hardly any statistics, and none where a layer "
            "sees single values.",
            {"norm-group", "norm-frozen"});
        row("text for an image model", {"data.dataset=tinyshakespeare"}, "D05", Error, "model.name",
            "lenet5 cannot take text.", {"use-model"});
        row("images for a transformer", {"model.name=bert-mini"}, "D05", Error, "model.name",
            "bert-mini cannot take images.", {"use-model", "use-text"});
        row("augmented text", {"data.dataset=tinyshakespeare", "model.name=char-gpt", "data.augment=crop-flip"}, "D06",
            Warning, "data.augment", "Augmentation is for images; text is used unchanged.", {"no-augment"});
        row("heads", {"data.dataset=tinyshakespeare", "model.name=char-gpt", "model.heads=12"}, "D07", Error,
            "model.heads", "model.heads = 12 does not fit char-gpt.", {"use-heads", "use-width"});
        row("bf16 sum", {"numerics.accumulator=bf16"}, "N02", Warning, "numerics.accumulator",
            "A sum in bf16 has 8 significant bits: it stalls after 256 equal gradients and rounds long before that.",
            {"accumulator-auto"});
        row("scale of a window", {"numerics.precision=fp16"}, "N01", Warning, "numerics.precision",
            "FP16 shares one loss scale over the window: what overflows is computed again at a lower scale, and where "
            "no scale helps, the whole update is skipped.",
            {"use-bf16"});
        row("fixed scale", {"numerics.precision=fp16", "numerics.loss_scale=\"1024\""}, "N01", Warning,
            "numerics.precision", "FP16 with a fixed scale shared over the window: an overflow skips the whole update.",
            {"use-bf16"});
        row("sum of another format", {"numerics.precision=fp64", "numerics.accumulator=fp32"}, "N05", Error,
            "numerics.accumulator",
            "numerics.accumulator = fp32 cannot be combined with numerics.precision = \"fp64\".", {"accumulator-auto"});
        for (const char* scale : {"high", "0", "-1024", "inf", "nan", "", "1024x", "1e999"})
            row(qPrintable(QStringLiteral("loss scale ") + QString::fromUtf8(scale)),
                {"numerics.precision=fp16", QStringLiteral("numerics.loss_scale=\"%1\"").arg(QString::fromUtf8(scale))},
                "N03", Error, "numerics.loss_scale",
                qPrintable(QStringLiteral("numerics.loss_scale = \"%1\" is not allowed: it is neither dynamic nor a "
                                          "positive number.")
                               .arg(QString::fromUtf8(scale))),
                {"scale-dynamic"});
        for (const char* scale : {"1e300", "1e-60"})
            row(scale, {"numerics.precision=fp16", QStringLiteral("numerics.loss_scale=\"%1\"").arg(scale)}, "N03",
                Error, "numerics.loss_scale",
                qPrintable(QStringLiteral("numerics.loss_scale = \"%1\" is not allowed: fp32, in which the loss is "
                                          "multiplied, cannot hold it.")
                               .arg(scale)),
                {"scale-dynamic"});
        row("memory limit", {"device.memory_limit=2 TiB"}, "M03", Error, "device.memory_limit",
            "device.memory_limit = 2 TiB is not allowed: the unit is none of B, KiB, MiB, GiB, kB, MB and GB.",
            {"no-limit"});
        row("lean lanes", {"batch.lean=true", "device.lanes=4"}, "M04", Info, "batch.lean",
            "Lean accumulation runs on one lane; the 4 lanes asked for are not used.", {"one-lane"});
        row("no GPU", {"device.kind=cuda:1"}, "D08", Error, "device.kind",
            "device.kind = cuda:1 cannot be combined with this build.", {"use-cpu"});
        for (const char* other : {"batch.lean=true", "numerics.nonfinite=skip-micro"})
            row(qPrintable(QStringLiteral("graphs and ") + QLatin1String(other)),
                {"device.capture=on", QLatin1String(other)}, "D09", Error, "device.capture",
                qPrintable(QStringLiteral("device.capture = on cannot be combined with ") +
                           (QLatin1String(other).startsWith(QLatin1String("batch"))
                                ? QStringLiteral("batch.lean = true.")
                                : QStringLiteral("numerics.nonfinite = \"skip-micro\"."))),
                {"capture-auto"});
        row("graphs and pooled BatchNorm",
            {"device.capture=on", "model.name=resnet18", "numerics.batch_norm=pooled", "batch.effective=32"}, "D09",
            Error, "device.capture", "device.capture = on cannot be combined with numerics.batch_norm = \"pooled\".",
            {"capture-auto"});
        row("devices", {"batch.devices=2"}, "D04", Error, "batch.devices",
            "batch.devices = 2 cannot be combined with a single process.", {"one-device"});
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
        const auto found = checkConfig(config, mnist, modern);
        QCOMPARE(found.size(), std::size_t{1});
        const Finding& finding = found.front();
        QCOMPARE(QString::fromStdString(finding.id), id);
        QCOMPARE(static_cast<int>(finding.level), level);
        QCOMPARE(QString::fromStdString(finding.key), key);
        QCOMPARE(QString::fromStdString(messageText(finding.message)), text);
        QVERIFY(findField(finding.key));
        QCOMPARE(bool(requireValid(config, mnist, modern)), finding.level != FindingLevel::Error);
        QStringList ids;
        for (const Fix& fix : finding.fixes) {
            ids << QString::fromStdString(fix.id);
            if (fix.id == "keep-norm") { // what is confirmed is no setting
                QVERIFY(fix.assignments.empty());
                continue;
            }
            ExperimentConfig mended = config;
            for (const std::string& assignment : fix.assignments)
                QVERIFY2(applyAssignment(mended, assignment), assignment.c_str());
            QVERIFY2(mended != config, fix.id.c_str()); // a fix changes something ...
            const auto left = checkConfig(mended, mnist, modern);
            const Finding* same = find(left, finding.id);
            const bool chosen = id == QLatin1String("B04"); // ... and mends, unless the short window itself is chosen
            QVERIFY2(!same || chosen, fix.id.c_str());
            QVERIFY2(requireValid(mended, mnist, modern), fix.id.c_str());
        }
        QCOMPARE(ids, fixes);
    }

    // checkConfig cannot know what a file holds; who has looked into it can.
    void batchNormOfANetworkFromAFile() {
        const ExperimentConfig config = configOf({"model.name=file", "model.path=net.pt"});
        QVERIFY(!find(checkConfig(config, mnist, modern), "B03"));
        const auto findings = checkFoundBatchNorm(config);
        QCOMPARE(findings.size(), std::size_t{1});
        QCOMPARE(findings[0].id, std::string("B03"));
        QCOMPARE(findings[0].key, std::string("numerics.batch_norm"));
        QCOMPARE(findings[0].fixes.size(), std::size_t{3});
        QCOMPARE(findings[0].fixes[0].id, std::string("norm-frozen"));
        QCOMPARE(findings[0].fixes[1].id, std::string("keep-norm"));
        QCOMPARE(findings[0].fixes[2].id, std::string("ghost-control"));
        for (const Fix& fix : findings[0].fixes) {
            if (fix.assignments.empty())
                continue;
            ExperimentConfig mended = config;
            for (const std::string& assignment : fix.assignments)
                QVERIFY(applyAssignment(mended, assignment));
            QVERIFY(checkFoundBatchNorm(mended).empty());
        }
        QCOMPARE(checkFoundBatchNorm(configOf({"model.name=file", "batch.micro=1"})).front().id, std::string("B08"));
        QVERIFY(checkFoundBatchNorm(configOf({"model.name=resnet18"})).empty()); // checkConfig has said it
    }

    void batchNormIsNoMatterWhereNothingDiffers() {
        for (const std::vector<const char*>& settings :
             {std::vector<const char*>{"batch.micro=128"},
              {"model.norm=group"},
              {"numerics.batch_norm=frozen"},
              {"study.ghost=true", "study.large_batch=true", "study.seeds=[0,1,2]"}}) {
            ExperimentConfig config = configOf({"model.name=resnet18"});
            for (const char* setting : settings)
                QVERIFY(applyAssignment(config, setting));
            QVERIFY(!find(checkConfig(config, mnist, modern), "B03"));
        }
        // A ramp makes windows of several micro-batches; the control needs a partner.
        QVERIFY(find(checkConfig(configOf({"model.name=resnet18", "batch.micro=128", "batch.ramp=[[9,256]]"}), mnist),
                     "B03"));
        QVERIFY(find(checkConfig(configOf({"model.name=resnet18", "study.ghost=true"}), mnist), "B03"));
        QVERIFY(find(checkConfig(configOf({"model.name=resnet18", "numerics.ghost=1"}), mnist), "B08"));
        QVERIFY(
            !find(checkConfig(configOf({"model.name=resnet18", "batch.micro=1", "numerics.batch_norm=frozen"}), mnist),
                  "B08"));
    }

    void sixteenBitsAreSlowWithoutInstructions() {
        for (const char* precision : {"numerics.precision=bf16", "numerics.precision=fp16"}) {
            const ExperimentConfig config = configOf({precision});
            QVERIFY(!find(checkConfig(config, mnist, modern), "N04"));
            QVERIFY(!find(checkConfig(config, mnist, withGpu), "N04")); // auto takes the GPU
            const auto findings = checkConfig(config, mnist, old);
            QVERIFY(find(findings, "N04"));
            QCOMPARE(find(findings, "N04")->fixes.front().assignments,
                     std::vector<std::string>{"numerics.precision=fp32"});
            QVERIFY(find(checkConfig(configOf({precision, "device.kind=cpu"}), mnist, withGpu), "N04"));
        }
        const ExperimentConfig config = configOf({"numerics.precision=bf16"});
        QVERIFY(find(checkConfig(config, mnist, old), "N04")->level == FindingLevel::Warning);
        const MachineFeatures rounds{.vectors = true}; // products in fp32
        QVERIFY(find(checkConfig(config, mnist, rounds), "N04")->level == FindingLevel::Info);
        const MachineFeatures onlyBf16{.fastBf16 = true};
        QVERIFY(!find(checkConfig(configOf({"numerics.precision=bf16"}), mnist, onlyBf16), "N04"));
        QVERIFY(find(checkConfig(configOf({"numerics.precision=fp16"}), mnist, onlyBf16), "N04"));
        QVERIFY(!find(checkConfig(configOf({}), mnist, old), "N04"));
        QVERIFY(!find(checkConfig(configOf({"device.kind=cuda"}), mnist, withGpu), "D08"));
        // The CPU has no graphs to refuse, and auto leaves them where they cannot be.
        for (const char* ok : {"device.kind=cpu", "device.capture=auto", "batch.lean=false"})
            QVERIFY(!find(checkConfig(configOf({"device.capture=on", "batch.lean=true", ok}), mnist, withGpu), "D09"));
        QVERIFY(!find(checkConfig(configOf({"device.capture=on"}), mnist, withGpu), "D15"));
        QVERIFY(find(checkConfig(configOf({"device.capture=on"}), mnist, old), "D15")->level == FindingLevel::Info);
    }

    // A single process cannot be two; who starts ranks, or is one of them, can.
    void severalDevicesNeedRanks() {
        ExperimentConfig config;
        config.run.batch.devices = 2;
        const Status alone = requireValid(config, 60000, MachineFeatures{});
        QVERIFY(!alone);
        const QString said = QString::fromStdString(describe(alone.error()));
        QVERIFY2(said.contains(QStringLiteral("mpirun -n 2 accumulus-cli run")), qPrintable(said));
        QVERIFY(requireValid(config, 60000, MachineFeatures{.ranks = 2}));
        QVERIFY(requireValid(config, 60000, MachineFeatures{.launchesRanks = true}));
    }

    void aLossScaleIsDynamicOrANumber() {
        for (const char* scale : {"dynamic", "1024", "1", "0.5", "65536.0", "1e3"}) {
            ExperimentConfig config = configOf({"numerics.precision=fp16"});
            config.run.numerics.lossScale = scale;
            QVERIFY2(requireValid(config, mnist, modern), scale);
        }
        QVERIFY(requireValid(configOf({"numerics.loss_scale=high"}), mnist, modern)); // not asked under fp32
    }

    // 1000 = 31 x 32 + 8: with drop_last 992 samples are trained on.
    void whatIsLeftOutIsNotTrainedOn() {
        QVERIFY(!find(checkConfig(configOf({"data.drop_last=true", "batch.effective=992"}), 1000), "B02"));
        const auto findings =
            checkConfig(configOf({"data.drop_last=true", "batch.effective=1000", "batch.ragged=weight"}), 1000);
        QVERIFY(find(findings, "B02"));
        QCOMPARE(find(findings, "B02")->fixes.front().assignments, std::vector<std::string>{"batch.effective=992"});
        QVERIFY(find(checkConfig(configOf({"data.drop_last=true", "batch.effective=1024", "batch.micro=1024"}), 1000),
                     "B02"));
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
} // namespace test_config_check
#include "test_config_check.moc"

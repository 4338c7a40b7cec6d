// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/config/model_rows.h"
#include "tests/unit/config/settings.h"

#include <QtTest>
#include <limits>
#include <set>
#include <tuple>

using namespace accumulus;
using accumulus::test::anotherValue;
using accumulus::test::everythingChanged;

namespace {

// All members of each section. A member added to the header does not compile here until it is added, and then needs a
// row to pass.
auto members(const DataConfig& config) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = config;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}
auto members(const ModelConfig& config) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = config;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
}
auto members(const BatchConfig& config) {
    const auto& [a, b, c, d, e, f, g, h] = config;
    return std::tie(a, b, c, d, e, f, g, h);
}
auto members(const LossConfig& config) {
    const auto& [a, b, c, d, e] = config;
    return std::tie(a, b, c, d, e);
}
auto members(const OptimizerConfig& config) {
    const auto& [a, b, c, d, e, f, g, h, i, j] = config;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
}
auto members(const ScheduleConfig& config) {
    const auto& [a, b, c, d, e] = config;
    return std::tie(a, b, c, d, e);
}
auto members(const TrainConfig& config) {
    const auto& [a, b] = config;
    return std::tie(a, b);
}
auto members(const NumericsConfig& config) {
    const auto& [a, b, c, d, e, f, g, h, i] = config;
    return std::tie(a, b, c, d, e, f, g, h, i);
}
auto members(const DeviceConfig& config) {
    const auto& [a, b, c, d, e, f] = config;
    return std::tie(a, b, c, d, e, f);
}
auto members(const ParallelConfig& config) {
    const auto& [a, b] = config;
    return std::tie(a, b);
}
auto members(const EvaluateConfig& config) {
    const auto& [a] = config;
    return std::tie(a);
}
auto members(const CheckpointConfig& config) {
    const auto& [a, b, c, d] = config;
    return std::tie(a, b, c, d);
}
auto members(const ProbeConfig& config) {
    const auto& [a] = config;
    return std::tie(a);
}
auto members(const StudyConfig& config) {
    const auto& [a, b, c, d, e, f] = config;
    return std::tie(a, b, c, d, e, f);
}

auto sections(const ExperimentConfig& config) {
    const auto& [run, study] = config;
    const auto& [data, model, batch, loss, optimizer, schedule, train, numerics, device, parallel, evaluate, checkpoint,
                 probe] = run;
    return std::tie(data, model, batch, loss, optimizer, schedule, train, numerics, device, parallel, evaluate,
                    checkpoint, probe, study);
}

template <class Tuple>
std::size_t differing(const Tuple& a, const Tuple& b) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return ((std::get<I>(a) != std::get<I>(b) ? std::size_t{1} : std::size_t{0}) + ... + 0);
    }
    (std::make_index_sequence<std::tuple_size_v<Tuple>>{});
}

struct MemberCount {
    std::size_t all = 0;
    std::size_t differing = 0;
};

template <class Section>
void countMembers(MemberCount& count, const Section& a, const Section& b) {
    const auto left = members(a);
    count.all += std::tuple_size_v<std::remove_const_t<decltype(left)>>;
    count.differing += differing(left, members(b));
}

QString words(const Status& status) { return status ? QString() : QString::fromStdString(describe(status.error())); }

} // namespace

class TestConfigFields : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMemberHasARow() {
        const ExperimentConfig changed = everythingChanged();
        const ExperimentConfig defaults;
        const auto a = sections(changed);
        const auto b = sections(defaults);
        MemberCount count;
        [&]<std::size_t... I>(std::index_sequence<I...>) { (countMembers(count, std::get<I>(a), std::get<I>(b)), ...); }
        (std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(a)>>>{});
        QCOMPARE(count.differing, count.all);
        QCOMPARE(configFields().size(), count.all);
    }

    void everyRowIsWhole() {
        const ExperimentConfig defaults;
        std::set<std::string> keys;
        for (const ConfigField& field : configFields()) {
            const char* name = field.key.c_str();
            QVERIFY2(keys.insert(field.key).second, name);
            QCOMPARE(std::ranges::count(field.key, '.'), 1);
            QVERIFY2(!field.help.empty() && !field.details.empty(), name);
            QVERIFY2(!QString::fromStdString(field.help).contains(QLatin1Char('\n')), name);
            QVERIFY2(checkFieldValue(field, field.get(defaults)), name); // each default is allowed
            QVERIFY2(!allowedText(field).empty(), name);
            QVERIFY2((field.type == FieldType::Choice) == (field.choices.size() >= 2), name);
            for (const std::string& other : field.dependsOn)
                QVERIFY2(findField(other), name);
            QCOMPARE(findField(field.key), &field);
            QCOMPARE(nearestKey(field.key), field.key);
        }
    }

    void everyChoiceOfEveryRowCanBeSetAndRead() {
        for (const ConfigField& field : configFields())
            for (const std::string& choice : field.choices) {
                ExperimentConfig config;
                QVERIFY(setField(config, field.key, choice));
                QCOMPARE(std::get<std::string>(field.get(config)), choice);
            }
        ExperimentConfig config;
        QVERIFY(setField(config, "batch.tail", std::string("leak")));
        QCOMPARE(config.run.batch.tail, TailPolicy::Leak);
        QVERIFY(setField(config, "loss.normalise", std::string("sum-of-means")));
        QCOMPARE(config.run.loss.normalise, Normalise::SumOfMeans);
        QVERIFY(setField(config, "numerics.nonfinite", std::string("skip-micro")));
        QCOMPARE(config.run.numerics.nonfinite, NonfinitePolicy::SkipMicro);
        QVERIFY(setField(config, "numerics.precision", std::string("bf16")));
        QCOMPARE(config.run.numerics.precision, Precision::Bf16);
        QVERIFY(setField(config, "numerics.batch_norm", std::string("frozen")));
        QCOMPARE(config.run.numerics.batchNorm, BatchNormMode::Frozen);
        QVERIFY(setField(config, "device.on_oom", std::string("stop")));
        QCOMPARE(config.run.device.onOom, OnOutOfMemory::Stop);
    }

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
        row("batch.micro=abc", "config.value", "whole number, 1 to 1000000000");
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

    void settingsThatDoNotMatterSaySo() {
        ExperimentConfig config;
        QVERIFY(findField("optimizer.momentum")->applies(config));
        QVERIFY(!findField("optimizer.beta1")->applies(config));
        QVERIFY(!findField("model.init_std")->applies(config));
        config.run.optimizer.name = OptimizerKind::Adam;
        config.run.model.init = "normal";
        QVERIFY(!findField("optimizer.momentum")->applies(config));
        QVERIFY(findField("optimizer.beta1")->applies(config));
        QVERIFY(findField("model.init_std")->applies(config));
        // The best weights are chosen on validation samples alone, so without them there are none.
        const ConfigField& best = *findField("checkpoint.best");
        QVERIFY(!best.applies(config) && best.help.find("validation samples") != std::string::npos);
        config.run.data.validation = 100;
        QVERIFY(best.applies(config));
    }

    void differencesTellExpectedFromUnexpected() {
        RunConfig a;
        RunConfig b;
        b.batch.micro = 128;
        b.optimizer.lr = 0.02;
        b.optimizer.beta1 = 0.8; // does not matter under sgd
        const std::vector<FieldDifference> expected = {{"batch.micro", "32", "128", true},
                                                       {"optimizer.lr", "0.01", "0.02", false}};
        QVERIFY(configDifferences(a, b) == expected);
        QVERIFY(configDifferences(a, a).empty());
        b.optimizer.name = OptimizerKind::Adam;
        QVERIFY(std::ranges::any_of(configDifferences(a, b),
                                    [](const auto& difference) { return difference.key == "optimizer.beta1"; }));
    }

    void hashesSeeWhatTheyShould() {
        const RunConfig defaults;
        const std::set<std::string> free = {
            "batch.micro",         "batch.steps",      "batch.devices", "batch.ragged",   "batch.lean",
            "data.drop_multiple",  "numerics.ghost",   "device.lanes",  "device.threads", "device.on_oom",
            "device.memory_limit", "device.capture",   "parallel.mode", "parallel.order", "probe.parameter",
            "optimizer.lr_batch",  "optimizer.lr_rule"};
        for (const ConfigField& field : configFields()) {
            ExperimentConfig config;
            field.set(config, anotherValue(field, field.get(config)));
            const bool study = field.key.starts_with("study.");
            const bool note = field.key == "optimizer.lr_batch" || field.key == "optimizer.lr_rule";
            QVERIFY2((configHash(config.run, 0) == configHash(defaults, 0)) == (study || note), field.key.c_str());
            QVERIFY2((pairHash(config.run, 0) == pairHash(defaults, 0)) == (study || free.contains(field.key)),
                     field.key.c_str());
        }
        // As they stand in libraries: pairs and audits are found by them.
        QCOMPARE(configHash(defaults, 0), std::string("553d0e5e8a1ebe77edda7b2e8f238d59"));
        QCOMPARE(pairHash(defaults, 0), std::string("a1e6a3f2adca1220318b96d31ce9a1ab"));
        QVERIFY(configHash(defaults, 0) != configHash(defaults, 1));
        QVERIFY(pairHash(defaults, 0) != pairHash(defaults, 1));
        QVERIFY(pairHash(defaults, 0) != configHash(defaults, 0));
    }

    void aDerivedEffectiveBatchStillTellsPairsApart() {
        RunConfig given; // 128 = 32 x 4
        RunConfig derived;
        derived.batch.effective = 0;
        derived.batch.steps = 4;
        RunConfig larger = derived;
        larger.batch.steps = 8;
        QCOMPARE(pairHash(derived, 0), pairHash(given, 0));
        QVERIFY(pairHash(larger, 0) != pairHash(given, 0));
    }

    void partnersLeaveOutTheSameSamples() {
        RunConfig accumulated; // an epoch is cut to a multiple of 32
        accumulated.data.dropLast = true;
        RunConfig large = accumulated;
        large.batch.micro = 128;
        QVERIFY(pairHash(large, 0) != pairHash(accumulated, 0)); // to a multiple of 128: other samples
        large.data.dropMultiple = 32;
        QCOMPARE(pairHash(large, 0), pairHash(accumulated, 0));
    }

    /// A row that names a setting which does not exist, or which does not ask the row, would be without effect.
    void modelsAndDataSetsDescribeThemselves() {
        const auto check = [](const auto& row, const char* chooser) {
            ExperimentConfig config;
            QVERIFY(setField(config, chooser, std::string(row.name)));
            QVERIFY(!row.title.empty() && !row.description.empty());
            for (const std::string_view key : row.settings) {
                const ConfigField* field = findField(key);
                QVERIFY2(field && field->dependsOn == std::vector<std::string>{chooser}, key.data());
                QVERIFY2(field->applies(config), key.data());
            }
            for (const ConfigField& field : configFields())
                if (field.dependsOn == std::vector<std::string>{chooser})
                    QCOMPARE(field.applies(config), std::ranges::find(row.settings, field.key) != row.settings.end());
            QVERIFY(findField(chooser)->details.find(row.description) != std::string::npos);
        };
        for (const ModelRow& row : modelRows)
            check(row, "model.name");
        for (const DatasetRow& row : datasetRows)
            check(row, "data.dataset");
        QCOMPARE(findField("model.name")->choices.size(), modelRows.size());
        ModelConfig named;
        named.name = "resnet18";
        QCOMPARE(modelTitle(named), std::string("ResNet-18"));
        named.name = "of-another-version";
        QCOMPARE(modelTitle(named), named.name);
        DataConfig text;
        text.dataset = "tinyshakespeare";
        QVERIFY(isText(text) && !isText({}));
    }
};

QTEST_APPLESS_MAIN(TestConfigFields)
#include "test_config_fields.moc"

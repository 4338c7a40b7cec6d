// SPDX-License-Identifier: GPL-3.0-or-later
// The table of settings: every member has a row, rows are whole, and hashes and differences see what they should.
#include "core/config/config_fields.h"

#include "core/config/experiment_file.h"
#include "core/config/model_rows.h"
#include "tests/unit/config/settings.h"

#include <QtTest>
#include <filesystem>
#include <set>
#include <tuple>

namespace test_config_fields {
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

} // namespace

class TestConfigFields : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatChangesNothingIsSaid() {
        ExperimentConfig config;
        QVERIFY(idleSettings(config).empty());
        for (const char* assignment : {"data.dataset=tensors", "data.augment=crop-flip", "data.resize=8",
                                       "loss.class_weights=[1, 2, 3]", "optimizer.momentum=0.5"})
            QVERIFY(applyAssignment(config, assignment));
        const auto texts = [&] {
            QStringList list;
            for (const Message& note : idleSettings(config))
                list += QString::fromStdString(messageText(note));
            return list;
        };
        QCOMPARE(texts(),
                 (QStringList{"data.resize = 8 changes nothing with data.dataset = \"tensors\".",
                              "data.augment = \"crop-flip\" changes nothing with data.dataset = \"tensors\"."}));
        QVERIFY(applyAssignment(config, "loss.kind=mse"));
        QCOMPARE(texts().back(),
                 QString("loss.class_weights = [1.0, 2.0, 3.0] changes nothing with loss.kind = \"mse\"."));
        QVERIFY(applyAssignment(config, "data.dataset=mnist"));
        QCOMPARE(texts().size(), 1);
        QVERIFY(applyAssignment(config, "parallel.mode=zero1"));
        QVERIFY(texts().back().startsWith("parallel.mode = \"zero1\" changes nothing with batch.devices = 1"));
        QVERIFY(applyAssignment(config, "batch.devices=2"));
        QCOMPARE(texts().size(), 1);
    }

    /// What ships has nothing of the kind.
    void shippedExperimentsHaveNoIdleSettings() {
        const auto folder = std::filesystem::path(qgetenv("ACCUMULUS_SOURCE").toStdString()) / "experiments";
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() != ".toml")
                continue;
            ExperimentConfig config = readExperiment(entry.path()).value();
            if (config.run.parallel != ParallelConfig{}) // to be started with --ranks
                config.run.batch.devices = 2;
            const auto notes = idleSettings(config);
            QVERIFY2(notes.empty(), notes.empty() ? "" : (entry.path().string() + messageText(notes.front())).c_str());
        }
    }

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
} // namespace test_config_fields
#include "test_config_fields.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Plans that the library keeps, and the estimate against what a trial measures.
#include "core/run/micro_planner.h"

#include "core/data/dataset.h"
#include "core/run/program.h"
#include "core/train/memory_trial.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

namespace test_micro_planner {
using namespace accumulus;

namespace {

RunConfig configOf(const std::string& model, std::int64_t micro) {
    RunConfig config;
    config.model.name = model;
    config.model.stem = "cifar";
    const bool text = model == "char-gpt" || model == "bert-mini";
    config.data.dataset = text                                  ? "tinyshakespeare"
                          : model == "lenet5" || model == "mlp" ? "digits-generated"
                                                                : "textures-generated";
    config.data.trainLimit = 256;
    config.data.testLimit = 16;
    config.batch.micro = micro;
    config.batch.effective = 3 * micro;
    config.device.kind = "cpu";
    config.device.lanes = 1;
    config.device.threads = 1;
    return config;
}

PlanRequest requestOf(const RunConfig& config) {
    PlanRequest request;
    request.config = config;
    return request;
}

} // namespace

class TestMicroPlanner : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theEstimateIsWithinAFactorOfTwo_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("micro");
        QTest::addColumn<bool>("frozen"); // all but the last layer
        QTest::newRow("lenet5") << "lenet5" << 64 << false;
        QTest::newRow("mlp") << "mlp" << 64 << false;
        QTest::newRow("resnet18") << "resnet18" << 8 << false;
        QTest::newRow("resnet50") << "resnet50" << 4 << false;
        QTest::newRow("char-gpt") << "char-gpt" << 16 << false;
        QTest::newRow("bert-mini") << "bert-mini" << 16 << false;
        QTest::newRow("resnet18, last layer") << "resnet18" << 8 << true;
        QTest::newRow("resnet50, last layer") << "resnet50" << 4 << true;
    }
    void theEstimateIsWithinAFactorOfTwo() {
        QFETCH(QString, model);
        QFETCH(int, micro);
        QFETCH(bool, frozen);
        EngineSetup setup;
        setup.config = configOf(model.toStdString(), micro);
        if (frozen)
            setup.config.model.freeze = {"conv1*", "bn1*", "layer*"};
        setup.lanes = {1, 1};
        setup.data = loadDataset(setup.config.data, resourceFolder("datasets").parent_path()).value();
        const auto measured = measurePeakMemory(setup);
        QVERIFY2(measured.has_value(), measured ? "" : describe(measured.error()).c_str());
        const auto estimate = estimateMemory(setup.config);
        QVERIFY2(estimate.has_value(), estimate ? "" : describe(estimate.error()).c_str());
        const double ratio = static_cast<double>(estimate->total()) / static_cast<double>(*measured);
        qInfo("estimate / measured = %.2f (%.1f MB measured)", ratio, static_cast<double>(*measured) / 1e6);
        QVERIFY(ratio > 0.5 && ratio < 2.0);
    }

    void theEstimateKnowsWhatASettingCosts() {
        const RunConfig config = configOf("char-gpt", 8);
        const MemoryEstimate usual = estimateMemory(config).value();
        RunConfig other = config;
        other.optimizer.name = OptimizerKind::AdamW; // two moments in place of one
        QCOMPARE(estimateMemory(other).value().optimizer, 2 * usual.optimizer);
        other = config;
        other.batch.lean = true; // the accumulator alone
        QCOMPARE(2 * estimateMemory(other).value().gradients, usual.gradients);
        other = config;
        other.batch.micro = 24; // K = 1
        QCOMPARE(estimateMemory(other).value().activations, 3 * usual.activations);
        other = config;
        other.device.lanes = 2; // one scratch gradient more, and twice the activations
        QCOMPARE(2 * estimateMemory(other).value().gradients, 3 * usual.gradients);
        QCOMPARE(estimateMemory(other).value().activations, 2 * usual.activations);
        other.batch.micro = 7;
        QCOMPARE(estimateMemory(other).error().code, "config.batch.multiple");
    }

    /// What each of two ranks holds: FlatOptimizer and ScatteredSums have a shard.
    void theEstimateKnowsWhatRanksShare() {
        RunConfig config = configOf("char-gpt", 8);
        config.batch.effective = 2 * config.batch.effective;
        config.batch.devices = 2;
        config.optimizer.name = OptimizerKind::AdamW;
        config.device.lanes = 1; // the sums and one gradient beside them
        const MemoryEstimate ddp = estimateMemory(config).value();
        const auto isHalf = [](std::int64_t part, std::int64_t whole) { return std::abs(2 * part - whole) <= 16; };
        config.parallel.mode = ParallelMode::Zero1;
        const MemoryEstimate zero1 = estimateMemory(config).value();
        QVERIFY(isHalf(zero1.optimizer, ddp.optimizer));
        QCOMPARE(zero1.gradients, ddp.gradients);
        QCOMPARE(zero1.parameters, ddp.parameters);
        config.parallel.mode = ParallelMode::Zero2;
        const MemoryEstimate zero2 = estimateMemory(config).value();
        QCOMPARE(zero2.optimizer, zero1.optimizer);
        QVERIFY(isHalf(ddp.gradients - zero2.gradients, ddp.gradients / 2)); // half of the sums
        config.batch.devices = 1;                                            // nobody to share with
        config.batch.effective /= 2;
        QCOMPARE(estimateMemory(config).value().optimizer, ddp.optimizer);
    }

    void aPlanIsFoundAgainUnderWhatItDependsOn() {
        const QTemporaryDir folder;
        const std::filesystem::path library = folder.filePath("library.sqlite").toStdString();
        const PlanRequest request = requestOf(configOf("lenet5", 64));
        QVERIFY(!storedPlan(library, request).value());
        MicroPlan plan = emptyPlan(request).value();
        QCOMPARE(messageText(plan.subject), "LeNet-5 on Generated digits, fp32");
        QCOMPARE(plan.effective, 192);
        plan.createdAt = 1000.5;
        QVERIFY(storePlan(library, request, plan).has_value());
        QCOMPARE(storedPlan(library, request).value() == plan, true);
        plan.createdAt = 2000.5;
        QVERIFY(storePlan(library, request, plan).has_value()); // the newest
        QCOMPARE(storedPlan(library, request).value()->createdAt, 2000.5);
        PlanRequest other = request;
        other.config.numerics.precision = Precision::Fp64;
        QVERIFY(!storedPlan(library, other).value());
    }

    void aPlanIsThatOfTheFileAsItIs() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("net.pt").toStdString();
        PlanRequest request = requestOf(configOf("file", 64));
        request.config.model.path = file;
        const std::string missing = planKey(request);
        std::ofstream(file) << "a network";
        const std::string first = planKey(request);
        QVERIFY(first != missing);
        std::ofstream(file) << "another, under the same name";
        QVERIFY(planKey(request) != first);
        std::ofstream(file) << "a network";
        QCOMPARE(planKey(request), first);
    }

    void aPlanIsThatOfTheDataAsTheyAre() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("table.csv").toStdString();
        PlanRequest request = requestOf(configOf("mlp", 64));
        request.config.data.dataset = "table";
        request.config.data.path = file;
        std::ofstream(file) << "a,label\n1,0\n";
        const std::string first = planKey(request);
        QCOMPARE(planKey(request), first);
        std::ofstream(file) << "a,b,c,label\n1,2,3,0\n";
        QVERIFY(planKey(request) != first);
    }

    void thePlansKeyCoversWhatMattersAndNothingElse() {
        const PlanRequest request = requestOf(configOf("lenet5", 64));
        const auto changes = [&](const std::function<void(PlanRequest&)>& change) {
            PlanRequest changed = request;
            change(changed);
            return planKey(changed) != planKey(request);
        };
        QVERIFY(changes([](PlanRequest& r) { r.config.model.name = "mlp"; }));
        QVERIFY(changes([](PlanRequest& r) { r.config.batch.effective = 64; }));
        QVERIFY(changes([](PlanRequest& r) { r.config.batch.lean = true; }));
        QVERIFY(changes([](PlanRequest& r) { r.config.device.memoryLimit = "1 GiB"; }));
        QVERIFY(changes([](PlanRequest& r) { r.config.device.lanes = 2; }));
        QVERIFY(changes([](PlanRequest& r) { r.config.optimizer.name = OptimizerKind::Adam; }));
        QVERIFY(changes([](PlanRequest& r) { r.config.optimizer.momentum = 0.0; })); // no moment to keep
        QVERIFY(changes([](PlanRequest& r) { r.config.data.resize = 32; }));
        QVERIFY(changes([](PlanRequest& r) { r.ragged = true; }));
        QVERIFY(changes([](PlanRequest& r) { r.sizes = {8}; }));
        QVERIFY(!changes([](PlanRequest& r) { r.config.batch.micro = 32; }));
        QVERIFY(!changes([](PlanRequest& r) { r.config.batch.ragged = RaggedPolicy::Weight; }));
        QVERIFY(!changes([](PlanRequest& r) { r.config.optimizer.lr = 0.5; }));
        QVERIFY(!changes([](PlanRequest& r) { r.config.train.length.count = 7; }));
        QVERIFY(!changes([](PlanRequest& r) { r.config.evaluate.every.count = 7; }));
        QVERIFY(!changes([](PlanRequest& r) { r.noiseScale = 100.0; }));
        QVERIFY(!changes([](PlanRequest& r) { r.seed = 3; }));
    }

    void theTrialsAreThoseOfOneDevice() {
        PlanRequest request = requestOf(configOf("lenet5", 16));
        request.config.batch.effective = 128;
        request.config.batch.devices = 2;
        request.config.batch.ramp = {{10, 256}};
        const RunConfig trial = trialConfig(request, 32).value();
        QCOMPARE(trial.batch.effective, 64);
        QCOMPARE(trial.batch.devices, 1);
        QCOMPARE(resolveBatch(trial.batch).value().steps, 2);
        QCOMPARE(resolveBatch(trialConfig(request, 24).value().batch).value().steps, 3); // 24, 24, 16
        const MicroPlan plan = emptyPlan(request).value();
        QCOMPARE(plan.notes.size(), std::size_t{2});
        request.config.batch = {};
        request.config.batch.effective = 0; // B = m K
        request.config.batch.micro = 8;
        request.config.batch.steps = 4;
        QCOMPARE(trialEffective(request.config).value(), 32);
    }
};

QTEST_APPLESS_MAIN(TestMicroPlanner)
} // namespace test_micro_planner
#include "test_micro_planner.moc"

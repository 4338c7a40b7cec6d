// SPDX-License-Identifier: GPL-3.0-or-later
// Audits through the engine: right set-ups pass, each mistake that is built in is named, and nothing of what is audited
// changes.
#include "core/config/model_rows.h"
#include "core/engine/engine.h"
#include "core/train/audit.h"
#include "core/train/audit_faults.h"
#include "core/train/audit_plan.h"
#include "core/train/reference.h"
#include "core/train/trainer.h"
#include "tests/support/covering_array.h"
#include "tests/support/numeric.h"
#include "tests/support/scripted_nets.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>
#include <cmath>

namespace test_audit {
using namespace accumulus;
using namespace accumulus::test;

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::int64_t faultSeeds = 3, cleanSetUps = 30; // the same code, several times slower
#else
constexpr std::int64_t faultSeeds = 20, cleanSetUps = 200;
#endif

/// A small model of each kind of the registry, on small data.
RunConfig configOf(const std::string& model, Precision precision) {
    RunConfig config;
    config.data.dataset = "digits-generated";
    config.data.trainLimit = 120;
    config.data.testLimit = 10;
    config.model.name = model;
    config.batch.effective = 16;
    config.batch.micro = 4;
    config.numerics.precision = precision;
    config.device.kind = "cpu";
    config.device.threads = 1;
    if (model.starts_with("resnet")) {
        config.data.dataset = "textures-generated";
        config.model.stem = "cifar";
        config.data.resize = 18; // 3x3 in the last stage: BatchNorm still sees 18 values of two samples
        const bool slow = model == "resnet50" || precision == Precision::Bf16; // on many CPUs
        config.batch.effective = slow ? 4 : 6;
        config.batch.micro = 2;
    }
    if (isText(config.data) || model == "char-gpt" || model == "bert-mini") {
        config.data.dataset = "tinyshakespeare";
        config.data.block = 16;
        config.data.trainLimit = 120;
        config.model.layers = 1;
        config.model.heads = 2;
        config.model.width = 16;
        config.loss.normalise = Normalise::Tokens;
    }
    return config;
}

AuditSetup setupOf(const RunConfig& config, std::int64_t seed = 0) {
    AuditSetup setup;
    setup.engine.config = config;
    setup.engine.seed = seed;
    setup.engine.lanes = {2, 1};
    const std::filesystem::path resources = qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString() + "/resources";
    setup.engine.data = loadDataset(config.data, resources).value();
    return setup;
}

/// A perceptron as small as lenet5, where hundreds are audited: the whole one is audited with every other model.
void makeSmall(RunConfig& config) {
    if (config.model.name != "mlp")
        return;
    config.data.resize = 14;
    config.model.hidden = {64, 32};
}

QString sentenceOf(const GradientAudit& audit) { return QString::fromStdString(messageText(audit.headline)); }

QString nameOf(const GradientAudit& audit) { return QString::fromStdString(audit.pattern.value_or("none")); }

} // namespace

class TestAudit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// What a network from a file does with its samples is found by trying, and decides what an audit may expect.
    void networksFromFilesAreJudgedByWhatTheyDo_data() {
        QTest::addColumn<QString>("middle");
        QTest::addColumn<bool>("statistics");
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<QString>("pattern");
        QTest::newRow("plain") << plainMiddle << false << "equivalent"
                               << "none";
        QTest::newRow("dropout") << dropoutMiddle << false << "expected"
                                 << "dropout-stream";
        QTest::newRow("BatchNorm") << normMiddle << true << "expected"
                                   << "batch-norm";
        QTest::newRow("mixes samples") << "x = x - x.mean(0)" << false << "not-equivalent"
                                       << "batch-coupled-loss";
    }
    void networksFromFilesAreJudgedByWhatTheyDo() {
        QFETCH(QString, middle);
        QFETCH(bool, statistics);
        RunConfig config = configOf("file", Precision::Fp64);
        const QTemporaryDir folder;
        config.model.path =
            saveTwoLayers(folder.filePath("net.pt").toStdString(), 28 * 28, 10, middle.toStdString(), statistics);
        const auto audit = auditTraining(setupOf(config));
        QVERIFY2(audit.has_value(), audit ? "" : describe(audit.error()).c_str());
        QTEST(QString::fromStdString(auditVerdictName(audit->verdict)), "verdict");
        QTEST(nameOf(*audit), "pattern");
    }

    /// A mistake that wraps the network leaves it its weights and what is known of it.
    void aFaultIsAuditedAtTheWeightsOfTheFile() {
        RunConfig config = configOf("file", Precision::Fp64);
        const QTemporaryDir folder;
        config.model.path = saveTwoLayers(folder.filePath("net.pt").toStdString(), 28 * 28, 10, dropoutMiddle);
        const AuditSetup setup = setupOf(config);
        const auto faulty = buildIn("batch-coupled-loss", setup.engine);
        QVERIFY(faulty.has_value());
        const auto plain = modelOf(setup.engine, at::kCPU);
        QVERIFY(plain.has_value());
        QVERIFY(faulty->faulty.model->ownWeights(at::kDouble).equal((*plain)->ownWeights(at::kDouble)));
        QVERIFY(faulty->faulty.model->drawsFromStream());
    }

    void everyModelIsAudited_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("norm");
        QTest::addColumn<int>("precision");
        for (const ModelRow& row : modelRows)
            for (const auto& [precision, name] :
                 {std::pair{Precision::Fp64, "fp64"}, {Precision::Fp32, "fp32"}, {Precision::Bf16, "bf16"}})
                for (const char* norm : {"batch", "group"}) {
                    const QString model = QString::fromUtf8(row.name.data(), std::ssize(row.name));
                    const bool hasNorm = model.startsWith("resnet");
                    const bool group = std::string_view(norm) == "group";
                    if ((group && (!hasNorm || precision == Precision::Bf16)) ||
                        (model == "resnet50" && precision != Precision::Fp32))
                        continue; // ResNet-50 has the layers of ResNet-18, and takes its time, as bf16 does on many
                                  // CPUs
                    QTest::addRow("%s %s%s%s", qPrintable(model), name, hasNorm ? " " : "", hasNorm ? norm : "")
                        << model << norm << static_cast<int>(precision);
                }
    }
    void everyModelIsAudited() {
        QFETCH(QString, model);
        QFETCH(QString, norm);
        QFETCH(int, precision);
        RunConfig config = configOf(model.toStdString(), static_cast<Precision>(precision));
        config.model.norm = norm.toStdString();
        const QTemporaryDir folder;
        if (model == "file")
            config.model.path = saveTwoLayers(folder.filePath("net.pt").toStdString(), 28 * 28, 10, plainMiddle);
        const auto audit = auditTraining(setupOf(config));
        QVERIFY2(audit.has_value(), audit ? "" : describe(audit.error()).c_str());
        if (model.startsWith("resnet") && norm == "batch") {
            QVERIFY2(audit->verdict == AuditVerdict::Expected, qPrintable(sentenceOf(*audit)));
            QCOMPARE(nameOf(*audit), QString("batch-norm"));
            // The large batch in groups of the micro-batches is the same: only BatchNorm differs.
            QVERIFY(std::ranges::any_of(audit->notes,
                                        [](const Message& note) { return note.code == "audit.note.ghost-agrees"; }));
        } else {
            QVERIFY2(audit->verdict == AuditVerdict::Equivalent, qPrintable(sentenceOf(*audit)));
            if (config.numerics.precision == Precision::Fp64)
                for (const AuditedTensor& tensor : audit->tensors)
                    QVERIFY2(tensor.error <= 1e-12, tensor.name.c_str());
            QVERIFY(!audit->pattern);
        }
        for (const AuditedTensor& tensor : audit->tensors)
            QVERIFY(tensor.errorFp64.has_value());
        QCOMPARE(audit->windows.size(), std::size_t{4});
        QVERIFY(!audit->splits.empty() && audit->splits.front().steps == 2);
    }

    /// Each in 20 seeds.
    void eachFaultIsNamed_data() {
        QTest::addColumn<QString>("fault");
        for (const AuditPattern& pattern : auditPatterns())
            if (pattern.canPlant)
                QTest::newRow(std::string(pattern.code).c_str()) << QString::fromStdString(std::string(pattern.code));
    }
    void eachFaultIsNamed() {
        QFETCH(QString, fault);
        for (std::int64_t seed = 0; seed < faultSeeds; ++seed) {
            RunConfig config =
                configOf(seed % 2 == 0 ? "mlp" : "lenet5", seed % 4 < 2 ? Precision::Fp32 : Precision::Fp64);
            if (fault == "loss-scale")
                config.numerics.precision = Precision::Fp16;
            if (fault == "low-precision-accumulator")
                config.numerics.precision = Precision::Fp32;
            makeSmall(config);
            AuditSetup setup = setupOf(config, seed);
            setup.fault = fault.toStdString();
            setup.reference = setup.splits = false;
            const auto audit = auditTraining(setup);
            QVERIFY2(audit.has_value(), audit ? "" : describe(audit.error()).c_str());
            QVERIFY2(nameOf(*audit) == fault, qPrintable(QString("seed %1: %2").arg(seed).arg(sentenceOf(*audit))));
            QVERIFY(audit->verdict ==
                    (fault == "dropout-stream" ? AuditVerdict::Expected : AuditVerdict::NotEquivalent));
        }
    }

    void fittedWeightsAreThoseOfTheFault() {
        AuditSetup setup = setupOf(configOf("mlp", Precision::Fp64));
        setup.reference = false;
        const std::vector<std::pair<std::string, std::vector<double>>> wanted{
            {"factor-k", {1, 1, 1, 1}},
            {"divided-twice", {.0625, .0625, .0625, .0625}},
            {"last-micro-batch-lost", {.25, .25, .25, 0}},
            {"only-last-kept", {0, 0, 0, 1}},
            {"geometric-weights", {2, 1, .5, .25}},
        };
        for (const auto& [fault, weights] : wanted) {
            setup.fault = fault;
            const auto audit = auditTraining(setup).value();
            for (std::size_t k = 0; k < weights.size(); ++k)
                QVERIFY2(std::abs(audit.windows.front().weights[k] - weights[k]) <= 1e-6, fault.c_str());
        }
        setup.fault = "mean-of-means";
        const auto means = auditTraining(setup).value();
        for (const double c : means.windows[2].weights) // 4, 4 and 2 samples
            QVERIFY(std::abs(c - 1.0 / 3.0) <= 1e-6);
    }

    /// No false alarm in set-ups over what could make one.
    void cleanSetUpsPass() {
        std::int64_t audited = 0;
        for (std::int64_t seed = 0; seed < cleanSetUps; ++seed) {
            const char* models[] = {"mlp", "lenet5", "char-gpt", "bert-mini", "mlp"};
            const Precision precisions[] = {Precision::Fp32, Precision::Fp64, Precision::Bf16, Precision::Fp32};
            RunConfig config = configOf(models[seed % 5], precisions[seed % 4]);
            config.batch.ragged = RaggedPolicy::Weight;
            config.batch.effective = 13 + seed % 12;
            config.batch.micro = 1 + seed % 7;
            config.batch.lean = seed % 11 == 0;
            config.batch.tail = static_cast<TailPolicy>(seed % 3); // apply, drop, carry
            config.model.dropout = seed % 3 == 0 ? 0.2 : 0.0;
            config.loss.labelSmoothing = seed % 6 == 0 ? 0.1 : 0.0;
            config.optimizer.name = static_cast<OptimizerKind>(seed % 3);
            config.train.clipNorm = seed % 4 == 0 ? 0.5 : 0.0;
            if (!isText(config.data) && seed % 9 == 0)
                config.data.augment = "crop-flip";
            makeSmall(config);
            AuditSetup setup = setupOf(config, seed);
            setup.reference = seed % 4 == 0;
            setup.splits = false;
            const auto audit = auditTraining(setup);
            QVERIFY2(audit.has_value(), audit ? "" : describe(audit.error()).c_str());
            QVERIFY2(audit->verdict == AuditVerdict::Equivalent,
                     qPrintable(QString("seed %1, %2: %3").arg(seed).arg(models[seed % 5], sentenceOf(*audit))));
            ++audited;
        }
        QCOMPARE(audited, cleanSetUps);
    }

    /// Settings that are mistakes are found as such.
    void whatTheTutorialsDoIsNamed() {
        RunConfig config = configOf("mlp", Precision::Fp32);
        config.loss.normalise = Normalise::SumOfMeans;
        QCOMPARE(nameOf(auditTraining(setupOf(config)).value()), QString("factor-k"));
        config.loss.normalise = Normalise::NominalSteps;
        config.batch.tail = TailPolicy::Leak;
        const GradientAudit leak = auditTraining(setupOf(config)).value();
        QCOMPARE(nameOf(leak), QString("remainder-window"));
        QVERIFY(!leak.windows[3].earlier.empty());
    }

    void theReferenceKnowsWhatIsDrawn() {
        // Dropout, crop-flip, masks and labels that are smoothed: the fp64 reference is the same function, written
        // anew.
        for (const char* model : {"mlp", "char-gpt", "bert-mini"})
            for (const Normalise unit : {Normalise::Samples, Normalise::Tokens}) {
                RunConfig config = configOf(model, Precision::Fp64);
                config.model.dropout = 0.3;
                config.loss.labelSmoothing = 0.1;
                config.loss.normalise = unit;
                if (!isText(config.data))
                    config.data.augment = "crop-flip";
                const auto audit = auditTraining(setupOf(config, 5)).value();
                QVERIFY(!audit.tensors.empty());
                for (const AuditedTensor& tensor : audit.tensors)
                    QVERIFY2(*tensor.errorFp64 <= 1e-12,
                             qPrintable(QString("%1 %2 %3").arg(model, tensor.name.c_str()).arg(*tensor.errorFp64)));
            }
    }

    void weightsOfACheckpointAreAuditedAndStay() {
        const QTemporaryDir folder;
        RunConfig config = configOf("mlp", Precision::Fp32);
        TrainerSetup trainerSetup = makeSetup(config, folder);
        RecordingObserver observer;
        const auto trainer = Trainer::create(trainerSetup).value();
        QVERIFY(!trainer->train(observer).error);
        const std::filesystem::path file = observer.checkpoints.back().weightsPath;
        const std::filesystem::path whole = file.is_absolute() ? file : folder.path().toStdString() / file;
        QFile before(QString::fromStdString(whole.string()));
        QVERIFY(before.open(QIODevice::ReadOnly));
        const QByteArray bytes = before.readAll();

        AuditSetup setup = setupOf(config);
        const auto initial = auditTraining(setup).value();
        setup.weights = whole;
        const auto trained = auditTraining(setup).value();
        QVERIFY(trained.verdict == AuditVerdict::Equivalent);
        QVERIFY(initial.tensors.front().norm != trained.tensors.front().norm);
        QFile after(QString::fromStdString(whole.string()));
        QVERIFY(after.open(QIODevice::ReadOnly));
        QCOMPARE(after.readAll(), bytes);
    }

    void aRunningTrainerIsNotTouched() {
        // The same run with an audit after each window, and without: the same bits.
        const QTemporaryDir folder;
        RunConfig config = configOf("mlp", Precision::Fp32);
        config.train.length = {3, Extent::Unit::Updates};
        const auto run = [&](bool audits) {
            TrainerSetup setup = makeSetup(config, folder);
            setup.afterCommit = [&](std::int64_t k) {
                if (audits && k == 1)
                    QVERIFY(auditTraining(setupOf(config)).has_value());
            };
            RecordingObserver observer;
            const auto trainer = Trainer::create(setup).value();
            (void)trainer->train(observer);
            return trainer->hashWeights();
        };
        QCOMPARE(run(true), run(false));
    }

    void updatesBothWaysStayTogether() {
        AuditSetup setup = setupOf(configOf("mlp", Precision::Fp64));
        setup.updates = 5;
        const auto audit = auditTraining(setup).value();
        QCOMPARE(audit.updates.size(), std::size_t{5});
        for (const AuditedUpdate& update : audit.updates) {
            // Plain momentum in fp64: rounding grows by a small factor an update.
            QVERIFY(update.distance < 1e-10);
            QVERIFY(update.control > 0.0 && update.control < 1e-10);
        }
        setup.fault = "factor-k";
        QVERIFY(auditTraining(setup).value().updates.back().distance > 1e-4);
    }

    void windowsHideNothing() {
        RunConfig config;
        config.batch.effective = 96;
        config.batch.micro = 48; // K = 2
        const AuditPlan plan = planAudit(config, 0, 1000).value();
        QCOMPARE(plan.micro, std::int64_t{32});
        QCOMPARE(plan.steps, std::int64_t{3});
        QCOMPARE(plan.windows.size(), std::size_t{4});
        QCOMPARE(std::ssize(plan.windows[2].ids), std::ptrdiff_t{32 + 16});
        config.batch.micro = 1;
        QCOMPARE(planAudit(config, 0, 1000).value().effective, AuditPlan::mostSteps);
        config.batch.effective = 1;
        QCOMPARE(planAudit(config, 0, 1000).error().code, std::string("audit.micro-steps"));
        config.batch.effective = 2000;
        config.batch.micro = 32;
        config.batch.ragged = RaggedPolicy::Weight;
        QCOMPARE(planAudit(config, 0, 1000).error().code, std::string("audit.data"));
    }

    void cancellingEndsIt() {
        AuditSetup setup = setupOf(configOf("mlp", Precision::Fp32));
        std::stop_source source;
        setup.stop = source.get_token();
        int told = 0;
        setup.progress = [&](double share, const Message&) {
            QVERIFY(share >= 0.0 && share <= 1.0);
            if (++told == 3)
                source.request_stop();
        };
        QCOMPARE(auditTraining(setup).error().code, std::string("audit.cancelled"));
        QCOMPARE(told, 3);
    }

    void faultsThatCannotBeBuiltInSayWhy() {
        AuditSetup setup = setupOf(configOf("mlp", Precision::Fp32));
        for (const auto& [fault, code] :
             {std::pair{"loss-scale", "audit.fault"}, {"batch-norm", "audit.fault"}, {"typo", "audit.unknown-fault"}}) {
            setup.fault = fault;
            QCOMPARE(auditTraining(setup).error().code, std::string(code));
        }
        setup = setupOf(configOf("mlp", Precision::Fp64));
        setup.fault = "low-precision-accumulator";
        QCOMPARE(auditTraining(setup).error().code, std::string("audit.fault"));
    }
};

QTEST_APPLESS_MAIN(TestAudit)
} // namespace test_audit
#include "test_audit.moc"

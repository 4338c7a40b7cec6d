// SPDX-License-Identifier: GPL-3.0-or-later
// Set-ups that cannot train or be audited are refused by the reason that is theirs, with a cure that helps.
#include "core/model/model.h"
#include "core/train/audit.h"
#include "tests/unit/train/tensor_training_fixture.h"

#include <ATen/ATen.h>
#include <QTest>

namespace test_refusals {
using namespace accumulus;
using namespace accumulus::test;

class TestRefusals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // It is not the effective batch that is at fault.
    void aWindowWithoutTargetsIsNoneToAudit() {
        const QTemporaryDir folder;
        Made made = makeSamples(madeSamples, 48);
        std::fill_n(made.targets.begin(), 60, -100);
        RunConfig config = configOf(folder, plainNpz(made));
        config.data.validation = 2;
        config.data.shuffle = false;
        for (const std::int64_t effective : {2, 3}) {
            config.batch.effective = effective;
            config.batch.micro = 1;
            AuditSetup setup;
            setup.engine = makeSetup(config, folder);
            const auto audit = auditTraining(setup);
            QVERIFY(!audit);
            QCOMPARE(audit.error().code, std::string("audit.no-targets"));
        }
    }

    // The learning rate has no part in that either.
    void samplesBeyondThePrecisionAreNamed() {
        const QTemporaryDir folder;
        const Made made = makeSamples(madeSamples, 48);
        std::vector<double> inputs(made.inputs.begin(), made.inputs.end());
        inputs[48 * 20] = 1e200;
        RunConfig config =
            configOf(folder, zipBytes({{"inputs.npy", npyBytes("<f8", "(64, 48)", bytesOf(inputs)), false},
                                       {"targets.npy", npyBytes("<i8", "(64,)", bytesOf(made.targets)), false}}));
        config.data.validation = 8;
        config.data.shuffle = false;
        config.numerics.precision = Precision::Fp32;
        RecordingObserver observer;
        const TrainingEnd end = Trainer::create(makeSetup(config, folder)).value()->train(observer);
        QVERIFY(end.error.has_value());
        QCOMPARE(end.error->code, std::string("training.nonfinite-samples"));
        QCOMPARE(end.error->argument("update"), std::string("2")); // sample 20 of windows of 16
    }

    // Not "Use at most 0".
    void anEpochOfWhichNothingIsKeptIsRefused() {
        const QTemporaryDir folder;
        RunConfig config = smallConfig(56, 16, 8);
        config.data.dropLast = true;
        config.data.dropMultiple = 100;
        const auto trainer = Trainer::create(makeSetup(config, folder));
        QVERIFY(!trainer);
        QCOMPARE(trainer.error().code, std::string("config.batch.drops-all"));
        QVERIFY(describe(trainer.error()).find("data.drop_multiple to 56 at most") != std::string::npos);
    }

    // A fixed scale that every window overflows with: the learning rate has no part in it.
    void aScaleThatAlwaysOverflowsIsNamed() {
        const QTemporaryDir folder;
        RunConfig config = smallConfig(250, 1, 1);
        config.numerics.precision = Precision::Fp16;
        config.numerics.lossScale = "1e30";
        const TrainingEnd end = [&] {
            RecordingObserver observer;
            return Trainer::create(makeSetup(config, folder)).value()->train(observer);
        }();
        QVERIFY(end.error.has_value());
        QCOMPARE(end.error->code, std::string("training.all-skipped-scale"));
        QVERIFY(describe(*end.error).find("numerics.loss_scale = 1e30") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestRefusals)
} // namespace test_refusals
#include "test_refusals.moc"

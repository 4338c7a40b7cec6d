// SPDX-License-Identifier: GPL-3.0-or-later
// Which device a run gets, and what it is told where it gets none.
#include "core/base/machine_features.h"
#include "core/cuda/captured_graph.h"
#include "core/cuda/device.h"
#include "core/engine/device_choice.h"

#include "tests/support/training.h"

#include <QTest>

using namespace accumulus;

class TestDeviceChoice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theCpuIsAlwaysThere() {
        const auto choice = chooseDevice("cpu").value();
        QCOMPARE(choice.device, std::string("cpu"));
        QVERIFY(!choice.note);
        QVERIFY(!choice.isGpu());
    }

    void autoTakesAGpuOrSaysWhyNot() {
        const auto choice = chooseDevice("auto").value();
        QCOMPARE(choice.isGpu(), gpu::count() > 0);
        QCOMPARE(!choice.note, gpu::count() > 0);
        QCOMPARE(gpu::whyNone().empty(), gpu::count() > 0);
        if (gpu::count() > 0)
            QCOMPARE(choice.device, std::string("cuda:0"));
        else if (machineFeatures().cuda)
            QVERIFY(messageText(*choice.note).starts_with("No CUDA device: the CPU is used ("));
    }

    // A GPU that was asked for is never replaced by something else.
    void aMissingGpuIsAnErrorWithACure() {
        const std::string kind = gpu::count() > 0 ? "cuda:7" : "cuda";
        if (gpu::count() > 7)
            QSKIP("eight GPUs: none is missing");
        const auto choice = chooseDevice(kind);
        QVERIFY(!choice);
        QCOMPARE(choice.error().code, std::string(gpu::count() > 0 ? "device.missing" : "device.unusable"));
        QVERIFY(!choice.error().argument("kind").empty());
        const std::string words = describe(choice.error());
        QVERIFY2(words.find("device.kind = \"auto\"") != std::string::npos ||
                     words.find("\"auto\"") != std::string::npos,
                 words.c_str());

        QTemporaryDir folder;
        RunConfig config = test::smallConfig(32, 16, 8);
        config.device.kind = kind;
        const auto trainer = Trainer::create(test::makeSetup(config, folder));
        QVERIFY(!trainer);
        QCOMPARE(trainer.error().code, choice.error().code);
        QCOMPARE(errorWords(trainer.error().code).kind, ErrorKind::Device);
    }

    void graphsThatCannotBeAreRefused() {
        QTemporaryDir folder;
        RunConfig config = test::smallConfig(32, 16, 8);
        config.device.capture = CapturePolicy::On;
        config.batch.lean = true;
        TrainerSetup setup = test::makeSetup(config, folder);
        QVERIFY(Trainer::create(setup)); // the CPU has no graphs, so nothing is asked for
        setup.deferred = true;
        const auto refused = Trainer::create(setup);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("device.capture"));
    }

    // On the CPU recorded work is the work itself, not yet done when it is recorded.
    void recordedWorkIsRepeated() {
        int calls = 0;
        gpu::CapturedGraph work(
            at::kCPU, [&] { ++calls; }, 2);
        QCOMPARE(calls, 2);
        work.run();
        work.run();
        QCOMPARE(calls, 4);
    }
};

QTEST_APPLESS_MAIN(TestDeviceChoice)
#include "test_device_choice.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Which device a run gets, and what it is told where it gets none.
#include "core/base/available_memory.h"
#include "core/base/machine_features.h"
#include "core/cuda/captured_graph.h"
#include "core/cuda/device.h"
#include "core/cuda/driver_memory.h"
#include "core/engine/device_choice.h"
#include "core/engine/memory_counter.h"

#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

namespace test_device_choice {
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
        const std::string kind = gpu::count() > 0 ? "cuda:" + std::to_string(gpu::count()) : "cuda";
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

    void theDriverNamesCardsByTheirIdentity() {
        std::string identity;
        for (int byte = 0xF0; byte <= 0xFF; ++byte)
            identity += static_cast<char>(byte);
        QCOMPARE(gpu::driverNameOf(identity, "GPU"), std::string("GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff"));
        QVERIFY(!gpu::memoryByDriver(identity)); // no such card
    }

    // Before and after this process uses it, when CUDA counts itself.
    void aCardIsAskedWithoutUsingIt() {
        if (gpu::count() == 0)
            QSKIP(("No GPU to run on: " + gpu::whyNone()).c_str());
        const DeviceChoice choice = chooseDevice("auto").value();
        const auto asked = gpu::memoryByDriver(gpu::identityOf(0));
        QVERIFY(asked.has_value());
        const DeviceMemory before = memoryForNextRun(choice);
        QVERIFY(before.free > 0 && before.free <= before.total);
        // Neither question takes any of the card: a context would take hundreds of MB.
        QVERIFY(asked->free - gpu::memoryByDriver(gpu::identityOf(0)).value().free < 100'000'000);
        const gpu::Memory used = gpu::memoryOf(at::Device(choice.device));
        // The driver keeps a part to itself, which it counts and CUDA does not: of an H100 about 0.6 %.
        QVERIFY(test::compareRel(static_cast<double>(before.total), static_cast<double>(used.total), 0.05));
        QCOMPARE(memoryForNextRun(choice).total, used.total);
        const at::Tensor held = at::empty({std::int64_t{1} << 28}, at::TensorOptions(at::kByte).device(choice.device));
        QVERIFY(memoryForNextRun(choice).free - gpu::memoryOf(at::Device(choice.device)).free >= held.numel());
    }

    // The next run begins when the tensors of the one before are gone.
    void whatThisProcessHoldsIsFreeForItsNextRun() {
        MemoryCounter::install();
        const at::Tensor held = at::empty({std::int64_t{1} << 30}, at::kByte); // not touched: it takes no memory
        const std::int64_t free = memoryForNextRun(DeviceChoice()).free, available = availableMemory();
        QVERIFY(free - available > held.numel() - (std::int64_t{1} << 28)); // others move meanwhile
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
} // namespace test_device_choice
#include "test_device_choice.moc"

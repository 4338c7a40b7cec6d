// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of a GPU is asked beside the window, for the run that trains now.
#include "widgets/models/gpu_memory.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <semaphore>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

DeviceConfig deviceOf(const char* kind) {
    DeviceConfig device;
    device.kind = kind;
    return device;
}

} // namespace

class TestGpuMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsAskedAgainAndForgotten() {
        std::atomic<int> asked = 0;
        GpuMemory memory([&asked](const DeviceConfig& device) -> std::optional<MemoryUse> {
            ++asked;
            return device.kind == "cpu" ? std::nullopt : std::optional(MemoryUse{asked * 10, 100});
        });
        const QSignalSpy changed(&memory, &GpuMemory::changed);
        memory.watch(deviceOf("cuda"));
        QTRY_COMPARE(memory.use(), std::optional(MemoryUse{10, 100}));
        memory.watch(deviceOf("cuda")); // as before: the clock goes on
        QTRY_COMPARE(memory.use(), std::optional(MemoryUse{20, 100}));
        memory.watch(std::nullopt);
        QVERIFY(!memory.use());
        QCOMPARE(changed.count(), 3);
        memory.watch(deviceOf("cpu"));
        QTRY_COMPARE(asked.load(), 3);
        QVERIFY(!memory.use());
        QCOMPARE(changed.count(), 3);
    }

    /// What was asked for another run does not count.
    void anAnswerThatComesLate() {
        std::binary_semaphore answer{0};
        GpuMemory memory([&answer](const DeviceConfig& device) -> std::optional<MemoryUse> {
            if (device.kind == "cuda:0")
                answer.acquire();
            return MemoryUse{device.kind == "cuda:0" ? 1 : 2, 3};
        });
        QList<std::int64_t> seen;
        connect(&memory, &GpuMemory::changed, &memory, [&] { seen << (memory.use() ? memory.use()->used : 0); });
        memory.watch(deviceOf("cuda:0"));
        memory.watch(deviceOf("cuda:1"));
        answer.release();
        QTRY_VERIFY(memory.use());
        QCOMPARE(seen, QList<std::int64_t>{2});
    }
};

QTEST_GUILESS_MAIN(TestGpuMemory)
#include "test_gpu_memory.moc"

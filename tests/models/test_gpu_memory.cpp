// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of a GPU is asked beside the window, for the run that trains now.
#include "widgets/models/gpu_memory.h"

#include <QTest>

#include <atomic>
#include <semaphore>

namespace test_gpu_memory {
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
        memory.watch(deviceOf("cuda"));
        QTRY_COMPARE(memory.use(), std::optional(MemoryUse{10, 100}));
        memory.watch(deviceOf("cuda")); // as before: the clock goes on
        QTRY_COMPARE(memory.use(), std::optional(MemoryUse{20, 100}));
        memory.watch(std::nullopt);
        QVERIFY(!memory.use());
        memory.watch(deviceOf("cpu"));
        QTRY_COMPARE(asked.load(), 4); // the first answer has come by then
        QVERIFY(!memory.use());
    }

    /// What was asked for another run does not count.
    void anAnswerThatComesLate() {
        std::binary_semaphore first{0}, second{0};
        std::atomic<int> asked = 0;
        GpuMemory memory([&](const DeviceConfig& device) -> std::optional<MemoryUse> {
            ++asked;
            const bool isFirst = device.kind == "cuda:0";
            (isFirst ? first : second).acquire();
            return MemoryUse{isFirst ? 1 : 2, 3};
        });
        memory.watch(deviceOf("cuda:0"));
        memory.watch(deviceOf("cuda:1"));
        first.release();
        QTRY_COMPARE(asked.load(), 2); // asked once the first answer has come
        QVERIFY(!memory.use());
        second.release();
        QTRY_COMPARE(memory.use(), std::optional(MemoryUse{2, 3}));
    }
};

QTEST_GUILESS_MAIN(TestGpuMemory)
} // namespace test_gpu_memory
#include "test_gpu_memory.moc"

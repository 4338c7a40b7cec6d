// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of the memory that a run will find.
#include "core/run/device_room.h"

#include "core/base/available_memory.h"

#include <QTest>

namespace test_device_room {
using namespace accumulus;

namespace {

DeviceRoom roomFor(const char* kind) {
    DeviceConfig device;
    device.kind = kind;
    return roomOn(device);
}

} // namespace

class TestDeviceRoom : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theCpuHasTheComputersMemory() {
        const DeviceRoom room = roomFor("cpu");
        QVERIFY(!room.gpu);
        QVERIFY(room.free > 0 && room.free <= room.total);
        QCOMPARE(room.total, memoryUse().total);
        QCOMPARE(room.freeOnCpu, room.free);
    }

    // "auto" is what it takes: on a computer without a GPU its memory is known before any plan.
    void autoIsWhatItTakes() {
        const DeviceRoom room = roomFor("auto");
        QVERIFY(room.free <= room.total);
        QVERIFY(room.gpu || room.total == memoryUse().total);
    }

    void aGpuThatIsNotThereHasNone() {
        const DeviceRoom room = roomFor("cuda:99");
        QVERIFY(room.gpu);
        QCOMPARE(room.free, 0);
        QCOMPARE(room.total, 0);
        QVERIFY(room.freeOnCpu > 0);
    }
};

QTEST_APPLESS_MAIN(TestDeviceRoom)
} // namespace test_device_room
#include "test_device_room.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/machine_load.h"
#include "tests/support/numeric.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

namespace test_machine_load {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// A /proc whose clocks the test turns.
class WrittenProc {
public:
    WrittenProc() {
        std::filesystem::create_directory(folder() / "self");
        pass(0, 0, 0);
    }
    [[nodiscard]] std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    /// Hundredths of a second of the processors: idle, used by others, used by this process.
    void pass(long idle, long others, long own) {
        m_idle += idle;
        m_used += others + own;
        m_own += own;
        // user nice system idle iowait irq softirq steal guest guest_nice; a third of idle waits for disks
        std::ofstream(folder() / "stat") << "cpu  " << m_used - m_used / 4 << " 0 " << m_used / 4 << ' '
                                         << m_idle - m_idle / 3 << ' ' << m_idle / 3 << " 0 0 0 7 7\ncpu0 1 2 3\n";
        std::ofstream(folder() / "self" / "stat") << "42 (a (strange) name) R 1 1 1 0 -1 4194304 1 2 3 4 "
                                                  << m_own - m_own / 5 << ' ' << m_own / 5 << " 9 9 20 0\n";
    }

private:
    QTemporaryDir m_folder;
    long m_idle = 100'000, m_used = 50'000, m_own = 300;
};

} // namespace

class TestMachineLoad : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ownTimeIsNotThatOfOthers() {
        WrittenProc proc;
        MachineLoad load(proc.folder());
        QVERIFY(!load.othersShare());
        proc.pass(100, 50, 250);
        load.count();
        QVERIFY(compareBits(*load.othersShare(), 0.125)); // 50 of 400
        proc.pass(400, 0, 0);
        load.count();
        QVERIFY(compareBits(*load.othersShare(), 0.0625)); // 50 of 800
    }

    void aPauseIsOfNoAccount() {
        WrittenProc proc;
        MachineLoad load(proc.folder());
        proc.pass(300, 100, 0);
        load.count();
        proc.pass(0, 4000, 0);
        load.skip();
        proc.pass(300, 100, 0);
        load.count();
        QVERIFY(compareBits(*load.othersShare(), 0.25));
    }

    void tooLittleTellsNothing() {
        WrittenProc proc;
        MachineLoad load(proc.folder());
        proc.pass(49, 50, 0);
        load.count();
        QVERIFY(!load.othersShare());
        proc.pass(1, 0, 0);
        load.count();
        QVERIFY(load.othersShare().has_value());
    }

    void withoutProcNothingIsKnown() {
        QTemporaryDir empty;
        MachineLoad load(empty.path().toStdString());
        load.count();
        load.skip();
        QVERIFY(!load.othersShare());
    }

    void thisMachineIsRead() {
        MachineLoad load;
        while (!load.othersShare()) // busy itself until a second of processor time has passed
            load.count();
        QVERIFY(*load.othersShare() >= 0.0 && *load.othersShare() <= 1.0);
    }
};

QTEST_APPLESS_MAIN(TestMachineLoad)
} // namespace test_machine_load
#include "test_machine_load.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The counter tells what tensors asked for, to the byte, whatever the allocator makes of it; the limit is kept.
#include "core/engine/memory_counter.h"
#include "core/engine/tensor_in_file.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <vector>

namespace test_memory_counter {
using namespace accumulus;

namespace {

/// Files of this process hold no more than 1000 bytes.
class FullDisk {
public:
    FullDisk() {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_usual);
        const rlimit little{1000, m_usual.rlim_max};
        setrlimit(RLIMIT_FSIZE, &little);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &m_usual); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_usual{};
};

} // namespace

class TestMemoryCounter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { MemoryCounter::install(); }
    void cleanup() { MemoryCounter::setLimit(0); }

    void countsWhatWasAskedFor_data() {
        QTest::addColumn<qint64>("bytes");
        for (const qint64 bytes : {0, 1, 7, 64, 4095, 4096, 1 << 20, (8 << 20) + 3, 40 << 20})
            QTest::addRow("%lld", bytes) << bytes;
    }
    void countsWhatWasAskedFor() {
        QFETCH(const qint64, bytes);
        const std::int64_t before = MemoryCounter::current();
        {
            at::Tensor tensor = at::empty({bytes}, at::kByte);
            tensor.fill_(255); // also its last bytes, beside which the counter keeps its note
            QCOMPARE(MemoryCounter::current() - before, bytes);
            const at::Tensor other = at::empty({bytes}, at::kByte);
            QCOMPARE(MemoryCounter::current() - before, 2 * bytes);
        }
        QCOMPARE(MemoryCounter::current(), before);
    }

    void keepsThePeak() {
        const std::int64_t before = MemoryCounter::current();
        MemoryCounter::resetPeak();
        QCOMPARE(MemoryCounter::peak(), before);
        (void)at::empty({1000}, at::kDouble);
        const at::Tensor small = at::empty({10}, at::kDouble);
        QCOMPARE(MemoryCounter::peak() - before, 8000);
        MemoryCounter::resetPeak();
        QCOMPARE(MemoryCounter::peak() - before, 80);
    }

    // A look at a part of the work leaves the peak of the whole alone, and sees none of it.
    void aPeakOfAWhile() {
        MemoryCounter::resetPeak();
        const std::int64_t before = MemoryCounter::current();
        { const at::Tensor large = at::zeros({1000}, at::kDouble); }
        {
            const MemoryPeak peak;
            const at::Tensor kept = at::zeros({10}, at::kDouble);
            { const at::Tensor gone = at::zeros({100}, at::kDouble); }
            QCOMPARE(peak.bytes(), std::int64_t{880});
        }
        QCOMPARE(MemoryCounter::peak() - before, std::int64_t{8000});
    }

    void refusesBeyondTheLimit() {
        MemoryCounter::setLimit(MemoryCounter::current() + 1000);
        const at::Tensor fits = at::empty({600}, at::kByte);
        QVERIFY_THROWS_EXCEPTION(OutOfMemory, (void)at::empty({401}, at::kByte));
        const at::Tensor rest = at::empty({400}, at::kByte);
        QVERIFY(rest.defined());
    }

    void tensorsInFilesAreNotCounted() {
        const QTemporaryDir folder;
        const std::filesystem::path made = folder.path().toStdString() + "/new/folder";
        const at::Tensor values = at::arange(12345, at::kFloat);
        const std::int64_t before = MemoryCounter::current();
        for (const auto& place : {made, std::filesystem::path(), std::filesystem::path("/dev/null/folder")}) {
            at::Tensor tensor = tensorInFile(12345, at::kFloat, place);
            QVERIFY(tensor.defined());
            QCOMPARE(MemoryCounter::current(), before);
            QCOMPARE(tensor.scalar_type(), at::kFloat);
            QVERIFY(at::equal(tensor.copy_(values), values));
        }
        QVERIFY(std::filesystem::is_empty(made)); // the files have no name
    }

    void tensorsInFilesNeedRoom() {
        const QTemporaryDir folder;
        const FullDisk full;
        QVERIFY(!tensorInFile(1000, at::kFloat, folder.path().toStdString()).defined());
        QVERIFY(std::filesystem::is_empty(folder.path().toStdString()));
    }

    // Of a run with a limit in a file while there is one that can be had, otherwise in memory.
    void whatLiesBesideTrainingIsCountedWhereItIsHeld() {
        const QTemporaryDir folder;
        const auto counted = [&](std::int64_t limit) {
            MemoryCounter::setLimit(limit > 0 ? MemoryCounter::current() + limit : 0);
            const std::int64_t before = MemoryCounter::current();
            at::Tensor tensor = tensorBeside(1000, at::kFloat, folder.path().toStdString());
            tensor.fill_(1.0);
            return MemoryCounter::current() - before;
        };
        QCOMPARE(counted(0), std::int64_t{4000});
        QCOMPARE(counted(100), std::int64_t{0});
        const FullDisk full;
        QCOMPARE(counted(4000), std::int64_t{4000});
        QVERIFY_THROWS_EXCEPTION(OutOfMemory, counted(3999));
    }
};

QTEST_GUILESS_MAIN(TestMemoryCounter)
} // namespace test_memory_counter
#include "test_memory_counter.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of the system before it is read: in which order, how much of it, and no more of what was read already.
#include "core/data/mapped_file.h"
#include "core/data/read_ahead.h"
#include "tests/unit/data/idx_files.h"

#include <QTest>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <numeric>

namespace test_read_ahead {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr std::int64_t sampleBytes = 12;
using Ids = std::vector<std::int64_t>;

Ids upTo(std::int64_t count) {
    Ids ids(static_cast<std::size_t>(count));
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

/// Samples of 12 bytes that lie nowhere, and what is asked of them.
class Asked {
public:
    [[nodiscard]] TensorColumn column() const { return {ElementType::Float32, {3}, m_bytes.data(), nullptr, nullptr}; }
    [[nodiscard]] ReadAhead::Ask ask() {
        return [this](std::span<const std::byte> bytes) {
            const std::lock_guard lock(m_mutex);
            m_ids.push_back((bytes.data() - m_bytes.data()) / sampleBytes);
            most = std::max(most, std::ssize(m_ids) - passed.load());
            m_changed.notify_all();
        };
    }
    /// Waits for so many.
    Ids ids(std::int64_t count) {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, std::chrono::minutes(1), [&] { return std::ssize(m_ids) >= count; });
        return m_ids;
    }

    std::atomic<std::int64_t> passed{0}; ///< before ReadAhead is told
    std::int64_t most = 0;               ///< samples asked for beyond what has passed

private:
    std::vector<std::byte> m_bytes = std::vector<std::byte>(1000 * sampleBytes);
    std::mutex m_mutex;
    std::condition_variable m_changed;
    Ids m_ids;
};

} // namespace

class TestReadAhead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void inTheOrderInWhichItIsRead() {
        Asked asked;
        const Ids first{7, 3, 999, 0, 3}, second{5, 1};
        {
            ReadAhead ahead(asked.column(), 1 << 20, asked.ask());
            ahead.want(first);
            ahead.want(second);
            QCOMPARE(asked.ids(7), (Ids{7, 3, 999, 0, 3, 5, 1}));
        }
        QCOMPARE(asked.ids(0).size(), std::size_t{7});
    }

    // 10 samples of 12 bytes fit into 129.
    void neverMoreThanTheBound() {
        Asked asked;
        ReadAhead ahead(asked.column(), 129, asked.ask());
        QVERIFY(ahead.wantsMore());
        ahead.want(upTo(500));
        QVERIFY(!ahead.wantsMore());
        QCOMPARE(asked.ids(10), upTo(10));
        for (std::int64_t read = 1; read <= 490; ++read) {
            asked.passed = read;
            ahead.passed(read);
            QCOMPARE(asked.ids(read + 10).size(), static_cast<std::size_t>(read + 10));
        }
        QCOMPARE(asked.ids(0), upTo(500));
        QCOMPARE(asked.most, 10);
        QVERIFY(ahead.wantsMore());
    }

    // Samples larger than the bound are asked for one by one.
    void oneSampleIsAlwaysAskedFor() {
        Asked asked;
        ReadAhead ahead(asked.column(), 1, asked.ask());
        ahead.want(upTo(4));
        for (std::int64_t read = 0; read < 4; ++read) {
            QCOMPARE(asked.ids(read + 1).size(), static_cast<std::size_t>(read + 1));
            asked.passed = read + 1;
            ahead.passed(read + 1);
        }
        QCOMPARE(asked.most, 1);
    }

    // What was read before its turn came is not asked for, and counts never go back.
    void whatWasReadIsNotAskedFor() {
        Asked asked;
        ReadAhead ahead(asked.column(), 2 * sampleBytes, asked.ask());
        ahead.want(upTo(20));
        QCOMPARE(asked.ids(2), (Ids{0, 1}));
        asked.passed = 15;
        ahead.passed(15);
        ahead.passed(3);
        QCOMPARE(asked.ids(4), (Ids{0, 1, 15, 16}));
    }

    void itBeginsAnew() {
        Asked asked;
        ReadAhead ahead(asked.column(), 2 * sampleBytes, asked.ask());
        ahead.want(upTo(20));
        QCOMPARE(asked.ids(2), (Ids{0, 1}));
        ahead.forget();
        ahead.want(Ids{44, 45, 46});
        QCOMPARE(asked.ids(4), (Ids{0, 1, 44, 45}));
    }

    // The system is asked for all of it, and what is read of the file stays the same.
    void aFileIsAsked() {
        const DataFolder folder;
        const std::string bytes(300'000, 'x');
        const auto file = MappedFile::open(folder.write("a", bytes)).value();
        file->willNeed(file->bytes());
        QCOMPARE(file->bytesAsked(), 300'000);
        const OtherFileLimits limits({.touched = 4096, .scanned = 4096, .ahead = 4096});
        QVERIFY(!file->isSmall());
        const TensorColumn column{ElementType::UInt8, {1000}, file->bytes().data(), file, file};
        QVERIFY(ReadAhead::helps(column, 5) && !ReadAhead::helps(column, 4));
        expectSamples(column, 10, 7);
        QCOMPARE(file->bytesAsked(), 307'000);
    }
};

QTEST_GUILESS_MAIN(TestReadAhead)
} // namespace test_read_ahead
#include "test_read_ahead.moc"

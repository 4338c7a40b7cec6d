// SPDX-License-Identifier: GPL-3.0-or-later
// Which samples are read ahead of training: those of the windows to come, each rank's own, after a resume in mid-window
// and where a window comes again.
#include "core/engine/executor.h"
#include "core/train/windows_ahead.h"

#include <QTest>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace test_windows_ahead {
using namespace accumulus;

namespace {

constexpr std::int64_t sampleBytes = 4;
constexpr std::int64_t samples = 1000;
using Ids = std::vector<std::int64_t>;

/// What is asked of samples that lie nowhere.
class Asked {
public:
    [[nodiscard]] TensorColumn column() const { return {ElementType::Float32, {}, m_bytes.data(), nullptr, nullptr}; }
    [[nodiscard]] ReadAhead::Ask ask() {
        return [this](std::span<const std::byte> bytes) {
            const std::lock_guard lock(m_mutex);
            m_ids.push_back((bytes.data() - m_bytes.data()) / sampleBytes);
            most = std::max(most, std::ssize(m_ids) - read);
            m_changed.notify_all();
        };
    }
    /// The first `count`, waited for.
    Ids ids(std::int64_t count) {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, std::chrono::minutes(1), [&] { return std::ssize(m_ids) >= count; });
        return {m_ids.begin(), m_ids.begin() + std::min(count, std::ssize(m_ids))};
    }
    [[nodiscard]] std::int64_t count() {
        const std::lock_guard lock(m_mutex);
        return std::ssize(m_ids);
    }

    std::atomic<std::int64_t> read{0}; ///< samples, before WindowsAhead is told
    std::int64_t most = 0;             ///< asked for beyond these

private:
    std::vector<std::byte> m_bytes = std::vector<std::byte>(samples * sampleBytes);
    std::mutex m_mutex;
    std::condition_variable m_changed;
    Ids m_ids;
};

WindowPlanner plannerOf(std::int64_t effective, std::int64_t micro, std::int64_t epochs = 2) {
    BatchConfig batch;
    batch.effective = effective;
    batch.micro = micro;
    batch.ragged = RaggedPolicy::Weight;
    return {resolveBatch(batch).value(), TailPolicy::Apply, samples, true, 3, epochs};
}

/// What a rank reads of a window from micro-step `done` on, as the executors cut it.
Ids readBy(const WindowPlan& plan, std::int64_t done, int rank, int ranks) {
    const WindowRequest request{.done = done, .end = std::ssize(plan.microSizes), .rank = rank, .ranks = ranks};
    const MicroBatches batches(plan, request);
    Ids ids;
    for (std::int64_t turn = 0; turn < batches.count(); ++turn) {
        const SampleKeys keys = batches.keys(batches.index(turn));
        ids.insert(ids.end(), keys.ids.begin(), keys.ids.end());
    }
    return ids;
}

} // namespace

class TestWindowsAhead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // All of a run, on every rank, begun in mid-window: exactly what is read is asked for, in its order, before it is
    // read, and never more than the bound beyond it.
    void exactlyWhatIsRead_data() {
        QTest::addColumn<int>("rank");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("done");
        for (const int ranks : {1, 3})
            for (int rank = 0; rank < ranks; ++rank)
                for (const int done : {0, 4})
                    QTest::addRow("%d of %d, %d done", rank, ranks, done) << rank << ranks << done;
    }
    void exactlyWhatIsRead() {
        QFETCH(int, rank);
        QFETCH(int, ranks);
        QFETCH(int, done);
        constexpr std::int64_t bound = 150; // samples
        Asked asked;
        WindowPlanner planner = plannerOf(64, 7);
        WindowsAhead ahead(asked.column(), rank, ranks, bound * sampleBytes, asked.ask());
        Ids read;
        std::int64_t begun = done;
        for (std::int64_t updates = 0; const auto plan = planner.next(updates); ++updates, begun = 0) {
            const PlannerPosition position = planner.position();
            ahead.begin(*plan, begun, planner, updates);
            QVERIFY(planner.position() == position);
            const Ids own = readBy(*plan, begun, rank, ranks);
            read.insert(read.end(), own.begin(), own.end());
            QCOMPARE(asked.ids(std::ssize(read)), read);
            if (updates == 0) // more than this window, of which nothing was read yet
                QCOMPARE(asked.ids(65).size(), std::size_t{65});
            const WindowRequest request{
                .done = begun, .end = std::ssize(plan->microSizes), .rank = rank, .ranks = ranks};
            const MicroBatches batches(*plan, request);
            for (std::int64_t turn = 0; turn < batches.count(); ++turn) {
                asked.read += batches.size(batches.index(turn));
                ahead.committed(batches.index(turn));
            }
        }
        QCOMPARE(asked.count(), std::ssize(read));
        QVERIFY2(asked.most <= bound, std::to_string(asked.most).c_str());
    }

    // A window of which some is computed anew counts once.
    void microStepsThatComeAgainCountOnce() {
        Asked asked;
        WindowPlanner planner = plannerOf(64, 8);
        WindowsAhead ahead(asked.column(), 0, 1, 100 * sampleBytes, asked.ask());
        const auto plan = planner.next();
        ahead.begin(*plan, 0, planner, 0);
        QCOMPARE(asked.ids(100).size(), std::size_t{100});
        for (int round = 0; round < 3; ++round)
            for (std::int64_t step = 0; step < 2; ++step) {
                asked.read = std::max<std::int64_t>(asked.read, 8 * (step + 1));
                ahead.committed(step);
            }
        QCOMPARE(asked.ids(116).size(), std::size_t{116}); // 16 read, 100 ahead
        QVERIFY(asked.most <= 100);
    }

    // What comes instead of the window that was foreseen is asked for, too: here the same window again.
    void anotherWindowThanForeseen() {
        Asked asked;
        WindowPlanner planner = plannerOf(16, 8);
        WindowsAhead ahead(asked.column(), 0, 1, 16 * sampleBytes, asked.ask());
        const PlannerPosition start = planner.position();
        const auto plan = planner.next();
        ahead.begin(*plan, 0, planner, 0);
        Ids wanted = asked.ids(16);
        QCOMPARE(wanted, plan->ids);
        planner.seek(start);
        QCOMPARE(planner.next()->ids, plan->ids);
        ahead.begin(*plan, 1, planner, 0);
        wanted.insert(wanted.end(), plan->ids.begin() + 8, plan->ids.end());
        const auto next = planner.next(1);
        wanted.insert(wanted.end(), next->ids.begin(), next->ids.begin() + 8);
        QCOMPARE(asked.ids(32), wanted);
    }

    // The order of the next epoch is not drawn in the middle of this one.
    void anEpochEndsFirst() {
        Asked asked;
        WindowPlanner planner = plannerOf(400, 100);
        WindowsAhead ahead(asked.column(), 0, 1, 100'000 * sampleBytes, asked.ask());
        const auto plan = planner.next();
        ahead.begin(*plan, 0, planner, 0);
        QCOMPARE(asked.ids(1000).size(), std::size_t{1000});
        for (const std::int64_t updates : {1, 2}) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100)); // more would be asked for at once
            QCOMPARE(asked.count(), 1000);
            const auto window = planner.next(updates);
            ahead.begin(*window, 0, planner, updates);
        }
        QCOMPARE(asked.ids(2000).size(), std::size_t{2000}); // at its end
    }
};

QTEST_GUILESS_MAIN(TestWindowsAhead)
} // namespace test_windows_ahead
#include "test_windows_ahead.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the recorder share: a receiver that keeps everything, and a study to record.
#pragma once

#include "core/base/clock.h"
#include "core/run/recorder.h"
#include "tests/unit/store/store_fixture.h"

#include <QTest>

#include <chrono>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace accumulus::test {

inline bool eventually(const std::function<bool()>& reached) {
    const Stopwatch stopwatch;
    while (!reached()) {
        if (stopwatch.seconds() > 60.0)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

/// What the receiver got, for any thread to look at.
class Received {
public:
    RunEventReceiver receiver() {
        return [this](std::span<const RunEvent> events) {
            const std::lock_guard lock(m_mutex);
            ++m_batches;
            m_events.insert(m_events.end(), events.begin(), events.end());
        };
    }
    std::vector<RunEvent> events() const {
        const std::lock_guard lock(m_mutex);
        return m_events;
    }
    std::size_t batches() const {
        const std::lock_guard lock(m_mutex);
        return m_batches;
    }
    template <class Event>
    std::vector<Event> all() const {
        std::vector<Event> found;
        for (const RunEvent& event : events())
            if (const auto* one = std::get_if<Event>(&event))
                found.push_back(*one);
        return found;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<RunEvent> m_events;
    std::size_t m_batches = 0;
};

inline RunStore storeOf(const LibraryFolder& folder, std::chrono::milliseconds lockTimeout = std::chrono::seconds(5)) {
    RunStore store = folder.store();
    store.library().setLockTimeout(lockTimeout);
    return store;
}

/// A study of `count` runs, all known and the first one started.
inline void postStart(Recorder& recorder, int count = 1) {
    StudyStarted study{makeStudy(), {}};
    for (int i = 1; i <= count; ++i)
        study.runs.push_back(makeRun(i, study.study.id));
    REQUIRE(recorder.post(study));
    for (const RunRecord& run : study.runs)
        REQUIRE(recorder.post(RunStarted{run, false, 0, 0}));
}

} // namespace accumulus::test

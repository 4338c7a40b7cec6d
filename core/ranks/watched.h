// SPDX-License-Identifier: GPL-3.0-or-later
// Work that the other ranks notice if it hangs, and what interrupts it for good reasons.
#pragma once

#include "core/ranks/communicator.h"

#include <mutex>

namespace accumulus {

/// The work that is done in its lifetime calls Communicator::alive() now and then.
class Watched {
public:
    explicit Watched(Communicator& ranks) : m_ranks(ranks) { m_ranks.watch(true); }
    ~Watched() { m_ranks.watch(false); }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

private:
    Communicator& m_ranks;
};

/// Not watched while any thread has one. Any thread.
class Unwatched {
public:
    struct Count {
        std::mutex mutex;
        int threads = 0;
    };
    Unwatched(Communicator& ranks, Count& count) : m_ranks(ranks), m_count(count) {
        const std::lock_guard lock(m_count.mutex);
        if (m_count.threads++ == 0)
            m_ranks.watch(false);
    }
    ~Unwatched() {
        const std::lock_guard lock(m_count.mutex);
        if (--m_count.threads == 0)
            m_ranks.watch(true);
    }
    Unwatched(const Unwatched&) = delete;
    Unwatched& operator=(const Unwatched&) = delete;

private:
    Communicator& m_ranks;
    Count& m_count;
};

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/read_ahead.h"

#include "core/data/mapped_file.h"

#include <algorithm>

namespace accumulus {

bool ReadAhead::helps(const TensorColumn& column, std::int64_t samples) {
    return column.file && samples * column.sampleBytes() > fileLimits().scanned;
}

ReadAhead::ReadAhead(TensorColumn column, std::int64_t ahead, Ask ask)
    : m_column(std::move(column)), m_ahead(ahead),
      m_ask(ask ? std::move(ask) : [file = m_column.file](std::span<const std::byte> bytes) { file->willNeed(bytes); }),
      m_thread([this] { work(); }) {}

ReadAhead::~ReadAhead() {
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void ReadAhead::want(std::span<const std::int64_t> ids) {
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.insert(m_waiting.end(), ids.begin(), ids.end());
        m_wanted += std::ssize(ids);
    }
    m_changed.notify_all();
}

void ReadAhead::passed(std::int64_t samples) {
    {
        const std::lock_guard lock(m_mutex);
        m_passed = std::max(m_passed, std::min(samples, m_wanted));
        while (!m_waiting.empty() && m_wanted - std::ssize(m_waiting) < m_passed) // too late for these
            m_waiting.pop_front();
    }
    m_changed.notify_all();
}

void ReadAhead::forget() {
    const std::lock_guard lock(m_mutex);
    m_waiting.clear();
    m_wanted = 0;
    m_passed = 0;
}

bool ReadAhead::wantsMore() const {
    const std::lock_guard lock(m_mutex);
    return (m_wanted - m_passed) * m_column.sampleBytes() < m_ahead;
}

bool ReadAhead::mayAsk() const {
    const std::int64_t asked = m_wanted - std::ssize(m_waiting) - m_passed;
    return !m_waiting.empty() && (asked == 0 || (asked + 1) * m_column.sampleBytes() <= m_ahead);
}

void ReadAhead::work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_ends || mayAsk(); });
        if (m_ends)
            return;
        const std::byte* sample = m_column.sample(m_waiting.front());
        m_waiting.pop_front();
        lock.unlock();
        m_ask({sample, static_cast<std::size_t>(m_column.sampleBytes())});
        lock.lock();
    }
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/read_ahead.h"

#include "core/data/mapped_file.h"
#include "core/data/tensors.h"

#include <chrono>

namespace accumulus {

bool ReadAhead::helps(const TensorColumn& column, std::int64_t samples) {
    return column.file && samples * column.sampleBytes() > largestScanned;
}

ReadAhead::ReadAhead(const TensorColumn& column)
    : m_column(column), m_readBefore(column.file->bytesRead()), m_thread([this] { work(); }) {}

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
        m_wanted.insert(m_wanted.end(), ids.begin(), ids.end());
    }
    m_changed.notify_all();
}

bool ReadAhead::mayGoOn() const { return m_asked - (m_column.file->bytesRead() - m_readBefore) < ahead; }

void ReadAhead::work() {
    std::unique_lock lock(m_mutex);
    while (!m_ends) {
        if (m_wanted.empty()) {
            m_changed.wait(lock);
            continue;
        }
        if (!mayGoOn()) { // nobody tells when something was read
            m_changed.wait_for(lock, std::chrono::milliseconds(2));
            continue;
        }
        const std::byte* sample = m_column.sample(m_wanted.front());
        m_wanted.pop_front();
        m_asked += m_column.sampleBytes();
        lock.unlock();
        m_column.file->willNeed({sample, static_cast<std::size_t>(m_column.sampleBytes())});
        lock.lock();
    }
}

} // namespace accumulus

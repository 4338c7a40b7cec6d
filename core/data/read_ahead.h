// SPDX-License-Identifier: GPL-3.0-or-later
// Reads samples of a data set larger than memory before they are needed: the disk works while the model computes, on
// many samples at once.
#pragma once

#include "core/data/tensor_set.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace accumulus {

/// A thread of its own asks the system for the samples, in their order, never more than `ahead` bytes beyond what was
/// read of the file. Nobody waits for it; what it has not done yet is read when it is touched.
class ReadAhead {
public:
    explicit ReadAhead(const TensorColumn& column);
    ~ReadAhead();
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    /// Whether it helps: small files are in memory since they were looked through when they were loaded.
    [[nodiscard]] static bool helps(const TensorColumn& column, std::int64_t samples);
    /// The samples that are read next, behind those that were asked for before. Any thread.
    void want(std::span<const std::int64_t> ids);

    static constexpr std::int64_t ahead = std::int64_t{128} << 20;

private:
    void work();
    [[nodiscard]] bool mayGoOn() const;

    TensorColumn m_column;
    std::int64_t m_readBefore; ///< of the file, by others
    std::int64_t m_asked = 0;  ///< bytes
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::int64_t> m_wanted;
    bool m_ends = false;
    std::thread m_thread;
};

} // namespace accumulus

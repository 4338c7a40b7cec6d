// SPDX-License-Identifier: GPL-3.0-or-later
// Reads samples of a data set larger than memory before they are needed: the disk works while the model computes, on
// many samples at once.
#pragma once

#include "core/data/tensor_set.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <thread>

namespace accumulus {

/// A thread of its own asks the system for the samples, in the order in which they are wanted. Nobody waits for it;
/// what it has not done yet is read when it is needed. Any thread may call.
class ReadAhead {
public:
    /// Asks the system for bytes of the column.
    using Ask = std::function<void(std::span<const std::byte>)>;

    /// Never asks for more than `ahead` bytes, or one sample, beyond what has passed. `ask`: of the column's file where
    /// it is empty.
    ReadAhead(TensorColumn column, std::int64_t ahead, Ask ask = {});
    ~ReadAhead();
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    /// Whether it helps: small files are in memory since they were looked through when they were loaded.
    [[nodiscard]] static bool helps(const TensorColumn& column, std::int64_t samples);

    /// Samples that are read behind those that were wanted before.
    void want(std::span<const std::int64_t> ids);
    /// The first `samples` of all that were wanted were read. Never goes back.
    void passed(std::int64_t samples);
    /// Begins anew: nothing is wanted.
    void forget();
    /// Less is wanted than may be asked for.
    [[nodiscard]] bool wantsMore() const;

private:
    void work();
    [[nodiscard]] bool mayAsk() const;

    const TensorColumn m_column;
    const std::int64_t m_ahead;
    const Ask m_ask;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::int64_t> m_waiting; ///< wanted, not yet asked for
    std::int64_t m_wanted = 0;          ///< samples, since forget()
    std::int64_t m_passed = 0;          ///< of them, read
    bool m_ends = false;
    std::thread m_thread; ///< last: it uses the others
};

} // namespace accumulus

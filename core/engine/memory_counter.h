// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the bytes of all CPU tensors of the process, keeps their peak, and enforces device.memory_limit. Installed
// once, before the first tensor; any thread. oneDNN's scratch memory is not seen.
#pragma once

#include <cstdint>
#include <new>
#include <string>

namespace accumulus {

/// Memory that was asked for and refused: by device.memory_limit, or by the system. A type of its own, so that nobody
/// reads messages to recognise it.
class OutOfMemory : public std::bad_alloc {
public:
    OutOfMemory(std::int64_t wanted, std::int64_t inUse, std::int64_t limit);
    [[nodiscard]] const char* what() const noexcept override { return m_text.c_str(); }

private:
    std::string m_text;
};

class MemoryCounter {
public:
    /// Makes LibTorch allocate CPU tensors through the counter. Further calls do nothing.
    static void install();
    /// Bytes of tensors alive, as they were asked for: what the allocator adds when it rounds up is not touched and
    /// takes no memory.
    [[nodiscard]] static std::int64_t current();
    [[nodiscard]] static std::int64_t peak();
    static void resetPeak();
    static void raisePeak(std::int64_t bytes); ///< to at least so much
    /// How often memory was refused (OutOfMemory).
    [[nodiscard]] static std::int64_t refusals();
    /// 0: no limit.
    static void setLimit(std::int64_t bytes);
    [[nodiscard]] static std::int64_t limit();
};

/// The peak of a while; that of before is not lost.
class MemoryPeak {
public:
    MemoryPeak() : m_start(MemoryCounter::current()), m_before(MemoryCounter::peak()) { MemoryCounter::resetPeak(); }
    ~MemoryPeak() { MemoryCounter::raisePeak(m_before); }
    MemoryPeak(const MemoryPeak&) = delete;
    MemoryPeak& operator=(const MemoryPeak&) = delete;
    /// More than was in use when this began.
    [[nodiscard]] std::int64_t bytes() const { return MemoryCounter::peak() - m_start; }

private:
    std::int64_t m_start;
    std::int64_t m_before;
};

/// A limit for a while.
class MemoryLimit {
public:
    explicit MemoryLimit(std::int64_t bytes) : m_before(MemoryCounter::limit()) { MemoryCounter::setLimit(bytes); }
    ~MemoryLimit() { MemoryCounter::setLimit(m_before); }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    std::int64_t m_before;
};

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// From which sizes on files are treated as large. In one place so that tests can make small files large.
#pragma once

#include <cstdint>

namespace accumulus {

/// Bytes.
struct FileLimits {
    /// Of a file: pages of a larger one are not touched, its samples are read one by one.
    std::int64_t touched = std::int64_t{512} << 20;
    /// Of inputs: more are not looked through when they are loaded, and are read ahead.
    std::int64_t scanned = std::int64_t{1} << 30;
    /// That the system is asked to read before they are needed.
    std::int64_t ahead = std::int64_t{128} << 20;
};
[[nodiscard]] const FileLimits& fileLimits();

/// Tests: other limits while it lives. Not while data are read.
class OtherFileLimits {
public:
    explicit OtherFileLimits(const FileLimits& limits);
    ~OtherFileLimits();
    OtherFileLimits(const OtherFileLimits&) = delete;
    OtherFileLimits& operator=(const OtherFileLimits&) = delete;

private:
    FileLimits m_before;
};

} // namespace accumulus

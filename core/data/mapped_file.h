// SPDX-License-Identifier: GPL-3.0-or-later
// A file in the address space of the process: pages are read when they are touched and may be dropped by the system at
// any time, so a file may be larger than memory. Any thread.
//
// A file that another program cuts short while it is mapped ends the process where pages that are gone are touched
// (SIGBUS); isUnchanged() sees it before, but not for certain.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <tl/expected.hpp>

namespace accumulus {

class MappedFile {
public:
    /// Read-only. Nothing is read yet. Otherwise what the system says.
    [[nodiscard]] static tl::expected<std::shared_ptr<const MappedFile>, Message>
    open(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_data, m_size}; }

    /// Asks the system to read these bytes soon; they may lie anywhere in the file.
    void willNeed(std::span<const std::byte> bytes) const;
    /// The file is read here and there from now on: the system need not read on where a page was touched.
    void expectRandomAccess() const;
    /// `bytes` of it were read. A large file's pages are given back now and then (they stay in the system's cache while
    /// there is room), so that this process never seems to hold the whole file.
    void noteRead(std::int64_t bytes) const;
    /// All that noteRead() was told.
    [[nodiscard]] std::int64_t bytesRead() const { return m_read.load(std::memory_order_relaxed); }
    /// Of the same size and age as when it was opened.
    [[nodiscard]] bool isUnchanged() const;

    /// What a process keeps mapped of a file at most, roughly.
    static constexpr std::int64_t keptBytes = std::int64_t{512} << 20;

private:
    MappedFile() = default;

    std::filesystem::path m_path;
    int m_file = -1;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    std::int64_t m_modified = 0; ///< nanoseconds
    mutable std::atomic<std::int64_t> m_read{0};
};

/// The same with the error `family`.open, its arguments file and reason.
[[nodiscard]] Result<std::shared_ptr<const MappedFile>> mapFile(const std::filesystem::path& path,
                                                                const std::string& family);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// A file in the address space of the process: pages are read when they are touched and may be dropped by the system at
// any time, so a file may be larger than memory. Any thread.
//
// Where another program cuts a mapped file short, touching pages that are gone ends the process (SIGBUS). isUnchanged()
// sees it before, but not for certain; read() is safe.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/data/file_limits.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
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

    /// Asks the system to read these bytes soon; they may lie anywhere in the file. Nobody waits for the disk.
    void willNeed(std::span<const std::byte> bytes) const;
    /// Bytes that willNeed() was told.
    [[nodiscard]] std::int64_t bytesAsked() const { return m_asked.load(std::memory_order_relaxed); }
    /// The file is read here and there from now on: the system need not read on where a page was touched.
    void expectRandomAccess() const;
    /// A copy of these bytes, which lie in the file, without touching its pages: what is read of a large file stays in
    /// the system's cache while there is room, and never counts as memory of this process. False where the file has
    /// become shorter or cannot be read.
    [[nodiscard]] bool read(std::span<const std::byte> bytes, std::byte* out) const;
    /// Small enough to be touched all over.
    [[nodiscard]] bool isSmall() const { return static_cast<std::int64_t>(m_size) <= fileLimits().touched; }
    /// Of the same size and age as when it was opened; or younger, but with the content that was remembered.
    [[nodiscard]] bool isUnchanged() const;
    /// Remembers a hash of the content for isUnchanged(): of a file above 1 GiB, of blocks spread over it. Nothing
    /// where the file changes meanwhile.
    void rememberContent() const;
    /// The same for the same content, as long as the system's clock tells two changes apart.
    struct Identity {
        std::uint64_t device = 0, file = 0, size = 0;
        std::int64_t modified = 0; ///< nanoseconds
        bool operator==(const Identity&) const = default;
    };
    [[nodiscard]] const Identity& identity() const { return m_identity; }
    /// So long unchanged, when it was opened, that a change shows in its age.
    [[nodiscard]] bool isOld() const;

private:
    MappedFile() = default;
    [[nodiscard]] std::string contentHash() const;
    [[nodiscard]] bool holdsTheSame(std::int64_t modified) const;

    std::filesystem::path m_path;
    int m_file = -1;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    Identity m_identity;
    std::int64_t m_opened = 0; ///< nanoseconds
    mutable std::atomic<std::int64_t> m_asked{0};
    mutable std::atomic<std::int64_t> m_accepted{0}; ///< another age at which the content was the same
    mutable std::mutex m_mutex;
    mutable std::string m_content; ///< its hash; empty: not remembered
};

/// The same with the error `family`.open, its arguments file and reason.
[[nodiscard]] Result<std::shared_ptr<const MappedFile>> mapFile(const std::filesystem::path& path,
                                                                const std::string& family);

} // namespace accumulus

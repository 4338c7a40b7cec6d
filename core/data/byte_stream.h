// SPDX-License-Identifier: GPL-3.0-or-later
// Outside files, front to back, plain and gzip alike (told apart by their content). Counts bytes, so that every problem
// has a place.
#pragma once

#include "core/data/reason.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

struct gzFile_s;

namespace accumulus {

/// One thread. Errors are `family`.open, `family`.short and `family`.trailing with the arguments file, offset (in the
/// unpacked content) and reason.
class ByteStream {
public:
    ByteStream(std::filesystem::path file, std::string family);

    [[nodiscard]] bool isOpen() const { return m_file != nullptr; }
    [[nodiscard]] std::int64_t offset() const { return m_offset; }
    /// Valid once something was read.
    [[nodiscard]] bool isCompressed() const;

    /// Fills `target` or says why not.
    [[nodiscard]] Status read(std::span<std::uint8_t> target);
    /// Nothing may follow; the end of a gzip stream also holds its length and checksum, which are checked here.
    [[nodiscard]] Status expectEnd();

    /// `family`.`kind` at the present offset.
    [[nodiscard]] tl::unexpected<Error> error(const std::string& kind, Message reason) const;
    [[nodiscard]] tl::unexpected<Error> openError() const { return error("open", said(m_reason)); }

private:
    [[nodiscard]] Message problem() const;

    std::filesystem::path m_path;
    std::string m_family;
    std::unique_ptr<gzFile_s, int (*)(gzFile_s*)> m_file;
    std::int64_t m_offset = 0;
    std::string m_reason;
};

/// gzip cannot expand more than about 1032 times.
inline constexpr std::int64_t largestExpansion = 1040;

/// Bytes of content without unpacking: the size of a plain file; of a gzip file what its last four bytes say, which is
/// right below 4 GiB for a file in one piece, as gzip writes it. Errors `family`.open, `family`.short.
[[nodiscard]] Result<std::int64_t> contentSize(const std::filesystem::path& file, const std::string& family);

} // namespace accumulus

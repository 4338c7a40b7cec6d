// SPDX-License-Identifier: GPL-3.0-or-later
// TensorBoard's event files: records of a length, a masked CRC-32C of it, bytes, and a masked CRC-32C of them; each is
// an Event message of Protocol Buffers. Only what scalars and texts need is written and read, by hand: libprotobuf
// would bring a compiler, generated sources and 3 MB at run time for five small messages. Any thread.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

/// CRC-32C (Castagnoli, RFC 3720).
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);
/// As records hold it: rotated and shifted, so that a checksum of checksums is no trap.
[[nodiscard]] std::uint32_t maskedCrc32c(std::string_view bytes);

/// One value of an event. Event files hold floats.
struct EventScalar {
    std::string_view tag;
    float value = 0.0F;
};

/// Grows in memory; bytes() is a whole file at any time.
class EventFileWriter {
public:
    /// `wallTime`: seconds since 1970-01-01 UTC, as everywhere here.
    explicit EventFileWriter(double wallTime);

    void addScalars(double wallTime, std::int64_t step, std::span<const EventScalar> scalars);
    /// A text for TensorBoard's Text tab, as Markdown.
    void addText(double wallTime, std::int64_t step, std::string_view tag, std::string_view text);

    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    void addRecord(std::string_view event);
    std::string m_bytes;
};

/// One scalar that was read.
struct ReadScalar {
    std::size_t tag = 0; ///< index of EventFile::tags
    std::int64_t step = 0;
    double wallTime = 0.0;
    double value = 0.0; ///< may be NaN or infinite
    bool operator==(const ReadScalar&) const = default;
};

struct EventFile {
    std::vector<std::string> tags;
    std::vector<ReadScalar> scalars;          ///< in the order of the file
    std::map<std::string, std::string> texts; ///< by tag, the last of each
};

/// Does it begin with a record whose length is confirmed by its checksum?
[[nodiscard]] bool looksLikeEventFile(std::string_view beginning);
/// Scalars as simple values and as tensors of one element, texts; anything else (histograms, images, graphs) is left
/// out. Every checksum is checked, and nothing is taken from a file that is cut off or damaged. Error "import.events"
/// with {file}.
[[nodiscard]] Result<EventFile> parseEventFile(std::string_view bytes, const std::filesystem::path& file);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/zip_names.h"

#include "core/run/file_kind_parts.h"

#include <algorithm>
#include <string_view>

namespace accumulus {
namespace {

// Sizes and places of APPNOTE.TXT, sections 4.3.7 to 4.3.16.
constexpr std::size_t endBytes = 22, longestComment = 65535, locatorBytes = 20, entryBytes = 46, localBytes = 30;
constexpr std::size_t longestList = std::size_t{4} << 20, mostNames = 50'000;
constexpr std::string_view endMark = "PK\5\6", locatorMark = "PK\6\7", end64Mark = "PK\6\6", entryMark = "PK\1\2",
                           localMark = "PK\3\4";

/// Little-endian; the caller has checked that the bytes are there.
std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;)
        value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

struct ListPlace {
    std::uint64_t offset = 0, bytes = 0;
};

std::optional<ListPlace> placeOfList(const std::filesystem::path& file, std::uintmax_t size) {
    const std::size_t tail = static_cast<std::size_t>(std::min<std::uintmax_t>(size, endBytes + longestComment));
    const std::string bytes = readPart(file, size - tail, tail);
    const std::size_t end = bytes.rfind(endMark);
    if (end == std::string::npos || bytes.size() - end < endBytes)
        return std::nullopt;
    ListPlace place{number(bytes, end + 16, 4), number(bytes, end + 12, 4)};
    if (end >= locatorBytes && std::string_view(bytes).substr(end - locatorBytes).starts_with(locatorMark)) {
        const std::string end64 = readPart(file, number(bytes, end - locatorBytes + 8, 8), 56);
        if (end64.size() < 56 || !end64.starts_with(end64Mark))
            return std::nullopt;
        place = {number(end64, 48, 8), number(end64, 40, 8)};
    }
    if (place.offset > size || place.bytes > size - place.offset)
        return std::nullopt;
    return place;
}

} // namespace

std::optional<std::vector<ZipEntry>> zipEntries(const std::filesystem::path& file) {
    std::error_code problem;
    const std::uintmax_t size = std::filesystem::file_size(file, problem);
    const auto place = problem || size < endBytes ? std::nullopt : placeOfList(file, size);
    if (!place)
        return std::nullopt;
    const bool whole = place->bytes <= longestList;
    const std::string list =
        readPart(file, place->offset, static_cast<std::size_t>(std::min<std::uint64_t>(place->bytes, longestList)));
    std::vector<ZipEntry> entries;
    std::size_t at = 0;
    while (at + entryBytes <= list.size() && entries.size() < mostNames) {
        if (!std::string_view(list).substr(at).starts_with(entryMark))
            return std::nullopt;
        const std::size_t name = number(list, at + 28, 2);
        const std::size_t rest = number(list, at + 30, 2) + number(list, at + 32, 2);
        if (list.size() - at - entryBytes < name) {
            if (whole)
                return std::nullopt;
            break;
        }
        entries.push_back(
            {list.substr(at + entryBytes, name), number(list, at + 42, 4), number(list, at + 10, 2) == 0});
        at += entryBytes + name + rest;
    }
    return entries;
}

std::string storedContent(const std::filesystem::path& file, const ZipEntry& entry, std::size_t bytes) {
    const std::string local = entry.stored ? readPart(file, entry.header, localBytes) : std::string();
    if (local.size() < localBytes || !local.starts_with(localMark))
        return {};
    return readPart(file, entry.header + localBytes + number(local, 26, 2) + number(local, 28, 2), bytes);
}

} // namespace accumulus

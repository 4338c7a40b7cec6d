// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/stored_zip.h"

#include "core/base/printable.h"

#include <algorithm>
#include <vector>
#include <zlib.h>

namespace accumulus {
namespace {

using Failed = tl::unexpected<Message>;
using Bytes = std::span<const char>;

constexpr std::uint64_t maximumDirectory = 64U << 20;
constexpr std::uint64_t endSize = 22, endSize64 = 56, locatorSize = 20, centralSize = 46, localSize = 30;
constexpr std::uint64_t longestComment = 65535;

Failed broken() { return Failed(Message{"reason.zip-broken", {}}); }

/// Little-endian. The caller has checked the length.
std::uint64_t number(Bytes bytes, std::size_t at, std::size_t length) {
    std::uint64_t value = 0;
    for (std::size_t i = length; i > 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
    return value;
}

bool isSignature(Bytes bytes, std::size_t at, char third, char fourth) {
    return bytes[at] == 'P' && bytes[at + 1] == 'K' && bytes[at + 2] == third && bytes[at + 3] == fourth;
}

/// Values that did not fit into 32 bits stand in an extra field, in this order.
bool takeLargeValues(Bytes extra, std::uint64_t& size, std::uint64_t& packed, std::uint64_t& begin) {
    constexpr std::uint64_t elsewhere = 0xFFFFFFFF;
    for (std::size_t at = 0; at + 4 <= extra.size();) {
        const std::uint64_t id = number(extra, at, 2);
        const std::uint64_t length = number(extra, at + 2, 2);
        at += 4;
        if (length > extra.size() - at)
            return false;
        if (id == 1) {
            Bytes values = extra.subspan(at, length);
            for (std::uint64_t* value : {&size, &packed, &begin}) {
                if (*value != elsewhere)
                    continue;
                if (values.size() < 8)
                    return false;
                *value = number(values, 0, 8);
                values = values.subspan(8);
            }
            return true;
        }
        at += length;
    }
    return size != elsewhere && packed != elsewhere && begin != elsewhere;
}

} // namespace

const StoredZip::Entry* StoredZip::find(const std::string& name) const {
    const auto found = m_entries.find(name);
    return found == m_entries.end() ? nullptr : &found->second;
}

tl::expected<void, Message> StoredZip::open() {
    const auto directory = findDirectory();
    if (!directory)
        return Failed(directory.error());
    return readEntries(*directory);
}

tl::expected<StoredZip::Directory, Message> StoredZip::findDirectory() {
    const std::uint64_t tailSize = std::min(m_file.size(), endSize + longestComment);
    std::vector<char> tail(tailSize);
    if (m_file.problem() != 0 || tailSize < endSize || !m_file.read(m_file.size() - tailSize, tail))
        return broken();
    std::size_t end = tail.size() - endSize;
    while (end > 0 && !isSignature(tail, end, 5, 6))
        --end;
    if (!isSignature(tail, end, 5, 6))
        return broken();
    Directory found{number(tail, end + 16, 4), number(tail, end + 12, 4), number(tail, end + 10, 2)};
    if (end >= locatorSize && isSignature(tail, end - locatorSize, 6, 7)) {
        const std::uint64_t place = number(tail, end - locatorSize + 8, 8);
        std::vector<char> large(endSize64);
        if (place > m_file.size() || endSize64 > m_file.size() - place || !m_file.read(place, large) ||
            !isSignature(large, 0, 6, 6))
            return broken();
        found = {number(large, 48, 8), number(large, 40, 8), number(large, 32, 8)};
    }
    if (found.begin > m_file.size() || found.size > m_file.size() - found.begin || found.size > maximumDirectory ||
        found.entries > found.size / centralSize)
        return broken();
    return found;
}

tl::expected<void, Message> StoredZip::readEntries(const Directory& directory) {
    std::vector<char> all(directory.size);
    if (!m_file.read(directory.begin, all))
        return broken();
    Bytes rest = all;
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        if (rest.size() < centralSize || !isSignature(rest, 0, 1, 2))
            return broken();
        const std::size_t nameSize = number(rest, 28, 2);
        const std::size_t extraSize = number(rest, 30, 2);
        const std::size_t entrySize = centralSize + nameSize + extraSize + number(rest, 32, 2);
        if (rest.size() < entrySize)
            return broken();
        Entry entry;
        entry.checksum = static_cast<std::uint32_t>(number(rest, 16, 4));
        entry.begin = number(rest, 42, 4);
        entry.size = number(rest, 24, 4);
        std::uint64_t packed = number(rest, 20, 4);
        if (!takeLargeValues(rest.subspan(centralSize + nameSize, extraSize), entry.size, packed, entry.begin))
            return broken();
        entry.readable = number(rest, 10, 2) == 0 && (number(rest, 8, 2) & 1U) == 0 && packed == entry.size;
        if (entry.begin > directory.begin || packed > directory.begin - entry.begin)
            return broken();
        if (entry.readable && (total += entry.size) > m_file.size())
            return broken();
        const std::string name(rest.data() + centralSize, nameSize);
        if (!m_entries.emplace(name, entry).second)
            return broken();
        rest = rest.subspan(entrySize);
    }
    return {};
}

tl::expected<void, Message> StoredZip::read(const std::string& name, std::span<char> target) {
    const Entry* entry = find(name);
    if (!entry || entry->size != target.size())
        return broken();
    if (!entry->readable)
        return Failed(Message{"reason.zip-compressed", {{"name", printable(name.substr(0, 256))}}});
    std::vector<char> header(localSize);
    if (m_file.size() - entry->begin < localSize || !m_file.read(entry->begin, header) || !isSignature(header, 0, 3, 4))
        return broken();
    const std::uint64_t data = entry->begin + localSize + number(header, 26, 2) + number(header, 28, 2);
    if (data > m_file.size() || target.size() > m_file.size() - data || !m_file.read(data, target))
        return broken();
    uLong checksum = crc32_z(0, nullptr, 0);
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(target.data()), target.size());
    if (entry->checksum != 0 && entry->checksum != checksum)
        return Failed(Message{"reason.zip-checksum", {{"name", printable(name.substr(0, 256))}}});
    return {};
}

} // namespace accumulus

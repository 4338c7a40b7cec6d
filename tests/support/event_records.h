// SPDX-License-Identifier: GPL-3.0-or-later
// An event file as anybody else reads it, by other means than the program: the checksum bit by bit from its polynomial
// (RFC 3720, B.4), records by the format's description, fields by their numbers. Any thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace accumulus::test {

inline std::uint32_t bitwiseCrc32c(const std::string& bytes) {
    std::uint32_t remainder = 0xFFFFFFFFu;
    for (const char byte : bytes)
        for (int bit = 0; bit < 8; ++bit) {
            const bool one = ((remainder ^ (static_cast<unsigned char>(byte) >> bit)) & 1u) != 0;
            remainder >>= 1;
            if (one)
                remainder ^= 0x82F63B78u;
        }
    return ~remainder;
}

inline std::uint32_t masked(std::uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u; }

template <class Number>
Number rawNumber(const std::string& bytes, std::size_t at) {
    Number number{};
    std::memcpy(&number, bytes.data() + at, sizeof number); // little-endian machines only, as all that run this
    return number;
}

/// The bytes of each record; nothing where a checksum is wrong or a record is cut off.
inline std::optional<std::vector<std::string>> recordsOf(const std::string& file) {
    std::vector<std::string> records;
    for (std::size_t at = 0; at < file.size();) {
        if (file.size() - at < 16)
            return std::nullopt;
        const auto length = rawNumber<std::uint64_t>(file, at);
        if (length > file.size() - at - 16 ||
            rawNumber<std::uint32_t>(file, at + 8) != masked(bitwiseCrc32c(file.substr(at, 8))))
            return std::nullopt;
        records.push_back(file.substr(at + 12, length));
        if (rawNumber<std::uint32_t>(file, at + 12 + length) != masked(bitwiseCrc32c(records.back())))
            return std::nullopt;
        at += 16 + length;
    }
    return records;
}

struct RecordField {
    unsigned number = 0, wire = 0;
    std::uint64_t whole = 0; ///< wire 0
    std::string bytes;       ///< the other ones
};

/// Throws std::out_of_range where the message is cut off.
inline std::vector<RecordField> fieldsOf(const std::string& message) {
    std::size_t at = 0;
    const auto varint = [&] {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(message.at(at++));
            value |= std::uint64_t(byte & 127u) << shift;
            if (byte < 128)
                return value;
        }
    };
    std::vector<RecordField> fields;
    while (at < message.size()) {
        RecordField field;
        const std::uint64_t key = varint();
        field.number = unsigned(key / 8);
        field.wire = unsigned(key % 8);
        if (field.wire == 0) {
            field.whole = varint();
        } else {
            const std::size_t size = field.wire == 1 ? 8 : field.wire == 5 ? 4 : varint();
            if (size > message.size() - at)
                throw std::out_of_range("field");
            field.bytes = message.substr(at, size);
            at += size;
        }
        fields.push_back(field);
    }
    return fields;
}

struct RecordedScalar {
    std::string tag;
    std::int64_t step = 0;
    double wallTime = 0.0;
    float value = 0.0F;
};

struct RecordedEvents {
    std::string version; ///< of the first record
    std::vector<RecordedScalar> scalars;
    std::vector<std::string> textTags;

    [[nodiscard]] std::vector<RecordedScalar> of(const std::string& tag) const {
        std::vector<RecordedScalar> found;
        for (const RecordedScalar& scalar : scalars)
            if (scalar.tag == tag)
                found.push_back(scalar);
        return found;
    }
};

/// Nothing where a record's checksum is wrong.
inline std::optional<RecordedEvents> eventsOf(const std::string& file) {
    const auto records = recordsOf(file);
    if (!records)
        return std::nullopt;
    RecordedEvents events;
    for (const std::string& record : *records) {
        RecordedScalar at;
        for (const RecordField& field : fieldsOf(record)) {
            if (field.number == 1)
                at.wallTime = rawNumber<double>(field.bytes, 0);
            else if (field.number == 2)
                at.step = std::int64_t(field.whole);
            else if (field.number == 3)
                events.version = field.bytes;
            if (field.number != 5)
                continue;
            for (const RecordField& value : fieldsOf(field.bytes)) {
                RecordedScalar scalar = at;
                bool isScalar = false;
                for (const RecordField& part : fieldsOf(value.bytes)) {
                    if (part.number == 1)
                        scalar.tag = part.bytes;
                    isScalar = isScalar || part.number == 2;
                    if (part.number == 2)
                        scalar.value = rawNumber<float>(part.bytes, 0);
                }
                if (isScalar)
                    events.scalars.push_back(scalar);
                else
                    events.textTags.push_back(scalar.tag);
            }
        }
    }
    return events;
}

} // namespace accumulus::test

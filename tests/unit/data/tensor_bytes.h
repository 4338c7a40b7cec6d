// SPDX-License-Identifier: GPL-3.0-or-later
// .npy, .npz and .safetensors files for tests, made by hand, whole and damaged.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>
#include <zlib.h>

namespace accumulus::test {

template <class T>
std::string bytesOf(const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    if (!values.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

template <class T>
void appendLittleEndian(std::string& bytes, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFF);
}

/// Version 1, or 2 and 3 with their longer length, around any header.
inline std::string npyOf(std::string header, const std::string& payload, int version = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    const std::size_t before = bytes.size() + (version == 1 ? 2 : 4);
    header.append(63 - (before + header.size()) % 64, ' ');
    header += '\n';
    if (version == 1)
        appendLittleEndian(bytes, static_cast<std::uint16_t>(header.size()));
    else
        appendLittleEndian(bytes, static_cast<std::uint32_t>(header.size()));
    return bytes + header + payload;
}

/// As numpy.save writes: `type` such as "<f4", `shape` such as "(3, 4)".
inline std::string npyBytes(const std::string& type, const std::string& shape, const std::string& payload) {
    return npyOf("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }", payload);
}

inline std::string deflatedRaw(const std::string& bytes) {
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// What a zip file says of a member; a lie where it is not its content's.
struct ZipMember {
    std::string name;
    std::string content;
    bool deflated = false;
    std::int64_t promised = -1; ///< bytes that the directory says; -1: as many as there are
    int method = -1;            ///< -1: that of `deflated`
    int flags = 0;
};

inline std::string zipBytes(const std::vector<ZipMember>& members) {
    std::string bytes;
    std::string directory;
    for (const ZipMember& member : members) {
        const std::string packed = member.deflated ? deflatedRaw(member.content) : member.content;
        const auto sum =
            crc32(0, reinterpret_cast<const Bytef*>(member.content.data()), static_cast<uInt>(member.content.size()));
        const int method = member.method >= 0 ? member.method : member.deflated ? 8 : 0;
        std::string fields;
        appendLittleEndian(fields, std::uint16_t{20});
        appendLittleEndian(fields, static_cast<std::uint16_t>(member.flags));
        appendLittleEndian(fields, static_cast<std::uint16_t>(method));
        appendLittleEndian(fields, std::uint32_t{0x00210000}); // time and date
        appendLittleEndian(fields, static_cast<std::uint32_t>(sum));
        appendLittleEndian(fields, static_cast<std::uint32_t>(packed.size()));
        appendLittleEndian(fields, static_cast<std::uint32_t>(member.promised >= 0
                                                                  ? member.promised
                                                                  : static_cast<std::int64_t>(member.content.size())));
        appendLittleEndian(fields, static_cast<std::uint16_t>(member.name.size()));
        appendLittleEndian(fields, std::uint16_t{0});
        const std::size_t begin = bytes.size();
        bytes += std::string("PK\x03\x04") + fields + member.name + packed;
        directory += "PK\x01\x02";
        appendLittleEndian(directory, std::uint16_t{20});
        directory += fields;
        directory += std::string(2 + 2 + 2 + 4, '\0'); // comment, disk, attributes
        appendLittleEndian(directory, static_cast<std::uint32_t>(begin));
        directory += member.name;
    }
    std::string end = "PK\x05\x06";
    end += std::string(4, '\0');
    appendLittleEndian(end, static_cast<std::uint16_t>(members.size()));
    appendLittleEndian(end, static_cast<std::uint16_t>(members.size()));
    appendLittleEndian(end, static_cast<std::uint32_t>(directory.size()));
    appendLittleEndian(end, static_cast<std::uint32_t>(bytes.size()));
    end += std::string(2, '\0');
    return bytes + directory + end;
}

struct SafeTensor {
    std::string name, type, shape, payload; ///< shape as JSON: "[3,4]"
};

inline std::string safetensorsBytes(const std::vector<SafeTensor>& tensors) {
    std::string header = "{";
    std::string data;
    for (const SafeTensor& tensor : tensors) {
        header += (header.size() > 1 ? ",\"" : "\"") + tensor.name + "\":{\"dtype\":\"" + tensor.type +
                  "\",\"shape\":" + tensor.shape + ",\"data_offsets\":[" + std::to_string(data.size()) + "," +
                  std::to_string(data.size() + tensor.payload.size()) + "]}";
        data += tensor.payload;
    }
    header += "}";
    std::string bytes;
    appendLittleEndian(bytes, static_cast<std::uint64_t>(header.size()));
    return bytes + header + data;
}

} // namespace accumulus::test

// SPDX-License-Identifier: GPL-3.0-or-later
// IDX files for tests, plain and gzip, whole and damaged.
#pragma once

#include <QTemporaryDir>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>
#include <zlib.h>

namespace accumulus::test {

inline void appendBigEndian(std::string& bytes, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift & 0xFF);
}

/// Header and payload; `sizes` as promised, whatever `payload` holds.
inline std::string idxBytes(std::uint32_t magic, const std::vector<std::uint32_t>& sizes, const std::string& payload) {
    std::string bytes;
    appendBigEndian(bytes, magic);
    for (const std::uint32_t size : sizes)
        appendBigEndian(bytes, size);
    return bytes + payload;
}

/// `count` images of 4 x 3 pixels; pixel i of the file is 7 i mod 256.
inline std::string imageBytes(std::uint32_t count) {
    std::string payload;
    for (std::uint32_t i = 0; i < count * 12; ++i)
        payload += static_cast<char>(7 * i & 0xFF);
    return idxBytes(0x803, {count, 4, 3}, payload);
}

/// Labels 0, 1, ..., 9, 0, ...
inline std::string labelBytes(std::uint32_t count) {
    std::string payload;
    for (std::uint32_t i = 0; i < count; ++i)
        payload += static_cast<char>(i % 10);
    return idxBytes(0x801, {count}, payload);
}

inline std::string gzipped(const std::string& bytes) {
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
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

/// Writes over the file in place. Content of the same size leaves size and age as they were.
inline void writeOver(const std::filesystem::path& file, const std::string& bytes) {
    const auto age = std::filesystem::last_write_time(file);
    {
        std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
        stream << bytes;
    }
    std::filesystem::last_write_time(file, age);
}

/// A folder that is gone with the test.
class DataFolder {
public:
    [[nodiscard]] std::filesystem::path path() const { return m_folder.path().toStdString(); }
    std::filesystem::path write(const std::filesystem::path& name, const std::string& bytes) const {
        const std::filesystem::path file = path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::filesystem::remove(file); // file systems sync a file that is written over, which thousands would wait for
        std::ofstream(file, std::ios::binary) << bytes;
        return file;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace accumulus::test

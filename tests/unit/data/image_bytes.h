// SPDX-License-Identifier: GPL-3.0-or-later
// PNG files written by hand, so that every field can be wrong on purpose, and three small files of another maker.
#pragma once

#include "tests/unit/data/idx_files.h"

#include <QByteArray>

#include <algorithm>
#include <string>
#include <zlib.h>

namespace accumulus::test {

/// Length, type, data, checksum.
inline std::string pngChunk(const std::string& type, const std::string& data) {
    std::string bytes;
    appendBigEndian(bytes, static_cast<std::uint32_t>(data.size()));
    bytes += type + data;
    const std::string summed = type + data;
    appendBigEndian(bytes, static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(summed.data()),
                                                              static_cast<uInt>(summed.size()))));
    return bytes;
}

inline std::string deflated(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
             static_cast<uLong>(bytes.size()));
    out.resize(size);
    return out;
}

enum class PngColour : char { Grey = 0, Rgb = 2, GreyAlpha = 4, Rgba = 6 };

/// `rows`: each with its filter byte in front.
inline std::string pngOf(std::uint32_t width, std::uint32_t height, PngColour colour, int depth,
                         const std::string& rows) {
    std::string header;
    appendBigEndian(header, width);
    appendBigEndian(header, height);
    header += static_cast<char>(depth);
    header += static_cast<char>(colour);
    header += std::string(3, '\0');
    return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", header) + pngChunk("IDAT", deflated(rows)) + pngChunk("IEND", "");
}

/// 8-bit RGB; pixel (x, y) of plane c is (base + 60 c + 7 x + 11 y) mod 256.
inline std::string rgbPng(std::uint32_t width, std::uint32_t height, int base = 0) {
    std::string rows;
    for (std::uint32_t y = 0; y < height; ++y) {
        rows += '\0';
        for (std::uint32_t x = 0; x < width; ++x)
            for (std::uint32_t c = 0; c < 3; ++c)
                rows += static_cast<char>(static_cast<std::uint32_t>(base) + 60 * c + 7 * x + 11 * y);
    }
    return pngOf(width, height, PngColour::Rgb, 8, rows);
}

/// The chunks' checksums made right again, as far as the chunks can be followed.
inline std::string withRightChecksums(std::string bytes) {
    for (std::size_t at = 8; at + 12 <= bytes.size();) {
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i)
            length = length << 8 | static_cast<std::uint8_t>(bytes[at + i]);
        if (length > bytes.size() - at - 12)
            break;
        const std::string chunk = pngChunk(bytes.substr(at + 4, 4), bytes.substr(at + 8, length));
        std::copy(chunk.end() - 4, chunk.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at + 8 + length));
        at += 12 + length;
    }
    return bytes;
}

inline std::string fromBase64(const char* text) { return QByteArray::fromBase64(text).toStdString(); }

// Written by Pillow 13. Both JPEGs: 16 x 8 pixels, left half (200, 40, 60), right half (20, 90, 220), quality 95, no
// subsampling; Pillow reads (199, 40, 60) and (20, 90, 220) back. The PNG: 3 x 2 pixels with a palette of 2 bits, (10,
// 20, 30), (200, 100, 50), (0, 255, 0) and back.
inline std::string baselineJpeg() {
    return fromBase64(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoK"
        "CgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK"
        "CgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABQj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA"
        "FQEBAQAAAAAAAAAAAAAAAAAACQf/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCZ07JwHLwA9//Z");
}
inline std::string progressiveJpeg() {
    return fromBase64(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoK"
        "CgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK"
        "CgoKCgoKCgr/wgARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABAf/xAAVAQEBAAAAAAAAAAAAAAAAAAAIBv/a"
        "AAwDAQACEAMQAAABmc6nBrwD/wD/xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAEFAj//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ"
        "/9oACAEDAQE/AT//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAECAQE/AT//xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAY/"
        "Aj//xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAE/IT//2gAMAwEAAgADAAAAEAP/xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oA"
        "CAEDAQE/ED//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAECAQE/ED//xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAE/ED//"
        "2Q==");
}
inline std::string palettePng() {
    return fromBase64(
        "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAgMAAADgGo6JAAAADFBMVEUKFB7IZDIA/wAAAABasKUDAAAADElEQVR42mOQYJgAAADc"
        "AKlSGhOPAAAAAElFTkSuQmCC");
}

} // namespace accumulus::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image_file.h"

#include "core/base/atomic_file.h"
#include "core/data/image_decoder.h"
#include "core/data/reason.h"

#include <memory>
#include <optional>
#include <span>
#include <zlib.h>

namespace accumulus {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Reason = std::optional<Message>;

constexpr std::size_t largestFile = std::size_t{64} << 20;
constexpr std::int64_t largestSide = 16384;
constexpr std::int64_t largestArea = std::int64_t{1} << 25;
// The smallest files: JPEG spends at least one bit on 8 x 8 pixels; PNG at least one bit on a pixel, packed at most
// 1032 times.
constexpr std::int64_t jpegPixelsPerByte = 8 * 64;
constexpr std::int64_t pngPixelsPerByte = 8 * 1032;
constexpr std::size_t pngSignature = 8;
constexpr int channelCount = 3;
// What the decoder may take in one block: 16 bits of four channels, twice that while unpacking grows, and something for
// tables and margins of narrow images.
constexpr std::size_t decoderBytesPerPixel = 16;
constexpr std::size_t decoderMargin = std::size_t{4} << 20;

std::uint32_t bigEndian(Bytes bytes, std::size_t at, std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8 | bytes[at + i];
    return value;
}

bool isPng(Bytes bytes) {
    constexpr std::uint8_t signature[pngSignature] = {0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};
    return bytes.size() > pngSignature && std::equal(std::begin(signature), std::end(signature), bytes.begin());
}

bool isJpeg(Bytes bytes) { return bytes.size() > 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF; }

/// PNG: a row of chunks, each with length, type, data and a checksum of type and data, up to IEND.
Reason problemOfPng(Bytes bytes) {
    constexpr std::size_t frame = 12; // length, type, checksum
    for (std::size_t at = pngSignature; at + frame <= bytes.size();) {
        const std::size_t length = bigEndian(bytes, at, 4);
        if (length > bytes.size() - at - frame)
            return Message{"reason.part-promise", {{"at", std::to_string(at)}, {"promised", std::to_string(length)}}};
        const auto sum = ::crc32(0, bytes.data() + at + 4, static_cast<uInt>(length + 4));
        if (sum != bigEndian(bytes, at + 8 + length, 4))
            return Message{"reason.part-checksum", {{"at", std::to_string(at)}}};
        if (bigEndian(bytes, at + 4, 4) == 0x49454E44) // IEND
            return std::nullopt;
        at += frame + length;
    }
    return Message{"reason.image-short", {{"at", std::to_string(bytes.size())}}};
}

/// Behind the compressed data that begin at `at`: the next mark that is neither a stuffed byte nor a restart.
std::size_t endOfScan(Bytes bytes, std::size_t at) {
    while (at + 1 < bytes.size() && (bytes[at] != 0xFF || bytes[at + 1] == 0x00 || bytes[at + 1] == 0xFF ||
                                     (bytes[at + 1] >= 0xD0 && bytes[at + 1] <= 0xD7)))
        ++at;
    return at;
}

/// JPEG: segments with lengths, compressed data behind each start of scan, and an end mark.
Reason problemOfJpeg(Bytes bytes) {
    std::size_t at = 2;
    while (at + 1 < bytes.size()) {
        const std::uint8_t mark = bytes[at + 1];
        if (bytes[at] != 0xFF || mark == 0xFF || mark == 0x00) { // padding
            ++at;
            continue;
        }
        if (mark == 0xD9)
            return std::nullopt;
        at += 2;
        if (mark == 0x01 || (mark >= 0xD0 && mark <= 0xD8))
            continue;
        if (at + 2 > bytes.size())
            break;
        const std::size_t length = bigEndian(bytes, at, 2);
        if (length < 2)
            return Message{"reason.segment-damaged", {{"at", std::to_string(at)}}};
        at += length;
        if (mark == 0xDA)
            at = endOfScan(bytes, at);
    }
    return Message{"reason.no-end-mark", {{"at", std::to_string(bytes.size())}}};
}

/// A file whose structure is sound, and the size it promises.
struct CheckedFile {
    std::string content;
    ImageSize size;
};

tl::unexpected<Error> refuse(const std::filesystem::path& file, Message reason) {
    return failureBecause("data.image.file", {{"file", file.string()}}, std::move(reason));
}

const stbi_uc* stbBytes(const std::string& content) { return reinterpret_cast<const stbi_uc*>(content.data()); }

Result<CheckedFile> readChecked(const std::filesystem::path& file) {
    auto content = readFile(file, largestFile);
    if (!content)
        return refuse(file, said(content.error().argument("reason")));
    const Bytes bytes(stbBytes(*content), content->size());
    const bool png = isPng(bytes);
    if (!png && !isJpeg(bytes))
        return refuse(file, {content->empty() ? "reason.file-empty" : "reason.no-image", {}});
    if (const Reason problem = png ? problemOfPng(bytes) : problemOfJpeg(bytes))
        return refuse(file, *problem);
    int width = 0;
    int height = 0;
    int channels = 0;
    limitImageDecoder(decoderMargin);
    if (!stbi_info_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels))
        return refuse(file, {"reason.header-damaged", {{"problem", stbi_failure_reason()}}});
    const ImageSize size{height, width};
    const std::string shown = std::to_string(width) + "x" + std::to_string(height);
    if (height < 1 || width < 1 || height > largestSide || width > largestSide ||
        size.height * size.width > largestArea)
        return refuse(file, {"reason.image-large", {{"pixels", shown}}});
    if (size.height * size.width / (png ? pngPixelsPerByte : jpegPixelsPerByte) > std::ssize(*content))
        return refuse(file, {"reason.image-promise", {{"pixels", shown}, {"size", std::to_string(content->size())}}});
    return CheckedFile{std::move(*content), size};
}

/// The centred part of one plane, averaged over `factor` x `factor` pixels.
void shrinkPlane(const std::uint8_t* in, std::int64_t width, std::int64_t factor, std::int64_t side,
                 std::uint8_t* out) {
    const std::int64_t area = factor * factor;
    for (std::int64_t row = 0; row < side; ++row)
        for (std::int64_t column = 0; column < side; ++column) {
            std::int64_t sum = 0;
            for (std::int64_t y = row * factor; y < (row + 1) * factor; ++y)
                for (std::int64_t x = column * factor; x < (column + 1) * factor; ++x)
                    sum += in[y * width + x];
            *out++ = static_cast<std::uint8_t>((sum + area / 2) / area);
        }
}

} // namespace

Result<ImageSize> readImageSize(const std::filesystem::path& file) {
    ACCUMULUS_TRY_ASSIGN(const auto checked, readChecked(file));
    return checked.size;
}

Result<ImageSet> readImageFile(const std::filesystem::path& file) {
    ACCUMULUS_TRY_ASSIGN(const auto checked, readChecked(file));
    int width = 0;
    int height = 0;
    int channels = 0;
    limitImageDecoder(decoderMargin + 2 * checked.content.size() +
                      decoderBytesPerPixel * static_cast<std::size_t>(checked.size.height * checked.size.width));
    const std::unique_ptr<stbi_uc, void (*)(void*)> decoded(
        stbi_load_from_memory(stbBytes(checked.content), static_cast<int>(checked.content.size()), &width, &height,
                              &channels, channelCount),
        &stbi_image_free);
    if (!decoded || checked.size != ImageSize{height, width})
        return refuse(file, {"reason.image-decode", {{"problem", decoded ? "size" : stbi_failure_reason()}}});
    ImageSet set;
    set.count = 1;
    set.channels = channelCount;
    set.height = height;
    set.width = width;
    set.labels = {0};
    set.pixels.resize(static_cast<std::size_t>(set.imageSize()));
    const std::int64_t area = set.height * set.width;
    for (std::int64_t i = 0; i < area; ++i)
        for (std::int64_t channel = 0; channel < channelCount; ++channel)
            set.pixels[static_cast<std::size_t>(channel * area + i)] = decoded.get()[i * channelCount + channel];
    return set;
}

ImageSet resizeSquare(const ImageSet& set, std::int64_t side) {
    const std::int64_t square = std::min(set.height, set.width);
    const std::int64_t factor = std::max<std::int64_t>(1, square / side);
    ImageSet cut;
    cut.count = set.count;
    cut.channels = set.channels;
    cut.height = cut.width = square / factor;
    cut.labels = set.labels;
    cut.pixels.resize(static_cast<std::size_t>(cut.count * cut.imageSize()));
    const std::int64_t top = (set.height - cut.height * factor) / 2;
    const std::int64_t left = (set.width - cut.width * factor) / 2;
    for (std::int64_t plane = 0; plane < set.count * set.channels; ++plane)
        shrinkPlane(set.pixels.data() + plane * set.height * set.width + top * set.width + left, set.width, factor,
                    cut.height, cut.pixels.data() + plane * cut.height * cut.width);
    return resizeBilinear(cut, side, side);
}

} // namespace accumulus

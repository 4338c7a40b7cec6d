// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/idx.h"

#include "core/data/byte_stream.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace accumulus {
namespace {

constexpr const char* errorFamily = "data.idx";
constexpr std::int64_t maximumSide = 4096;
constexpr std::int64_t maximumCount = 100'000'000;
constexpr std::int64_t maximumBytes = std::int64_t{16} << 30;

std::string hexadecimal(std::int64_t value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "0x%08llx", static_cast<unsigned long long>(value));
    return text.data();
}

Result<std::int64_t> readBigEndian(ByteStream& stream) {
    std::array<std::uint8_t, 4> bytes{};
    ACCUMULUS_TRY(stream.read(bytes));
    return (std::int64_t{bytes[0]} << 24) | (std::int64_t{bytes[1]} << 16) | (std::int64_t{bytes[2]} << 8) | bytes[3];
}

Result<IdxHeader> readHeader(ByteStream& stream) {
    if (!stream.isOpen())
        return stream.openError();
    ACCUMULUS_TRY_ASSIGN(const auto magic, readBigEndian(stream));
    if (magic != 0x801 && magic != 0x803)
        return stream.error("magic", {"reason.idx-magic", {{"found", hexadecimal(magic)}}});
    std::array<std::int64_t, 3> sizes{};
    for (std::size_t i = 0; i < (magic == 0x803 ? 3U : 1U); ++i) {
        ACCUMULUS_TRY_ASSIGN(const auto size, readBigEndian(stream));
        sizes[i] = size;
    }
    const IdxHeader header{sizes[0], sizes[1], sizes[2]};
    const bool image = magic == 0x803;
    const bool plausible =
        header.count > 0 && header.count <= maximumCount &&
        (!image || (header.height > 0 && header.height <= maximumSide && header.width > 0 &&
                    header.width <= maximumSide && header.count <= maximumBytes / (header.height * header.width)));
    if (!plausible)
        return stream.error("sizes", {"reason.idx-sizes",
                                      {{"count", std::to_string(header.count)},
                                       {"height", std::to_string(header.height)},
                                       {"width", std::to_string(header.width)}}});
    return header;
}

/// A file's size must match the header before memory is taken for it.
Status checkSize(const std::filesystem::path& file, const ByteStream& stream, std::int64_t payload) {
    std::error_code problem;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file, problem));
    const std::int64_t whole = stream.offset() + payload; // not compressed
    if (!problem && (stream.isCompressed() ? payload / largestExpansion > size : whole > size))
        return stream.error(
            "short", {"reason.header-promise", {{"promised", std::to_string(whole)}, {"size", std::to_string(size)}}});
    return {};
}

} // namespace

Result<IdxHeader> readIdxHeader(const std::filesystem::path& file) {
    ByteStream stream(file, errorFamily);
    return readHeader(stream);
}

Result<ImageSet> readIdx(const std::filesystem::path& images, const std::filesystem::path& labels, std::int64_t limit,
                         std::int64_t classes) {
    ByteStream imageStream(images, errorFamily);
    ACCUMULUS_TRY_ASSIGN(const auto imageHeader, readHeader(imageStream));
    ByteStream labelStream(labels, errorFamily);
    ACCUMULUS_TRY_ASSIGN(const auto labelHeader, readHeader(labelStream));
    if (imageHeader.height == 0)
        return imageStream.error("magic", {"reason.labels-for-images", {}});
    if (labelHeader.height != 0)
        return labelStream.error("magic", {"reason.images-for-labels", {}});
    if (imageHeader.count != labelHeader.count)
        return failure("data.idx.disagree", {{"images", images.string()},
                                             {"labels", labels.string()},
                                             {"imageCount", std::to_string(imageHeader.count)},
                                             {"labelCount", std::to_string(labelHeader.count)}});
    ACCUMULUS_TRY(checkSize(images, imageStream, imageHeader.count * imageHeader.height * imageHeader.width));
    ACCUMULUS_TRY(checkSize(labels, labelStream, labelHeader.count));

    ImageSet set;
    set.count = limit > 0 ? std::min(limit, imageHeader.count) : imageHeader.count;
    set.height = imageHeader.height;
    set.width = imageHeader.width;
    set.pixels.resize(static_cast<std::size_t>(set.count * set.imageSize()));
    set.labels.resize(static_cast<std::size_t>(set.count));
    ACCUMULUS_TRY(imageStream.read(set.pixels));
    const std::int64_t firstLabel = labelStream.offset();
    ACCUMULUS_TRY(labelStream.read(set.labels));
    const auto wrong = std::ranges::find_if(set.labels, [&](std::uint8_t label) { return label >= classes; });
    if (wrong != set.labels.end())
        return failure("data.idx.label", {{"file", labels.string()},
                                          {"offset", std::to_string(firstLabel + (wrong - set.labels.begin()))},
                                          {"label", std::to_string(*wrong)},
                                          {"largest", std::to_string(classes - 1)}});
    if (set.count == imageHeader.count) {
        ACCUMULUS_TRY(imageStream.expectEnd());
        ACCUMULUS_TRY(labelStream.expectEnd());
    }
    return set;
}

} // namespace accumulus

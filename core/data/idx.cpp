// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/idx.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <zlib.h>

namespace accumulus {
namespace {

constexpr std::int64_t maximumSide = 4096;
constexpr std::int64_t maximumCount = 100'000'000;
constexpr std::int64_t maximumBytes = std::int64_t{16} << 30;

/// Reads plain and gzip files alike and counts the bytes it has delivered.
class IdxStream {
public:
    explicit IdxStream(const std::filesystem::path& path) : m_path(path), m_file(::gzopen(path.c_str(), "rb"), &::gzclose) {
        if (!m_file)
            m_reason = std::strerror(errno);
        else
            ::gzbuffer(m_file.get(), 1U << 17);
    }

    [[nodiscard]] bool isOpen() const { return m_file != nullptr; }
    [[nodiscard]] std::int64_t offset() const { return m_offset; }

    [[nodiscard]] tl::unexpected<Error> error(const std::string& code, const std::string& reason) const {
        return failure(code, {{"file", m_path.string()}, {"offset", std::to_string(m_offset)}, {"reason", reason}});
    }
    [[nodiscard]] tl::unexpected<Error> openError() const { return error("data.idx.open", m_reason); }

    /// Fills `target` or says why not.
    Status read(std::span<std::uint8_t> target) {
        while (!target.empty()) {
            const auto wanted = static_cast<unsigned>(std::min<std::size_t>(target.size(), 1U << 24));
            const int got = ::gzread(m_file.get(), target.data(), wanted);
            if (got < 0)
                return error("data.idx.short", problem());
            if (got == 0)
                return error("data.idx.short", std::to_string(target.size()) + " more bytes were promised by its header");
            m_offset += got;
            target = target.subspan(static_cast<std::size_t>(got));
        }
        return {};
    }

    Result<std::int64_t> readBigEndian() {
        std::array<std::uint8_t, 4> bytes{};
        ACCUMULUS_TRY(read(bytes));
        return (std::int64_t{bytes[0]} << 24) | (std::int64_t{bytes[1]} << 16) | (std::int64_t{bytes[2]} << 8) | bytes[3];
    }

    /// Nothing may follow what the header promised; the end of a gzip stream also holds its length and checksum.
    Status expectEnd() {
        std::uint8_t byte = 0;
        const int got = ::gzread(m_file.get(), &byte, 1);
        if (got > 0)
            return error("data.idx.trailing", "more bytes follow than its header promises");
        int number = Z_OK;
        (void)::gzerror(m_file.get(), &number);
        return got == 0 && number == Z_OK ? Status() : error("data.idx.short", problem());
    }

    /// Valid once something was read.
    [[nodiscard]] bool isCompressed() const { return ::gzdirect(m_file.get()) == 0; }

private:
    [[nodiscard]] std::string problem() const {
        int number = Z_OK;
        const char* text = ::gzerror(m_file.get(), &number);
        return number == Z_ERRNO ? std::strerror(errno) : std::string("the compressed data are damaged: ") + text;
    }

    std::filesystem::path m_path;
    std::unique_ptr<gzFile_s, int (*)(gzFile_s*)> m_file;
    std::int64_t m_offset = 0;
    std::string m_reason;
};

std::string hexadecimal(std::int64_t value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "0x%08llx", static_cast<unsigned long long>(value));
    return text.data();
}

Result<IdxHeader> readHeader(IdxStream& stream) {
    if (!stream.isOpen())
        return stream.openError();
    const auto magic = stream.readBigEndian();
    if (!magic)
        return failure(magic.error());
    if (*magic != 0x801 && *magic != 0x803)
        return stream.error("data.idx.magic", "its first four bytes are " + hexadecimal(*magic) +
                                                  ", an IDX file starts with 0x00000801 (labels) or 0x00000803 (images)");
    std::array<std::int64_t, 3> sizes{};
    for (std::size_t i = 0; i < (*magic == 0x803 ? 3U : 1U); ++i) {
        const auto size = stream.readBigEndian();
        if (!size)
            return failure(size.error());
        sizes[i] = *size;
    }
    const IdxHeader header{sizes[0], sizes[1], sizes[2]};
    const bool image = *magic == 0x803;
    const bool plausible = header.count > 0 && header.count <= maximumCount &&
                           (!image || (header.height > 0 && header.height <= maximumSide && header.width > 0 &&
                                       header.width <= maximumSide && header.count <= maximumBytes / (header.height * header.width)));
    if (!plausible)
        return stream.error("data.idx.sizes", "its header promises " + std::to_string(header.count) + " x " +
                                                  std::to_string(header.height) + " x " + std::to_string(header.width) + " bytes");
    return header;
}

/// A plain file's size must match the header before memory is taken for it; a gzip file cannot expand more than about 1032 times.
Status checkSize(const std::filesystem::path& file, const IdxStream& stream, std::int64_t payload) {
    std::error_code problem;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file, problem));
    if (!problem && (stream.isCompressed() ? payload / 1040 > size : stream.offset() + payload > size))
        return stream.error("data.idx.short", "its header promises " + std::to_string(payload) + " bytes of data, the file has " +
                                                  std::to_string(size) + " bytes in all");
    return {};
}

} // namespace

Result<IdxHeader> readIdxHeader(const std::filesystem::path& file) {
    IdxStream stream(file);
    return readHeader(stream);
}

Result<ImageSet> readIdx(const std::filesystem::path& images, const std::filesystem::path& labels, std::int64_t limit,
                         std::int64_t classes) {
    IdxStream imageStream(images);
    const auto imageHeader = readHeader(imageStream);
    if (!imageHeader)
        return failure(imageHeader.error());
    IdxStream labelStream(labels);
    const auto labelHeader = readHeader(labelStream);
    if (!labelHeader)
        return failure(labelHeader.error());
    if (imageHeader->height == 0)
        return imageStream.error("data.idx.magic", "it holds labels where images are expected");
    if (labelHeader->height != 0)
        return labelStream.error("data.idx.magic", "it holds images where labels are expected");
    if (imageHeader->count != labelHeader->count)
        return failure("data.idx.disagree", {{"images", images.string()},
                                             {"labels", labels.string()},
                                             {"imageCount", std::to_string(imageHeader->count)},
                                             {"labelCount", std::to_string(labelHeader->count)}});
    ACCUMULUS_TRY(checkSize(images, imageStream, imageHeader->count * imageHeader->height * imageHeader->width));
    ACCUMULUS_TRY(checkSize(labels, labelStream, labelHeader->count));

    ImageSet set;
    set.count = limit > 0 ? std::min(limit, imageHeader->count) : imageHeader->count;
    set.height = imageHeader->height;
    set.width = imageHeader->width;
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
    if (set.count == imageHeader->count) {
        ACCUMULUS_TRY(imageStream.expectEnd());
        ACCUMULUS_TRY(labelStream.expectEnd());
    }
    return set;
}

} // namespace accumulus

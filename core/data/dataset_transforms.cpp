// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/column_reader.h"
#include "core/data/dataset.h"

#include <algorithm>

namespace accumulus {
namespace {

/// One row of one channel; columns that lie outside of the image are black.
template <class Real>
void gatherRow(const std::uint8_t* in, std::int64_t width, const CropFlip& change, Real scale, Real shift, Real* out) {
    for (std::int64_t x = 0; x < width; ++x) {
        const std::int64_t from = (change.mirrored ? width - 1 - x : x) - change.right;
        out[x] = from >= 0 && from < width ? static_cast<Real>(in[from]) * scale + shift : shift;
    }
}

template <class Real>
void gatherChanged(const std::uint8_t* in, std::int64_t height, std::int64_t width, const CropFlip& change, Real scale,
                   Real shift, Real* out) {
    for (std::int64_t y = 0; y < height; ++y, out += width) {
        const std::int64_t from = y - change.down;
        if (from >= 0 && from < height)
            gatherRow(in + from * width, width, change, scale, shift, out);
        else
            std::fill(out, out + width, shift);
    }
}

template <class Real>
void gather(const ImageSet& set, std::span<const std::int64_t> ids, const PixelScale& pixelScale,
            const SampleKeys* augment, Real* out) {
    const std::int64_t area = set.height * set.width;
    for (std::size_t row = 0; row < ids.size(); ++row) {
        const std::uint8_t* in = set.pixels.data() + ids[row] * set.imageSize();
        const CropFlip change = augment ? drawCropFlip(*augment, row) : CropFlip();
        for (std::int64_t channel = 0; channel < set.channels; ++channel, in += area, out += area) {
            const double deviation = pixelScale.deviation[static_cast<std::size_t>(channel)];
            const auto scale = static_cast<Real>(1.0 / (255.0 * deviation));
            const auto shift = static_cast<Real>(-pixelScale.mean[static_cast<std::size_t>(channel)] / deviation);
            if (augment)
                gatherChanged(in, set.height, set.width, change, scale, shift, out);
            else
                for (std::int64_t i = 0; i < area; ++i)
                    out[i] = static_cast<Real>(in[i]) * scale + shift;
        }
    }
}

struct Tap {
    std::int64_t low, high;
    std::int64_t weight; ///< of high, in units of 1 / (2 to)
};

/// Whole numbers throughout: halves are rounded the same way on every machine.
std::vector<Tap> taps(std::int64_t from, std::int64_t to) {
    std::vector<Tap> result;
    for (std::int64_t i = 0; i < to; ++i) {
        const std::int64_t position = std::max<std::int64_t>(0, (2 * i + 1) * from - to); // (i + 0.5) from / to - 0.5
        const std::int64_t low = std::min(position / (2 * to), from - 1);
        result.push_back({low, std::min(low + 1, from - 1), position - low * 2 * to});
    }
    return result;
}

} // namespace

CropFlip drawCropFlip(const SampleKeys& keys, std::size_t row) { return cropFlipOf(keys.key(row, purposeCropFlip)); }

void gatherImages(const ImageSet& set, std::span<const std::int64_t> ids, const PixelScale& scale,
                  const SampleKeys* augment, float* out) {
    gather(set, ids, scale, augment, out);
}

void gatherImages(const ImageSet& set, std::span<const std::int64_t> ids, const PixelScale& scale,
                  const SampleKeys* augment, double* out) {
    gather(set, ids, scale, augment, out);
}

void gatherLabels(const ImageSet& set, std::span<const std::int64_t> ids, std::int64_t* out) {
    for (std::size_t i = 0; i < ids.size(); ++i)
        out[i] = set.labels[static_cast<std::size_t>(ids[i])];
}

ImageSet resizeBilinear(const ImageSet& set, std::int64_t height, std::int64_t width) {
    if (set.height == height && set.width == width)
        return set;
    ImageSet result;
    result.count = set.count;
    result.channels = set.channels;
    result.height = height;
    result.width = width;
    result.labels = set.labels;
    result.pixels.resize(static_cast<std::size_t>(result.count * result.imageSize()));
    const auto rows = taps(set.height, height);
    const auto columns = taps(set.width, width);
    const std::int64_t rowUnit = 2 * height;
    const std::int64_t columnUnit = 2 * width;
    const auto unit = static_cast<double>(rowUnit * columnUnit);
    std::uint8_t* out = result.pixels.data();
    for (std::int64_t plane = 0; plane < set.count * set.channels; ++plane) {
        const std::uint8_t* in = set.pixels.data() + plane * set.height * set.width;
        for (const Tap& row : rows) {
            const std::uint8_t* top = in + row.low * set.width;
            const std::uint8_t* bottom = in + row.high * set.width;
            for (const Tap& column : columns) {
                const auto between = [&](const std::uint8_t* line) {
                    return line[column.low] * (columnUnit - column.weight) + line[column.high] * column.weight;
                };
                const std::int64_t sum = between(top) * (rowUnit - row.weight) + between(bottom) * row.weight;
                // Exact: both operands are whole numbers, and their rounded quotient does not cross a whole number.
                *out++ = static_cast<std::uint8_t>((static_cast<double>(sum) + unit / 2) / unit);
            }
        }
    }
    return result;
}

void gatherTexts(const TextSet& set, std::span<const std::int64_t> ids, std::int64_t* tokens, std::int64_t* next) {
    const std::int64_t block = set.block;
    ColumnReader reader(set.tokens.file.get());
    for (const std::int64_t id : ids) {
        TokenColumn sample = set.tokens.part(id * block, block + 1);
        sample.data = reader.at(sample.bytes());
        withTokens(sample, [&](const auto* stored) {
            std::copy_n(stored, block, tokens);
            std::copy_n(stored + 1, block, next);
        });
        tokens += block;
        next += block;
    }
}

ImageSet sliceImages(const ImageSet& set, std::int64_t first, std::int64_t count) {
    ImageSet part;
    part.count = count;
    part.channels = set.channels;
    part.height = set.height;
    part.width = set.width;
    part.pixels.assign(set.pixels.begin() + first * set.imageSize(),
                       set.pixels.begin() + (first + count) * set.imageSize());
    part.labels.assign(set.labels.begin() + first, set.labels.begin() + first + count);
    return part;
}

} // namespace accumulus

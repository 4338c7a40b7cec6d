// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/generated_textures.h"

#include "core/base/hash.h"
#include "core/data/generated.h"

#include <algorithm>
#include <array>
#include <random>

namespace accumulus {
namespace {

using std::int64_t;

constexpr int64_t side = 32;
constexpr int64_t channelCount = 3;
constexpr int64_t classCount = 10;
constexpr int64_t pixel = 256;  ///< lengths are in 1/256 of a pixel
constexpr int64_t strong = 255; ///< a texture's value: 0 (first colour) to 255 (second colour)

enum Kind : unsigned {
    LevelStripes,
    UprightStripes,
    DiagonalStripes,
    Chessboard,
    Dots,
    Rings,
    FineGrain,
    Clouds,
    Grid,
    Waves
};

class Draw {
public:
    explicit Draw(std::uint64_t key) : m_engine(key) {}
    /// Any of low, ..., high; uneven by less than 1e-6. The distributions of the standard library differ between its
    /// makers.
    int64_t between(int64_t low, int64_t high) {
        return low + static_cast<int64_t>((m_engine() >> 32) * static_cast<std::uint64_t>(high - low + 1) >> 32);
    }
    bool coin() { return (m_engine() >> 63) != 0; }
    std::uint64_t bits() { return m_engine(); }

private:
    std::mt19937_64 m_engine;
};

int64_t floorMod(int64_t a, int64_t b) { return (a % b + b) % b; }

/// Largest whole number whose square is at most `square`.
int64_t rootOf(int64_t square) {
    int64_t root = 0;
    for (int64_t bit = int64_t{1} << 20; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= square)
            root += bit;
    return root;
}

/// A zigzag of the given period between 0 and 255.
int64_t zigzag(int64_t place, int64_t period) {
    const int64_t phase = floorMod(place, period) * 2 * strong / period; // 0 .. 509
    return phase <= strong ? phase : 2 * strong - phase;
}

/// What all textures of one image share.
struct Shape {
    int64_t period; ///< of whatever repeats
    int64_t tilt;   ///< 256 times the slope by which everything is turned
    int64_t shiftX, shiftY;
    int64_t gain;                           ///< 4: soft zigzags; more: towards hard edges
    int64_t bendPeriod, bendHeight;         ///< of waves
    bool swapped;                           ///< of diagonals: falling; of waves: upright
    int64_t cell;                           ///< of grain and clouds
    std::array<std::uint8_t, 1024> lattice; ///< their values, 32 to a row
};

int64_t sharpen(int64_t value, int64_t gain) { return std::clamp<int64_t>(128 + (value - 128) * gain / 4, 0, strong); }

/// Values of a lattice, bilinear between its points.
int64_t latticeValue(const Shape& shape, int64_t x, int64_t y) {
    const int64_t column = x / shape.cell;
    const int64_t row = y / shape.cell;
    const int64_t right = x - column * shape.cell;
    const int64_t down = y - row * shape.cell;
    const auto at = [&](int64_t r, int64_t c) {
        return static_cast<int64_t>(shape.lattice[static_cast<std::size_t>((r & 31) * 32 + (c & 31))]);
    };
    const int64_t above = at(row, column) * (shape.cell - right) + at(row, column + 1) * right;
    const int64_t below = at(row + 1, column) * (shape.cell - right) + at(row + 1, column + 1) * right;
    return (above * (shape.cell - down) + below * down) / (shape.cell * shape.cell);
}

/// 255 on a line of the given half width around the middle of each period.
int64_t line(int64_t place, int64_t period, int64_t halfWidth) {
    const int64_t distance = std::abs(floorMod(place, period) - period / 2);
    return std::clamp<int64_t>(strong * (halfWidth + pixel / 2 - distance) / pixel, 0, strong);
}

/// The texture at a pixel, 0 .. 255.
int64_t valueAt(Kind kind, const Shape& shape, int64_t column, int64_t row) {
    const int64_t straightX = column * pixel + shape.shiftX;
    const int64_t straightY = row * pixel + shape.shiftY;
    const int64_t x = straightX + straightY * shape.tilt / 256;
    const int64_t y = straightY - straightX * shape.tilt / 256;
    const int64_t period = shape.period;
    const auto wave = [&](int64_t place) { return sharpen(zigzag(place, period), shape.gain); };
    switch (kind) {
    case LevelStripes:
        return wave(y);
    case UprightStripes:
        return wave(x);
    case DiagonalStripes:
        return wave((shape.swapped ? x + y : x - y) * 181 / 256); // 181 / 256: cosine of 45 degrees
    case Chessboard:
        return sharpen(128 + (zigzag(x, period) - 128) * (zigzag(y, period) - 128) / 64, shape.gain);
    case Dots: {
        const int64_t dx = floorMod(x, period) - period / 2;
        const int64_t dy = floorMod(y, period) - period / 2;
        return std::clamp<int64_t>(strong * (period * 5 / 16 + pixel / 2 - rootOf(dx * dx + dy * dy)) / pixel, 0,
                                   strong);
    }
    case Rings: {
        // The middle lies in the image: shifts are below 16 pixels.
        const int64_t dx = column * pixel - 8 * pixel - shape.shiftX;
        const int64_t dy = row * pixel - 8 * pixel - shape.shiftY;
        return wave(rootOf(dx * dx + dy * dy) + shape.bendHeight);
    }
    case FineGrain:
    case Clouds:
        return sharpen(latticeValue(shape, straightX, straightY), shape.gain);
    case Grid:
        return std::max(line(x, period, period / 8), line(y, period, period / 8));
    case Waves: {
        const int64_t along = shape.swapped ? y : x;
        const int64_t across = shape.swapped ? x : y;
        return wave(across + (zigzag(along, shape.bendPeriod) - 128) * shape.bendHeight / 128);
    }
    }
    return 0;
}

Shape drawShape(Kind kind, Draw& draw) {
    Shape shape{};
    shape.period = draw.between(4 * pixel, 9 * pixel);
    shape.tilt = draw.between(-48, 48); // up to 11 degrees
    shape.shiftX = draw.between(0, 16 * pixel - 1);
    shape.shiftY = draw.between(0, 16 * pixel - 1);
    shape.gain = draw.between(4, 14);
    shape.bendPeriod = draw.between(11 * pixel, 20 * pixel);
    shape.bendHeight = draw.between(2 * pixel, 4 * pixel);
    shape.swapped = draw.coin();
    shape.cell = kind == FineGrain ? draw.between(pixel, 2 * pixel) : draw.between(4 * pixel, 8 * pixel);
    for (std::size_t i = 0; i < shape.lattice.size(); i += 8)
        for (std::uint64_t bits = draw.bits(), j = 0; j < 8; ++j, bits >>= 8)
            shape.lattice[i + j] = static_cast<std::uint8_t>(bits & 0xFF);
    return shape;
}

/// Two colours, light that falls off in one direction, noise.
struct Paint {
    std::array<int64_t, channelCount> middle, contrast;
    int64_t slopeX, slopeY; ///< brightness from edge to edge
    int64_t noise;
};

Paint drawPaint(Draw& draw) {
    Paint paint{};
    const int64_t contrast = draw.between(10, 60);
    for (std::size_t channel = 0; channel < channelCount; ++channel) {
        paint.middle[channel] = draw.between(50, 205);
        const int64_t own = draw.between(contrast / 2, contrast);
        paint.contrast[channel] = draw.coin() ? own : -own;
    }
    paint.slopeX = draw.between(-50, 50);
    paint.slopeY = draw.between(-50, 50);
    paint.noise = draw.between(10, 45);
    return paint;
}

void drawTexture(Kind kind, Draw& draw, std::uint8_t* out) {
    const Shape shape = drawShape(kind, draw);
    const Paint paint = drawPaint(draw);
    for (int64_t row = 0; row < side; ++row) {
        for (int64_t column = 0; column < side; ++column) {
            const int64_t value = 2 * valueAt(kind, shape, column, row) - strong; // -255 .. 255
            const int64_t light =
                (paint.slopeX * (2 * column + 1 - side) + paint.slopeY * (2 * row + 1 - side)) / (2 * side);
            std::uint64_t bits = draw.bits();
            for (std::size_t channel = 0; channel < channelCount; ++channel, bits >>= 20) {
                // The sum of two even draws: noise with a peak at 0.
                const int64_t noise =
                    (static_cast<int64_t>(bits & 0x3FF) + static_cast<int64_t>(bits >> 10 & 0x3FF) - 1023) *
                    paint.noise / 1023;
                const int64_t bright = paint.middle[channel] + paint.contrast[channel] * value / strong + light + noise;
                out[(static_cast<int64_t>(channel) * side + row) * side + column] =
                    static_cast<std::uint8_t>(std::clamp<int64_t>(bright, 0, 255));
            }
        }
    }
}

} // namespace

ImageSet generateTextures(std::int64_t count, std::uint64_t stream) {
    ImageSet set;
    set.count = count;
    set.channels = channelCount;
    set.height = side;
    set.width = side;
    set.pixels.resize(static_cast<std::size_t>(count * set.imageSize()));
    set.labels.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        Draw draw(mixKey(stream, static_cast<std::uint64_t>(i), 0x7E47));
        const auto kind = static_cast<Kind>(draw.between(0, classCount - 1));
        set.labels[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(kind);
        drawTexture(kind, draw, set.pixels.data() + i * set.imageSize());
    }
    return set;
}

Result<DataSource> openTextures(const DataConfig& config) {
    DataSource source;
    DatasetSizes& sizes = source.sizes;
    sizes.train = config.trainLimit > 0 ? config.trainLimit : defaultGeneratedTrain;
    sizes.test = config.testLimit > 0 ? config.testLimit : defaultGeneratedTest;
    sizes.height = sizes.width = config.resize > 0 ? config.resize : side;
    sizes.channels = channelCount;
    sizes.classes = classCount;
    sizes.facts = imageFacts(config.dataset, sizes);
    sizes.facts.push_back({"fact.drawn", {}});
    source.trainStored = sizes.train * channelCount * side * side;
    source.testStored = sizes.test * channelCount * side * side;
    source.read = [train = sizes.train, test = sizes.test](Dataset& set) -> Status {
        set.mean = {0.5, 0.5, 0.5};
        set.deviation = {0.21, 0.21, 0.21}; // of the drawn pixels, to two digits
        set.train = generateTextures(train, 1);
        set.test = generateTextures(test, 2);
        return {};
    };
    return source;
}

} // namespace accumulus

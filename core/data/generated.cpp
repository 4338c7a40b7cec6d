// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/generated.h"

#include "core/base/hash.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace accumulus {
namespace {

constexpr std::int64_t side = 28;

struct Segment {
    double x0, y0, x1, y1;
};
// The seven segments in a box of 1 x 2, and which of them make each digit.
constexpr std::array<Segment, 7> segments{
    {{0, 0, 1, 0}, {1, 0, 1, 1}, {1, 1, 1, 2}, {0, 2, 1, 2}, {0, 1, 0, 2}, {0, 0, 0, 1}, {0, 1, 1, 1}}};
constexpr std::array<unsigned, 10> digits{0b0111111, 0b0000110, 0b1011011, 0b1001111, 0b1100110,
                                          0b1101101, 0b1111101, 0b0000111, 0b1111111, 0b1101111};

double distanceTo(const Segment& s, double x, double y) {
    const double dx = s.x1 - s.x0;
    const double dy = s.y1 - s.y0;
    const double t = std::clamp(((x - s.x0) * dx + (y - s.y0) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    return std::hypot(x - s.x0 - t * dx, y - s.y0 - t * dy);
}

/// False: it is farther away than `reach`, in x or in y alone.
bool mayReach(const Segment& s, double x, double y, double reach) {
    return x > std::min(s.x0, s.x1) - reach && x < std::max(s.x0, s.x1) + reach && y > std::min(s.y0, s.y1) - reach &&
           y < std::max(s.y0, s.y1) + reach;
}

/// Uniform in [low, high); std::uniform_real_distribution is not the same on every standard library.
double uniform(std::mt19937_64& engine, double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1.0p-53;
}

void drawDigit(unsigned digit, std::mt19937_64& engine, std::uint8_t* out) {
    const double scale = uniform(engine, 7.5, 9.5); // pixels per segment length
    const double slant = uniform(engine, -0.25, 0.25);
    const double stroke = uniform(engine, 0.9, 1.9); // half width in pixels
    const double centreX = uniform(engine, 12.0, 16.0);
    const double centreY = uniform(engine, 12.0, 16.0);
    const double reach = (stroke + 0.5) / scale * (1.0 + 1e-9); // beyond it a segment leaves no ink
    for (std::int64_t row = 0; row < side; ++row) {
        for (std::int64_t column = 0; column < side; ++column) {
            const double y = (static_cast<double>(row) - centreY) / scale + 1.0;
            const double x = (static_cast<double>(column) - centreX) / scale + 0.5 + slant * (y - 1.0);
            double nearest = 1e9;
            for (unsigned s = 0; s < segments.size(); ++s)
                if ((digits[digit] >> s & 1U) != 0 && mayReach(segments[s], x, y, reach))
                    nearest = std::min(nearest, distanceTo(segments[s], x, y) * scale);
            const double ink = std::clamp(stroke + 0.5 - nearest, 0.0, 1.0) * 235.0;
            const double value = ink + uniform(engine, 0.0, 20.0);
            out[row * side + column] = static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
        }
    }
}

} // namespace

ImageSet generateDigits(std::int64_t count, std::uint64_t stream) {
    ImageSet set;
    set.count = count;
    set.height = side;
    set.width = side;
    set.pixels.resize(static_cast<std::size_t>(count * side * side));
    set.labels.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        std::mt19937_64 engine(mixKey(stream, static_cast<std::uint64_t>(i), 0xD161));
        const auto digit = static_cast<unsigned>(engine() % 10);
        set.labels[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(digit);
        drawDigit(digit, engine, set.pixels.data() + i * side * side);
    }
    return set;
}

Result<DataSource> openDigits(const DataConfig& config) {
    DataSource source;
    DatasetSizes& sizes = source.sizes;
    sizes.train = config.trainLimit > 0 ? config.trainLimit : defaultGeneratedTrain;
    sizes.test = config.testLimit > 0 ? config.testLimit : defaultGeneratedTest;
    sizes.height = sizes.width = config.resize > 0 ? config.resize : side;
    sizes.facts = imageFacts(config.dataset, sizes);
    sizes.facts.push_back({"fact.drawn", {}});
    source.trainStored = sizes.train * side * side;
    source.testStored = sizes.test * side * side;
    source.read = [train = sizes.train, test = sizes.test](Dataset& set) -> Status {
        set.mean = {0.1307}; // as MNIST, which they look like
        set.deviation = {0.3081};
        set.train = generateDigits(train, 1);
        set.test = generateDigits(test, 2);
        return {};
    };
    return source;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// data.augment = "crop-flip": every one of the 81 shifts, plain and mirrored, against a slow reference; how often each
// is drawn; what a draw depends on.
#include "core/data/dataset.h"
#include "tests/support/numeric.h"

#include <QTest>

#include <array>
#include <numeric>

namespace test_crop_flip {
using namespace accumulus;
using namespace accumulus::test;

namespace {

using Ids = std::vector<std::int64_t>;

constexpr std::int64_t padding = 4;
constexpr std::size_t places = 2 * 9 * 9;

std::size_t placeOf(const CropFlip& change) {
    return static_cast<std::size_t>(((change.down + padding) * 9 + change.right + padding) * 2 +
                                    (change.mirrored ? 1 : 0));
}

/// Two images of two planes of 5 x 7 pixels, no two pixels of an image alike and none of them black.
ImageSet smallImages() {
    ImageSet set;
    set.count = 2;
    set.channels = 2;
    set.height = 5;
    set.width = 7;
    set.labels = {0, 1};
    set.pixels.resize(140);
    for (std::size_t i = 0; i < set.pixels.size(); ++i)
        set.pixels[i] = static_cast<std::uint8_t>(1 + (i * 3 + i / 70) % 255);
    return set;
}

/// As a person would do it: a black frame of 4 around the image, a window of the image's size cut out of it, then
/// turned over.
std::vector<int> slowly(const ImageSet& set, std::int64_t id, std::int64_t channel, const CropFlip& change,
                        bool mirrorFirst = false) {
    const std::int64_t wide = set.width + 2 * padding;
    const std::uint8_t* plane = set.pixels.data() + (id * set.channels + channel) * set.height * set.width;
    std::vector<int> framed(static_cast<std::size_t>(wide * (set.height + 2 * padding)), 0);
    for (std::int64_t y = 0; y < set.height; ++y)
        for (std::int64_t x = 0; x < set.width; ++x)
            framed[static_cast<std::size_t>((y + padding) * wide + x + padding)] =
                plane[y * set.width + (mirrorFirst && change.mirrored ? set.width - 1 - x : x)];
    std::vector<int> cut;
    for (std::int64_t y = 0; y < set.height; ++y) {
        // Shifted down by one: the window begins one row higher.
        std::vector<int> row;
        for (std::int64_t x = 0; x < set.width; ++x)
            row.push_back(
                framed[static_cast<std::size_t>((y + padding - change.down) * wide + x + padding - change.right)]);
        if (change.mirrored && !mirrorFirst)
            std::ranges::reverse(row);
        cut.insert(cut.end(), row.begin(), row.end());
    }
    return cut;
}

} // namespace

class TestCropFlip : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyShiftAndMirrorAgainstASlowReference() {
        const ImageSet set = smallImages();
        const PixelScale scale{{0.25, 0.5}, {0.5, 0.125}};
        std::array<bool, places> seen{};
        std::size_t found = 0;
        int mutants = 0;
        const Ids images{1};
        const Ids epochs{0};
        std::array<float, 70> single{};
        std::array<double, 70> full{};
        // All 162 places within 20 000 draws: one stays away with probability 162 (1 - 1 / 162)^20000, below 1e-50.
        for (std::int64_t sample = 0; sample < 20'000 && found < places; ++sample) {
            const Ids ids{sample};
            const SampleKeys keys{7, ids, epochs};
            const CropFlip change = drawCropFlip(keys, 0);
            QVERIFY(std::abs(change.down) <= padding && std::abs(change.right) <= padding);
            if (std::exchange(seen[placeOf(change)], true))
                continue;
            ++found;
            gatherImages(set, images, scale, &keys, single.data());
            gatherImages(set, images, scale, &keys, full.data());
            for (std::size_t channel = 0; channel < 2; ++channel) {
                const auto wanted = slowly(set, 1, static_cast<std::int64_t>(channel), change);
                for (std::size_t i = 0; i < wanted.size(); ++i) {
                    const double value = (wanted[i] / 255.0 - scale.mean[channel]) / scale.deviation[channel];
                    // Scale, product and sum are rounded; no term exceeds 8: 4 x 8 x u / 2 each way.
                    QVERIFY(compareAbs(full[channel * 35 + i], value, 4 * 8 * 0x1p-53));
                    QVERIFY(compareAbs(static_cast<double>(single[channel * 35 + i]), value, 4 * 8 * 0x1p-24));
                }
                mutants += wanted != slowly(set, 1, static_cast<std::int64_t>(channel), change, true) ? 1 : 0;
            }
        }
        QCOMPARE(found, places);
        // The comparison would see a mirror before the shift: it differs wherever both are at work (8 x 9 places of 2
        // planes).
        QCOMPARE(mutants, 8 * 9 * 2);
    }

    // Chi-square of 81 000 draws over 162 places, 161 degrees of freedom: beyond 236.5 with probability 1e-4
    // (Wilson-Hilferty: 161 (1 - 2 / 1449 + 3.719 sqrt(2 / 1449))^3). The keys are fixed, so this passes or fails for
    // good.
    void everyPlaceIsEquallyLikely() {
        std::array<double, places> counts{};
        Ids ids(1000);
        std::iota(ids.begin(), ids.end(), std::int64_t{0});
        for (std::int64_t seed = 0; seed < 9; ++seed)
            for (std::int64_t epoch = 0; epoch < 9; ++epoch) {
                const Ids epochs(ids.size(), epoch);
                const SampleKeys keys{seed, ids, epochs};
                for (std::size_t row = 0; row < ids.size(); ++row)
                    counts[placeOf(drawCropFlip(keys, row))] += 1.0;
            }
        double chiSquare = 0.0;
        for (const double count : counts)
            chiSquare += (count - 500.0) * (count - 500.0) / 500.0;
        QVERIFY2(chiSquare < 236.5, qPrintable(QString::number(chiSquare)));
        // A mirror drawn from 51 % instead of 50 % would be seen: 162 x 500 x 0.02^2 = 32 beyond the expected 161 is
        // not enough for that, so the halves are compared alone: 40 500 with deviation 142; 4 deviations.
        double mirrored = 0.0;
        for (std::size_t place = 1; place < places; place += 2)
            mirrored += counts[place];
        QVERIFY2(std::abs(mirrored - 40'500.0) < 4 * 142.3, qPrintable(QString::number(mirrored)));
    }

    // The same sample of the same epoch and seed is changed in the same way wherever it stands in whatever micro-batch.
    void aDrawDependsOnSeedEpochAndSampleAlone() {
        const ImageSet set = smallImages();
        const Ids together{11, 3, 42, 0};
        const Ids epochs{2, 2, 5, 2};
        const SampleKeys keys{1, together, epochs};
        const Ids images{0, 1, 1, 0};
        std::vector<float> batch(4 * 70);
        const PixelScale scale{{0.1, 0.2}, {0.3, 0.4}};
        gatherImages(set, images, scale, &keys, batch.data());
        for (std::size_t row = 0; row < 4; ++row) {
            const Ids id{together[row]};
            const Ids epoch{epochs[row]};
            const SampleKeys alone{1, id, epoch};
            QCOMPARE(placeOf(drawCropFlip(alone, 0)), placeOf(drawCropFlip(keys, row)));
            std::vector<float> one(70);
            gatherImages(set, std::span(images).subspan(row, 1), scale, &alone, one.data());
            QVERIFY(std::equal(one.begin(), one.end(), batch.begin() + static_cast<std::ptrdiff_t>(70 * row)));
        }
        // Another seed or epoch draws anew: of 200 samples about 200 / 162 agree by chance; more than 12 with
        // probability below 1e-7.
        Ids ids(200);
        std::iota(ids.begin(), ids.end(), std::int64_t{0});
        const Ids first(200, 0);
        const Ids second(200, 1);
        int sameEpoch = 0;
        int sameSeed = 0;
        for (std::size_t row = 0; row < 200; ++row) {
            const std::size_t place = placeOf(drawCropFlip({1, ids, first}, row));
            sameEpoch += place == placeOf(drawCropFlip({1, ids, second}, row)) ? 1 : 0;
            sameSeed += place == placeOf(drawCropFlip({2, ids, first}, row)) ? 1 : 0;
        }
        QVERIFY2(sameEpoch <= 12 && sameSeed <= 12, qPrintable(QString("%1, %2").arg(sameEpoch).arg(sameSeed)));
    }
};

QTEST_APPLESS_MAIN(TestCropFlip)
} // namespace test_crop_flip
#include "test_crop_flip.moc"

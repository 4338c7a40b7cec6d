// SPDX-License-Identifier: GPL-3.0-or-later
// Data sets in memory: the bundled MNIST, files of one's own, limits, validation, resize, normalisation, drawn digits.
#include "core/data/data_source.h"
#include "core/data/dataset.h"
#include "core/data/generated.h"
#include "core/data/sampler.h"
#include "tests/support/numeric.h"
#include "tests/unit/data/idx_files.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <numeric>

namespace test_dataset {
using namespace accumulus;
using namespace accumulus::test;

namespace {

using Bytes = std::vector<std::uint8_t>;

std::filesystem::path resources() {
    return std::filesystem::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) / "resources";
}

ImageSet oneImage(std::int64_t height, std::int64_t width, Bytes pixels) {
    ImageSet set;
    set.count = 1;
    set.height = height;
    set.width = width;
    set.pixels = std::move(pixels);
    set.labels = {3};
    return set;
}

/// `train` and `test` samples of 4 x 3 under the usual names.
DataConfig writeSet(const DataFolder& folder, std::uint32_t train, std::uint32_t test) {
    folder.write("train-images-idx3-ubyte", imageBytes(train));
    folder.write("train-labels-idx1-ubyte", labelBytes(train));
    folder.write("t10k-images-idx3-ubyte", imageBytes(test));
    folder.write("t10k-labels-idx1-ubyte", labelBytes(test));
    DataConfig config;
    config.path = folder.path().string();
    return config;
}

} // namespace

class TestDataset : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The published counts of MNIST, and the mean and deviation of its training pixels that everybody normalises with.
    void theBundledMnistIsMnist() {
        const auto data = loadDataset({}, resources());
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        const Dataset& set = **data;
        QCOMPARE(set.train.count, 60000);
        QCOMPARE(set.test.count, 10000);
        QCOMPARE(set.validation.count, 0);
        QCOMPARE(set.train.height, 28);
        QCOMPARE(set.train.width, 28);
        const auto perClass = [](const ImageSet& part) {
            std::array<int, 10> counts{};
            for (const std::uint8_t label : part.labels)
                ++counts[label];
            return counts;
        };
        QCOMPARE(perClass(set.train), (std::array{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949}));
        QCOMPARE(perClass(set.test), (std::array{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}));
        double sum = 0.0;
        double squares = 0.0;
        for (const std::uint8_t pixel : set.train.pixels) {
            sum += pixel / 255.0;
            squares += pixel / 255.0 * (pixel / 255.0);
        }
        const auto count = static_cast<double>(set.train.pixels.size());
        const double mean = sum / count;
        // Given to four digits.
        QVERIFY(compareAbs(mean, 0.1307, 5e-5));
        QVERIFY(compareAbs(std::sqrt(squares / count - mean * mean), 0.3081, 5e-5));
        QVERIFY(compareBits(set.mean.front(), 0.1307));
        QVERIFY(compareBits(set.deviation.front(), 0.3081));
        QCOMPARE(messagesText(set.facts, ", "), std::string("MNIST, 28x28x1, 10 classes, bundled copy"));
    }

    void limitsAndValidationCutTheFile() {
        const DataFolder folder;
        DataConfig config = writeSet(folder, 30, 8);
        const auto whole = loadDataset(config, {}).value();
        config.trainLimit = 20;
        config.testLimit = 5;
        config.validation = 6;
        const auto part = loadDataset(config, {}).value();
        QCOMPARE(part->train.count, 14);
        QCOMPARE(part->validation.count, 6);
        QCOMPARE(part->test.count, 5);
        // Training is the beginning of the file, validation what follows up to the limit.
        const auto& all = whole->train;
        QVERIFY(std::equal(part->train.pixels.begin(), part->train.pixels.end(), all.pixels.begin()));
        QVERIFY(std::equal(part->validation.pixels.begin(), part->validation.pixels.end(),
                           all.pixels.begin() + 14 * all.imageSize()));
        QCOMPARE(part->validation.labels, (Bytes{4, 5, 6, 7, 8, 9}));
        QCOMPARE(part->test.labels, (Bytes{0, 1, 2, 3, 4}));
        QVERIFY(part->checksum != whole->checksum);
        QCOMPARE(loadDataset(config, {}).value()->checksum, part->checksum);

        config.validation = 20;
        const auto nothingLeft = loadDataset(config, {});
        QVERIFY(!nothingLeft.has_value());
        QCOMPARE(nothingLeft.error().code, std::string("data.too-small"));
        const auto sizes = inspectDataset(config, {}); // says so before training
        QCOMPARE(sizes ? std::string() : sizes.error().code, std::string("data.too-small"));
    }

    void filesAreFoundUnderTheUsualNames() {
        const DataFolder folder;
        folder.write("train/train-images.idx3-ubyte", imageBytes(30));
        folder.write("train/train-labels-idx1-ubyte.gz", gzipped(labelBytes(30)));
        folder.write("test/t10k-images-idx3-ubyte", imageBytes(10));
        folder.write("t10k-labels.idx1-ubyte.gz", gzipped(labelBytes(10)));
        DataConfig config;
        config.path = folder.path().string();
        const auto data = loadDataset(config, {});
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        QCOMPARE((*data)->train.count, 30);
        QVERIFY(messagesText((*data)->facts, ", ").find(config.path) != std::string::npos);

        std::filesystem::remove(folder.path() / "test/t10k-images-idx3-ubyte");
        const auto missing = loadDataset(config, {});
        QVERIFY(!missing.has_value());
        QCOMPARE(missing.error().code, std::string("data.missing"));
        const std::string words = describe(missing.error());
        for (const char* part : {"MNIST was not found. There is no t10k-images-idx3-ubyte", config.path.c_str(),
                                 "train-labels-idx1-ubyte", "55 MB", "CC BY-SA"})
            QVERIFY2(words.find(part) != std::string::npos, words.c_str());
        config.dataset = "fashion-mnist";
        const std::string fashion = describe(loadDataset(config, {}).error());
        for (const char* part : {"Fashion-MNIST was not found", "31 MB", "MIT"})
            QVERIFY2(fashion.find(part) != std::string::npos, fashion.c_str());
    }

    void trainingAndTestImagesMustHaveOneSize() {
        const DataFolder folder;
        DataConfig config = writeSet(folder, 30, 8);
        folder.write("t10k-images-idx3-ubyte", idxBytes(0x803, {8, 3, 3}, std::string(72, '\1')));
        const auto differ = loadDataset(config, {});
        QVERIFY(!differ.has_value());
        QCOMPARE(differ.error().code, std::string("data.sizes-differ"));
        config.resize = 8; // makes them alike
        QVERIFY(loadDataset(config, {}).has_value());
    }

    void inspectingAgreesWithLoading() {
        const DataFolder folder;
        std::vector<DataConfig> configs(4, writeSet(folder, 30, 8));
        configs[1].trainLimit = 20;
        configs[1].validation = 7;
        configs[2].resize = 16;
        configs[3] = {};
        configs[3].dataset = "digits-generated";
        configs[3].trainLimit = 12;
        configs[3].testLimit = 4;
        for (const DataConfig& config : configs) {
            const auto sizes = inspectDataset(config, {});
            const auto data = loadDataset(config, {});
            QVERIFY(sizes.has_value() && data.has_value());
            QCOMPARE(sizes->train, (*data)->train.count);
            QCOMPARE(sizes->test, (*data)->test.count);
            QCOMPARE(sizes->height, (*data)->train.height);
            QCOMPARE(sizes->width, (*data)->train.width);
            QCOMPARE(sizes->facts, (*data)->facts);
        }
    }

    void anUnknownNameIsAnError() {
        DataConfig config;
        config.dataset = "nist";
        const auto data = loadDataset(config, {});
        QCOMPARE(data.error().code, std::string("data.unknown"));
        QCOMPARE(inspectDataset(config, {}).error(), data.error());
        QVERIFY(describe(data.error()).find("nist") != std::string::npos);
    }

    // 16 GiB are 21 913 098 drawn digits and 5 592 405 drawn textures. Refused before anything is drawn.
    void whatCannotBeHeldInMemoryIsRefused() {
        for (const auto& [name, most] :
             {std::pair{"digits-generated", 21'913'098}, {"textures-generated", 5'592'405}}) {
            DataConfig config;
            config.dataset = name;
            config.testLimit = 10;
            config.trainLimit = most - 10;
            QVERIFY(inspectDataset(config, {}).has_value());
            config.trainLimit = most - 9;
            const auto data = loadDataset(config, {});
            QVERIFY(!data.has_value());
            QCOMPARE(data.error().code, std::string("data.too-large"));
            QCOMPARE(inspectDataset(config, {}).error(), data.error());
            QVERIFY(describe(data.error()).find('{') == std::string::npos);
        }
    }

    // 2 million images of 12 bytes lie in a file of 24 MB, and take 18 GB as squares of 96 pixels.
    void resizingCountsBeforeMemoryIsTaken() {
        constexpr std::uint32_t count = 2'000'000;
        const DataFolder folder;
        folder.write("train-images-idx3-ubyte",
                     idxBytes(0x803, {count, 4, 3}, std::string(std::size_t{count} * 12, 'p')));
        folder.write("train-labels-idx1-ubyte", idxBytes(0x801, {count}, std::string(count, '\1')));
        folder.write("t10k-images-idx3-ubyte", imageBytes(8));
        folder.write("t10k-labels-idx1-ubyte", labelBytes(8));
        DataConfig config;
        config.path = folder.path().string();
        config.resize = 96;
        const auto data = loadDataset(config, {});
        QVERIFY(!data.has_value());
        QCOMPARE(data.error().code, std::string("data.too-large"));
        QCOMPARE(inspectDataset(config, {}).error(), data.error());
        config.resize = 0;
        QVERIFY(inspectDataset(config, {}).has_value());
    }

    // Peaks by hand: 1 000 + 100 images of 784 bytes as they are drawn; resized to 56 x 56 first the training part
    // exists twice beside the stored test part, then both resized parts beside it.
    void whatIsAvailableIsNotExceeded() {
        DataConfig config;
        config.dataset = "digits-generated";
        config.trainLimit = 1000;
        config.testLimit = 100;
        const auto fits = [&](std::int64_t available) { return loadWithin(config, {}, available).has_value(); };
        QVERIFY(fits(1100 * 784) && !fits(1100 * 784 - 1));
        QVERIFY(fits(0)); // not known
        config.resize = 56;
        const std::int64_t peak = 100 * 784 + 1000 * 3136 + std::max(1000 * 784, 100 * 3136);
        QVERIFY(fits(peak) && !fits(peak - 1));
        const Error error = loadWithin(config, {}, 1 << 20).error();
        QCOMPARE(error.code, std::string("data.no-room"));
        QCOMPARE(errorKind(error), ErrorKind::Device);
        const std::string words = describe(error);
        for (const char* part : {"digits-generated", "1\u00a0100 samples of 56x56x1 bytes", "takes 4 MiB",
                                 "1 MiB are available", "data.train_limit", "data.resize"})
            QVERIFY2(words.find(part) != std::string::npos, words.c_str());
    }

    // Two pixels 0 and 100 become 0, 25, 75, 100: centres lie at -0.25, 0.25, 0.75 and 1.25 of the old grid. Corners
    // put on corners would give 0, 33, 67, 100.
    void resizeAgainstValuesByHand() {
        const ImageSet grown = resizeBilinear(oneImage(2, 2, {0, 100, 200, 40}), 4, 4);
        QCOMPARE(grown.pixels, (Bytes{0, 25, 75, 100,   //
                                      50, 59, 76, 85,   // 58.75, 76.25
                                      150, 126, 79, 55, // 126.25, 78.75
                                      200, 160, 80, 40}));
        QCOMPARE(grown.labels, Bytes{3});
        // Halves round up: 15.5 and 35.5.
        QCOMPARE(resizeBilinear(oneImage(1, 4, {10, 21, 30, 41}), 1, 2).pixels, (Bytes{16, 36}));
        QCOMPARE(resizeBilinear(oneImage(1, 4, {10, 21, 30, 41}), 1, 4).pixels, (Bytes{10, 21, 30, 41}));
        // Places 1/6, 1.5 and 2 + 5/6: 45 / 6 = 7.5 and 225 / 6 = 37.5 are halves that binary fractions miss.
        QCOMPARE(resizeBilinear(oneImage(1, 4, {0, 45, 0, 45}), 1, 3).pixels, (Bytes{8, 23, 38}));
        // A ramp 5 x of 28 pixels on 32: 5 (0.875 (i + 0.5) - 0.5), held at the ends.
        Bytes ramp(28);
        for (std::size_t i = 0; i < 28; ++i)
            ramp[i] = static_cast<std::uint8_t>(5 * i);
        const ImageSet line = resizeBilinear(oneImage(1, 28, ramp), 1, 32);
        for (int i = 0; i < 32; ++i) {
            const double position = std::clamp(0.875 * (i + 0.5) - 0.5, 0.0, 27.0);
            QCOMPARE(int(line.pixels[std::size_t(i)]), int(std::floor(5.0 * position + 0.5)));
        }
    }

    void resizeTreatsEveryPlaneAlone() {
        ImageSet two = oneImage(2, 2, {0, 100, 200, 40, 9, 9, 9, 9});
        two.channels = 2;
        const ImageSet grown = resizeBilinear(two, 4, 4);
        QCOMPARE(grown.pixels.size(), std::size_t{32});
        QCOMPARE(int(grown.pixels[5]), 59);
        QVERIFY(
            std::all_of(grown.pixels.begin() + 16, grown.pixels.end(), [](std::uint8_t pixel) { return pixel == 9; }));
    }

    void imagesAreGatheredByTheFormula() {
        ImageSet set = oneImage(16, 16, Bytes(256));
        std::iota(set.pixels.begin(), set.pixels.end(), std::uint8_t{0}); // every pixel value
        set.pixels.insert(set.pixels.end(), 256, 77);
        set.count = 2;
        const std::vector<std::int64_t> ids = {1, 0, 1};
        std::vector<float> single(3 * 256);
        std::vector<double> full(3 * 256);
        gatherImages(set, ids, {{0.1307}, {0.3081}}, nullptr, single.data());
        gatherImages(set, ids, {{0.1307}, {0.3081}}, nullptr, full.data());
        for (std::size_t i = 0; i < full.size(); ++i) {
            const auto pixel = set.pixels[static_cast<std::size_t>(ids[i / 256]) * 256 + i % 256];
            const double wanted = (pixel / 255.0 - 0.1307) / 0.3081;
            // Scale, product, shift and sum are rounded; the terms are at most 3.3: 4 x 3.3 x u / 2 each way.
            QVERIFY(compareAbs(full[i], wanted, 4 * 3.3 * 0x1p-53));
            QVERIFY(compareAbs(static_cast<double>(single[i]), wanted, 4 * 3.3 * 0x1p-24));
        }
        // The bound for doubles would catch a factor that passed through fp32.
        const double throughSingle = 255 * static_cast<double>(static_cast<float>(1.0 / (255.0 * 0.3081)));
        QVERIFY(!compareAbs(throughSingle, 1.0 / 0.3081, 4 * 3.3 * 0x1p-53));
    }

    void labelsFollowTheIds() {
        const ImageSet digits = generateDigits(20, 1);
        const std::vector<std::int64_t> ids = {19, 0, 7, 7};
        std::vector<std::int64_t> labels(4);
        gatherLabels(digits, ids, labels.data());
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(labels[i], std::int64_t{digits.labels[static_cast<std::size_t>(ids[i])]});
    }

    void slicesAreCopiesOfARange() {
        const ImageSet digits = generateDigits(10, 1);
        const ImageSet slice = sliceImages(digits, 3, 4);
        QCOMPARE(slice.count, 4);
        QCOMPARE(slice.height, 28);
        QVERIFY(std::equal(slice.pixels.begin(), slice.pixels.end(), digits.pixels.begin() + 3 * 784));
        QCOMPARE(slice.pixels.size(), std::size_t{4 * 784});
        QCOMPARE(slice.labels, Bytes(digits.labels.begin() + 3, digits.labels.begin() + 7));
        QCOMPARE(sliceImages(digits, 10, 0).pixels.size(), std::size_t{0});
    }

    // Image i depends on (stream, i) alone: a longer set begins with the shorter one.
    void drawnDigitsAreDeterministic() {
        const ImageSet few = generateDigits(50, 1);
        const ImageSet many = generateDigits(500, 1);
        QVERIFY(std::equal(few.pixels.begin(), few.pixels.end(), many.pixels.begin()));
        QVERIFY(std::equal(few.labels.begin(), few.labels.end(), many.labels.begin()));
        QVERIFY(generateDigits(50, 2).pixels != few.pixels);
        std::array<int, 10> counts{};
        for (const std::uint8_t label : many.labels)
            ++counts[label];
        // Binomial(500, 0.1): 50 with deviation 6.7.
        QVERIFY(std::ranges::all_of(counts, [](int count) { return count > 20 && count < 80; }));
    }

    // A digit can be told from its image: the nearest class mean is right far more often than by chance.
    void drawnDigitsLookLikeTheirLabels() {
        const ImageSet train = generateDigits(600, 1);
        const ImageSet test = generateDigits(200, 2);
        std::array<std::array<double, 784>, 10> means{};
        std::array<double, 10> counts{};
        for (std::size_t i = 0; i < 600; ++i) {
            counts[train.labels[i]] += 1.0;
            for (std::size_t j = 0; j < 784; ++j)
                means[train.labels[i]][j] += train.pixels[i * 784 + j];
        }
        int right = 0;
        for (std::size_t i = 0; i < 200; ++i) {
            std::array<double, 10> distances{};
            for (std::size_t digit = 0; digit < 10; ++digit)
                for (std::size_t j = 0; j < 784; ++j)
                    distances[digit] += std::pow(test.pixels[i * 784 + j] - means[digit][j] / counts[digit], 2);
            right += std::ranges::min_element(distances) - distances.begin() == test.labels[i];
        }
        QVERIFY2(right > 100, qPrintable(QString::number(right))); // chance: 20
    }

    void withoutShufflingTheOrderIsThatOfTheFile() {
        const auto order = epochOrder(97, false, 5, 3);
        QVERIFY(std::ranges::is_sorted(order));
        QCOMPARE(order.front(), 0);
        QCOMPARE(order.back(), 96);
    }

    // Every element is equally likely at every place: chi-square of the first place over 10 000 seeds, 9 degrees of
    // freedom; beyond 33.7 with probability 1e-4.
    void shufflingIsEven() {
        std::array<double, 10> first{};
        for (std::int64_t seed = 0; seed < 10'000; ++seed)
            first[static_cast<std::size_t>(epochOrder(10, true, seed, 0).front())] += 1.0;
        double chiSquare = 0.0;
        for (const double count : first)
            chiSquare += (count - 1000.0) * (count - 1000.0) / 1000.0;
        QVERIFY2(chiSquare < 33.7, qPrintable(QString::number(chiSquare)));
    }
};

QTEST_APPLESS_MAIN(TestDataset)
} // namespace test_dataset
#include "test_dataset.moc"

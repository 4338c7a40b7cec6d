// SPDX-License-Identifier: GPL-3.0-or-later
// CIFAR-10 and CIFAR-100: which files are found, in which order, what each of them may hold, and what happens where one
// is damaged. ACCUMULUS_CIFAR10 names a folder with real files for one test, which is skipped without.
#include "core/data/cifar.h"
#include "tests/support/numeric.h"
#include "tests/unit/data/damage.h"
#include "tests/unit/data/idx_files.h"

#include <QTest>

namespace test_cifar {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Image i: label (first + i) mod 10; byte j of its pixels (first + i + 7 j) mod 251.
std::string records(int count, int first = 0) {
    std::string bytes;
    for (int i = first; i < first + count; ++i) {
        bytes += static_cast<char>(i % 10);
        for (int j = 0; j < 3072; ++j)
            bytes += static_cast<char>((i + 7 * j) % 251);
    }
    return bytes;
}

/// Of CIFAR-100. Image i: group (first + i) mod 20, class (first + i) mod 100; pixels as above.
std::string records100(int count, int first = 0) {
    std::string bytes;
    for (int i = first; i < first + count; ++i) {
        bytes += static_cast<char>(i % 20);
        bytes += static_cast<char>(i % 100);
        for (int j = 0; j < 3072; ++j)
            bytes += static_cast<char>((i + 7 * j) % 251);
    }
    return bytes;
}

DataConfig configOf(const DataFolder& folder) {
    DataConfig config;
    config.dataset = "cifar10";
    config.path = folder.path().string();
    return config;
}

/// Labels in the order of the set, as digits.
std::string digits(const ImageSet& set) {
    std::string text;
    for (const std::uint8_t label : set.labels)
        text += static_cast<char>('0' + label);
    return text;
}

} // namespace

class TestCifar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void filesAreReadInTheOrderOfTheirNumbers() {
        const DataFolder folder;
        folder.write("data_batch_10.bin", records(2, 7)); // 10 comes behind 2 and 3
        folder.write("data_batch_2.bin", records(1, 1));
        folder.write("data_batch_3.bin.gz", gzipped(records(3, 4)));
        folder.write("data_batch_x.bin", "not a batch");
        folder.write("data_batch_1.bin.part", "half a download");
        folder.write("test_batch.bin", records(2, 5));
        const auto data = loadDataset(configOf(folder), {});
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        const Dataset& set = **data;
        QCOMPARE(digits(set.train), std::string("145678"));
        QCOMPARE(digits(set.test), std::string("56"));
        QCOMPARE(set.train.channels, 3);
        QCOMPARE(set.train.height, 32);
        QCOMPARE(set.train.width, 32);
        QCOMPARE(set.train.pixels.size(), std::size_t{6 * 3072});
        QCOMPARE(int(set.train.pixels[3072 + 10]), (4 + 70) % 251); // planes lie as in the file
        QCOMPARE(messagesText(set.facts, ", "),
                 "CIFAR-10, 32x32x3, 10 classes, 6 training images found in 3 files, 2 test images, " +
                     folder.path().string());
        QVERIFY(compareBits(set.mean[0], 0.4914) && compareBits(set.mean[1], 0.4822) &&
                compareBits(set.mean[2], 0.4465));
        QVERIFY(compareBits(set.deviation[0], 0.2023) && compareBits(set.deviation[1], 0.1994) &&
                compareBits(set.deviation[2], 0.2010));
    }

    void filesAreFoundInTheUsualPlaces_data() {
        QTest::addColumn<QString>("train");
        QTest::addColumn<QString>("test");
        QTest::newRow("here") << "data_batch_1.bin"
                              << "test_batch.bin";
        QTest::newRow("as unpacked") << "cifar-10-batches-bin/data_batch_1.bin"
                                     << "cifar-10-batches-bin/test_batch.bin";
        QTest::newRow("train and test") << "train/data_batch_1.bin.gz"
                                        << "test/test_batch.bin.gz";
    }
    void filesAreFoundInTheUsualPlaces() {
        QFETCH(QString, train);
        QFETCH(QString, test);
        const DataFolder folder;
        const auto bytes = [](const QString& name, const std::string& plain) {
            return name.endsWith(".gz") ? gzipped(plain) : plain;
        };
        folder.write(train.toStdString(), bytes(train, records(4)));
        folder.write(test.toStdString(), bytes(test, records(2)));
        const auto data = loadDataset(configOf(folder), {});
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        QCOMPARE((*data)->train.count, 4);
        QCOMPARE((*data)->test.count, 2);
    }

    // A file that is there twice is read once: the first place counts, and the plain file.
    void aBatchIsNotReadTwice() {
        const DataFolder folder;
        folder.write("data_batch_1.bin", records(1, 3));
        folder.write("data_batch_1.bin.gz", gzipped(records(2, 6)));
        folder.write("train/data_batch_1.bin", records(4));
        folder.write("train/data_batch_2.bin", records(1, 8));
        folder.write("test_batch.bin", records(1));
        QCOMPARE(digits(loadDataset(configOf(folder), {}).value()->train), std::string("38"));
    }

    void limitsReachAcrossFiles() {
        const DataFolder folder;
        folder.write("data_batch_1.bin", records(3));
        folder.write("data_batch_2.bin", records(3, 3));
        folder.write("data_batch_3.bin", std::string(3073, '\x7F')); // beyond the limit: not looked into
        folder.write("test_batch.bin", records(5));
        DataConfig config = configOf(folder);
        config.trainLimit = 5;
        config.testLimit = 2;
        config.validation = 1;
        const auto data = loadDataset(config, {});
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        QCOMPARE(digits((*data)->train), std::string("0123"));
        QCOMPARE(digits((*data)->validation), std::string("4"));
        QCOMPARE(digits((*data)->test), std::string("01"));
        const auto sizes = inspectDataset(config, {});
        QVERIFY(sizes.has_value());
        QCOMPARE(sizes->train, 4);
        QCOMPARE(sizes->test, 2);
        QCOMPARE(sizes->facts, (*data)->facts);
    }

    void inspectingAgreesWithLoading() {
        const DataFolder folder;
        folder.write("data_batch_1.bin.gz", gzipped(records(7)));
        folder.write("test_batch.bin", records(3));
        DataConfig config = configOf(folder);
        for (const int resize : {0, 16}) {
            config.resize = resize;
            const auto sizes = inspectDataset(config, {}).value();
            const auto data = loadDataset(config, {}).value();
            QCOMPARE(sizes.train, data->train.count);
            QCOMPARE(sizes.test, data->test.count);
            QCOMPARE(sizes.channels, data->train.channels);
            QCOMPARE(sizes.height, data->train.height);
            QCOMPARE(sizes.width, data->train.width);
            QCOMPARE(sizes.classes, data->classes);
            QCOMPARE(sizes.facts, data->facts);
        }
    }

    void everyDamageHasItsOwnWords_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("offset");
        const auto row = [](const char* tag, const char* name, const std::string& bytes, const char* code,
                            const char* offset) {
            QTest::newRow(tag) << QString(name) << QByteArray::fromStdString(bytes) << QString(code) << QString(offset);
        };
        const std::string good = records(3);
        std::string label = good;
        label[2 * 3073] = 10;
        const std::string packed = gzipped(good);
        std::string wrongSum = packed;
        wrongSum[wrongSum.size() - 8] = static_cast<char>(wrongSum[wrongSum.size() - 8] ^ 1);
        std::string bomb = packed; // the last four bytes are the size it promises
        bomb.replace(bomb.size() - 4, 4, std::string("\x00\x00\x00\x7F", 4));
        row("empty", "data_batch_1.bin", "", "data.cifar.size", "0");
        row("one byte short", "data_batch_1.bin", good.substr(0, good.size() - 1), "data.cifar.size", "6146");
        row("one byte too many", "test_batch.bin", good + 'x', "data.cifar.size", "9219");
        row("a page of the web", "data_batch_1.bin", "<html>not found</html>", "data.cifar.size", "0");
        row("label 10", "data_batch_1.bin", label, "data.cifar.label", "6146");
        row("label 10, packed", "test_batch.bin.gz", gzipped(label), "data.cifar.label", "6146");
        row("packed, cut", "data_batch_1.bin.gz", packed.substr(0, packed.size() - 40), "", "");
        row("packed, cut in the header", "data_batch_1.bin.gz", packed.substr(0, 3), "", "");
        row("packed, short inside", "data_batch_1.bin.gz", gzipped(good.substr(0, 100)), "data.cifar.size", "0");
        // So short a stream is found wrong at the first read.
        row("packed, wrong checksum", "data_batch_1.bin.gz", wrongSum, "data.cifar.short", "0");
        row("packed, promises 2 GB", "data_batch_1.bin.gz", bomb, "data.cifar.short", "0");
        row("packed, in two pieces", "data_batch_1.bin.gz", packed + packed, "data.cifar.trailing", "9219");
    }
    void everyDamageHasItsOwnWords() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, code);
        QFETCH(QString, offset);
        const DataFolder folder;
        if (!name.startsWith("data_batch_1"))
            folder.write("data_batch_1.bin", records(1));
        if (!name.startsWith("test_batch"))
            folder.write("test_batch.bin", records(1));
        folder.write(name.toStdString(), bytes.toStdString());
        const std::int64_t before = peakBytes();
        const auto data = loadDataset(configOf(folder), {});
        QVERIFY(!data.has_value());
        QVERIFY(peakBytes() - before < 64 << 20);
        QVERIFY(data.error().code.starts_with("data.cifar."));
        if (!code.isEmpty())
            QCOMPARE(QString::fromStdString(data.error().code), code);
        if (!offset.isEmpty())
            QCOMPARE(QString::fromStdString(data.error().argument("offset")), offset);
        const std::string words = describe(data.error());
        QVERIFY2(words.find(name.toStdString()) != std::string::npos, words.c_str());
        QVERIFY2(words.find('{') == std::string::npos, words.c_str());
        QVERIFY(!errorWords(data.error().code).cure.empty());
        QCOMPARE(exitCode(data.error()), 3);
    }

    void aMissingSetIsExplainedWithItsLayout() {
        const DataFolder folder;
        const auto words = [](const DataConfig& config) {
            const auto data = loadDataset(config, {});
            return data ? std::string() : data.error().code + ": " + describe(data.error());
        };
        const auto holds = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        DataConfig config = configOf(folder);
        for (const auto& [path, reason] : {std::pair{std::string(), "data.path is empty"},
                                           {(folder.path() / "absent").string(), "no folder"},
                                           {folder.path().string(), "no data_batch_N.bin"}}) {
            config.path = path;
            const std::string text = words(config);
            QVERIFY2(holds(text, "data.cifar.missing") && holds(text, reason), text.c_str());
            QVERIFY2(holds(text, "test_batch.bin") && holds(text, "cifar-10-batches-bin/") && holds(text, "3072 bytes"),
                     text.c_str());
        }
        folder.write("data_batch_1.bin", records(1));
        QVERIFY2(holds(words(configOf(folder)), "no test_batch.bin"), words(configOf(folder)).c_str());
    }

    void thousandsOfDamagedFiles_data() {
        QTest::addColumn<bool>("compressed");
        QTest::newRow("plain") << false;
        QTest::newRow("gzip") << true;
    }
    void thousandsOfDamagedFiles() {
        QFETCH(bool, compressed);
        const DataFolder folder;
        folder.write("test_batch.bin", records(1));
        const std::string good = compressed ? gzipped(records(2)) : records(2);
        std::mt19937_64 engine(20260106);
        const std::int64_t before = peakBytes();
        int refused = 0;
        for (int round = 0; round < 2000; ++round) {
            folder.write("data_batch_1.bin",
                         round % 10 == 0 ? randomBytes(engine() % 4 * 3073, engine) : damaged(good, engine));
            const auto data = loadDataset(configOf(folder), {});
            if (!data) {
                ++refused;
                QVERIFY(data.error().code.starts_with("data.cifar."));
                continue;
            }
            const ImageSet& set = (*data)->train;
            QCOMPARE(set.pixels.size(), static_cast<std::size_t>(set.count * 3072));
            QVERIFY(std::ranges::all_of(set.labels, [](std::uint8_t label) { return label < 10; }));
        }
        QVERIFY(peakBytes() - before < 256 << 20);
        QVERIFY2(refused > 1000, qPrintable(QString::number(refused))); // the loop does damage
        qInfo("%d of 2000 refused", refused);
    }

    void theHundredClasses_data() {
        QTest::addColumn<QString>("train");
        QTest::addColumn<QString>("test");
        QTest::newRow("here") << "train.bin"
                              << "test.bin";
        QTest::newRow("as unpacked") << "cifar-100-binary/train.bin"
                                     << "cifar-100-binary/test.bin";
        QTest::newRow("train and test") << "train/train.bin.gz"
                                        << "test/test.bin.gz";
    }
    void theHundredClasses() {
        QFETCH(QString, train);
        QFETCH(QString, test);
        const DataFolder folder;
        const auto bytes = [](const QString& name, const std::string& plain) {
            return name.endsWith(".gz") ? gzipped(plain) : plain;
        };
        folder.write(train.toStdString(), bytes(train, records100(7, 95)));
        folder.write(test.toStdString(), bytes(test, records100(3, 42)));
        DataConfig config = configOf(folder);
        config.dataset = "cifar100";
        config.validation = 2;
        const auto data = loadDataset(config, {});
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        const Dataset& set = **data;
        QCOMPARE(set.classes, 100);
        QCOMPARE(set.train.labels, (std::vector<std::uint8_t>{95, 96, 97, 98, 99}));
        QCOMPARE(set.validation.labels, (std::vector<std::uint8_t>{0, 1}));
        QCOMPARE(set.test.labels, (std::vector<std::uint8_t>{42, 43, 44}));
        QCOMPARE(int(set.train.pixels[3072 + 10]), (96 + 70) % 251);
        QVERIFY(compareBits(set.mean[0], 0.5071) && compareBits(set.deviation[2], 0.2761));
        QCOMPARE(messagesText(set.facts, ", "),
                 "CIFAR-100, 32x32x3, 100 classes, 7 training images found in 1 file, 3 test images, " +
                     folder.path().string());
        const auto sizes = inspectDataset(config, {}).value();
        QCOMPARE(sizes.train, 5);
        QCOMPARE(sizes.classes, 100);
        QCOMPARE(sizes.facts, set.facts);
    }

    void theHundredClassesDamaged() {
        const DataFolder folder;
        DataConfig config = configOf(folder);
        config.dataset = "cifar100";
        const auto said = [&] {
            const auto data = loadDataset(config, {});
            return data ? std::string() : data.error().code + ": " + describe(data.error());
        };
        const auto holds = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        QVERIFY2(holds(said(), "data.cifar100.missing") && holds(said(), "no train.bin"), said().c_str());
        folder.write("train.bin", records100(3));
        QVERIFY2(holds(said(), "no test.bin"), said().c_str());
        folder.write("test.bin", records(2)); // of CIFAR-10
        QVERIFY2(holds(said(), "data.cifar.size") && holds(said(), "CIFAR-100") && holds(said(), "3074"),
                 said().c_str());
        std::string wrong = records100(3);
        wrong[3074 + 1] = 100; // the class; the group before it is not used
        wrong[3074] = 77;
        folder.write("test.bin", wrong);
        QVERIFY2(holds(said(), "byte 3075") && holds(said(), "label is 100") && holds(said(), "largest class is 99"),
                 said().c_str());
        std::mt19937_64 engine(20261124);
        folder.write("test.bin", records100(1));
        int refused = 0;
        for (int round = 0; round < 300; ++round) {
            folder.write("train.bin", damaged(records100(2), engine));
            const auto data = loadDataset(config, {});
            if (!data) {
                ++refused;
                QVERIFY(data.error().code.starts_with("data.cifar"));
                QCOMPARE(exitCode(data.error()), 3);
                continue;
            }
            QVERIFY(std::ranges::all_of((*data)->train.labels, [](std::uint8_t label) { return label < 100; }));
        }
        QVERIFY2(refused > 150, qPrintable(QString::number(refused)));
    }

    void realFiles() {
        const QString folder = qEnvironmentVariable("ACCUMULUS_CIFAR10");
        if (folder.isEmpty())
            QSKIP("ACCUMULUS_CIFAR10 names no folder with data_batch_N.bin and test_batch.bin");
        DataConfig config;
        config.dataset = "cifar10";
        config.path = folder.toStdString();
        const auto data = loadDataset(config, {});
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        const Dataset& set = **data;
        qInfo("%s", messagesText(set.facts, ", ").c_str());
        // Ten classes of equal size in the whole set; of a part of n images each class has n / 10 with deviation
        // sqrt(0.09 n).
        std::array<double, 10> counts{};
        std::array<double, 3> means{};
        for (std::int64_t i = 0; i < set.train.count; ++i) {
            counts[set.train.labels[static_cast<std::size_t>(i)]] += 1.0;
            for (std::int64_t j = 0; j < 3072; ++j)
                means[static_cast<std::size_t>(j / 1024)] +=
                    set.train.pixels[static_cast<std::size_t>(i * 3072 + j)] / 255.0;
        }
        const auto images = static_cast<double>(set.train.count);
        for (const double count : counts)
            QVERIFY(compareAbs(count, images / 10, 6 * std::sqrt(0.09 * images) + 1));
        // The mean of one image deviates by about 0.13; the mean of n of them by 0.13 / sqrt(n); 6 of these, and 0.002
        // for copies that went through JPEG.
        for (std::size_t channel = 0; channel < 3; ++channel)
            QVERIFY(
                compareAbs(means[channel] / (images * 1024), set.mean[channel], 6 * 0.13 / std::sqrt(images) + 0.002));
    }
};

QTEST_APPLESS_MAIN(TestCifar)
} // namespace test_cifar
#include "test_cifar.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of images: classes and labels, the two layouts, the order of the files, sizes, limits, and what cannot be
// used.
#include "core/data/image_folder.h"
#include "tests/support/numeric.h"
#include "tests/unit/data/image_bytes.h"

#include <QTest>

namespace test_image_folder {
using namespace accumulus;
using namespace accumulus::test;

namespace {

DataConfig configOf(const DataFolder& folder) {
    DataConfig config;
    config.dataset = "image-folder";
    config.path = folder.path().string();
    return config;
}

/// `count` files 00.png, 01.png, ... of 4 x 4 pixels; the first pixel of file i is base + i.
void writeClass(const DataFolder& folder, const std::string& name, int count, int base = 0) {
    for (int i = 0; i < count; ++i)
        folder.write(name + '/' + (i < 10 ? "0" : "") + std::to_string(i) + ".png", rgbPng(4, 4, base + i));
}

/// First pixels of a set of 4 x 4 images.
std::vector<int> firstPixels(const ImageSet& set) {
    std::vector<int> pixels;
    for (std::int64_t i = 0; i < set.count; ++i)
        pixels.push_back(set.pixels[static_cast<std::size_t>(i * set.imageSize())]);
    return pixels;
}

std::string labels(const ImageSet& set) {
    std::string text;
    for (const std::uint8_t label : set.labels)
        text += static_cast<char>('0' + label);
    return text;
}

} // namespace

class TestImageFolder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void trainAndTestFolders() {
        const DataFolder folder;
        writeClass(folder, "train/dog", 4, 10);
        writeClass(folder, "train/cat", 2, 50);
        writeClass(folder, "test/dog", 1, 100);
        folder.write("train/readme.txt", "not a class");
        folder.write("train/cat/notes.txt", "not an image");
        folder.write("train/cat/.hidden.png", "not an image");
        folder.write("train/.cache/a.png", "not a class");
        folder.write("train/cat/upper.JPEG", baselineJpeg());
        std::filesystem::remove(folder.path() / "train/cat/upper.JPEG");
        const auto data = loadDataset(configOf(folder), {});
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        const Dataset& set = **data;
        // cat is 0, dog is 1. Places (i + 1/2) / n: dogs at 1/8, 3/8, 5/8, 7/8, cats at 1/4, 3/4.
        QCOMPARE(labels(set.train), std::string("101101"));
        QCOMPARE(firstPixels(set.train), (std::vector<int>{10, 50, 11, 12, 51, 13}));
        QCOMPARE(labels(set.test), std::string("1"));
        QCOMPARE(firstPixels(set.test), (std::vector<int>{100}));
        QCOMPARE(set.classes, 2);
        QCOMPARE(set.train.channels, 3);
        QCOMPARE(messagesText(set.facts, ", "),
                 "Image folder, 4x4x3, 2 classes, 6 training and 1 test images found, " + folder.path().string());
        QVERIFY(compareBits(set.mean[0], 0.485) && compareBits(set.mean[1], 0.456) && compareBits(set.mean[2], 0.406));
        QVERIFY(compareBits(set.deviation[0], 0.229) && compareBits(set.deviation[1], 0.224) &&
                compareBits(set.deviation[2], 0.225));
    }

    // 20 files: the last 2 of them; 3 files: the last one.
    void withoutThemTheLastTenthOfEachClassIsTheTestSet() {
        const DataFolder folder;
        writeClass(folder, "a", 20);
        writeClass(folder, "b", 3, 100);
        const auto found = findImageFolder(folder.path());
        QVERIFY2(found.has_value(), found ? "" : describe(found.error()).c_str());
        QCOMPARE(found->classes, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(found->train.size(), std::size_t{20});
        const auto data = loadDataset(configOf(folder), {}).value();
        QCOMPARE(firstPixels(data->test), (std::vector<int>{18, 102, 19})); // 1/4, 1/2, 3/4
        QCOMPARE(labels(data->test), std::string("010"));
        auto trained = firstPixels(data->train);
        std::ranges::sort(trained);
        std::vector<int> wanted;
        for (int i = 0; i < 18; ++i)
            wanted.push_back(i);
        wanted.insert(wanted.end(), {100, 101});
        QCOMPARE(trained, wanted);
    }

    // Whatever is cut off holds every class in its proportion, to within one file.
    void limitsAndValidationSeeEveryClass() {
        const DataFolder folder;
        writeClass(folder, "train/a", 30);
        writeClass(folder, "train/b", 60, 60);
        writeClass(folder, "train/c", 10, 130);
        writeClass(folder, "test/a", 4);
        writeClass(folder, "test/b", 4);
        DataConfig config = configOf(folder);
        config.validation = 10;
        config.testLimit = 2;
        const auto data = loadDataset(config, {}).value();
        QCOMPARE(data->train.count, 90);
        QCOMPARE(data->validation.count, 10);
        QCOMPARE(labels(data->test), std::string("01"));
        const auto share = [](const ImageSet& set, std::uint8_t label) {
            return static_cast<double>(std::ranges::count(set.labels, label));
        };
        for (const auto& [label, wanted] : {std::pair{0, 3.0}, {1, 6.0}, {2, 1.0}})
            QVERIFY(compareAbs(share(data->validation, static_cast<std::uint8_t>(label)), wanted, 1.0));
        config.trainLimit = 20;
        config.validation = 0;
        const auto few = loadDataset(config, {}).value();
        for (const auto& [label, wanted] : {std::pair{0, 6.0}, {1, 12.0}, {2, 2.0}})
            QVERIFY(compareAbs(share(few->train, static_cast<std::uint8_t>(label)), wanted, 1.0));
        QVERIFY(std::equal(few->train.pixels.begin(), few->train.pixels.end(), data->train.pixels.begin()));
    }

    void whatLiesBeyondALimitIsNotRead() {
        const DataFolder folder;
        writeClass(folder, "train/a", 3);
        writeClass(folder, "train/b", 3);
        writeClass(folder, "test/a", 1);
        folder.write("train/b/02.png", "broken"); // the last of the mixed order
        DataConfig config = configOf(folder);
        config.trainLimit = 5;
        QVERIFY(loadDataset(config, {}).has_value());
        config.trainLimit = 6;
        const auto broken = loadDataset(config, {});
        QVERIFY(!broken.has_value());
        QCOMPARE(broken.error().code, std::string("data.image.file"));
        QVERIFY(describe(broken.error()).find("train/b/02.png") != std::string::npos);
    }

    void sizesMustAgreeUnlessTheyAreMadeAlike() {
        const DataFolder folder;
        writeClass(folder, "train/a", 2);
        writeClass(folder, "train/b", 2);
        writeClass(folder, "test/a", 1);
        folder.write("train/b/01.png", rgbPng(12, 9));
        DataConfig config = configOf(folder);
        const auto differ = loadDataset(config, {});
        QVERIFY(!differ.has_value());
        QCOMPARE(differ.error().code, std::string("data.image.size"));
        const std::string words = describe(differ.error());
        for (const char* part : {"train/b/01.png", "12x9", "4x4", "data.resize"})
            QVERIFY2(words.find(part) != std::string::npos, words.c_str());
        config.resize = 8;
        const auto data = loadDataset(config, {});
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        QCOMPARE((*data)->train.height, 8);
        QCOMPARE((*data)->train.width, 8);
        QCOMPARE((*data)->train.pixels.size(), std::size_t{4 * 3 * 64});
        // The test image too.
        folder.write("test/a/00.png", rgbPng(5, 4));
        QVERIFY(loadDataset(config, {}).has_value());
        config.resize = 0;
        config.trainLimit = 2;
        QCOMPARE(loadDataset(config, {}).error().code, std::string("data.image.size"));
    }

    void imagesNeedNotBeSquare() {
        const DataFolder folder;
        for (const char* name : {"train/a/x.png", "train/b/x.png", "test/a/x.png"})
            folder.write(name, rgbPng(6, 3));
        const auto data = loadDataset(configOf(folder), {}).value();
        QCOMPARE(data->train.height, 3);
        QCOMPARE(data->train.width, 6);
    }

    void inspectingAgreesWithLoading() {
        const DataFolder folder;
        writeClass(folder, "a", 12);
        writeClass(folder, "b", 12);
        writeClass(folder, "c", 12);
        for (int round = 0; round < 3; ++round) {
            DataConfig config = configOf(folder);
            config.resize = round == 1 ? 8 : 0;
            config.trainLimit = round == 2 ? 10 : 0;
            config.validation = round == 2 ? 3 : 0;
            const auto sizes = inspectDataset(config, {}).value();
            const auto data = loadDataset(config, {}).value();
            QCOMPARE(sizes.train, data->train.count);
            QCOMPARE(sizes.test, data->test.count);
            QCOMPARE(sizes.height, data->train.height);
            QCOMPARE(sizes.width, data->train.width);
            QCOMPARE(sizes.channels, data->train.channels);
            QCOMPARE(sizes.classes, data->classes);
            QCOMPARE(sizes.facts, data->facts);
        }
    }

    void everyRefusalHasItsReason_data() {
        QTest::addColumn<QStringList>("files"); // each with one small image
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("reason");
        QTest::newRow("nothing") << QStringList{"readme.txt"} << "data.folder.layout"
                                 << "holds 0 classes";
        QTest::newRow("one class") << QStringList{"a/x.png", "a/y.png"} << "data.folder.layout"
                                   << "holds 1 classes";
        QTest::newRow("one image") << QStringList{"a/x.png", "a/y.png", "b/x.png"} << "data.folder.layout"
                                   << "class b has only one file";
        QTest::newRow("no image") << QStringList{"a/x.png", "a/y.png", "b/x.gif"} << "data.folder.layout"
                                  << "class b holds no PNG or JPEG";
        QTest::newRow("no test") << QStringList{"train/a/x.png", "train/b/x.png"} << "data.folder.layout"
                                 << "no folder test";
        QTest::newRow("no train") << QStringList{"test/a/x.png", "test/b/x.png"} << "data.folder.layout"
                                  << "no folder train";
        QTest::newRow("unknown class") << QStringList{"train/a/x.png", "train/b/x.png", "test/c/x.png"}
                                       << "data.folder.layout"
                                       << "class c";
        QTest::newRow("empty test") << QStringList{"train/a/x.png", "train/b/x.png", "test/a/x.txt"}
                                    << "data.folder.layout"
                                    << "test/ hold no PNG";
    }
    void everyRefusalHasItsReason() {
        QFETCH(QStringList, files);
        QFETCH(QString, code);
        QFETCH(QString, reason);
        const DataFolder folder;
        for (const QString& file : files)
            folder.write(file.toStdString(), rgbPng(2, 2));
        const auto data = loadDataset(configOf(folder), {});
        QVERIFY(!data.has_value());
        QCOMPARE(QString::fromStdString(data.error().code), code);
        const std::string words = describe(data.error());
        QVERIFY2(words.find(reason.toStdString()) != std::string::npos, words.c_str());
        QVERIFY2(words.find("train/CLASS/") != std::string::npos, words.c_str());
        QVERIFY2(words.find('{') == std::string::npos, words.c_str());
        QCOMPARE(inspectDataset(configOf(folder), {}).error(), data.error());
        QCOMPARE(exitCode(data.error()), 3);
    }

    void aMissingFolderIsExplained() {
        DataConfig config;
        config.dataset = "image-folder";
        QVERIFY(describe(loadDataset(config, {}).error()).find("data.path is empty") != std::string::npos);
        const DataFolder folder;
        config.path = (folder.path() / "absent").string();
        const auto data = loadDataset(config, {});
        QCOMPARE(data.error().code, std::string("data.folder.missing"));
        QVERIFY(describe(data.error()).find("absent") != std::string::npos);
    }

    // Labels are bytes: 256 classes fit, 257 do not.
    void atMost256Classes() {
        const DataFolder folder;
        const std::string image = rgbPng(2, 2);
        for (int i = 0; i < 256; ++i)
            folder.write("train/" + std::to_string(1000 + i) + "/x.png", image);
        folder.write("test/1000/x.png", image);
        const auto data = loadDataset(configOf(folder), {});
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        QCOMPARE(int((*data)->train.labels.back()), 255);
        folder.write("train/2000/x.png", image);
        QCOMPARE(loadDataset(configOf(folder), {}).error().code, std::string("data.folder.layout"));
    }
};

QTEST_APPLESS_MAIN(TestImageFolder)
} // namespace test_image_folder
#include "test_image_folder.moc"

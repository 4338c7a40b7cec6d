// SPDX-License-Identifier: GPL-3.0-or-later
// IDX files: what is read, every way in which one can be wrong, and some thousand damaged files.
#include "core/data/idx.h"
#include "tests/unit/data/damage.h"
#include "tests/unit/data/idx_files.h"

#include <QTest>

#include <algorithm>
#include <random>

namespace test_idx {
using namespace accumulus;
using namespace accumulus::test;

namespace {

Result<ImageSet> readBytes(const DataFolder& folder, const std::string& images, const std::string& labels,
                           std::int64_t limit = 0) {
    return readIdx(folder.write("images", images), folder.write("labels", labels), limit, 10);
}

} // namespace

class TestIdx : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void plainAndCompressedReadTheSame() {
        const DataFolder folder;
        const auto plain = readBytes(folder, imageBytes(25), labelBytes(25));
        const auto compressed = readBytes(folder, gzipped(imageBytes(25)), gzipped(labelBytes(25)));
        for (const auto* set : {&plain, &compressed}) {
            QVERIFY(set->has_value());
            QCOMPARE((*set)->count, 25);
            QCOMPARE((*set)->height, 4);
            QCOMPARE((*set)->width, 3);
            QCOMPARE((*set)->pixels.size(), std::size_t{300});
            for (std::size_t i = 0; i < 300; ++i)
                QCOMPARE(int((*set)->pixels[i]), int(7 * i & 0xFF));
            for (std::size_t i = 0; i < 25; ++i)
                QCOMPARE(int((*set)->labels[i]), int(i % 10));
        }
    }

    // The suffix says nothing about the content.
    void compressionIsFoundByContent() {
        const DataFolder folder;
        const std::string zeros = idxBytes(0x803, {400, 4, 3}, std::string(4800, '\0')); // far smaller compressed
        const auto labels = folder.write("labels.gz", labelBytes(400));
        const auto set = readIdx(folder.write("images-without-suffix", gzipped(zeros)), labels, 0, 10);
        QVERIFY2(set.has_value(), set ? "" : describe(set.error()).c_str());
        QCOMPARE(set->count, 400);
    }

    void aLimitReadsTheFirstSamples() {
        const DataFolder folder;
        const auto set = readBytes(folder, imageBytes(25), labelBytes(25), 7);
        QVERIFY(set.has_value());
        QCOMPARE(set->count, 7);
        QCOMPARE(set->pixels.size(), std::size_t{84});
        QCOMPARE(int(set->labels.back()), 6);
        QCOMPARE(readBytes(folder, imageBytes(25), labelBytes(25), 100)->count, 25);
    }

    void headersAreReadAlone() {
        const DataFolder folder;
        const auto images = readIdxHeader(folder.write("i", gzipped(imageBytes(25))));
        QVERIFY(images.has_value());
        QCOMPARE(images->count, 25);
        QCOMPARE(images->height, 4);
        QCOMPARE(images->width, 3);
        const auto labels = readIdxHeader(folder.write("l", labelBytes(25)));
        QVERIFY(labels.has_value());
        QCOMPARE(labels->count, 25);
        QCOMPARE(labels->height, 0);
    }

    void everyDamageHasItsOwnWords_data() {
        QTest::addColumn<QByteArray>("images");
        QTest::addColumn<QByteArray>("labels");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("offset");
        const auto row = [](const char* name, const std::string& images, const std::string& labels, const char* code,
                            const char* offset) {
            QTest::newRow(name) << QByteArray::fromStdString(images) << QByteArray::fromStdString(labels)
                                << QString(code) << QString(offset);
        };
        const std::string goodImages = imageBytes(5);
        const std::string goodLabels = labelBytes(5);
        const std::string packed = gzipped(goodImages);
        const std::string payload = goodImages.substr(16);
        row("empty", "", goodLabels, "data.idx.short", "0");
        row("three bytes", goodImages.substr(0, 3), goodLabels, "data.idx.short", "3");
        row("wrong magic", idxBytes(0x802, {5, 4, 3}, payload), goodLabels, "data.idx.magic", "4");
        row("text", "<html>not found</html>", goodLabels, "data.idx.magic", "4");
        row("floats", idxBytes(0xD03, {5, 4, 3}, payload), goodLabels, "data.idx.magic", "4");
        row("labels for images", goodLabels, goodLabels, "data.idx.magic", "8");
        row("images for labels", goodImages, goodImages, "data.idx.magic", "16");
        row("cut in the header", goodImages.substr(0, 10), goodLabels, "data.idx.short", "10");
        row("one pixel short", goodImages.substr(0, goodImages.size() - 1), goodLabels, "data.idx.short", "16");
        row("one label short", goodImages, goodLabels.substr(0, goodLabels.size() - 1), "data.idx.short", "8");
        row("a pixel too many", goodImages + "x", goodLabels, "data.idx.trailing", "76");
        row("a label too many", goodImages, goodLabels + "x", "data.idx.trailing", "13");
        row("counts disagree", goodImages, labelBytes(4), "data.idx.disagree", "");
        row("label out of range", goodImages, idxBytes(0x801, {5}, std::string("\0\1\12\3\4", 5)), "data.idx.label",
            "10");
        row("no images", idxBytes(0x803, {0, 4, 3}, ""), idxBytes(0x801, {0}, ""), "data.idx.sizes", "16");
        row("no width", idxBytes(0x803, {5, 4, 0}, payload), goodLabels, "data.idx.sizes", "16");
        row("promises 1.6 TB", idxBytes(0x803, {100'000, 4096, 4096}, payload), goodLabels, "data.idx.sizes", "16");
        row("promises 4 294 967 295 sides", idxBytes(0x803, {5, 0xFFFFFFFF, 0xFFFFFFFF}, payload), goodLabels,
            "data.idx.sizes", "16");
        row("promises 15 GB", idxBytes(0x803, {915, 4096, 4096}, payload), labelBytes(915), "data.idx.short", "16");
        row("promises 15 GB, compressed", gzipped(idxBytes(0x803, {915, 4096, 4096}, payload)), labelBytes(915),
            "data.idx.short", "16");
        row("gzip, short inside", gzipped(goodImages.substr(0, goodImages.size() - 1)), goodLabels, "data.idx.short",
            "75");
        row("gzip, longer inside", gzipped(goodImages + "x"), goodLabels, "data.idx.trailing", "76");
        // The last eight bytes of a gzip file are its checksum and length.
        row("gzip, trailer cut", packed.substr(0, packed.size() - 5), goodLabels, "data.idx.short", "76");
        std::string wrongSum = packed;
        wrongSum[wrongSum.size() - 8] = static_cast<char>(wrongSum[wrongSum.size() - 8] ^ 1);
        // So short a stream is found wrong at the first read.
        row("gzip, wrong checksum", wrongSum, goodLabels, "data.idx.short", "0");
    }
    void everyDamageHasItsOwnWords() {
        QFETCH(QByteArray, images);
        QFETCH(QByteArray, labels);
        QFETCH(QString, code);
        QFETCH(QString, offset);
        const DataFolder folder;
        const std::int64_t before = peakBytes();
        const auto set = readBytes(folder, images.toStdString(), labels.toStdString());
        QVERIFY(!set.has_value());
        QCOMPARE(QString::fromStdString(set.error().code), code);
        QCOMPARE(QString::fromStdString(set.error().argument("offset")), offset);
        // Memory is taken only for what the file can hold.
        QVERIFY(peakBytes() - before < 64 << 20);
        // What happened, where, why and what to do: nothing left to fill in.
        const std::string words = describe(set.error());
        QVERIFY2(words.find(folder.path().string()) != std::string::npos, words.c_str());
        QVERIFY2(words.find('{') == std::string::npos, words.c_str());
        QVERIFY(!errorWords(set.error().code).cure.empty());
        QCOMPARE(exitCode(set.error()), 3);
    }

    void aGzipStreamCutAnywhereIsAnError() {
        const DataFolder folder;
        const std::string packed = gzipped(imageBytes(50));
        for (std::size_t length = 0; length < packed.size(); ++length) {
            const auto set = readBytes(folder, packed.substr(0, length), labelBytes(50));
            QVERIFY2(!set.has_value(), qPrintable(QString("cut at %1").arg(length)));
        }
        QVERIFY(readBytes(folder, packed, labelBytes(50)).has_value());
    }

    void whatCannotBeOpenedSaysWhy() {
        const DataFolder folder;
        const auto labels = folder.write("labels", labelBytes(5));
        const auto missing = readIdx(folder.path() / "absent", labels, 0, 10);
        QVERIFY(!missing.has_value());
        QCOMPARE(missing.error().code, std::string("data.idx.open"));
        QVERIFY(describe(missing.error()).find("No such file") != std::string::npos);
        const auto isFolder = readIdx(folder.path(), labels, 0, 10);
        QVERIFY(!isFolder.has_value());
        QVERIFY2(describe(isFolder.error()).find("directory") != std::string::npos, describe(isFolder.error()).c_str());
    }

    // Damaged files give an error or a set that keeps its promises; they never end the program. Seed fixed.
    void thousandsOfDamagedFiles_data() {
        QTest::addColumn<bool>("compressed");
        QTest::newRow("plain") << false;
        QTest::newRow("gzip") << true;
    }
    void thousandsOfDamagedFiles() {
        QFETCH(bool, compressed);
        const DataFolder folder;
        const std::string images = compressed ? gzipped(imageBytes(9)) : imageBytes(9);
        const std::string labels = compressed ? gzipped(labelBytes(9)) : labelBytes(9);
        std::mt19937_64 engine(20260105);
        int refused = 0;
        const std::int64_t before = peakBytes();
        for (int round = 0; round < 4000; ++round) {
            const bool both = round % 3 == 0;
            const auto set = readBytes(folder, both || round % 3 == 1 ? damaged(images, engine) : images,
                                       both || round % 3 == 2 ? damaged(labels, engine) : labels);
            if (!set) {
                ++refused;
                QVERIFY(set.error().code.starts_with("data.idx."));
                continue;
            }
            QCOMPARE(set->pixels.size(), static_cast<std::size_t>(set->count * set->imageSize()));
            QCOMPARE(set->labels.size(), static_cast<std::size_t>(set->count));
            QVERIFY(std::ranges::all_of(set->labels, [](std::uint8_t label) { return label < 10; }));
        }
        QVERIFY(peakBytes() - before < 256 << 20);
        QVERIFY2(refused > 2000, qPrintable(QString::number(refused))); // the loop does damage
        qInfo("%d of 4000 refused", refused);
    }
};

QTEST_APPLESS_MAIN(TestIdx)
} // namespace test_idx
#include "test_idx.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// One PNG or JPEG file: its pixels, its limits, every cut and every flipped bit, thousands of damaged files, and
// squares made of any image.
#include "core/data/image_file.h"
#include "tests/unit/data/damage.h"
#include "tests/unit/data/image_bytes.h"

#include <QTest>

namespace test_image_file {
using namespace accumulus;
using namespace accumulus::test;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// A JPEG's start of frame: where its height and width stand.
std::string withSize(std::string jpeg, int height, int width) {
    std::size_t at = jpeg.find("\xFF\xC0");
    if (at == std::string::npos)
        at = jpeg.find("\xFF\xC2");
    jpeg[at + 5] = static_cast<char>(height >> 8);
    jpeg[at + 6] = static_cast<char>(height & 0xFF);
    jpeg[at + 7] = static_cast<char>(width >> 8);
    jpeg[at + 8] = static_cast<char>(width & 0xFF);
    return jpeg;
}

} // namespace

class TestImageFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void coloursBecomePlanes() {
        const DataFolder folder;
        const auto image = readImageFile(folder.write("a.png", rgbPng(5, 3)));
        QVERIFY2(image.has_value(), image ? "" : describe(image.error()).c_str());
        QCOMPARE(image->count, 1);
        QCOMPARE(image->channels, 3);
        QCOMPARE(image->height, 3);
        QCOMPARE(image->width, 5);
        QCOMPARE(image->pixels.size(), std::size_t{45});
        for (int c = 0; c < 3; ++c)
            for (int y = 0; y < 3; ++y)
                for (int x = 0; x < 5; ++x)
                    QCOMPARE(int(image->pixels[static_cast<std::size_t>((c * 3 + y) * 5 + x)]),
                             60 * c + 7 * x + 11 * y);
        QCOMPARE(readImageSize(folder.path() / "a.png").value(), (ImageSize{3, 5}));
    }

    void otherKindsOfPng() {
        const DataFolder folder;
        const auto pixels = [&](const std::string& bytes) {
            return readImageFile(folder.write("a.png", bytes)).value().pixels;
        };
        const std::string zero(1, '\0');
        // Grey, two pixels: three equal planes.
        QCOMPARE(pixels(pngOf(2, 1, PngColour::Grey, 8, zero + "\x05\x50")), (Bytes{5, 80, 5, 80, 5, 80}));
        QCOMPARE(pixels(pngOf(2, 1, PngColour::Grey, 1, zero + "\x40")), (Bytes{0, 255, 0, 255, 0, 255}));
        // 16 bits: the upper 8 of them.
        QCOMPARE(pixels(pngOf(1, 1, PngColour::Grey, 16, zero + "\x12\xF0")), (Bytes{0x12, 0x12, 0x12}));
        // The colour beneath what is transparent.
        QCOMPARE(pixels(pngOf(1, 1, PngColour::Rgba, 8, zero + "\x01\x02\x03" + zero)), (Bytes{1, 2, 3}));
        QCOMPARE(pixels(pngOf(1, 1, PngColour::GreyAlpha, 8, zero + "\x09\x80")), (Bytes{9, 9, 9}));
        QCOMPARE(pixels(palettePng()),
                 (Bytes{10, 200, 0, 0, 200, 10, 20, 100, 255, 255, 100, 20, 30, 50, 0, 0, 50, 30}));
    }

    // Decoders may round differently: within 2 of Pillow's values.
    void baselineAndProgressiveJpeg() {
        const DataFolder folder;
        for (const std::string& bytes : {baselineJpeg(), progressiveJpeg()}) {
            const auto image = readImageFile(folder.write("a.jpg", bytes));
            QVERIFY2(image.has_value(), image ? "" : describe(image.error()).c_str());
            QCOMPARE(image->height, 8);
            QCOMPARE(image->width, 16);
            const int wanted[2][3] = {{199, 40, 60}, {20, 90, 220}};
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t i = 0; i < 128; ++i)
                    QVERIFY(std::abs(image->pixels[c * 128 + i] - wanted[i % 16 / 8][c]) <= 2);
        }
    }

    void theContentDecidesWhatAFileIs() {
        const DataFolder folder;
        QVERIFY(readImageFile(folder.write("a.png", baselineJpeg())).has_value());
        QVERIFY(readImageFile(folder.write("a.jpg", rgbPng(2, 2))).has_value());
    }

    void everyRefusalHasItsReason_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& bytes, const char* reason) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(reason);
        };
        const std::string png = rgbPng(8, 8);
        std::string flipped = png;
        flipped[45] = static_cast<char>(flipped[45] ^ 4); // in the pixels' part, which begins at byte 33
        const std::string start("\x89PNG\r\n\x1a\n");
        row("empty", "", "file is empty");
        row("text", "<html>not found</html>", "neither PNG nor JPEG");
        row("a gif", "GIF89a\1\0\1\0", "neither PNG nor JPEG");
        row("PNG, cut", png.substr(0, png.size() - 12), "ends too early");
        row("PNG, flipped bit", flipped, "part at byte 33 is damaged");
        row("PNG, no pixels", start + pngChunk("IHDR", png.substr(16, 13)) + pngChunk("IEND", ""), "cannot be decoded");
        row("PNG, too few pixels", pngOf(8, 8, PngColour::Rgb, 8, std::string(25, '\0')), "cannot be decoded");
        row("PNG, 0 pixels", pngOf(0, 8, PngColour::Rgb, 8, "x"), "header is damaged");
        row("PNG, 7 bits", pngOf(2, 2, PngColour::Rgb, 7, "x"), "header is damaged");
        row("PNG, 20000 wide", pngOf(20'000, 2, PngColour::Rgb, 8, "x"), "at most 16384 a side");
        row("PNG, 4294967295 wide", pngOf(0xFFFFFFFF, 0xFFFFFFFF, PngColour::Rgb, 8, "x"), "");
        row("PNG, 67 million pixels", pngOf(8192, 8192, PngColour::Rgb, 8, "x"), "33 million in all");
        row("PNG, more than its bytes hold", pngOf(4000, 4000, PngColour::Grey, 1, "x"),
            "more than its 66 bytes can hold");
        row("JPEG, cut", baselineJpeg().substr(0, 280), "without an end mark");
        row("JPEG, 4 bytes", "\xFF\xD8\xFF\xE0", "without an end mark");
        row("JPEG, no image", "\xFF\xD8\xFF\xD9", "header is damaged");
        row("JPEG, more than its bytes hold", withSize(baselineJpeg(), 4000, 4000), "more than its 291 bytes can hold");
        row("JPEG, 65535 x 65535", withSize(progressiveJpeg(), 65535, 65535), "at most 16384 a side");
        row("JPEG, 0 pixels", withSize(baselineJpeg(), 0, 0), "header is damaged");
    }
    void everyRefusalHasItsReason() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        const DataFolder folder;
        const auto file = folder.write("a.png", bytes.toStdString());
        const std::int64_t before = peakBytes();
        const auto image = readImageFile(file);
        QVERIFY(!image.has_value());
        QVERIFY(peakBytes() - before < 64 << 20);
        QCOMPARE(image.error().code, std::string("data.image.file"));
        const std::string words = describe(image.error());
        QVERIFY2(words.find(reason.toStdString()) != std::string::npos, words.c_str());
        QVERIFY2(words.find(file.string()) != std::string::npos, words.c_str());
        QVERIFY2(words.find('{') == std::string::npos, words.c_str());
        QCOMPARE(exitCode(image.error()), 3);
    }

    // 64 x 64 pixels are promised, 256 MiB come out of the compressed part: refused before it is all there.
    void aPngThatUnpacksToFarMoreThanItPromises() {
        const std::string megabyte(std::size_t{1} << 20, '\0');
        z_stream stream{};
        QCOMPARE(deflateInit(&stream, Z_BEST_SPEED), Z_OK);
        std::string packed(std::size_t{8} << 20, '\0');
        stream.next_out = reinterpret_cast<Bytef*>(packed.data());
        stream.avail_out = static_cast<uInt>(packed.size());
        for (int i = 0; i < 256; ++i) {
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(megabyte.data()));
            stream.avail_in = static_cast<uInt>(megabyte.size());
            QCOMPARE(deflate(&stream, i == 255 ? Z_FINISH : Z_NO_FLUSH), i == 255 ? Z_STREAM_END : Z_OK);
        }
        packed.resize(stream.total_out);
        deflateEnd(&stream);
        std::string bytes = rgbPng(64, 64);
        const std::size_t pixels = bytes.find("IDAT") - 4;
        bytes = bytes.substr(0, pixels) + pngChunk("IDAT", packed) + pngChunk("IEND", "");
        const DataFolder folder;
        const auto file = folder.write("a.png", bytes);
        const std::int64_t before = peakBytes();
        const auto image = readImageFile(file);
        QVERIFY(!image.has_value());
        QVERIFY2(describe(image.error()).find("outofmem") != std::string::npos, describe(image.error()).c_str());
        QVERIFY(peakBytes() - before < 64 << 20);
    }

    void aFileCutAnywhereIsRefused() {
        const DataFolder folder;
        for (const std::string& bytes : {rgbPng(4, 4), palettePng(), baselineJpeg(), progressiveJpeg()})
            for (std::size_t length = 0; length < bytes.size(); ++length)
                QVERIFY2(!readImageFile(folder.write("a", bytes.substr(0, length))).has_value(),
                         qPrintable(QString("cut at %1 of %2").arg(length).arg(bytes.size())));
    }

    void everyFlippedBitOfAPngIsSeen() {
        const DataFolder folder;
        const std::string bytes = rgbPng(6, 5);
        for (std::size_t at = 0; at < bytes.size(); ++at)
            for (int bit = 0; bit < 8; ++bit) {
                std::string flipped = bytes;
                flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
                QVERIFY2(!readImageFile(folder.write("a", flipped)).has_value(),
                         qPrintable(QString("bit %1 of byte %2").arg(bit).arg(at)));
            }
    }

    // The decoder itself gets damaged files too: with right checksums, and JPEGs, which have none. Seed fixed.
    void thousandsOfDamagedFiles_data() {
        QTest::addColumn<QByteArray>("good");
        QTest::newRow("PNG") << QByteArray::fromStdString(rgbPng(9, 7));
        QTest::newRow("palette") << QByteArray::fromStdString(palettePng());
        QTest::newRow("16 bits") << QByteArray::fromStdString(pngOf(
            2, 2, PngColour::Rgba, 16, std::string(1, '\1') + std::string(16, 'a') + '\4' + std::string(16, 'b')));
        QTest::newRow("baseline") << QByteArray::fromStdString(baselineJpeg());
        QTest::newRow("progressive") << QByteArray::fromStdString(progressiveJpeg());
    }
    void thousandsOfDamagedFiles() {
        QFETCH(QByteArray, good);
        const DataFolder folder;
        std::mt19937_64 engine(20260108);
        const bool png = good.startsWith("\x89");
        const std::int64_t before = peakBytes();
        int refused = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string bytes = damaged(good.toStdString(), engine);
            if (!png) // an end mark, so that what comes before it is looked at
                bytes += "\xFF\xD9";
            const auto image = readImageFile(folder.write("a", png ? withRightChecksums(bytes) : bytes));
            if (!image) {
                ++refused;
                QCOMPARE(image.error().code, std::string("data.image.file"));
                continue;
            }
            QCOMPARE(image->pixels.size(), static_cast<std::size_t>(3 * image->height * image->width));
        }
        QVERIFY(peakBytes() - before < 256 << 20);
        QVERIFY2(refused > 300 && refused < 3000, qPrintable(QString::number(refused)));
        qInfo("%d of 3000 refused", refused);
    }

    void randomBytesAreNoImage() {
        const DataFolder folder;
        std::mt19937_64 engine(20260109);
        for (int round = 0; round < 500; ++round) {
            const std::string start = round % 2 ? "\x89PNG\r\n\x1a\n" : "\xFF\xD8\xFF";
            QVERIFY(!readImageFile(folder.write("a", start + randomBytes(engine() % 400, engine))).has_value());
        }
    }

    void whatCannotBeOpenedSaysWhy() {
        const DataFolder folder;
        const auto image = readImageFile(folder.path() / "absent.png");
        QVERIFY(!image.has_value());
        QVERIFY2(describe(image.error()).find("No such file") != std::string::npos, describe(image.error()).c_str());
    }

    void squaresAreCutOutOfTheMiddle() {
        ImageSet wide;
        wide.count = 1;
        wide.height = 2;
        wide.width = 5;
        wide.pixels = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        wide.labels = {4};
        const ImageSet square = resizeSquare(wide, 2);
        QCOMPARE(square.pixels, (Bytes{2, 3, 7, 8})); // one column left, two right
        QCOMPARE(square.labels, Bytes{4});
        ImageSet high = wide;
        std::swap(high.height, high.width);
        QCOMPARE(resizeSquare(high, 2).pixels, (Bytes{3, 4, 5, 6}));
    }

    // From 5 x 5 to 2 x 2: twice as large, so the middle 4 x 4 are averaged two by two; halves round up.
    void muchLargerImagesAreAveraged() {
        ImageSet set;
        set.count = 1;
        set.height = set.width = 5;
        set.labels = {0};
        set.pixels = {0,  0,   10, 10, 99, //
                      0,  1,   10, 11, 99, //
                      20, 100, 3,  3,  99, //
                      60, 20,  3,  4,  99, //
                      99, 99,  99, 99, 99};
        QCOMPARE(resizeSquare(set, 2).pixels, (Bytes{0, 10, 50, 3})); // 0.25, 10.25, 50, 3.25
        // Below twice the size nothing is averaged.
        QCOMPARE(resizeSquare(set, 3).pixels, resizeBilinear(set, 3, 3).pixels);
        // Every plane alone.
        ImageSet planes = set;
        planes.channels = 2;
        planes.pixels.insert(planes.pixels.end(), 25, 7);
        QCOMPARE(resizeSquare(planes, 2).pixels, (Bytes{0, 10, 50, 3, 7, 7, 7, 7}));
    }
};

QTEST_APPLESS_MAIN(TestImageFile)
} // namespace test_image_file
#include "test_image_file.moc"

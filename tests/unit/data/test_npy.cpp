// SPDX-License-Identifier: GPL-3.0-or-later
// Headers of .npy files: what NumPy writes, what it could write, and what nobody should.
#include "core/data/npy.h"
#include "core/data/tensor_elements.h"
#include "tests/support/numeric.h"
#include "tests/unit/data/damage.h"
#include "tests/unit/data/tensor_bytes.h"

#include <QTest>

namespace test_npy {
using namespace accumulus;
using namespace accumulus::test;

namespace {

tl::expected<NpyHeader, Message> parsed(const std::string& bytes) {
    return parseNpy(std::as_bytes(std::span(bytes)), std::ssize(bytes));
}

QString reasonOf(const std::string& bytes) {
    const auto header = parsed(bytes);
    return header ? QString("read") : QString::fromStdString(header.error().code);
}

} // namespace

class TestNpy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyTypeIsKnown_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<QString>("name");
        const auto row = [](const char* type, int bytes, const char* name) {
            QTest::newRow(type) << QString(type) << bytes << QString(name);
        };
        row("|b1", 1, "bool");
        row("|u1", 1, "uint8");
        row("|i1", 1, "int8");
        row("<u2", 2, "uint16");
        row("<i2", 2, "int16");
        row("<u4", 4, "uint32");
        row("<i4", 4, "int32");
        row("<i8", 8, "int64");
        row("<f2", 2, "float16");
        row("<f4", 4, "float32");
        row("<f8", 8, "float64");
    }
    void everyTypeIsKnown() {
        QFETCH(QString, type);
        QFETCH(int, bytes);
        QFETCH(QString, name);
        const auto header =
            parsed(npyBytes(type.toStdString(), "(2, 3)", std::string(static_cast<std::size_t>(6 * bytes), 'x')));
        QVERIFY(header.has_value());
        QCOMPARE(QString::fromStdString(std::string(typeName(header->type))), name);
        QCOMPARE(elementBytes(header->type), bytes);
        QCOMPARE(header->shape, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(header->dataBytes, 6 * bytes);
        QCOMPARE(header->dataBegin % 64, 0);
    }

    void shapesAndVersions() {
        const std::string four(4, 'x');
        QCOMPARE(parsed(npyBytes("<f4", "()", four))->shape, std::vector<std::int64_t>());
        QCOMPARE(parsed(npyBytes("<f4", "(1,)", four))->shape, std::vector<std::int64_t>{1});
        QCOMPARE(parsed(npyBytes("<f4", "(1, 1, 1, 1)", four))->shape, std::vector<std::int64_t>(4, 1));
        QCOMPARE(parsed(npyBytes("<f4", "(5, 0)", ""))->dataBytes, 0);
        QCOMPARE(parsed(npyBytes("<f4", "(1L,)", four))->shape, std::vector<std::int64_t>{1}); // Python 2
        const std::string header = "{\"shape\":(1,),\"fortran_order\":False,\"descr\":\"<f4\"}";
        for (const int version : {1, 2, 3})
            QVERIFY(parsed(npyOf(header, four, version)).has_value());
        // One dimension has no order.
        QVERIFY(parsed(npyOf("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", four)).has_value());
    }

    void everyProblemHasItsReason_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* tag, const std::string& bytes, const char* reason) {
            QTest::newRow(tag) << QByteArray::fromStdString(bytes) << QString("reason.npy-") + reason;
        };
        const std::string four(4, 'x');
        const auto header = [&](const char* words) { return npyOf(words, four); };
        row("empty", "", "magic");
        row("another file", "PK\x03\x04 something", "magic");
        row("version 4", npyOf("{}", "", 4), "version");
        row("cut in the length", std::string("\x93NUMPY\x01\0", 8), "header");
        row("a header of 64 KiB", std::string("\x93NUMPY\x01\0\xFF\xFF", 10) + four, "header");
        row("a header of 4 GiB", std::string("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF", 12) + four, "header");
        row("no dictionary", header("import os"), "header");
        row("code", header("{'descr': __import__('os').system('true')}"), "header");
        row("no shape", header("{'descr': '<f4', 'fortran_order': False}"), "header");
        row("twice a shape", header("{'descr': '<f4', 'shape': (1,), 'shape': (1,), 'fortran_order': False}"),
            "header");
        row("another key", header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}"), "header");
        row("no comma", header("{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}"), "header");
        row("negative side", header("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), "header");
        row("a side too large", header("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"),
            "header");
        row("no closing brace", header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)"), "header");
        row("Fortran order", npyOf("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }", four), "fortran");
        row("big-endian", npyBytes(">f4", "(1,)", four), "big-endian");
        row("big-endian int16", npyBytes(">i2", "(2,)", four), "big-endian");
        row("objects", npyBytes("|O", "(1,)", "\x80\x04."), "objects");
        row("text", npyBytes("<U3", "(1,)", std::string(12, 'x')), "type");
        row("complex", npyBytes("<c8", "(1,)", std::string(8, 'x')), "type");
        row("uint64", npyBytes("<u8", "(1,)", std::string(8, 'x')), "type");
        row("no type", npyBytes("", "(1,)", four), "type");
        row("records", header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"), "structured");
        row("cut", npyBytes("<f4", "(2,)", four), "promise");
        row("a product of 2^64", npyBytes("<f4", "(4294967296, 1073741824)", four), "promise");
        row("hidden behind a 0", npyBytes("<f4", "(0, 4294967296, 4294967296)", four), "promise");
        row("too long", npyBytes("<f4", "(1,)", four + "y"), "longer");
    }
    void everyProblemHasItsReason() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        const auto header = parsed(bytes.toStdString());
        QVERIFY(!header);
        QCOMPARE(QString::fromStdString(header.error().code), reason);
        QVERIFY(!messageWords(header.error().code).empty());
        QVERIFY(!messageWords(header.error().argument("cure")).empty());
    }

    // A header that is accepted describes exactly the bytes that are there.
    void damagedHeadersAreRefusedOrRight() {
        const std::string good = npyBytes("<i2", "(7, 3)", std::string(42, 'x'));
        std::mt19937_64 engine(20260731);
        int refused = 0;
        for (int i = 0; i < 3000; ++i) {
            const std::string bytes = damaged(good, engine);
            const auto header = parsed(bytes);
            refused += header ? 0 : 1;
            if (header) {
                QCOMPARE(header->dataBegin + header->dataBytes, std::ssize(bytes));
                QCOMPARE(bytesOfShape(header->shape, header->type), header->dataBytes);
            }
        }
        QVERIFY(refused > 1500);
        for (std::size_t size = 0; size < good.size(); ++size)
            QVERIFY(reasonOf(good.substr(0, size)) != "read");
    }

    // Every number that 16 bits can hold, against what the standard says it is.
    void sixteenBitsAreWhatTheStandardSays() {
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const Half half{static_cast<std::uint16_t>(bits)};
            const int exponent = static_cast<int>(bits >> 10 & 0x1F);
            const double fraction = static_cast<double>(bits & 0x3FF) / 1024.0;
            const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
            if (exponent == 31) {
                QCOMPARE(std::isnan(half.value()), fraction > 0.0);
                QVERIFY(fraction > 0.0 || std::isinf(half.value()));
                continue;
            }
            const double value = exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1.0 + fraction, exponent - 15);
            QVERIFY(compareBits(double{half.value()}, sign * value));
        }
        QVERIFY(compareBits(double{BFloat{0x3F80}.value()}, 1.0));
        QVERIFY(compareBits(double{BFloat{0xC040}.value()}, -3.0));
    }
};

QTEST_APPLESS_MAIN(TestNpy)
} // namespace test_npy
#include "test_npy.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The elements of a person's tensors: every type becomes its numbers, normalised by channel, and every way to gather
// them has the same bits.
#include "core/data/data_source.h"
#include "core/data/mapped_file.h"
#include "tests/support/numeric.h"
#include "tests/unit/data/idx_files.h"
#include "tests/unit/data/tensor_samples.h"

#include <QTest>

#include <array>
#include <cmath>
#include <span>

namespace test_tensor_values {
using namespace accumulus;
using namespace accumulus::test;

class TestTensorValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTypeBecomesItsNumbers_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<QList<double>>("wanted");
        const auto row = [](const char* type, const std::string& payload, const QList<double>& wanted) {
            QTest::newRow(type) << QString(type) << QByteArray::fromStdString(payload) << wanted;
        };
        row("BOOL", bytesOf<std::uint8_t>({0, 1, 255}), {0, 1, 1});
        row("U8", bytesOf<std::uint8_t>({0, 7, 255}), {0, 7, 255});
        row("I8", bytesOf<std::int8_t>({-128, -1, 127}), {-128, -1, 127});
        row("U16", bytesOf<std::uint16_t>({0, 256, 65535}), {0, 256, 65535});
        row("I16", bytesOf<std::int16_t>({-32768, -2, 5}), {-32768, -2, 5});
        row("U32", bytesOf<std::uint32_t>({0, 1, 4294967295U}), {0, 1, 4294967295.0});
        row("I32", bytesOf<std::int32_t>({-2147483647, 3, 4}), {-2147483647, 3, 4});
        row("I64", bytesOf<std::int64_t>({-9007199254740991, 3, 9007199254740991}),
            {-9007199254740991.0, 3, 9007199254740991.0});
        row("F16", bytesOf<std::uint16_t>({0x3C00, 0xC000, 0x0001}), {1, -2, std::ldexp(1.0, -24)});
        row("BF16", bytesOf<std::uint16_t>({0x3F80, 0xC000, 0x4049}), {1, -2, 3.140625});
        row("F32", bytesOf<float>({0.1F, -1e30F, 3}), {double{0.1F}, double{-1e30F}, 3});
        row("F64", bytesOf<double>({0.1, -1e300, 3}), {0.1, -1e300, 3});
    }
    void everyTypeBecomesItsNumbers() {
        QFETCH(QString, type);
        QFETCH(QByteArray, payload);
        QFETCH(QList<double>, wanted);
        const DataFolder folder;
        // One byte before them: nothing in a file need be aligned.
        const auto config =
            configOf(folder.write("a", safetensorsBytes({{"odd", "U8", "[1]", "x"},
                                                         {"inputs", type.toStdString(), "[3]", payload.toStdString()},
                                                         {"targets", "U8", "[3]", std::string("\0\1\0", 3)}})),
                     1);
        const auto data = loaded(config);
        const TensorColumn& column = data->trainTensors.inputs;
        const auto values = valuesOf(column, 3);
        std::array<double, 3> read{};
        readNumbers(column, 0, read);
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(compareBits(values[i], wanted[static_cast<int>(i)]));
            QVERIFY(compareBits(read[i], values[i]));
        }
        const std::vector<std::int64_t> ids{2, 0};
        if (staysWhole(column.type)) {
            std::array<std::int64_t, 2> whole{};
            gatherTensors(column, ids, whole.data());
            QVERIFY(whole[0] == static_cast<std::int64_t>(wanted[2]) &&
                    whole[1] == static_cast<std::int64_t>(wanted[0]));
        }
        std::array<float, 2> single{};
        gatherTensors(column, ids, {}, single.data());
        QVERIFY(compareBits(single[0], static_cast<float>(wanted[2])));
        QVERIFY(compareBits(single[1], static_cast<float>(wanted[0])));
    }

    void inputsAreNormalisedByChannel() {
        const DataFolder folder;
        DataConfig config = configOf(folder.write("a.npz", goodNpz()));
        const auto check = [&](std::size_t channels) {
            const auto data = loaded(config);
            const auto plain = valuesOf(data->trainTensors.inputs, 9);
            const auto scaled = valuesOf(data->trainTensors.inputs, 9, {data->mean, data->deviation});
            std::vector<float> single(54);
            const std::vector<std::int64_t> ids{0, 1, 2, 3, 4, 5, 6, 7, 8};
            gatherTensors(data->trainTensors.inputs, ids, {data->mean, data->deviation}, single.data());
            for (std::size_t i = 0; i < 54; ++i) {
                const std::size_t channel = channels == 1 ? 0 : i / 3 % 2;
                const double wanted = (plain[i] - config.mean[channel]) / config.deviation[channel];
                QVERIFY(compareBits(scaled[i], wanted));
                QVERIFY(compareBits(single[i], static_cast<float>(wanted)));
            }
        };
        config.mean = {0.3};
        config.deviation = {1.7};
        check(1);
        config.mean = {0.3, -4.1};
        config.deviation = {1.7, 0.9};
        check(2);
        config.mean = {1, 2, 3};
        QCOMPARE(problemOf(config), "tensors.scale reason.scale-channels");
        config = configOf(folder.write("b", safetensorsBytes({{"inputs", "I64", "[3]", labels(3)},
                                                              {"targets", "I64", "[3]", labels(3)}})),
                          1);
        QCOMPARE(problemOf(config), "read");
        config.deviation = {2.0};
        QCOMPARE(problemOf(config), "tensors.scale reason.scale-whole");
    }

    // Read instead of touched: the same values, targets included.
    void aLargeFileIsTheSame() {
        const DataFolder folder;
        const auto data = loaded(configOf(folder.write("a.npz", goodNpz())));
        const auto values = valuesOf(data->trainTensors.inputs, 9);
        const std::vector<std::int64_t> ids{8, 0, 8, 4};
        std::vector<std::int64_t> targets(4), read(4);
        gatherTensors(data->trainTensors.targets, ids, targets.data());
        const OtherFileLimits limits({.touched = 1, .scanned = 1, .ahead = 1});
        QVERIFY(!data->trainTensors.inputs.file->isSmall());
        QCOMPARE(valuesOf(data->trainTensors.inputs, 9), values);
        gatherTensors(data->trainTensors.targets, ids, read.data());
        QCOMPARE(read, targets);
        QCOMPARE(bearingOf(data->trainTensors.targets, ids).samples, 4);
    }

    // Bytes are looked up in a table once there are many of them: the same arithmetic, (x - mean) / deviation in fp64,
    // rounded once. What is stored as it is wanted is copied.
    void everyWayToGatherHasTheSameBits() {
        std::vector<std::uint8_t> bytes(2 * 700);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::uint8_t>(i * 37);
        const TensorScale scale{{0.1, 3.7}, {0.9, 17.3}};
        const std::vector<std::int64_t> once{0}, often{0, 0, 0};
        for (const ElementType type : {ElementType::UInt8, ElementType::Int8, ElementType::Bool}) {
            const TensorColumn column{type, {2, 700}, std::as_bytes(std::span(bytes)).data(), nullptr, nullptr};
            std::vector<float> few(bytes.size()), many(3 * bytes.size());
            gatherTensors(column, once, scale, few.data());
            gatherTensors(column, often, scale, many.data());
            for (std::size_t i = 0; i < many.size(); ++i) {
                const std::size_t place = i % bytes.size();
                const double stored = type == ElementType::UInt8  ? bytes[place]
                                      : type == ElementType::Int8 ? static_cast<std::int8_t>(bytes[place])
                                                                  : bytes[place] != 0;
                const std::size_t channel = place / 700;
                const auto wanted = static_cast<float>((stored - scale.mean[channel]) / scale.deviation[channel]);
                QVERIFY(compareBits(few[place], wanted) && compareBits(many[i], wanted));
            }
        }
        std::vector<float> values(1400);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i) / 7.0F;
        const TensorColumn column{ElementType::Float32, {1400}, std::as_bytes(std::span(values)).data(), nullptr, {}};
        std::vector<float> copies(1400);
        std::vector<double> converted(1400);
        gatherTensors(column, once, {}, copies.data());
        gatherTensors(column, once, {}, converted.data());
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY(compareBits(copies[i], values[i]) && compareBits(converted[i], double(values[i])));
    }
};

QTEST_APPLESS_MAIN(TestTensorValues)
} // namespace test_tensor_values
#include "test_tensor_values.moc"

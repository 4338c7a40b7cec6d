// SPDX-License-Identifier: GPL-3.0-or-later
// Files of tensors: what is written comes back, the header follows the published format, and what is damaged,
// impossible or of another model is refused.
#include "core/engine/memory_counter.h"
#include "core/model/safetensors.h"
#include "core/train/checkpoint.h"
#include "core/train/checkpoint_info.h"
#include "tests/support/training.h"
#include "tests/unit/train/checkpoint_files.h"

#include <ATen/ATen.h>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

namespace test_safetensors {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// JSON with ' for ".
std::string json(std::string text) {
    std::ranges::replace(text, '\'', '"');
    return text;
}

/// A file of that header (see json()) and data.
std::string safetensorsBytes(const std::string& words, const std::string& data) {
    const std::string header = json(words);
    const std::uint64_t length = header.size();
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes + header + data;
}

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyTypeComesBack() {
        QTemporaryDir folder;
        NamedTensors content;
        const double infinity = std::numeric_limits<double>::infinity();
        const at::Tensor values =
            at::tensor({1.0, -0.0, 1.0 / 3.0, infinity, -infinity, std::nan(""), 5e-324, 255.0}, at::kDouble);
        for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16})
            content.tensors.emplace_back(at::toString(type), values.to(type).view({2, 1, 4}));
        for (const at::ScalarType type : {at::kLong, at::kInt, at::kByte})
            content.tensors.emplace_back(at::toString(type), at::arange(5, type));
        content.tensors.emplace_back("scalar", at::scalar_tensor(2.5, at::kFloat));
        content.tensors.emplace_back("empty", at::empty({3, 0, 2}, at::kFloat));
        content.tensors.emplace_back("transposed", at::arange(6, at::kDouble).view({2, 3}).t());
        content.metadata = {{"format", "pt"}, {"words", "größer \"quoted\" \n"}};
        const fs::path file = inFolder(folder, "t.safetensors");
        const auto size = writeSafetensors(file, content);
        QVERIFY(size.has_value());
        QCOMPARE(*size, static_cast<std::int64_t>(fs::file_size(file)));
        const auto read = readSafetensors(file);
        QVERIFY2(read.has_value(), read ? "" : describe(read.error()).c_str());
        QCOMPARE(read->tensors.size(), content.tensors.size());
        for (std::size_t i = 0; i < content.tensors.size(); ++i) {
            QCOMPARE(read->tensors[i].first, content.tensors[i].first);
            QVERIFY(sameBytes(read->tensors[i].second, content.tensors[i].second.contiguous()));
        }
        QCOMPARE(read->metadata, content.metadata);
    }

    // Memory holds a copy of one piece at a time, whatever there is to write.
    void tensorsAreWrittenPieceByPiece() {
        QTemporaryDir folder;
        const at::Tensor some = at::arange(1 << 16, at::kFloat).view({256, 256}), zeros = at::zeros({1}).expand({100});
        TensorsToWrite content;
        for (const char* name : {"a", "b", "c"})
            content.add(name, {2 * some.numel() + 100}, {some.t(), zeros, some});
        MemoryCounter::install();
        const fs::path file = inFolder(folder, "t.safetensors");
        const MemoryPeak copies;
        const auto size = writeSafetensors(file, content);
        QVERIFY(size.has_value());
        QVERIFY(copies.bytes() < 2 * static_cast<std::int64_t>(some.nbytes())); // LibTorch takes 14 KB to transpose
        const auto read = readSafetensors(file);
        QVERIFY(read.has_value());
        QCOMPARE(read->tensors.size(), std::size_t{3});
        for (const auto& [name, tensor] : read->tensors)
            QVERIFY(sameBytes(tensor, at::cat({some.t().flatten(), zeros, some.flatten()})));
    }

    // As the format is published: 8 bytes little-endian length, JSON that begins with '{', data without holes, here on
    // 8 bytes.
    void theHeaderFollowsTheRules() {
        QTemporaryDir folder;
        NamedTensors content;
        content.tensors.emplace_back("a", at::arange(3, at::kByte));
        content.tensors.emplace_back("b", at::full({2}, 1.5, at::kDouble));
        const fs::path file = inFolder(folder, "t.safetensors");
        QVERIFY(writeSafetensors(file, content).has_value());
        const std::string bytes = contentOf(file);
        std::uint64_t length = 0;
        std::memcpy(&length, bytes.data(), sizeof length);
        QCOMPARE(length % 8, std::uint64_t{0});
        QCOMPARE(bytes.size(), 8 + length + 19);
        const std::string header = bytes.substr(8, length);
        QVERIFY(header.starts_with(json("{'a':{'dtype':'U8','shape':[3],'data_offsets':[0,3]},"
                                        "'b':{'dtype':'F64','shape':[2],'data_offsets':[3,19]}}")));
        QCOMPARE(bytes.substr(8 + length, 3), std::string("\0\1\2", 3));
    }

    void metadataThatAreNotUtf8AreStillWritten() {
        QTemporaryDir folder;
        NamedTensors content;
        content.metadata = {{"path", "caf\xE9"}};
        const fs::path file = inFolder(folder, "t.safetensors");
        QVERIFY(writeSafetensors(file, content).has_value());
        QVERIFY(readSafetensors(file)->metadata.at("path").starts_with("caf"));
    }

    void impossibleFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char* name, const std::string& bytes) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes);
        };
        const std::string four(4, 'x');
        const auto tensor = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
            return "{'a':{'dtype':'" + dtype + "','shape':" + shape + ",'data_offsets':" + offsets + "}}";
        };
        row("empty", "");
        row("seven bytes", "1234567");
        row("no header", std::string(8, '\0'));
        row("header beyond the file", std::string("\xFF\0\0\0\0\0\0\0{}", 10));
        row("header of 2^64 - 1", std::string(8, '\xFF') + "{}");
        row("not JSON", safetensorsBytes("{a}", ""));
        row("null", safetensorsBytes("null", ""));
        row("a list", safetensorsBytes("[]", ""));
        row("a number", safetensorsBytes("7", ""));
        row("nested", safetensorsBytes(std::string(100'000, '['), ""));
        row("nested and closed", safetensorsBytes(std::string(100'000, '[') + std::string(100'000, ']'), ""));
        row("tensor is a number", safetensorsBytes("{'a':5}", four));
        row("no offsets", safetensorsBytes("{'a':{'dtype':'F32','shape':[1]}}", four));
        row("unknown type", safetensorsBytes(tensor("F8", "[4]", "[0,4]"), four));
        row("shape too large", safetensorsBytes(tensor("F32", "[2]", "[0,4]"), four));
        row("shape too small", safetensorsBytes(tensor("U8", "[2]", "[0,4]"), four));
        row("negative side", safetensorsBytes(tensor("F32", "[-1]", "[0,4]"), four));
        row("fraction of a side", safetensorsBytes(tensor("F32", "[1.5]", "[0,4]"), four));
        row("huge float as a side", safetensorsBytes(tensor("F32", "[1e300]", "[0,4]"), four));
        row("product overflows", safetensorsBytes(tensor("F32", "[4294967296,4294967296,4294967296]", "[0,4]"), four));
        row("product overflows behind a 0",
            safetensorsBytes(tensor("F32", "[0,4611686018427387904,4611686018427387904]", "[0,0]"), ""));
        row("side beyond 2^63", safetensorsBytes(tensor("U8", "[9223372036854775809]", "[0,4]"), four));
        row("nine dimensions", safetensorsBytes(tensor("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), four));
        row("offsets beyond the file", safetensorsBytes(tensor("F32", "[2]", "[0,8]"), four));
        row("offsets reversed", safetensorsBytes(tensor("F32", "[1]", "[4,0]"), four));
        row("negative offset", safetensorsBytes(tensor("F32", "[1]", "[-4,0]"), four));
        row("three offsets", safetensorsBytes(tensor("F32", "[1]", "[0,4,4]"), four));
        row("hole before", safetensorsBytes(tensor("F32", "[1]", "[4,8]"), four + four));
        row("bytes after", safetensorsBytes(tensor("F32", "[1]", "[0,4]"), four + four));
        row("overlap", safetensorsBytes("{'a':{'dtype':'F32','shape':[1],'data_offsets':[0,4]},"
                                        "'b':{'dtype':'U8','shape':[2],'data_offsets':[2,4]}}",
                                        four));
        row("metadata not strings", safetensorsBytes("{'__metadata__':{'a':1}}", ""));
    }
    void impossibleFilesAreRefused() {
        QFETCH(QByteArray, bytes);
        QTemporaryDir folder;
        const fs::path file = writeBytes(inFolder(folder, "t.safetensors"), bytes.toStdString());
        const std::int64_t before = peakBytes();
        const auto read = readSafetensors(file);
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().code, std::string("checkpoint.format"));
        QVERIFY(describe(read.error()).find(file.string()) != std::string::npos);
        QVERIFY(peakBytes() - before < 64 << 20);
    }

    // The order of the header is free.
    void tensorsMayBeListedInAnyOrder() {
        QTemporaryDir folder;
        const auto read = readSafetensors(writeBytes(
            inFolder(folder, "t.safetensors"), safetensorsBytes("{'b':{'dtype':'U8','shape':[2],'data_offsets':[1,3]},"
                                                                "'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1]}}",
                                                                "xyz")));
        QVERIFY2(read.has_value(), read ? "" : describe(read.error()).c_str());
        QCOMPARE(int(read->find("b")->const_data_ptr<std::uint8_t>()[1]), int('z'));
    }

    void whatIsNotThereIsSaid() {
        const auto read = readSafetensors("/nonexistent/weights.safetensors");
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().code, std::string("checkpoint.open"));
        QCOMPARE(exitCode(read.error()), 3);
    }

    void weightsComeBackWithTheirHash() {
        QTemporaryDir folder;
        const Progress saved;
        const fs::path file = inFolder(folder, "w.safetensors");
        QVERIFY(saveWeights(file, smallLayout(), saved.parameters, {{"accumulus.seed", "5"}}).has_value());
        at::Tensor loaded = smallLayout().allocate(at::kDouble);
        const auto metadata = loadWeights(file, smallLayout(), loaded);
        QVERIFY(metadata.has_value());
        QCOMPARE(metadata->at("accumulus.seed"), std::string("5"));
        QCOMPARE(metadata->at("format"), std::string("pt"));
        QVERIFY(sameBytes(loaded, saved.parameters));
        QCOMPARE(weightsHash(smallLayout(), loaded), weightsHash(smallLayout(), saved.parameters));
        QCOMPARE(*readCheckpointMetadata(file), *metadata);
        // One last bit of one weight changes the hash, a gap does not.
        loaded.mutable_data_ptr<double>()[15] = 1.0;
        QCOMPARE(weightsHash(smallLayout(), loaded), weightsHash(smallLayout(), saved.parameters));
        double& weight = loaded.mutable_data_ptr<double>()[3];
        weight = std::nextafter(weight, 2.0);
        QVERIFY(weightsHash(smallLayout(), loaded) != weightsHash(smallLayout(), saved.parameters));
    }

    void weightsOfAnotherModelAreRefused() {
        QTemporaryDir folder;
        const fs::path file = inFolder(folder, "w.safetensors");
        const Progress saved;
        QVERIFY(saveWeights(file, smallLayout(), saved.parameters, {}).has_value());
        for (const ParameterLayout& other : {ParameterLayout({{"w", {5, 3}, 5, false}, {"b", {3}, 5, true}}),
                                             ParameterLayout({{"w", {3, 5}, 5, false}, {"c", {3}, 5, true}})}) {
            at::Tensor target = other.allocate(at::kDouble);
            const auto loaded = loadWeights(file, other, target);
            QVERIFY(!loaded.has_value());
            QCOMPARE(loaded.error().code, std::string("checkpoint.mismatch"));
        }
    }

    // 4 GiB and a little in one tensor, most of it a hole in the file; what lies behind it is found.
    void filesAbove4GiBAreRead() {
        QTemporaryDir folder;
        constexpr std::uint64_t large = (std::uint64_t{1} << 32) + 64;
        const std::string words = "{'__metadata__':{'a':'b'},'big':{'dtype':'U8','shape':[" + std::to_string(large) +
                                  "],'data_offsets':[0," + std::to_string(large) +
                                  "]},'w':{'dtype':'F32','shape':[2],'data_offsets':[" + std::to_string(large) + "," +
                                  std::to_string(large + 8) + "]}}";
        const fs::path file = writeBytes(inFolder(folder, "large.safetensors"), safetensorsBytes(words, ""));
        const auto begin = fs::file_size(file);
        std::error_code full;
        fs::resize_file(file, begin + large, full);
        if (full)
            QSKIP("this file system holds no file of 4 GiB");
        const std::array<float, 2> values{0.25F, -3.0F};
        std::ofstream(file, std::ios::binary | std::ios::app)
            .write(reinterpret_cast<const char*>(values.data()), sizeof values);
        const std::int64_t before = peakBytes();
        const auto metadata = readCheckpointMetadata(file);
        QVERIFY2(metadata.has_value(), metadata ? "" : describe(metadata.error()).c_str());
        QCOMPARE(metadata->at("a"), std::string("b"));
        const auto read = readSafetensors(file, [](const std::string& name) { return name == "w"; });
        QVERIFY2(read.has_value(), read ? "" : describe(read.error()).c_str());
        QCOMPARE(read->tensors.size(), std::size_t{1});
        QCOMPARE(read->find("w")->const_data_ptr<float>()[1], -3.0F);
        QVERIFY(peakBytes() - before < 64 << 20);
    }
};

QTEST_APPLESS_MAIN(TestSafetensors)
} // namespace test_safetensors
#include "test_safetensors.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged and malicious .npz, .npy and .safetensors files: an error with a cure, or what the file says; no crash, and
// no memory for what is not there.
#include "core/data/data_source.h"
#include "tests/unit/data/damage.h"
#include "tests/unit/data/idx_files.h"
#include "tests/unit/data/tensor_samples.h"

#include <QTest>

namespace test_damaged_tensors {
using namespace accumulus;
using namespace accumulus::test;

class TestDamagedTensors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Refused by what the file says before anything is unpacked.
    void zipBombsAreRefused() {
        const std::string header = npyBytes("<f4", "(750000000,)", "");
        const DataFolder folder;
        const std::int64_t before = peakBytes();
        const std::string claims =
            zipBytes({{"inputs.npy", header, true, static_cast<std::int64_t>(header.size()) + 3'000'000'000},
                      {"targets.npy", ""}});
        QCOMPARE(problemOf(configOf(folder.write("a.npz", claims))), "tensors.array reason.zip-promise");
        // It does unpack to what it says, and memory for that is not there.
        const std::string zeros =
            zipBytes({{"inputs.npy", npyBytes("<f4", "(4194304,)", std::string(16 << 20, '\0')), true},
                      {"targets.npy", npyBytes("|u1", "(4194304,)", std::string(4 << 20, '\1')), true}});
        const auto config = configOf(folder.write("b.npz", zeros), 1);
        const auto refused = loadWithin(config, {}, 1 << 20);
        QVERIFY(!refused && refused.error().code == "data.no-room");
        QVERIFY(loadDataset(config, {}).has_value());
        QVERIFY(peakBytes() - before < 256 << 20);
    }

    void aChangedBitOfAnNpzIsSeen() {
        const DataFolder folder;
        for (const bool deflated : {false, true}) {
            std::string bytes = goodNpz(deflated);
            const std::size_t at = deflated ? 60 : bytes.find("NUMPY") + 200;
            bytes[at] = static_cast<char>(bytes[at] ^ 4);
            QCOMPARE(problemOf(configOf(folder.write("a.npz", bytes))).left(13), "tensors.array");
        }
    }

    // An error, or what the file says; never a crash, never memory for what is not there.
    void damagedFilesAreRefusedOrRight_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("npz") << "a.npz" << QByteArray::fromStdString(goodNpz());
        QTest::newRow("packed npz") << "a.npz" << QByteArray::fromStdString(goodNpz(true));
        QTest::newRow("safetensors") << "a.safetensors" << QByteArray::fromStdString(goodSafetensors());
        QTest::newRow("npy") << "inputs.npy" << QByteArray::fromStdString(inputsNpy(9));
    }
    void damagedFilesAreRefusedOrRight() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        const DataFolder folder;
        if (name == "inputs.npy")
            folder.write("targets.npy", targetsNpy(9));
        const std::int64_t before = peakBytes();
        std::mt19937_64 engine(20260801);
        int refused = 0;
        constexpr int files = 300;
        for (int i = 0; i < files; ++i) {
            const std::string broken = damaged(bytes.toStdString(), engine);
            const auto data = loadDataset(configOf(folder.write(name.toStdString(), broken), 1), {});
            if (data) {
                QVERIFY(std::ranges::all_of(valuesOf((*data)->trainTensors.inputs, (*data)->trainTensors.count),
                                            [](double value) { return std::isfinite(value); }));
                continue;
            }
            ++refused;
            QVERIFY2(data.error().code.starts_with("data."), data.error().code.c_str());
            for (const std::string& sentence : errorSentences(data.error()))
                QVERIFY(!sentence.empty() && sentence.find("{@") == std::string::npos);
        }
        QVERIFY2(refused > files / 4, std::to_string(refused).c_str());
        for (std::size_t size = 0; size < static_cast<std::size_t>(bytes.size()); size += 37)
            QVERIFY(
                !loadDataset(configOf(folder.write(name.toStdString(), bytes.toStdString().substr(0, size)), 1), {}));
        QVERIFY(peakBytes() - before < 64 << 20);
    }
};

QTEST_APPLESS_MAIN(TestDamagedTensors)
} // namespace test_damaged_tensors
#include "test_damaged_tensors.moc"

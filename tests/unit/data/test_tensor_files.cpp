// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors from a person's own files: what is found in .npz, .safetensors and folders of .npy, what it becomes, and what
// is said where it cannot be used.
#include "core/base/error_thrown.h"
#include "core/data/data_source.h"
#include "core/data/dataset_hash.h"
#include "tests/support/numeric.h"
#include "tests/unit/data/idx_files.h"
#include "tests/unit/data/tensor_samples.h"

#include <QProcess>
#include <QTest>

namespace test_tensor_files {
using namespace accumulus;
using namespace accumulus::test;

class TestTensorFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allFormatsHoldTheSame_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"npz", "packed npz", "safetensors", "folder", "one of the folder", "test file"})
            QTest::newRow(kind) << QString(kind);
    }
    void allFormatsHoldTheSame() {
        QFETCH(QString, kind);
        const DataFolder folder;
        DataConfig config;
        if (kind == "npz" || kind == "packed npz") {
            config = configOf(folder.write("a.npz", goodNpz(kind != "npz")));
        } else if (kind == "safetensors") {
            config = configOf(folder.write("a.bin", goodSafetensors())); // what it is does not show in its name
        } else if (kind == "test file") {
            config = configOf(
                folder.write("a.npz", zipBytes({{"inputs.npy", inputsNpy(9)}, {"targets.npy", targetsNpy(9)}})));
            config.testPath =
                folder.write("b.npz", zipBytes({{"inputs.npy", inputsNpy(4, 100.0F)}, {"targets.npy", targetsNpy(4)}}))
                    .string();
        } else {
            folder.write("inputs.npy", inputsNpy(9));
            folder.write("targets.npy", targetsNpy(9));
            folder.write("test_inputs.npy", inputsNpy(4, 100.0F));
            folder.write("test_targets.npy", targetsNpy(4));
            config = configOf(kind == "folder" ? folder.path() : folder.path() / "targets.npy");
        }
        const auto data = loaded(config);
        QCOMPARE(data->kind(), SampleKind::Tensors);
        QCOMPARE(data->trainCount(), 9);
        QCOMPARE(data->testTensors.count, 4);
        QCOMPARE(data->classes, 3);
        QCOMPARE(data->trainTensors.inputs.shape, (std::vector<std::int64_t>{2, 3}));
        QVERIFY(data->trainTensors.targets.shape.empty());
        const auto train = valuesOf(data->trainTensors.inputs, 9);
        for (std::size_t i = 0; i < train.size(); ++i)
            QVERIFY(compareBits(train[i], 0.5 * static_cast<double>(i)));
        QVERIFY(compareBits(valuesOf(data->testTensors.inputs, 4)[5], 102.5));
        for (std::int64_t i = 0; i < 9; ++i)
            QCOMPARE(wholeNumberAt(data->trainTensors.targets, i), i % 3);
        QCOMPARE(data->trainTensors.inputs.file != nullptr, kind != "packed npz");
        // Where it comes from does not count.
        const DataFolder other;
        QCOMPARE(datasetHash(*data), datasetHash(*loaded(configOf(other.write("x", goodNpz())))));
        const auto sizes = inspectDataset(config, {});
        QVERIFY(sizes.has_value());
        QVERIFY(sizes->tensors && sizes->train == 9 && sizes->test == 4 && sizes->classes == 3);
        QCOMPARE(sizes->facts, data->facts);
        QVERIFY(messagesText(data->facts, ", ")
                    .starts_with("Tensors, inputs float32 2x3, targets int64 (one number), 3 classes, 9 training "
                                 "samples, 4 test samples, "));
    }

    void limitsAndValidationAreViews() {
        const DataFolder folder;
        DataConfig config = configOf(folder.write("a.npz", goodNpz()), 2);
        config.trainLimit = 8;
        config.testLimit = 3;
        const auto data = loaded(config);
        QCOMPARE(data->trainTensors.count, 6);
        QCOMPARE(data->validationTensors.count, 2);
        QCOMPARE(data->testTensors.count, 3);
        QVERIFY(data->hasValidation());
        QCOMPARE(data->validationTensors.inputs.data, data->trainTensors.inputs.sample(6));
        QCOMPARE(wholeNumberAt(data->validationTensors.targets, 0), 0);
        const auto sizes = inspectDataset(config, {});
        QVERIFY(sizes->train == 6 && sizes->test == 3);
        config.validation = 8;
        QVERIFY(!loadDataset(config, {}));
    }

    void withoutTestSamplesTheValidationPartIsTheTest() {
        const DataFolder folder;
        const auto file =
            folder.write("a.npz", zipBytes({{"inputs.npy", inputsNpy(9)}, {"targets.npy", targetsNpy(9)}}));
        QCOMPARE(problemOf(configOf(file)), "no-test");
        const auto data = loaded(configOf(file, 3));
        QCOMPARE(data->trainTensors.count, 6);
        QCOMPARE(data->testTensors.count, 3);
        QCOMPARE(data->testTensors.inputs.data, data->validationTensors.inputs.data);
        QVERIFY(messagesText(data->facts, ", ").find("the 3 validation samples take their place") != std::string::npos);
        QCOMPARE(inspectDataset(configOf(file, 3), {})->test, 3);
    }

    // The last samples are held out: of sorted ones a single class.
    void sortedSamplesAreToldOf() {
        const DataFolder folder;
        const auto told = [&](const std::vector<std::int64_t>& targets, std::int64_t validation) {
            const auto rows = static_cast<int>(targets.size());
            const auto file = folder.write(
                "s.npz",
                zipBytes({{"inputs.npy", inputsNpy(rows)},
                          {"targets.npy", npyBytes("<i8", "(" + std::to_string(rows) + ",)", bytesOf(targets))}}));
            return messagesText(inspectDataset(configOf(file, validation), {}).value().facts, ", ")
                       .find("all held-out samples of class 2") != std::string::npos;
        };
        QVERIFY(told({0, 0, 1, 2, 2}, 2));
        QVERIFY(told({0, 0, 1, 2, 2}, 1));
        QVERIFY(!told({0, 0, 1, 2, 2}, 3));
        QVERIFY(!told({2, 2, 2, 2, 2}, 2)); // there is but one
    }

    void targetsSayWhatIsLearnt() {
        const DataFolder folder;
        const auto classes = [&](const char* type, const char* shape, const std::string& payload) {
            const auto data =
                loaded(configOf(folder.write("a", safetensorsBytes({{"inputs", "F32", "[4,2]", floats(8)},
                                                                    {"targets", type, shape, payload},
                                                                    {"test_inputs", "F32", "[4,2]", floats(8)},
                                                                    {"test_targets", type, shape, payload}}))));
            return data->classes;
        };
        QCOMPARE(classes("I64", "[4]", bytesOf<std::int64_t>({0, 6, -100, 2})), 7); // -100 is ignored
        QCOMPARE(classes("U8", "[4,2]", bytesOf<std::uint8_t>({0, 1, 2, 3, 4, 5, 6, 9})), 10);
        QCOMPARE(classes("BOOL", "[4]", std::string(4, '\0')), 2);
        QCOMPARE(classes("F32", "[4,3]", floats(12)), 0);
        QCOMPARE(classes("F64", "[4]", std::string(32, '\0')), 0);
    }

    void everyProblemHasItsWords_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* tag, const char* name, const std::string& bytes, const char* problem) {
            QTest::newRow(tag) << QString(name) << QByteArray::fromStdString(bytes) << QString(problem);
        };
        const auto npz = [&](const char* tag, const std::string& inputs, const std::string& targets,
                             const char* problem) {
            row(tag, "a.npz",
                zipBytes({{"inputs.npy", inputs},
                          {"targets.npy", targets},
                          {"test_inputs.npy", inputs},
                          {"test_targets.npy", targets}}),
                problem);
        };
        const float nan = std::numeric_limits<float>::quiet_NaN();
        npz("counts", inputsNpy(4), targetsNpy(3), "tensors.counts");
        npz("a single number", npyBytes("<f4", "()", floats(1)), targetsNpy(1),
            "tensors.array reason.array-no-samples");
        npz("no samples", inputsNpy(0), targetsNpy(0), "tensors.array reason.array-empty");
        npz("text", npyBytes("<U1", "(1,)", "abcd"), targetsNpy(1), "tensors.array reason.npy-type");
        npz("objects", inputsNpy(1), npyBytes("|O", "(1,)", "\x80\x04."), "tensors.array reason.npy-objects");
        npz("Fortran", npyOf("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }", floats(1)), targetsNpy(1),
            "tensors.array reason.npy-fortran");
        npz("big-endian", npyBytes(">f4", "(1,)", floats(1)), targetsNpy(1), "tensors.array reason.npy-big-endian");
        npz("negative label", inputsNpy(2), npyBytes("<i8", "(2,)", bytesOf<std::int64_t>({1, -1})), "tensors.label");
        npz("huge label", inputsNpy(2), npyBytes("<i8", "(2,)", bytesOf<std::int64_t>({1, INT64_MAX})),
            "tensors.label");
        npz("all ignored", inputsNpy(2), npyBytes("<i8", "(2,)", bytesOf<std::int64_t>({-100, -100})),
            "tensors.array reason.all-ignored");
        npz("NaN target", inputsNpy(2), npyBytes("<f4", "(2,)", bytesOf<float>({1, nan})), "tensors.nonfinite");
        npz("NaN input", npyBytes("<f4", "(2,)", bytesOf<float>({1, nan})), targetsNpy(2), "tensors.nonfinite");
        npz("infinite target", inputsNpy(1), npyBytes("<f8", "(1,)", bytesOf<double>({INFINITY})), "tensors.nonfinite");
        row("wrong names", "a.npz", zipBytes({{"x.npy", inputsNpy(1)}, {"y.npy", targetsNpy(1)}}), "tensors.names");
        row("no targets", "a.npz", zipBytes({{"inputs.npy", inputsNpy(1)}}), "tensors.names");
        row("no test targets", "a.npz",
            zipBytes({{"inputs.npy", inputsNpy(1)}, {"targets.npy", targetsNpy(1)}, {"test_inputs.npy", inputsNpy(1)}}),
            "tensors.names");
        row("another shape", "a.npz",
            zipBytes({{"inputs.npy", inputsNpy(1)},
                      {"targets.npy", targetsNpy(1)},
                      {"test_inputs.npy", npyBytes("<f4", "(1, 3, 2)", floats(6))},
                      {"test_targets.npy", targetsNpy(1)}}),
            "tensors.differ");
        row("no arrays", "a.npz", zipBytes({{"data.pkl", "\x80\x04."}}), "tensors.format reason.zip-no-arrays");
        row("half a zip", "a.npz", goodNpz().substr(0, 600), "tensors.format reason.zip-damaged");
        row("encrypted", "a.npz", zipBytes({{"inputs.npy", inputsNpy(1), false, -1, -1, 1}, {"targets.npy", ""}}),
            "tensors.array reason.zip-encrypted");
        row("bzip2", "a.npz", zipBytes({{"inputs.npy", inputsNpy(1), false, -1, 12}, {"targets.npy", ""}}),
            "tensors.array reason.zip-method");
        row("empty", "a.npz", "", "tensors.format reason.shorter-than-header");
        row("a page of the web", "a.npz", "<html><body>404</body></html>", "tensors.format reason.unknown-format");
        row("one array", "x.npy", inputsNpy(1), "tensors.alone");
        row("a huge shape", "a.safetensors", safetensorsBytes({{"inputs", "F32", "[4294967296,4294967296]", "abcd"}}),
            "tensors.format reason.tensor-shape");
        row("bytes of uint64", "a.safetensors",
            safetensorsBytes({{"inputs", "U64", "[1]", "12345678"}, {"targets", "I64", "[1]", labels(1)}}),
            "tensors.array reason.npy-type");
    }
    void everyProblemHasItsWords() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, problem);
        const DataFolder folder;
        QCOMPARE(problemOf(configOf(folder.write(name.toStdString(), bytes.toStdString()))), problem);
    }

    void whatIsNotThereIsSaid() {
        const DataFolder folder;
        QCOMPARE(problemOf(configOf({})), "tensors.missing reason.no-path-tensors");
        QCOMPARE(problemOf(configOf(folder.path())), "tensors.missing reason.folder-no-arrays");
        QCOMPARE(problemOf(configOf(folder.path() / "no.npz")), "tensors.missing reason.no-file-or-folder");
        QCOMPARE(problemOf(configOf("/dev/null")).left(12), "tensors.open");
        DataConfig config = configOf(folder.write("a.npz", goodNpz()));
        config.testPath = (folder.path() / "no.npz").string();
        QCOMPARE(problemOf(config), "tensors.missing reason.no-file-or-folder");
    }

    void aFileThatChangesIsNotReadOn() {
        const DataFolder folder;
        const auto file = folder.write("a.npz", goodNpz());
        const auto data = loaded(configOf(file));
        std::ofstream(file, std::ios::binary | std::ios::app) << "more";
        QVERIFY_EXCEPTION_THROWN((void)valuesOf(data->trainTensors.inputs, 1), ErrorThrown);
    }

    void theHashCoversTypesShapesAndValues() {
        const DataFolder folder;
        const auto hash = [&](const char* type, const char* shape, std::string payload) {
            return datasetHash(
                *loaded(configOf(folder.write("a", safetensorsBytes({{"inputs", type, shape, payload},
                                                                     {"targets", "I64", "[4]", labels(4)}})),
                                 1)));
        };
        const std::string payload = bytesOf<std::uint32_t>({1, 2, 3, 4, 5, 6, 7, 8});
        std::set<std::string> hashes{hash("I32", "[4,2]", payload), hash("U32", "[4,2]", payload),
                                     hash("I32", "[4,1,2]", payload), hash("F32", "[4,2]", payload)};
        std::string other = payload;
        other[31] = 1;
        hashes.insert(hash("I32", "[4,2]", other));
        QCOMPARE(hashes.size(), std::size_t{5});
    }

    void whatNumpyWritesIsRead() {
        const QString python = qEnvironmentVariable("ACCUMULUS_PYTHON");
        if (python.isEmpty())
            QSKIP("ACCUMULUS_PYTHON names no Python with NumPy");
        const DataFolder folder;
        QProcess process;
        process.setWorkingDirectory(QString::fromStdString(folder.path().string()));
        process.start(python, {"-c", "import numpy as n\n"
                                     "x = (n.arange(5 * 2 * 3) / 8).reshape(5, 2, 3)\n"
                                     "y = n.array([0, 3, -100, 1, 2])\n"
                                     "n.savez('a.npz', inputs=x, targets=y, names=n.array(['a', 'b']))\n"
                                     "n.savez_compressed('b.npz', inputs=x, targets=y)\n"
                                     "n.save('inputs.npy', x.astype('f2')); n.save('targets.npy', y.astype('i2'))\n"});
        QVERIFY2(process.waitForFinished() && process.exitCode() == 0, process.readAllStandardError().constData());
        for (const char* name : {"a.npz", "b.npz", ""}) {
            const auto data = loaded(configOf(folder.path() / name, 1));
            QCOMPARE(data->classes, 4);
            const auto values = valuesOf(data->trainTensors.inputs, 4);
            for (std::size_t i = 0; i < values.size(); ++i)
                QVERIFY(compareBits(values[i], static_cast<double>(i) / 8));
        }
    }
};

QTEST_APPLESS_MAIN(TestTensorFiles)
} // namespace test_tensor_files
#include "test_tensor_files.moc"

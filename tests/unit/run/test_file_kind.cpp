// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is, told by its content, whatever its name says; the settings that follow from one or several files.
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/run/file_settings.h"
#include "core/run/zip_names.h"
#include "core/store/library.h"
#include "tests/support/as_nobody.h"
#include "tests/support/brought_files.h"

#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
#include <unistd.h>

using namespace accumulus;
using namespace accumulus::test;
using namespace std::string_literals;

namespace {

std::string words(const FileKind& kind) { return messageText(kind.what); }

/// What is said of a file that cannot be used.
QString refusal(const std::filesystem::path& file) {
    const FileKind kind = kindOfFile(file);
    return kind.refusal && kind.role == FileRole::None ? QString::fromStdString(describe(*kind.refusal)) : QString();
}

std::string cifarRecords(int count, int labelBytes) {
    std::string bytes;
    for (int i = 0; i < count; ++i)
        bytes += std::string(static_cast<std::size_t>(labelBytes), static_cast<char>(i % 10)) + std::string(3072, '\7');
    return bytes;
}

/// One of every kind that can be used, by name.
std::string contentOf(const std::string& kind) {
    if (kind == "module")
        return moduleZip();
    if (kind == "state-dict")
        return stateDictZip();
    if (kind == "weights")
        return safetensorsOf(R"({"fc.weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8);
    if (kind == "checkpoint")
        return safetensorsOf(
            R"({"__metadata__":{"accumulus.run":"1"},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4);
    if (kind == "safetensors")
        return safetensorsOf(R"({"inputs":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                             R"("targets":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                             8);
    if (kind == "npz")
        return zipOf({{"inputs.npy", "\x93NUMPY"}, {"targets.npy", "\x93NUMPY"}});
    if (kind == "table")
        return "x,y,\"a, b\"\n1,2,3\n4,5,6\n7,8,9\n10,11,12\n";
    if (kind == "tabs")
        return "x\ty\n1\t2\n3\t4\n5\t6\n";
    if (kind == "text")
        return "Good morrow, cousin.\nIs the day so young?\n\nBut new struck nine, \xc3\xa4.";
    if (kind == "tokens")
        return littleEndian(7, 2) + littleEndian(50000, 2) + littleEndian(3, 2);
    if (kind == "experiment")
        return "[batch]\nmicro = 16\n";
    if (kind == "cifar10")
        return cifarRecords(2, 1);
    if (kind == "cifar100")
        return cifarRecords(2, 2);
    if (kind == "mnist")
        return "\0\0\x08\x03\0\0\0\1\0\0\0\1\0\0\0\1\0"s;
    return {};
}

} // namespace

class TestFileKind : public QObject {
    Q_OBJECT
    QTemporaryDir m_temporary;
    [[nodiscard]] std::filesystem::path folder() const { return m_temporary.path().toStdString(); }
    std::filesystem::path write(const std::string& name, const std::string& content) const {
        return writeFile(folder() / name, content);
    }

private Q_SLOTS:
    void contentDecides_data() {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("role");
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* made, const char* name, FileRole role, const char* dataset, const char* what) {
            QTest::addRow("%s as %s", made, name) << made << name << int(role) << dataset << what;
        };
        using enum FileRole;
        for (const char* name : {"net.pt", "net.zip", "net"})
            row("module", name, Model, "", "kind.module");
        for (const char* name : {"w.pth", "w.pt", "pytorch_model.bin"})
            row("state-dict", name, Weights, "", "kind.state-dict");
        row("weights", "w.safetensors", Weights, "", "kind.weights");
        row("weights", "w.dat", Weights, "", "kind.weights");
        row("checkpoint", "best.safetensors", Weights, "", "kind.checkpoint");
        row("safetensors", "d.safetensors", Data, "tensors", "kind.safetensors");
        row("npz", "d.npz", Data, "tensors", "kind.npz");
        row("npz", "d.zip", Data, "tensors", "kind.npz");
        row("table", "t.csv", Data, "table", "kind.table");
        row("table", "t.txt", Data, "table", "kind.table");
        row("tabs", "t.tsv", Data, "table", "kind.table");
        row("text", "play.txt", Data, "text", "kind.text");
        row("text", "play.md", Data, "text", "kind.text");
        row("tokens", "train.bin", Data, "text", "kind.tokens");
        row("experiment", "e.toml", Experiment, "", "kind.experiment");
        row("experiment", "e.txt", Experiment, "", "kind.experiment");
        row("cifar10", "data_batch_1.bin", Data, "cifar10", "kind.cifar10");
        row("cifar100", "train.bin", Data, "cifar100", "kind.cifar100");
        row("mnist", "train-images-idx3-ubyte", Data, "mnist", "kind.mnist");
    }

    void contentDecides() {
        QFETCH(const QString, made);
        QFETCH(const QString, name);
        const auto file = write("one/" + name.toStdString(), contentOf(made.toStdString()));
        const FileKind kind = kindOfFile(file);
        QVERIFY2(!kind.refusal, kind.refusal ? describe(*kind.refusal).c_str() : "");
        QTEST(int(kind.role), "role");
        QTEST(QString::fromStdString(kind.dataset), "dataset");
        QTEST(QString::fromStdString(kind.what.code), "what");
        QVERIFY2(!words(kind).starts_with("kind."), words(kind).c_str());
        // Sets of several files are named by their folder.
        QCOMPARE(kind.path == file.parent_path(), made == "cifar10" || made == "cifar100" || made == "mnist");
        std::filesystem::remove(file);
    }

    void wrongFilesAreNamed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("cure");
        const auto row = [](const char* name, const std::string& content, const char* what, const char* cure) {
            QTest::newRow(what) << name << QByteArray::fromStdString(content) << what << cure;
        };
        row("net.onnx", "\x08\x07\x12\x07pytorch\x1a"s, "an ONNX model", "torch.jit.script(net).save");
        row("net.pt2", zipOf({{"net/archive_format", "pt2"}}), "torch.export", "torch.jit.script");
        row("net.pt",
            stateDictZip("\x80\x02"
                         "c__main__\nNet\n."),
            "a whole network pickled", "state_dict");
        row("old.pt", "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", "before PyTorch 1.6", "torch.load");
        row("data.pkl", "\x80\x04\x95.", "a Python pickle", "numpy.savez");
        row("d.h5", "\x89HDF\r\n\x1a\n", "an HDF5 file", "numpy.savez");
        row("d.parquet", "PAR1....", "a Parquet table", "to_csv");
        row("d.npz", zipOf({{"x.npy", ""}, {"y.npy", ""}}), "it holds x, y", "inputs=x, targets=y");
        row("d.npy", "\x93NUMPY\1\0", "a single NumPy array", "targets.npy");
        row("d.xlsx", zipOf({{"xl/workbook.xml", ""}}), "an Excel workbook", "CSV");
        row("a.zip", zipOf({{"a.png", ""}}), "a zip archive", "Unpack");
        row("a.tar.gz", "\x1f\x8b\x08junk", "a packed archive", "Unpack");
        row("a.png", "\x89PNG\r\n\x1a\n", "a single picture", "for each class");
        row("net.py", "import torch\nnet = torch.nn.Linear(2, 2)\n", "a Python program", "accumulus_export");
        row("config.json", "{\"layers\": 3}", "a JSON file", "weights");
        row("latin.txt",
            "sch\xf6n und gut, \xfc"
            "ber alles",
            "not in UTF-8", "UTF-8");
        row("wide.txt", "\xff\xfeh\0i\0"s, "not in UTF-8", "UTF-8");
        row("other.db", "SQLite format 3\0"s + std::string(100, '\0'), "a database that is no library", "CSV");
        row("half.safetensors", safetensorsOf(R"({"inputs":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4),
            "only one of inputs and targets", "numpy.savez");
        row("cut.safetensors", safetensorsOf(R"({"a":{"dtype":"F32","shape":[9],"data_offsets":[0,36]}})", 4),
            "a damaged safetensors file", "again");
        row("huge.safetensors", littleEndian(~std::uint64_t{0}, 8) + "{}", "a damaged safetensors file", "again");
        row("cut.pt", moduleZip().substr(0, 60), "a damaged zip archive", "again");
        row("no.bin", std::string("\1\2\3"), "of an unknown kind", "a folder with inputs.npy and targets.npy");
        row("empty.pt", "", "empty", "another file");
        row("bad.toml", "[batch]\nmicro = \n", "not valid TOML", "Correct that line");
    }

    void wrongFilesAreNamed() {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, content);
        QFETCH(const QString, what);
        QFETCH(const QString, cure);
        const auto file = write("wrong/" + name.toStdString(), content.toStdString());
        const QString said = refusal(file);
        QVERIFY2(said.contains(what), qPrintable(said));
        QVERIFY2(said.contains(cure), qPrintable(said));
        QVERIFY2(said.contains(name), qPrintable(said));
        QVERIFY(!settingsForFiles({file}));
    }

    void foldersAreLookedInto() {
        write("classes/cat/1.png", "x");
        write("classes/dog/1.JPG", "x");
        QCOMPARE(kindOfFile(folder() / "classes").dataset, "image-folder"s);
        write("parts/train/cat/1.png", "x");
        QCOMPARE(kindOfFile(folder() / "parts").dataset, "image-folder"s);
        const auto inputs = write("arrays/inputs.npy", "\x93NUMPY\1\0");
        write("arrays/targets.npy", "\x93NUMPY\1\0");
        QCOMPARE(kindOfFile(folder() / "arrays").dataset, "tensors"s);
        QCOMPARE(kindOfFile(inputs).path, folder() / "arrays"); // one of them stands for both
        write("fashion/train-images-idx3-ubyte.gz", "x");
        QCOMPARE(kindOfFile(folder() / "fashion").dataset, "fashion-mnist"s);
        write("cifar/cifar-10-batches-bin/data_batch_1.bin", "x");
        QCOMPARE(kindOfFile(folder() / "cifar").dataset, "cifar10"s);
        write("play/input.txt", "text");
        QCOMPARE(kindOfFile(folder() / "play").dataset, "text"s);
        write("exported/data/inputs.npy", "x");
        const auto experiment = write("exported/experiment.toml", contentOf("experiment"));
        QCOMPARE(kindOfFile(folder() / "exported").path, experiment);
        write("flat/1.png", "x");
        QVERIFY(refusal(folder() / "flat").contains("without classes"));
        write("hub/model.safetensors", "x");
        QVERIFY(refusal(folder() / "hub").contains("model.safetensors"));
        std::filesystem::create_directory(folder() / "nothing");
        QVERIFY(refusal(folder() / "nothing").contains("an empty folder"));
        write("other/a.xyz", "x");
        QVERIFY(refusal(folder() / "other").contains("CLASS/*.png"));
    }

    void whatCannotBeReadIsSaid() {
        QVERIFY(refusal(folder() / "missing.pt").contains("No such file"));
        const auto pipe = folder() / "pipe";
        QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
        QVERIFY(refusal(pipe).contains("neither a file nor a folder")); // and nothing waits for its other end
        const auto closed = write("closed.pt", moduleZip());
        std::filesystem::permissions(closed, std::filesystem::perms::none);
        std::filesystem::permissions(folder(), std::filesystem::perms(0755)); // so that others find the file
        const int outcome = asNobody([&] { return refusal(closed).contains("cannot be opened") ? 0 : 1; });
        if (outcome == 99)
            QSKIP("cannot give up root's rights here");
        QCOMPARE(outcome, 0);
    }

    void aLibraryIsRecognised() {
        const auto file = folder() / "library.sqlite";
        QVERIFY(Library::open(file, Library::Mode::Write));
        QCOMPARE(int(kindOfFile(file).role), int(FileRole::Library));
        const auto settings = settingsForFiles({file});
        QVERIFY(settings.has_value());
        QCOMPARE(settings->library, file);
        QVERIFY(settings->assignments.empty());
    }

    // Truncated and changed files: some answer, soon, and never a crash.
    void damagedFilesHaveAnAnswer() {
        for (const char* kind : {"module", "state-dict", "weights", "npz", "table", "mnist"}) {
            const std::string whole = contentOf(kind);
            for (std::size_t length = 1; length < whole.size(); length += 1 + whole.size() / 40) {
                const FileKind cut = kindOfFile(write("damaged/file", whole.substr(0, length)));
                QVERIFY(cut.refusal.has_value() == (cut.role == FileRole::None));
                // A zip's list of what it holds stands at its end.
                const bool zip = kind == "module"s || kind == "state-dict"s || kind == "npz"s;
                QVERIFY2(cut.refusal || !zip || length < 4, (kind + " cut to "s + std::to_string(length)).c_str());
                std::string flipped = whole;
                flipped[length] = static_cast<char>(flipped[length] ^ 0x41);
                const FileKind changed = kindOfFile(write("damaged/file", flipped));
                QVERIFY(changed.refusal.has_value() == (changed.role == FileRole::None));
            }
        }
    }

    void zipNamesAreBounded() {
        const auto file = write("list.zip", zipOf({{"a", "first"}, {"b/c", "second"}}));
        const auto entries = zipEntries(file);
        QVERIFY(entries.has_value());
        QCOMPARE(entries->size(), std::size_t{2});
        QCOMPARE((*entries)[1].name, "b/c"s);
        QCOMPARE(storedContent(file, (*entries)[1], 6), "second"s);
        std::string lies = zipOf({{"a", "first"}});
        lies.replace(lies.size() - 10, 8, littleEndian(0xfffffff0, 4) + littleEndian(3, 4)); // a list of 4 GB
        QVERIFY(!zipEntries(write("lies.zip", lies)));
    }

    void settingsFollowFromFiles() {
        const auto settingsOf = [](const std::vector<std::filesystem::path>& files) {
            const auto settings = settingsForFiles(files);
            return settings ? settings->assignments : std::vector<std::string>{describe(settings.error())};
        };
        const auto contains = [](const std::vector<std::string>& all, const std::string& one) {
            const bool found = std::ranges::find(all, one) != all.end();
            if (!found)
                for (const std::string& assignment : all)
                    qWarning("%s", assignment.c_str());
            return found;
        };
        const auto net = write("net.pt", moduleZip()), weights = write("w \"1\".pth", stateDictZip());
        const auto table = write("train.csv", contentOf("table")), test = write("test.csv", contentOf("table"));
        const auto both = settingsOf({test, net, table, weights});
        QVERIFY(contains(both, "model.name=file"));
        QVERIFY(contains(both, "model.path=\"" + net.string() + '"'));
        QVERIFY(contains(both, "data.dataset=\"table\""));
        QVERIFY(contains(both, "data.path=\"" + table.string() + '"'));
        QVERIFY(contains(both, "data.test_path=\"" + test.string() + '"'));
        QVERIFY(contains(both, "data.target=\"a, b\""));             // the last column
        QVERIFY(contains(settingsOf({table}), "data.validation=1")); // a tenth of four rows, and at least one
        ExperimentConfig experiment;                                 // names with quotation marks arrive as they are
        for (const std::string& assignment : settingsOf({weights}))
            QVERIFY(applyAssignment(experiment, assignment).has_value());
        QCOMPARE(experiment.run.model.weights, weights.string());
        QVERIFY(contains(settingsOf({net}), "model.weights=\"\"")); // of the network before
    }

    // What the file of before has left is gone: nothing of it fits the new one.
    void aSecondFileFindsNothingOfTheFirst() {
        const auto table = write("second.csv", contentOf("table")), play = write("play.txt", contentOf("text"));
        const auto test = write("second test.csv", contentOf("table"));
        ExperimentConfig experiment;
        const auto bring = [&](const std::vector<std::filesystem::path>& files) {
            const auto settings = settingsForFiles(files, experiment.run);
            QVERIFY2(settings.has_value(), settings ? "" : describe(settings.error()).c_str());
            for (const std::string& assignment : settings->assignments)
                QVERIFY2(applyAssignment(experiment, assignment).has_value(), assignment.c_str());
        };
        bring({table});
        QCOMPARE(experiment.run.data.validation, std::int64_t{1});
        for (const char* typed : {"data.train_limit=3", "data.test_limit=2", "loss.class_weights=[1,2]"})
            QVERIFY(applyAssignment(experiment, typed).has_value());
        bring({table, test}); // it has test samples of its own
        QCOMPARE(experiment.run.data.validation, std::int64_t{0});
        QCOMPARE(experiment.run.data.trainLimit, std::int64_t{0});
        QCOMPARE(experiment.run.data.testLimit, std::int64_t{0});
        QVERIFY(experiment.run.loss.classWeights.empty());
        bring({table});
        bring({play}); // of a text the end is the test part
        QCOMPARE(experiment.run.data.validation, std::int64_t{0});
        QVERIFY(experiment.run.data.target.empty() && experiment.run.data.testPath.empty());
    }

    void tensorsWithoutTestSamplesAreHeldOut() {
        const auto tensors = [](bool test) {
            std::string header = R"({"inputs":{"dtype":"F32","shape":[40,4],"data_offsets":[0,640]},)"
                                 R"("targets":{"dtype":"I64","shape":[40],"data_offsets":[640,960]})";
            if (test)
                header += R"(,"test_inputs":{"dtype":"F32","shape":[1,4],"data_offsets":[960,976]},)"
                          R"("test_targets":{"dtype":"I64","shape":[1],"data_offsets":[976,984]})";
            return safetensorsOf(header + "}", test ? 984 : 960);
        };
        const auto held = [&](bool test) {
            const FileSettings settings = settingsForFiles({write("d.safetensors", tensors(test))}).value();
            for (const std::string& assignment : settings.assignments)
                if (assignment.starts_with("data.validation="))
                    return assignment;
            return std::string();
        };
        QCOMPARE(held(false), "data.validation=4"s);
        QCOMPARE(held(true), "data.validation=0"s);
    }

    void aTableGetsANetworkThatTakesRows() {
        const auto table = write("rows.csv", contentOf("table")), net = write("rows.pt", moduleZip());
        const auto modelAfter = [&](const char* before, const std::vector<std::filesystem::path>& files) {
            ExperimentConfig experiment;
            experiment.run.model.name = before;
            experiment.run.model.weights = "/of/before.safetensors";
            const FileSettings settings = settingsForFiles(files, experiment.run).value();
            for (const std::string& assignment : settings.assignments)
                if (!applyAssignment(experiment, assignment))
                    return assignment;
            return experiment.run.model.name + ' ' + experiment.run.model.weights;
        };
        QCOMPARE(modelAfter("lenet5", {table}), "mlp "s);
        QCOMPARE(modelAfter("char-gpt", {table}), "mlp "s);
        QCOMPARE(modelAfter("mlp", {table}), "mlp /of/before.safetensors"s);
        QCOMPARE(modelAfter("file", {table}), "file /of/before.safetensors"s);
        QCOMPARE(modelAfter("lenet5", {table, net}), "file "s);
    }

    void testFilesAreToldByWords() {
        const auto testFileOf = [&](const char* one, const char* other) -> std::string {
            const auto settings = settingsForFiles({write(one, contentOf("table")), write(other, contentOf("table"))});
            if (!settings)
                return settings.error().code;
            for (const std::string& assignment : settings->assignments)
                if (assignment.starts_with("data.test_path="))
                    return std::filesystem::path(assignment.substr(16, assignment.size() - 17)).filename().string();
            return {};
        };
        QCOMPARE(testFileOf("x.csv", "x-test.csv"), "x-test.csv"s);
        QCOMPARE(testFileOf("Val_2.csv", "x.csv"), "Val_2.csv"s);
        QCOMPARE(testFileOf("train_latest.csv", "test.csv"), "test.csv"s);
        QCOMPARE(testFileOf("values.csv", "dev.csv"), "dev.csv"s);
        QCOMPARE(testFileOf("values.csv", "train.csv"), "file.two"s);
        QCOMPARE(testFileOf("devices.csv", "contest.csv"), "file.two"s);
    }

    void mnistAndFashionMnistLookAlike() {
        const auto images = contentOf("mnist");
        const auto datasetAfter = [&](const char* before, const std::filesystem::path& dropped) {
            ExperimentConfig experiment;
            experiment.run.data.dataset = before;
            const FileSettings settings = settingsForFiles({dropped}, experiment.run).value();
            for (const std::string& assignment : settings.assignments)
                if (!applyAssignment(experiment, assignment))
                    return assignment;
            return experiment.run.data.dataset;
        };
        const auto file = write("idx/train-images-idx3-ubyte", images);
        const auto named = write("FashionMNIST/raw/train-images-idx3-ubyte", images);
        for (const auto& dropped : {file, file.parent_path()}) {
            QCOMPARE(datasetAfter("mnist", dropped), "mnist"s);
            QCOMPARE(datasetAfter("cifar10", dropped), "mnist"s);
            QCOMPARE(datasetAfter("fashion-mnist", dropped), "fashion-mnist"s); // as the person has said
        }
        for (const auto& dropped : {named, named.parent_path()})
            QCOMPARE(datasetAfter("mnist", dropped), "fashion-mnist"s);
    }

    // While a file hovers, nothing is counted: a table may be large and its disk slow.
    void aLookHasNoSettings() {
        const auto table = write("look.csv", contentOf("table")), other = write("look too.csv", contentOf("table"));
        const auto look = lookAtFiles({table});
        QVERIFY(look.has_value());
        QCOMPARE(look->kinds.size(), std::size_t{1});
        QVERIFY(look->assignments.empty());
        QCOMPARE(lookAtFiles({table, other}).error().code, "file.two"s);
    }

    void filesThatExcludeEachOtherAreRefused() {
        const auto net = write("a.pt", moduleZip()), other = write("b.pt", moduleZip());
        const auto table = write("a.csv", contentOf("table")), second = write("b.csv", contentOf("table"));
        const auto experiment = write("e.toml", contentOf("experiment"));
        for (const auto& files : {std::vector{net, other}, std::vector{table, second}}) {
            const auto settings = settingsForFiles(files);
            QVERIFY(!settings);
            QCOMPARE(settings.error().code, "file.two"s);
            QVERIFY2(describe(settings.error()).find('{') == std::string::npos, describe(settings.error()).c_str());
        }
        QCOMPARE(settingsForFiles({experiment, net}).error().code, "file.alone"s);
        QCOMPARE(settingsForFiles({experiment})->experiment, experiment);
    }
};

QTEST_APPLESS_MAIN(TestFileKind)
#include "test_file_kind.moc"

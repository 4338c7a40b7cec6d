// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is, told by its content, whatever its name says.
#include "core/run/file_settings.h"
#include "core/run/zip_names.h"
#include "core/store/library.h"
#include "tests/support/as_nobody.h"
#include "tests/unit/run/file_kind_fixture.h"

#include <QTest>
#include <sys/stat.h>
#include <unistd.h>

namespace test_file_kind {
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

} // namespace

class TestFileKind : public QObject, protected FileFolder {
    Q_OBJECT

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
};

QTEST_APPLESS_MAIN(TestFileKind)
} // namespace test_file_kind
#include "test_file_kind.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// State dicts of PyTorch: what comes back, what is refused and in which words, and 600 damaged files.
#include "core/model/pickle.h"
#include "core/model/safetensors.h"
#include "core/model/state_dict.h"
#include "core/model/weights_file.h"
#include "tests/support/numeric.h"
#include "tests/unit/model/weights_archive.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <random>
#include <torch/csrc/jit/serialization/pickle.h>

namespace test_state_dict {
using namespace accumulus;
using namespace accumulus::test;

namespace {

TensorList someTensors() {
    return {{"conv.weight", at::arange(24, at::kFloat).reshape({2, 3, 2, 2}) * 0.25},
            {"conv.bias", at::arange(2, at::kDouble) - 0.5},
            {"half", at::arange(5, at::kFloat).to(at::kHalf)},
            {"short", at::arange(6, at::kFloat).to(at::kBFloat16)},
            {"count", at::scalar_tensor(3, at::kLong)},
            {"nothing", at::empty({0, 4})}};
}

std::string reasonOf(const Result<NamedTensors>& result) {
    return result ? "" : result.error().code + " " + result.error().argument("reason");
}

} // namespace

class TestStateDict : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] std::filesystem::path file(const char* name = "weights.pt") const {
        return m_folder.path().toStdString() + "/" + name;
    }
    [[nodiscard]] Result<NamedTensors> readAs(const std::string& bytes) const {
        writeBytes(file(), bytes);
        return readWeightsFile(file());
    }

private Q_SLOTS:
    void tensorsComeBackInTheirOrder() {
        for (const char* outer : {"", "state_dict", "model", "model_state_dict"}) {
            const TensorList tensors = someTensors();
            const auto read = readAs(stateDict(tensors, outer));
            QVERIFY2(read, qPrintable(QString::fromStdString(reasonOf(read))));
            QCOMPARE(read->tensors.size(), tensors.size());
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                QCOMPARE(read->tensors[i].first, tensors[i].first);
                QVERIFY(read->tensors[i].second.scalar_type() == tensors[i].second.scalar_type());
                QVERIFY(at::equal(read->tensors[i].second, tensors[i].second));
            }
        }
    }

    void libTorchsOwnDictionariesAreRead() {
        c10::Dict<std::string, at::Tensor> dictionary;
        dictionary.insert("a", at::arange(6, at::kFloat).reshape({2, 3}));
        dictionary.insert("b", at::ones({2}, at::kDouble));
        const std::vector<char> bytes = torch::jit::pickle_save(dictionary);
        const auto read = readAs({bytes.begin(), bytes.end()});
        QVERIFY2(read, qPrintable(QString::fromStdString(reasonOf(read))));
        QVERIFY(at::equal(*read->find("a"), at::arange(6, at::kFloat).reshape({2, 3})));
        QVERIFY(at::equal(*read->find("b"), at::ones({2}, at::kDouble)));
    }

    void viewsShareTheirStorage() {
        PickleText pickle; // a transposed matrix and a column of it
        pickle.raw("}").text("t").tensor("0", "FloatStorage", 6, 0, {3, 2}, {1, 3}).raw("s");
        pickle.text("c").tensor("0", "FloatStorage", 6, 1, {2}, {3}).raw("s");
        const at::Tensor all = at::arange(6, at::kFloat);
        const std::string bytes(static_cast<const char*>(all.const_data_ptr()), all.nbytes());
        const auto read = readAs(archiveOf(pickle.whole(), {{"data/0", bytes}}));
        QVERIFY2(read, qPrintable(QString::fromStdString(reasonOf(read))));
        QVERIFY(at::equal(*read->find("t"), all.reshape({2, 3}).t()));
        QVERIFY(at::equal(*read->find("c"), all.reshape({2, 3}).select(1, 1)));
    }

    /// As newer versions of PyTorch write it.
    void emptyMetadataDoNoHarm() {
        for (const char* metadata : {"}", "N"}) {
            PickleText pickle;
            std::string text = pickle.raw("}").text("w").tensor("0", "FloatStorage", 6, 0, {6}, {1}).whole();
            text.insert(text.size() - 3, metadata);
            text.insert(text.size() - 1, "s");
            const auto read = readAs(archiveOf(text, {{"data/0", std::string(24, '\0')}}));
            QVERIFY2(read, qPrintable(QString::fromStdString(reasonOf(read))));
        }
    }

    void wrongFilesSayWhatTheyAre_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& bytes, const char* reason) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(reason);
        };
        const std::string ones(24, '\0');
        const auto one = [&](std::int64_t elements, std::int64_t offset, const std::vector<std::int64_t>& shape,
                             const std::vector<std::int64_t>& strides, const char* storage = "FloatStorage") {
            PickleText pickle;
            pickle.raw("}").text("w").tensor("0", storage, elements, offset, shape, strides).raw("s");
            return archiveOf(pickle.whole(), {{"data/0", ones}});
        };
        constexpr std::int64_t huge = std::int64_t{1} << 62;
        row("empty", "", "reason.shorter-than-header");
        row("text", "these are no weights", "reason.weights-unknown");
        row("legacy", std::string("\x80\x02\x8a\x0al\xfc\x9c", 7) + std::string(40, 'x'), "reason.weights-legacy");
        row("another zip", archiveOf("", {{"readme.txt", "hello"}}), "reason.weights-no-pickle");
        row("a module", archiveOf("", {{"constants.pkl", "x"}, {"code/__torch__.py", "def"}}), "reason.weights-module");
        row("a list", archiveOf(PickleText().raw("]").whole(), {}), "reason.weights-no-dictionary");
        row("no tensors", archiveOf(PickleText().raw("}").text("a").integer(1).raw("s").whole(), {}),
            "reason.weights-no-dictionary");
        row("shorter record", one(7, 0, {7}, {1}), "reason.weights-record");
        row("huge storage", one(huge, 0, {6}, {1}), "reason.weights-record");
        row("beyond its end", one(6, 1, {6}, {1}), "reason.weights-outside");
        row("huge stride", one(6, 0, {2, 2}, {huge, huge}), "reason.weights-outside");
        row("huge shape", one(6, 0, {huge, huge}, {0, 0}), "reason.weights-outside");
        row("grows", one(6, 0, {1000, 1000}, {0, 0}), "reason.weights-repeated");
        row("expanded", one(2, 0, {2, 3}, {1, 0}), "reason.weights-repeated");
        row("negative stride", one(6, 0, {6}, {-1}), "reason.pickle-broken");
        const auto with = [&](const std::string& metadata) { // the seventh argument, behind the hooks
            PickleText pickle;
            pickle.raw("}").text("w").tensor("0", "FloatStorage", 6, 0, {6}, {1});
            std::string text = pickle.whole();
            text.insert(text.size() - 3, metadata); // before t, R and the end
            text.insert(text.size() - 1, "s");
            return archiveOf(text, {{"data/0", ones}});
        };
        row("negative bit", with(PickleText().raw("}").text("neg").raw("\x88s").body()), "reason.pickle-unresolved");
        row("quantised", one(24, 0, {24}, {1}, "QUInt8Storage"), "reason.weights-type");
        row("code", archiveOf(PickleText().global("os", "system").raw("(").text("touch ran").raw("tR").whole(), {}),
            "reason.pickle-code");
        row("code by another name",
            archiveOf(PickleText().raw("\x8c\x05posix\x8c\x06system\x93(").text("touch ran").raw("tR").whole(), {}),
            "reason.pickle-code");
        row("a whole module",
            archiveOf(PickleText().global("torch.nn.modules.linear", "Linear").raw(")\x81").whole(), {}),
            "reason.pickle-code");
        row("memo", archiveOf(PickleText().raw("}r").number(0xFFFFFFFF, 4).whole(), {}), "reason.pickle-broken");
        row("compressed", archiveOf(PickleText().raw("}").raw(std::string(1 << 22, 'N')).whole(), {}, true),
            "reason.zip-compressed");
        row("too many names", archiveOf(std::string((std::size_t{16} << 20) + 1, 'N'), {}), "reason.pickle-large");
        row("huge header", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{", 9), "reason.header-length");
    }
    void wrongFilesSayWhatTheyAre() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        const auto read = readAs(bytes.toStdString());
        QVERIFY(!read);
        QCOMPARE(reasonOf(read), "weights.format " + reason.toStdString());
        const std::vector<std::string> sentences = errorSentences(read.error());
        QCOMPARE(sentences.size(), std::size_t{3});
        QVERIFY(!QFile::exists("ran") && !QFile::exists(m_folder.filePath("ran")));
    }

    void aFolderAndAMissingFileAreNamed() {
        QCOMPARE(readWeightsFile(m_folder.path().toStdString()).error().code, std::string("weights.open"));
        QCOMPARE(readWeightsFile(file("none.pt")).error().code, std::string("weights.open"));
    }

    /// torch.save({"model": net.state_dict(), "loss": loss}), as training loops write it.
    void tensorsBesideTheWeightsAreLeftOut() {
        PickleText pickle;
        pickle.raw("}").text("loss").tensor("1", "FloatStorage", 1, 0, {}, {}).raw("s");
        pickle.text("model").raw("}").text("w").tensor("0", "FloatStorage", 2, 0, {2}, {1}).raw("ss");
        const auto read = readAs(archiveOf(pickle.whole(), {{"data/0", std::string(8, '\0')}, {"data/1", "1234"}}));
        QVERIFY2(read, qPrintable(QString::fromStdString(reasonOf(read))));
        QCOMPARE(read->tensors.size(), 1U);
        QCOMPARE(read->tensors[0].first, std::string("w"));
    }

    /// Names that refer to each other make no more than the file holds.
    void picklesThatGrowAreBounded() {
        PickleText pickle; // one list of 20 000 pairs, made a dictionary of again and again
        pickle.raw("]q").number(0, 1).raw("(");
        for (int i = 0; i < 20'000; ++i)
            pickle.raw("NN\x86");
        pickle.raw("e0");
        for (int i = 0; i < 20'000; ++i)
            pickle.global("collections", "OrderedDict").raw("h").number(0, 1).raw("\x85R0");
        const auto read = readAs(archiveOf(pickle.raw("}").whole(), {}));
        QCOMPARE(reasonOf(read), std::string("weights.format reason.pickle-broken"));

        // One tensor's arguments, made a tensor of again and again.
        PickleText shapes;
        shapes.global("torch._utils", "_rebuild_tensor_v2").raw("q").number(0, 1).raw("0((").text("storage");
        shapes.global("torch", "FloatStorage").text("0").text("cpu").integer(1).raw("tQ").integer(0);
        shapes.integers(std::vector<std::int64_t>(16, 1)).integers(std::vector<std::int64_t>(16, 1));
        shapes.raw("tq").number(1, 1).raw("0");
        for (int i = 0; i < 10'000; ++i)
            shapes.raw("h").number(0, 1).raw("h").number(1, 1).raw("R0");
        QCOMPARE(reasonOf(readAs(archiveOf(shapes.raw("}").whole(), {}))),
                 std::string("weights.format reason.pickle-broken"));

        PickleText names; // one long text, a name of two of it again and again
        names.text(std::string(100'000, 'n')).raw("q").number(0, 1).raw("0");
        for (int i = 0; i < 2000; ++i)
            names.raw("h").number(0, 1).raw("h").number(0, 1).raw("\x93\x30");
        const std::string bomb = names.raw("}").whole();
        QVERIFY(!pickle::read({bomb.data(), bomb.size()}, pickle::Names::Any));

        PickleText many;
        many.raw("(" + std::string(pickle::maximumValues + 10, 'N') + "1}");
        QCOMPARE(reasonOf(readAs(archiveOf(many.whole(), {}))), std::string("weights.format reason.pickle-large"));
        PickleText own; // a list that holds itself
        const auto ring = readAs(archiveOf(own.raw("]q").number(0, 1).raw("h").number(0, 1).raw("a").whole(), {}));
        QCOMPARE(reasonOf(ring), std::string("weights.format reason.weights-no-dictionary"));
    }

    /// Whatever is damaged is refused, or was of no use: then every tensor is what it was, for records have checksums.
    void damagedArchivesAreRefused() {
        const TensorList tensors = someTensors();
        const std::string whole = stateDict(tensors);
        std::mt19937_64 random(13);
        int refused = 0;
        for (int i = 0; i < 300; ++i) {
            std::string bytes = whole;
            if (i % 3 == 0) {
                bytes.resize(random() % whole.size());
            } else {
                for (int flips = i % 3 == 1 ? 1 : 16; flips > 0; --flips)
                    bytes[random() % bytes.size()] ^= static_cast<char>(1U << random() % 8);
            }
            const auto read = readAs(bytes);
            if (!read) {
                ++refused;
                QVERIFY(read.error().code == "weights.format" || read.error().code == "weights.open");
                continue;
            }
            for (const auto& [name, tensor] : read->tensors)
                for (const auto& [known, original] : tensors)
                    if (known == name)
                        QVERIFY2(at::equal(tensor, original), qPrintable(QString("file %1").arg(i)));
        }
        QVERIFY(refused > 150);
    }

    /// The same where no checksum is in the way: the pickle itself is damaged.
    void damagedPicklesAreRefused() {
        PickleText pickle;
        pickle.raw("}").text("t").tensor("0", "FloatStorage", 6, 0, {3, 2}, {1, 3}).raw("s");
        const std::string whole = pickle.whole();
        std::mt19937_64 random(14);
        for (int i = 0; i < 3000; ++i) {
            std::string bytes = whole;
            for (int flips = 1 + i % 4; flips > 0; --flips)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            if (const auto document = pickle::read(bytes))
                QVERIFY(document->root);
            if (i % 10 == 0)
                if (const auto read = readAs(archiveOf(bytes, {{"data/0", std::string(24, '\0')}})))
                    for (const auto& [name, tensor] : read->tensors)
                        QVERIFY(tensor.numel() <= 24 && tensor.to(at::kDouble).sum().item<double>() == 0.0);
        }
    }

    void damagedSafetensorsAreRefused() {
        NamedTensors content;
        content.tensors = someTensors();
        QVERIFY(writeSafetensors(file("whole.safetensors"), content).has_value());
        const std::string whole = readBytes(file("whole.safetensors"));
        std::mt19937_64 random(15);
        for (int i = 0; i < 300; ++i) {
            std::string bytes = whole;
            if (i % 2 == 0)
                bytes.resize(random() % whole.size());
            else
                bytes[random() % std::min<std::size_t>(600, bytes.size())] ^= static_cast<char>(1U << random() % 8);
            const auto read = readAs(bytes);
            QVERIFY(i % 2 == 1 || !read);
            if (!read)
                QCOMPARE(read.error().code, std::string("weights.format"));
        }
    }

    void whatPythonHasSavedIsRead() {
        const QString python = qEnvironmentVariable("ACCUMULUS_PYTHON");
        if (python.isEmpty())
            QSKIP("ACCUMULUS_PYTHON names no Python with torch");
        const char* script = R"(
import sys, torch
torch.manual_seed(1)
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
x = torch.arange(12.).reshape(3, 4)
with torch.no_grad():
    net[0].weight.copy_(x.t() * 0.5)
torch.save(net.state_dict(), sys.argv[1] + '/plain.pt')
optimizer = torch.optim.Adam(net.parameters())
torch.save({'epoch': 3, 'model': net.state_dict(), 'optimizer': optimizer.state_dict(), 'size': x.size(),
            'device': torch.device('cpu'), 'type': torch.float32}, sys.argv[1] + '/trainer.pt')
torch.save({k: v for k, v in net.named_parameters()}, sys.argv[1] + '/parameters.pt')
torch.save({'0.weight': (x * 0.5).t(), 'b': x.half()[:, 1:3]}, sys.argv[1] + '/views.pt', pickle_protocol=4)
torch.save(net, sys.argv[1] + '/module.pt')
torch.save(net.state_dict(), sys.argv[1] + '/legacy.pt', _use_new_zipfile_serialization=False)
torch.jit.script(net).save(sys.argv[1] + '/script.pt')
torch.serialization.set_crc32_options(False)
torch.save(net.state_dict(), sys.argv[1] + '/unchecked.pt')
)";
        QProcess process;
        process.start(python, {"-c", script, m_folder.path()});
        QVERIFY(process.waitForFinished(120'000));
        if (process.exitCode() != 0)
            QSKIP("the Python of ACCUMULUS_PYTHON has no torch");
        const at::Tensor expected = (at::arange(12, at::kFloat) * 0.5).reshape({3, 4}).t();
        for (const char* name : {"plain.pt", "trainer.pt", "parameters.pt", "views.pt", "unchecked.pt"}) {
            const auto read = readWeightsFile(file(name));
            QVERIFY2(read, qPrintable(QString::fromStdString(name + (" " + reasonOf(read)))));
            QVERIFY(at::equal(*read->find("0.weight"), expected));
        }
        QVERIFY(at::equal(*readWeightsFile(file("views.pt"))->find("b"),
                          at::arange(12, at::kFloat).reshape({3, 4}).narrow(1, 1, 2).to(at::kHalf)));
        QCOMPARE(readWeightsFile(file("plain.pt"))->tensors.size(), std::size_t{7});
        QCOMPARE(reasonOf(readWeightsFile(file("module.pt"))), std::string("weights.format reason.pickle-code"));
        QCOMPARE(reasonOf(readWeightsFile(file("legacy.pt"))), std::string("weights.format reason.weights-legacy"));
        QCOMPARE(reasonOf(readWeightsFile(file("script.pt"))), std::string("weights.format reason.weights-module"));
    }
};

QTEST_APPLESS_MAIN(TestStateDict)
} // namespace test_state_dict
#include "test_state_dict.moc"

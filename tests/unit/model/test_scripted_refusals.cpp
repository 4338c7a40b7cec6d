// SPDX-License-Identifier: GPL-3.0-or-later
// Files of networks that cannot be trained: no module, damaged, traced as they should not be.
#include "core/base/error.h"
#include "core/model/stored_zip.h"
#include "tests/support/brought_files.h"
#include "tests/support/scripted_nets.h"
#include "tests/unit/model/scripted_file.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/jit/serialization/import.h>

namespace test_scripted_refusals {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::test::scripted;

class TestScriptedRefusals : public QObject, protected ScriptedFile {
    Q_OBJECT
private Q_SLOTS:
    void whatCannotBeTrainedIsRefused_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("forward");
        QTest::newRow("other inputs") << "model.file-forward"
                                      << "return torch.matmul(x, self.weight)";
        QTest::newRow("too few outputs") << "model.file-output"
                                         << "return torch.matmul(torch.flatten(x, 1), self.weight)[:, :2]";
        QTest::newRow("one number") << "model.file-output"
                                    << "return torch.matmul(torch.flatten(x, 1), self.weight).sum()";
        QTest::newRow("two tensors") << "model.file-forward"
                                     << "return (x, x)";
        QTest::newRow("it raises") << "model.file-forward"
                                   << "assert 1 == 2\n    return x";
        QTest::newRow("values of the way back are written over")
            << "model.file-backward"
            << "y = torch.sigmoid(torch.matmul(torch.flatten(x, 1), self.weight))\n    y.mul_(2.0)\n    return y";
        QTest::newRow("detached") << "model.file-backward"
                                  << "return torch.matmul(torch.flatten(x, 1), self.weight).detach()";
        QTest::newRow("it clamps its weights")
            << "model.file-changes"
            << "self.weight.detach().clamp_(-1.0, 1.0)\n    return torch.matmul(torch.flatten(x, 1), self.weight)";
        QTest::newRow("a sparse gradient")
            << "model.file-backward"
            << "return torch.embedding(self.weight, torch.flatten(x, 1)[:, 0].gt(0.0).long(), -1, False, True)";
        QTest::newRow("a buffer that counts what it saw")
            << "model.file-buffer"
            << "self.seen.add_(x.mean())\n    return torch.matmul(torch.flatten(x, 1), self.weight)";
        QTest::newRow("an average of its own kind") << "model.file-buffer"
                                                    << "self.running_mean.copy_(self.running_mean * self.running_mean "
                                                       "+ 0.5)\n    return torch.matmul(torch.flatten(x, "
                                                       "1), self.weight)";
    }
    void whatCannotBeTrainedIsRefused() {
        QFETCH(QString, code);
        QFETCH(QString, forward);
        ScriptedNet net;
        net.parameter("weight", {16, 3}).buffer("seen", at::zeros({})).buffer("running_mean", at::ones({3}) * 0.25);
        const auto model =
            load(net.save(file("refused.pt"), "def forward(self, x):\n    " + forward.toStdString() + "\n"));
        QVERIFY(!model);
        QCOMPARE(QString::fromStdString(model.error().code), code);
        QVERIFY2(!QString::fromStdString(describe(model.error())).contains("Traceback"),
                 describe(model.error()).c_str());
    }

    /// A convolution of another number of channels than the data have: kernels of our own would compute something.
    void otherChannelsAreRefused_data() {
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("given");
        QTest::addColumn<int>("outputs");
        QTest::addColumn<int>("padding");
        QTest::newRow("grey network, colours") << 1 << 3 << 6 << 0;
        QTest::newRow("network of colours, grey") << 3 << 1 << 6 << 0;
        QTest::newRow("twice as many") << 32 << 64 << 32 << 1;
        QTest::newRow("half as many") << 64 << 32 << 32 << 1;
    }
    void otherChannelsAreRefused() {
        QFETCH(int, channels);
        QFETCH(int, given);
        QFETCH(int, outputs);
        QFETCH(int, padding);
        for (const bool biased : {true, false}) {
            ScriptedNet net;
            net.parameter("weight", {outputs, channels, 3, 3}).parameter("shift", {outputs});
            net.parameter("last", {outputs, 3});
            const std::string convolution =
                "torch.conv2d(x, self.weight, " + std::string(biased ? "self.shift" : "None") + ", 1, ";
            const auto model = load(net.save(file("channels.pt"), "def forward(self, x):\n    y = " + convolution +
                                                                      std::to_string(padding) +
                                                                      ")\n    return torch.matmul(y.mean([2, 3]), "
                                                                      "self.last)\n"),
                                    {given, 8, 8, 3});
            QVERIFY(!model);
            QCOMPARE(model.error().code, std::string("model.file-forward"));
            QVERIFY2(model.error().argument("reason").find("channels") != std::string::npos,
                     describe(model.error()).c_str());
        }
    }

    /// What torch.jit.trace writes of a network that was not put into evaluation mode.
    void tracedInTrainingModeIsRefused_data() {
        QTest::addColumn<QString>("middle");
        QTest::addColumn<bool>("statistics");
        QTest::addColumn<QString>("reason");
        QTest::newRow("dropout") << "x = torch.dropout(torch.relu(x), 0.4, True)" << false << "reason.evaluation-draws";
        QTest::newRow("BatchNorm") << QString(normMiddle).replace("self.training", "True") << true
                                   << "reason.evaluation-moves";
    }
    void tracedInTrainingModeIsRefused() {
        QFETCH(QString, middle);
        QFETCH(bool, statistics);
        const auto model = load(saveTwoLayers(file("traced.pt"), 16, 3, middle.toStdString(), statistics));
        QVERIFY(!model);
        QCOMPARE(model.error().code, std::string("model.file-traced"));
        QTEST(QString::fromStdString(model.error().argument("reason")), "reason");
    }

    /// momentum=None: the share of a batch is one over the number of batches, which each lane would count for itself.
    void anAverageOverAllBatchesIsRefused() {
        for (const std::int64_t batches : {0, 5000}) { // fresh, and trained: by then the share hardly falls
            ScriptedNet net;
            net.parameter("weight", {16, 6}).parameter("second", {6, 3}).statistics(6);
            net.module.setattr("num_batches_tracked", at::full({}, batches, at::kLong));
            const auto model = load(net.save(file("average.pt"),
                                             "def forward(self, x):\n"
                                             "    x = torch.matmul(torch.flatten(x, 1), self.weight)\n"
                                             "    if self.training:\n"
                                             "        self.num_batches_tracked.add_(1)\n"
                                             "    x = torch.batch_norm(x, None, None, self.running_mean, "
                                             "self.running_var, self.training, 1.0 / float(self.num_batches_tracked), "
                                             "1e-5, False)\n"
                                             "    return torch.matmul(x, self.second)\n"));
            QVERIFY(!model);
            QCOMPARE(model.error().code, std::string("model.file-buffer"));
            QCOMPARE(model.error().argument("reason"), std::string("reason.buffer-average"));
        }
    }

    void outputsOfAnotherNumberOfTargetsAreRefused() {
        ScriptedNet net;
        net.parameter("weight", {16, 3});
        const std::string path = net.save(file("scores.pt"), "def forward(self, x):\n"
                                                             "    y = torch.matmul(torch.flatten(x, 1), self.weight)\n"
                                                             "    return torch.stack([y, y], 2)\n");
        QCOMPARE(load(path).error().code, std::string("model.file-output")); // [n, 3, 2] for n labels
        InputShape two = smallImages;
        two.target = {2};
        QVERIFY(load(path, two));
        two.wholeTargets = false; // soft labels
        QCOMPARE(load(path, two).error().code, std::string("model.file-output"));
    }

    /// LibTorch believes the number of elements that stands in the list of tensors, and would read behind the record.
    void tensorsLargerThanTheirRecordsAreRefused() {
        const std::string good = saveTwoLayers(file("good.pt"), 16, 3, plainMiddle);
        StoredZip archive(good);
        QVERIFY(archive.open());
        const auto changed = [&](const std::string& from, const std::string& to, const std::string& more) {
            std::vector<std::pair<std::string, std::string>> entries;
            int places = 0;
            for (const auto& [name, entry] : archive.entries()) {
                std::string content(entry.size, '\0');
                if (!archive.read(name, content))
                    continue;
                if (name.ends_with("/data.pkl"))
                    for (std::size_t at = content.find(from); at != std::string::npos;
                         at = content.find(from, at + to.size()), ++places)
                        content.replace(at, from.size(), to);
                entries.emplace_back(name, content);
                if (!more.empty() && name.ends_with("/data/0"))
                    entries.emplace_back(name.substr(0, name.size() - 6) + more, content);
            }
            writeFile(file("changed.pt"), zipOf(entries));
            const auto model = load(file("changed.pt").string());
            return std::pair(model ? std::string() : model.error().argument("reason"), places);
        };
        const std::string elements = "K\x60"; // 6 x 16
        const auto [none, found] = changed(elements, elements, "");
        QCOMPARE(none, std::string());
        QVERIFY(found > 0);
        QCOMPARE(changed(elements, "J" + littleEndian(0x7FFFFFFF, 4), "").first, std::string("reason.weights-record"));
        QCOMPARE(changed(elements, "K\x61", "").first, std::string("reason.weights-record"));
        QCOMPARE(changed(elements, elements, "DATA/0").first, std::string("reason.zip-names"));
        // Shapes and strides that lead behind the storage: [6, 16] with strides [16, 1].
        const std::string shape = "(K\x06K\x10t", strides = "(K\x10K\x01t";
        QVERIFY(changed(shape, shape, "").second > 0 && changed(strides, strides, "").second > 0);
        QCOMPARE(changed(shape, "(K\x07K\x10t", "").first, std::string("reason.weights-outside"));
        QCOMPARE(changed(shape, "(J" + littleEndian(1 << 30, 4) + "K\x10t", "").first,
                 std::string("reason.weights-outside"));
        QCOMPARE(changed(strides, "(J" + littleEndian(1 << 30, 4) + "K\x01t", "").first,
                 std::string("reason.weights-outside"));
        QCOMPARE(changed("_rebuild_tensor_v2", "_rebuild_qtensor", "").first, std::string("reason.weights-type"));
    }

    void whatIsNoModuleIsRefused() {
        QCOMPARE(load("").error().code, std::string("model.file-unset"));
        QCOMPARE(load(file("absent.pt").string()).error().code, std::string("model.file-missing"));
        QCOMPARE(load(m_folder.path().toStdString()).error().code, std::string("model.file-missing"));
        const auto write = [&](const std::string& content) {
            std::ofstream(file("other.pt"), std::ios::binary) << content;
            const Error error = load(file("other.pt").string()).error();
            return error.code == "model.file-open" ? error.argument("reason") : error.code;
        };
        QCOMPARE(write(""), std::string("reason.module-no-archive"));
        QCOMPARE(write("import torch"), std::string("reason.module-no-archive"));
        QCOMPARE(write(zipOf({{"weights/data.pkl", "}"}})), std::string("reason.module-other"));
        ScriptedNet frozen;
        frozen.parameter("weight", {16, 3}, false);
        QCOMPARE(load(frozen.save(file("all.pt"),
                                  "def forward(self, x):\n    return torch.matmul(torch.flatten(x, 1), self.weight)\n"))
                     .error()
                     .code,
                 std::string("model.file-parameters"));
        ScriptedNet broken;
        broken.parameter("weight", {16, 3});
        {
            const at::NoGradGuard noGrad;
            broken.module.attr("weight").toTensor().fill_(std::nan(""));
        }
        QCOMPARE(load(broken.save(file("nan.pt"),
                                  "def forward(self, x):\n    return torch.matmul(torch.flatten(x, 1), self.weight)\n"))
                     .error()
                     .code,
                 std::string("model.file-parameters"));
    }

    /// Truncated and with changed bits: an error, or a module that still computes.
    void damagedFilesAreErrors() {
        const std::string good = saveTwoLayers(file("good.pt"), 16, 3, normMiddle, true);
        std::ifstream in(good, std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(in), {}};
        std::mt19937_64 random(1);
        int refused = 0;
        for (int i = 0; i < 120; ++i) {
            std::string damaged = content;
            if (i < 30) {
                damaged.resize(static_cast<std::size_t>(random() % content.size()));
            } else {
                for (int flips = 0; flips < 1 + i % 8; ++flips) {
                    char& byte = damaged[static_cast<std::size_t>(random() % content.size())];
                    byte = static_cast<char>(byte ^ (1 << (random() % 8)));
                }
            }
            const std::filesystem::path path = file(("damaged" + std::to_string(i) + ".pt").c_str());
            std::ofstream(path, std::ios::binary) << damaged;
            const auto model = load(path.string());
            refused += model ? 0 : 1;
            if (!model)
                QVERIFY2(model.error().code.starts_with("model.file-"), model.error().code.c_str());
        }
        QVERIFY2(refused >= 100, std::to_string(refused).c_str());
    }
};

QTEST_APPLESS_MAIN(TestScriptedRefusals)
} // namespace test_scripted_refusals
#include "test_scripted_refusals.moc"

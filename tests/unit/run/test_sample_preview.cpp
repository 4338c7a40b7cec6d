// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown of a data set before a run: pictures as they are stored, texts and rows as they are written, and no
// more than asked for.
#include "core/base/readable_text.h"
#include "core/run/model_facts.h"
#include "core/run/sample_preview.h"
#include "tests/support/brought_files.h"

#include <QTemporaryDir>
#include <QTest>
#include <bit>

namespace test_sample_preview {
using namespace accumulus;
using namespace accumulus::test;

class TestSamplePreview : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    [[nodiscard]] DataConfig file(const char* dataset, const std::string& content) const {
        DataConfig data;
        data.dataset = dataset;
        data.path = writeFile(m_folder.filePath("file.csv").toStdString(), content).string();
        return data;
    }

private Q_SLOTS:
    void picturesAreTheStoredOnes() {
        DataConfig data;          // bundled MNIST
        data.validation = 100000; // would refuse to load; a preview has no use for it
        const auto preview = previewSamples(data);
        QVERIFY2(preview.has_value(), preview ? "" : describe(preview.error()).c_str());
        QCOMPARE(preview->samples.size(), std::size_t{10});
        QVERIFY(preview->columns.empty());
        std::string labels;
        for (const PreviewSample& sample : preview->samples) {
            QCOMPARE(sample.width, std::int64_t{28});
            QCOMPARE(sample.height, std::int64_t{28});
            QCOMPARE(sample.channels, std::int64_t{1});
            QCOMPARE(sample.pixels.size(), std::size_t{28 * 28});
            QVERIFY(std::ranges::max(sample.pixels) > 200); // ink
            labels += sample.label;
        }
        QCOMPARE(labels, std::string("5041921314")); // the first ten of the training set, as published
    }

    void largePicturesAreMadeSmaller() {
        DataConfig data;
        data.dataset = "textures-generated";
        data.resize = 256;
        const auto preview = previewSamples(data, 2);
        QVERIFY2(preview.has_value(), preview ? "" : describe(preview.error()).c_str());
        QCOMPARE(preview->samples.size(), std::size_t{2});
        QCOMPARE(preview->samples[0].width, std::int64_t{128});
        QCOMPARE(preview->samples[0].pixels.size(), std::size_t{3 * 128 * 128});
    }

    // Also where validation samples are to serve as test samples, which a preview does not take.
    void tensorsNeedNoTestSamples() {
        DataConfig data =
            file("tensors", safetensorsOf(R"({"inputs":{"dtype":"F32","shape":[5,2],"data_offsets":[0,40]},)"
                                          R"("targets":{"dtype":"I64","shape":[5],"data_offsets":[40,80]}})",
                                          80));
        data.validation = 2;
        const auto preview = previewSamples(data, 3);
        QVERIFY2(preview.has_value(), preview ? "" : describe(preview.error()).c_str());
        QCOMPARE(preview->samples.size(), std::size_t{3});
        QCOMPARE(preview->samples[2].label, std::string("0"));
    }

    void textIsCutBetweenLetters() {
        std::string text;
        for (int i = 0; i < 400; ++i)
            text += "Stra\xc3\x9f"
                    "e ";
        DataConfig data = file("tinyshakespeare", text);
        data.block = 30; // cuts letters in two
        const auto preview = previewSamples(data);
        QVERIFY2(preview.has_value(), preview ? "" : describe(preview.error()).c_str());
        QCOMPARE(preview->samples.size(), std::size_t{10});
        QVERIFY(preview->samples[0].text.starts_with("Stra\xc3\x9f"
                                                     "e Stra"));
        for (const PreviewSample& sample : preview->samples) {
            QVERIFY(sample.text.size() <= 40);
            QCOMPARE(readableText(sample.text), sample.text);
        }
    }

    void rowsAreReadAsTheyAreWritten() {
        DataConfig data = file("table", "\xef\xbb\xbfname,\"size, in m\",class\r\n\"a \"\"b\"\"\",1.5,x\r\n"
                                        "\"two\nlines\",2,y\r\n\nlast,3,z");
        data.target = "class";
        const auto preview = previewSamples(data);
        QVERIFY(preview.has_value());
        QCOMPARE(preview->columns, (std::vector<std::string>{"name", "size, in m", "class"}));
        QCOMPARE(preview->samples.size(), std::size_t{3});
        QCOMPARE(preview->samples[0].cells, (std::vector<std::string>{"a \"b\"", "1.5", "x"}));
        QCOMPARE(preview->samples[1].cells[0], std::string("two\nlines"));
        QCOMPARE(preview->samples[2].label, std::string("z"));
        QCOMPARE(previewTable(data, 1)->samples.size(), std::size_t{1});
    }

    void strangeTablesAreBounded() {
        std::string wide = "a", row = "1";
        for (int i = 0; i < 500; ++i)
            wide += ",a", row += "," + std::string(500, 'x');
        const auto preview = previewSamples(file("table", wide + '\n' + row + '\n'));
        QVERIFY(preview.has_value());
        QCOMPARE(preview->columns.size(), std::size_t{64});
        QVERIFY(preview->samples[0].cells[1].size() <= 83);
        QVERIFY(previewSamples(file("table", "a,b\n"))->samples.empty());
        DataConfig missing;
        missing.dataset = "table";
        missing.path = "/nowhere.csv";
        QCOMPARE(previewSamples(missing).error().code, std::string("data.table.open"));
    }

    // Samples [2] of i and -i with class i % 3, at first without test samples, then with one.
    void tensorsAreShownWithAndWithoutATestPart() {
        constexpr int count = 12;
        const auto tensors = [](bool test) {
            std::string inputs, targets;
            for (int i = 0; i < count; ++i) {
                for (const float value : {static_cast<float>(i), static_cast<float>(-i)})
                    inputs += littleEndian(std::bit_cast<std::uint32_t>(value), 4);
                targets += littleEndian(static_cast<std::uint64_t>(i % 3), 8);
            }
            std::string header = R"({"inputs":{"dtype":"F32","shape":[12,2],"data_offsets":[0,96]},)"
                                 R"("targets":{"dtype":"I64","shape":[12],"data_offsets":[96,192]})";
            if (test)
                header += R"(,"test_inputs":{"dtype":"F32","shape":[1,2],"data_offsets":[192,200]},)"
                          R"("test_targets":{"dtype":"I64","shape":[1],"data_offsets":[200,208]})";
            return safetensorsOf(header + "}") + inputs + targets + (test ? std::string(16, '\0') : "");
        };
        for (const bool test : {false, true})
            for (const std::int64_t validation : {0, 1, 4, 1000}) {
                DataConfig data = file("tensors", tensors(test));
                data.validation = validation;
                const auto preview = previewSamples(data);
                QVERIFY2(preview.has_value(), preview ? "" : describe(preview.error()).c_str());
                QCOMPARE(preview->samples.size(), std::size_t{10});
                QCOMPARE(preview->samples[9].text, std::string("[9, -9]"));
                QCOMPARE(preview->samples[8].label, std::string("2"));
            }
    }

    void theNetworkSaysWhatItTakes() {
        const auto model = inspectModel(RunConfig{});
        QVERIFY2(model.has_value(), model ? "" : describe(model.error()).c_str());
        QCOMPARE(model->parameters, std::int64_t{61706}); // LeNet-5 on 28 x 28 pixels
        QCOMPARE(model->frozen, std::int64_t{0});
        QCOMPARE(messagesText(model->facts, ", "), std::string("LeNet-5, takes 1x28x28, 10 outputs"));
        QVERIFY(!model->batchNorm);
        RunConfig norm;
        norm.model.name = "resnet18";
        norm.model.stem = "cifar";
        QVERIFY(inspectModel(norm).value().batchNorm);
        RunConfig missing;
        missing.data.path = "/nowhere";
        QVERIFY(!inspectModel(missing));
    }
};

QTEST_APPLESS_MAIN(TestSamplePreview)
} // namespace test_sample_preview
#include "test_sample_preview.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown of a data set before a run: pictures as they are stored, texts and rows as they are written, and no
// more than asked for.
#include "core/base/readable_text.h"
#include "core/run/model_facts.h"
#include "core/run/sample_preview.h"
#include "tests/support/brought_files.h"

#include <QTemporaryDir>
#include <QTest>

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

    void theNetworkSaysWhatItTakes() {
        const auto model = inspectModel(RunConfig{});
        QVERIFY2(model.has_value(), model ? "" : describe(model.error()).c_str());
        QCOMPARE(model->parameters, std::int64_t{61706}); // LeNet-5 on 28 x 28 pixels
        QCOMPARE(model->frozen, std::int64_t{0});
        QCOMPARE(messagesText(model->facts, ", "), std::string("LeNet-5, takes 1x28x28, 10 outputs"));
        RunConfig missing;
        missing.data.path = "/nowhere";
        QVERIFY(!inspectModel(missing));
    }
};

QTEST_APPLESS_MAIN(TestSamplePreview)
#include "test_sample_preview.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that follow from one or several files of a person.
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/run/file_settings.h"
#include "tests/unit/run/file_kind_fixture.h"

#include <QTest>

namespace test_file_settings {
using namespace accumulus;
using namespace accumulus::test;
using namespace std::string_literals;

class TestFileSettings : public QObject, protected FileFolder {
    Q_OBJECT

private Q_SLOTS:
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

QTEST_APPLESS_MAIN(TestFileSettings)
} // namespace test_file_settings
#include "test_file_settings.moc"

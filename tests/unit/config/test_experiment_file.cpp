// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/experiment_file.h"

#include "core/base/atomic_file.h"
#include "core/config/batch_plan.h"
#include "core/config/config_check.h"
#include "core/config/config_fields.h"
#include "tests/unit/config/settings.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <random>

namespace test_experiment_file {
using namespace accumulus;
using accumulus::test::everythingChanged;

namespace {

std::filesystem::path experimentFolder() {
    return std::filesystem::path(qgetenv("ACCUMULUS_SOURCE").toStdString()) / "experiments";
}

template <class T>
QString words(const Result<T>& result) {
    return result ? QString() : QString::fromStdString(describe(result.error()));
}

/// Random edits of a text: bytes changed, removed, doubled, inserted, pieces cut and moved.
std::string mutated(std::string text, std::mt19937& random) {
    static constexpr std::string_view spice = "=[]{}\"'.#\n\r\t,:-+eE09_ \\\x7F\xFF\xC3";
    const auto below = [&random](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
    for (std::size_t edits = 1 + below(8); edits > 0 && !text.empty(); --edits) {
        const std::size_t at = below(text.size());
        switch (below(6)) {
        case 0:
            text[at] = static_cast<char>(random());
            break;
        case 1:
            text.erase(at, 1 + below(20));
            break;
        case 2:
            text.insert(at, 1, spice[below(spice.size())]);
            break;
        case 3:
            text.insert(at, text.substr(below(text.size()), below(40)));
            break;
        case 4:
            text[at] = spice[below(spice.size())];
            break;
        default:
            text.resize(at);
        }
    }
    return text;
}

} // namespace

class TestExperimentFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyFileIsAllDefaults() {
        QCOMPARE(*parseExperiment("", "x.toml"), ExperimentConfig{});
        QCOMPARE(*readExperiment("/dev/null"), ExperimentConfig{});
        QVERIFY(experimentToml({}).empty());
    }

    void everySettingSurvivesToml() {
        const ExperimentConfig changed = everythingChanged();
        for (const ExperimentConfig& config : {changed, ExperimentConfig{}})
            for (const bool complete : {false, true}) {
                const auto back = parseExperiment(experimentToml(config, complete), "x.toml");
                QVERIFY2(back, qPrintable(words(back)));
                QCOMPARE(*back, config);
            }
        QVERIFY(experimentToml({}, true).find("[schedule]\nkind = \"constant\"\nwarmup = \"0 updates\"") !=
                std::string::npos);
    }

    void everySettingSurvivesJson() {
        const ExperimentConfig config = everythingChanged();
        const auto run = runConfigFromJson(runConfigJson(config.run));
        const auto study = studyConfigFromJson(studyConfigJson(config.study));
        QVERIFY2(run, qPrintable(words(run)));
        QVERIFY2(study, qPrintable(words(study)));
        QCOMPARE(*run, config.run);
        QCOMPARE(*study, config.study);
    }

    void jsonIsCanonical() {
        QCOMPARE(
            studyConfigJson({}),
            std::string(R"({"ghost":false,"large_batch":false,"margin":0.0,"metric":"auto","name":"","seeds":[0]})"));
        const std::string json = runConfigJson({});
        QVERIFY(json.find('\n') == std::string::npos);
        QVERIFY(json.starts_with(
            R"({"batch":{"devices":1,"effective":128,"lean":false,"micro":32,"ragged":"refuse","ramp":[],"steps":0,"tail":"apply"},)"));
        QVERIFY(json.find(R"("label_smoothing":0.0)") != std::string::npos);
        QCOMPARE(*runConfigFromJson("{}"), RunConfig{}); // settings that an older version did not know
    }

    void wrongJsonIsRefused_data() {
        QTest::addColumn<QString>("json");
        for (const char* json : {"",
                                 "[",
                                 "[]",
                                 "3",
                                 "{\"batch\":3}",
                                 "{\"batch\":{\"micro\":\"32\"}}",
                                 "{\"batch\":{\"micro\":0}}",
                                 "{\"batch\":{\"micro\":1.5}}",
                                 "{\"batch\":{\"micro\":18446744073709551615}}",
                                 "{\"batch\":{\"micro\":1e300}}",
                                 "{\"batch\":{\"micro\":null}}",
                                 "{\"study\":{}}",
                                 "{\"batch\":{\"unknown\":1}}",
                                 "{\"nonsense\":{\"a\":1}}",
                                 "{\"train\":{\"length\":\"soon\"}}",
                                 "{\"train\":{\"length\":3}}",
                                 "{\"optimizer\":{\"lr\":null}}",
                                 "{\"batch\":{\"tail\":\"sing\"}}",
                                 "{\"batch\":{\"ramp\":3}}",
                                 "{\"batch\":{\"ramp\":[3]}}",
                                 "{\"batch\":{\"ramp\":[[1]]}}",
                                 "{\"batch\":{\"ramp\":[[1,32,3]]}}",
                                 "{\"batch\":{\"ramp\":[[1,32.0]]}}",
                                 "{\"batch\":{\"ramp\":[[2,32],[1,32]]}}",
                                 "{\"batch\":{\"ramp\":[[1,0]]}}",
                                 "{\"batch\":{\"ramp\":[[1,18446744073709551615]]}}",
                                 "{\"batch\":{\"ramp\":{}}}",
                                 "{\"data\":{\"path\":\"\\u0000\"}}"})
            QTest::newRow(json) << QString::fromUtf8(json);
    }
    void wrongJsonIsRefused() {
        QFETCH(QString, json);
        const auto config = runConfigFromJson(json.toStdString());
        QVERIFY(!config);
        QVERIFY(config.error().code.starts_with("config."));
        QVERIFY(!studyConfigFromJson("{\"seeds\":[0.5]}"));
        QVERIFY(!studyConfigFromJson("{\"seeds\":[18446744073709551615]}"));
        QVERIFY(!studyConfigFromJson("{\"seeds\":{}}"));
    }

    void integersAreAcceptedForReals() {
        const auto config = parseExperiment("[optimizer]\nlr = 1\nmomentum = 0", "x.toml");
        QVERIFY(config);
        QVERIFY(config->run.optimizer.lr == 1.0 && config->run.optimizer.momentum == 0.0);
    }

    void tablesMayBeWrittenInAnyTomlForm() {
        ExperimentConfig expected;
        expected.run.batch.micro = 16;
        expected.run.batch.effective = 64;
        QCOMPARE(*parseExperiment("batch = {micro = 16, effective = 64}", "x.toml"), expected);
        QCOMPARE(*parseExperiment("batch.micro = 16\nbatch.effective = 64", "x.toml"), expected);
        QCOMPARE(*parseExperiment("\xEF\xBB\xBF[batch]\r\nmicro = 0x10 # sixteen\r\neffective = 6_4\r\n", "x.toml"),
                 expected);
    }

    void mistakesArePlacedAndExplained_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("parts");
        const auto row = [](const char* toml, const char* code, const QStringList& parts) {
            QTest::newRow(toml) << QString::fromUtf8(toml) << QString::fromUtf8(code) << parts;
        };
        row("[batch]\nmicro = = 3", "config.syntax", {"line 2, column 9", "x.toml"});
        row("[batch\nmicro = 3", "config.syntax", {"line 1, column 7"});
        row("[batch]\nmicro = 3\nmicro = 4", "config.syntax", {"line 3"});
        row("[batch]\nmicro = 99999999999999999999", "config.syntax", {"line 2"});
        row("[train]\nlength = \"3 epochs", "config.syntax", {"line 2"});
        row("[batch]\nmicr = 3", "config.unknown-key", {"batch.micr ", "line 2", "Did you mean batch.micro?"});
        row("[batches]\nmicro = 3", "config.foreign-settings",
            {"x.toml is not an Accumulus experiment.", "batches.micro", "Did you mean batch.micro?"});
        row("[optimizer]\nname = \"lbfgs\"", "config.refused", {"optimizer.name = \"lbfgs\"", "line 2", "adamw"});
        row("[loss]\nname = \"triplet\"", "config.refused", {"loss.name", "line 2"});
        row("[nonsense]", "config.foreign-settings", {"nonsense", "line 1"});
        row("[batch]\nmicro = 3\n[owner]\nname = \"Ann\"", "config.unknown-key", {"owner.name", "line 4"});
        row("milk\nbread", "config.not-toml", {"x.toml is not an Accumulus experiment.", "line 1"});
        row("data that we need\n[shop]", "config.not-toml", {"not written in TOML"});
        row("import torch\nmodel = Net()\n", "config.not-toml", {"line 1"});
        row("batch = {micro = 3", "config.syntax", {"line 1"});
        const std::string numbers = "0.5,1.5" + std::string(40, '.') + "\n"; // a table of many columns
        row(numbers.c_str(), "config.not-toml", {"x.toml is not an Accumulus experiment."});
        row("batch.micro 3", "config.syntax", {"line 1"});
        row("micro = 3", "config.foreign-settings", {"Did you mean batch.micro?"});
        row("batch = 3", "config.unknown-key", {"batch"});
        row("[[batch]]\nmicro = 3", "config.unknown-key", {"batch"});
        row("[batch.micro]\nsize = 3", "config.value", {"batch.micro", "a table is given"});
        row("[batch]\nmicro = \"3\"", "config.value",
            {"batch.micro = \"3\"", "line 2", "text is given", "Allowed: a whole number"});
        row("[batch]\nmicro = 1.0", "config.value", {"a real number is given"});
        row("[batch]\nmicro = true", "config.value", {"true or false is given"});
        row("[batch]\nmicro = -5", "config.value", {"too small", "1 to"});
        row("[batch]\nmicro = 9223372036854775807", "config.value", {"too large"});
        row("[optimizer]\nlr = nan", "config.value", {"finite"});
        row("[optimizer]\nlr = +inf", "config.value", {"finite"});
        row("[optimizer]\nname = \"lion\"", "config.value", {"sgd | adam | adamw"});
        row("[train]\nlength = 3", "config.value", {"a whole number is given", "N epochs"});
        row("[train]\nlength = \"3\"", "config.value", {"the unit is missing"});
        row("[study]\nseeds = [0, [1]]", "config.value", {"a list is given"});
        row("[study]\nseeds = [0, \"1\"]", "config.value", {"a list is given"});
        row("[batch]\nramp = [1, 128]", "config.value", {"a list is given", "line 2", "[[1, 128], [500, 512]]"});
        row("[batch]\nramp = [[9, 64], [3, 128]]", "config.value", {"[[9, 64], [3, 128]]", "must increase", "line 2"});
        row("[study]\nlarge_batch = 1", "config.value", {"true or false"});
        row("[study]\nname = \"a\\u0007b\"", "config.value", {"control character"});
    }
    void mistakesArePlacedAndExplained() {
        QFETCH(QString, toml);
        QFETCH(QString, code);
        QFETCH(QStringList, parts);
        const auto config = parseExperiment(toml.toStdString(), "x.toml");
        QVERIFY(!config);
        QCOMPARE(QString::fromStdString(config.error().code), code);
        for (const QString& part : parts)
            QVERIFY2(words(config).contains(part), qPrintable(words(config)));
        QCOMPARE(exitCode(config.error()), 2);
    }

    void deepNestingIsRefused() {
        const std::string deep(100000, '[');
        QVERIFY(!parseExperiment("a = " + deep, "x.toml"));
        QVERIFY(!parseExperiment(deep, "x.toml"));
        std::string dotted = "a";
        for (int i = 0; i < 200000; ++i)
            dotted += ".a";
        for (const std::string& text : {dotted + " = 1", "[" + dotted + "]", "a = {" + dotted + " = 1}"})
            QCOMPARE(parseExperiment(text, "x.toml").error().code, std::string("config.not-toml"));
        ExperimentConfig config;
        QVERIFY(!applyAssignment(config, "batch.micro={" + dotted + "=1}"));
        QVERIFY(!applyAssignment(config, "batch.micro=" + deep));
        QVERIFY(!runConfigFromJson(deep));
        QVERIFY(
            !runConfigFromJson("{\"batch\":{\"micro\":" + std::string(400000, '[') + std::string(400000, ']') + "}}"));
        QVERIFY(!parseExperiment(std::string(2000000, '\n'), "x.toml"));
        QVERIFY(parseExperiment("# " + std::string(70, '.') + "\n", "x.toml")); // an ornament is no nesting
    }

    void unreadableFilesSayWhy() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        QCOMPARE(readExperiment(path / "absent.toml").error().code, std::string("config.file"));
        QVERIFY(words(readExperiment(path / "absent.toml")).contains(QLatin1String("No such file")));
        QCOMPARE(readExperiment(path).error().code, std::string("config.file"));
        QVERIFY(writeFileAtomically(path / "large.toml", std::string(3 << 20, '#')));
        QCOMPARE(readExperiment(path / "large.toml").error().code, std::string("config.file"));
        QVERIFY(writeFileAtomically(path / "good.toml", "[batch]\nmicro = 16\n"));
        QCOMPARE(readExperiment(path / "good.toml")->run.batch.micro, 16);
    }

    void relativePathsStartAtTheFile_data() {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("expected"); // FOLDER: the file's
        QTest::newRow("beside it") << "data"
                                   << "FOLDER/data";
        QTest::newRow("below it") << "./sets/../data/"
                                  << "FOLDER/data";
        QTest::newRow("the folder") << "."
                                    << "FOLDER";
        QTest::newRow("above it") << "../data"
                                  << "FOLDER/../data";
        QTest::newRow("not UTF-8") << "file:donn%E9es"
                                   << "file:FOLDER/donn%E9es";
        QTest::newRow("absolute") << "/data/../x"
                                  << "/data/../x";
        QTest::newRow("address") << "file:///data/x"
                                 << "file:///data/x";
        QTest::newRow("none") << ""
                              << "";
    }

    void relativePathsStartAtTheFile() {
        QFETCH(QString, written);
        QFETCH(QString, expected);
        QTemporaryDir folder;
        expected.replace("FOLDER/..", QFileInfo(folder.path()).path()).replace("FOLDER", folder.path());
        const std::filesystem::path file = (folder.path() + "/own.toml").toStdString();
        ExperimentConfig asWritten;
        int paths = 0;
        for (const ConfigField& field : configFields())
            if (field.type == FieldType::Path) {
                QVERIFY(setField(asWritten, field.key, FieldValue(written.toStdString())));
                ++paths;
            }
        QVERIFY(paths >= 4);
        QVERIFY(writeFileAtomically(file, experimentToml(asWritten)));
        const auto read = readExperiment(file);
        QVERIFY2(read, qPrintable(words(read)));
        for (const ConfigField& field : configFields())
            if (field.type == FieldType::Path)
                QCOMPARE(QString::fromStdString(std::get<std::string>(field.get(*read))), expected);
        QCOMPARE(*readExperiment(file, RelativePaths::AsWritten), asWritten);
        QCOMPARE(*parseExperiment(experimentToml(asWritten), "standard input"), asWritten);
    }

    void everyPathMayBeOfAnyBytes() {
        for (const ConfigField& field : configFields()) {
            if (field.type != FieldType::Path)
                continue;
            ExperimentConfig config;
            QVERIFY2(applyAssignment(config, field.key + "=donn\xE9"
                                                         "es"),
                     field.key.c_str());
            QCOMPARE(std::get<std::string>(field.get(config)), std::string("file:donn%E9es"));
        }
    }

    void noMutationOfAFileCrashes() {
        std::mt19937 random(20240607);
        const auto valid = readFile(experimentFolder() / "first-comparison.toml");
        QVERIFY(valid);
        const std::string complete = experimentToml(everythingChanged(), true);
        int accepted = 0;
        for (int i = 0; i < 2000; ++i) {
            const auto config = parseExperiment(mutated(i % 2 == 0 ? *valid : complete, random), "x.toml");
            if (config) {
                ++accepted;
                QVERIFY(parseExperiment(experimentToml(*config), "x.toml") == config);
                (void)checkConfig(*config, 60000);
            } else {
                QVERIFY(config.error().code.starts_with("config."));
                QVERIFY(!describe(config.error()).empty());
            }
        }
        QVERIFY2(accepted > 20 && accepted < 1900, qPrintable(QString::number(accepted))); // both branches were walked
    }

    void noGarbageCrashes() {
        std::mt19937 random(7);
        const std::string json = runConfigJson(everythingChanged().run);
        for (int i = 0; i < 2000; ++i) {
            std::string bytes(random() % 200, '\0');
            for (char& byte : bytes)
                byte = static_cast<char>(random());
            (void)parseExperiment(bytes, "x.toml");
            (void)runConfigFromJson(bytes);
            (void)runConfigFromJson(mutated(json, random));
            ExperimentConfig config;
            (void)applyAssignment(config, bytes);
            (void)applyAssignment(config, "batch.micro=" + bytes);
        }
    }

    void everyExperimentOfTheProjectIsValid() {
        int files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(experimentFolder())) {
            if (entry.path().extension() != ".toml")
                continue;
            ++files;
            const auto config = readExperiment(entry.path());
            QVERIFY2(config, qPrintable(words(config)));
            QVERIFY(resolveBatch(config->run.batch));
            const Status valid = requireValid(*config, 60000);
            QVERIFY2(valid, qPrintable(words(valid)));
            QVERIFY(!config->study.name.empty());
            QVERIFY(readFile(entry.path())->starts_with("# ")); // its question
        }
        QVERIFY(files >= 3);
    }

    void theCommandLineGivesTheSameRun() {
        QVERIFY(!commandLine({}).empty());
        QVERIFY(commandLine({}).find("--set") == std::string::npos);
        const ExperimentConfig changed = everythingChanged();
        // A real shell splits the line; each word is then applied as the program would.
        QProcess shell;
        shell.start(
            QStringLiteral("/bin/sh"),
            {QStringLiteral("-c"), QStringLiteral("accumulus_words() { printf '%s\\n' \"$@\"; }; accumulus_words ") +
                                       QString::fromStdString(commandLine(changed))});
        QVERIFY(shell.waitForFinished());
        const QList<QByteArray> lines = shell.readAllStandardOutput().trimmed().split('\n');
        QCOMPARE(lines.value(0), QByteArray("accumulus-cli"));
        QCOMPARE(lines.value(1), QByteArray("run"));
        ExperimentConfig config = *readExperiment(lines.value(2).toStdString());
        for (qsizetype i = 3; i + 1 < lines.size(); i += 2) {
            if (lines[i] == "--ranks") {
                QCOMPARE(lines[i + 1].toLongLong(), changed.run.batch.devices);
                continue;
            }
            QCOMPARE(lines[i], QByteArray("--set"));
            QVERIFY(applyAssignment(config, lines[i + 1].toStdString()));
        }
        QCOMPARE(config, changed);
    }
};

QTEST_APPLESS_MAIN(TestExperimentFile)
} // namespace test_experiment_file
#include "test_experiment_file.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are made to trouble who imports them, exports larger than memory, and what an import may claim to know of
// a study.
#include "core/base/atomic_file.h"
#include "core/base/event_file.h"
#include "core/run/library_views.h"
#include "core/run/run_export.h"
#include "core/run/run_import.h"
#include "core/run/run_json.h"
#include "core/store/library_merge.h"
#include "tests/support/study_fixture.h"
#include "tests/support/synthetic_library.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace test_run_import_limits {
using namespace accumulus;
using namespace accumulus::test;

class TestRunImportLimits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        const auto runs = addSyntheticStudy(path("from.sqlite"), studyOf(equivalentCase()));
        REQUIRE(runs);
        m_runs = *runs;
        m_run = m_runs.groupA.front();
    }

    /// Piece by piece, and the same text as of the whole document at once.
    void jsonIsWrittenAsOneDocument() {
        RunReader reader = readerOf("from.sqlite");
        REQUIRE(exportRunJson(reader, m_run, path("run.json")));
        const std::string text = readFile(path("run.json")).value();
        const auto json = nlohmann::ordered_json::parse(text);
        QVERIFY(json.dump(1) + "\n" == text);
        QCOMPARE(json.at("windows").size(), reader.windows(m_run).value().size());
        QVERIFY(json.at("events").is_array() && json.at("checkpoints").is_array());
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(codeOf(exportRunJson(reader, m_run, path("run.json"), stop.get_token())),
                 std::string("library.cancelled"));
        QVERIFY(readFile(path("run.json")).value() == text); // as it was
    }

    void jsonOfAnotherKindIsRefused_data() {
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("settings of nothing but brackets")
            << R"("config": )" + QByteArray(200'000, '[') + QByteArray(200'000, ']');
        QTest::newRow("a row of nothing but brackets")
            << R"("windows": [)" + QByteArray(200'000, '[') + QByteArray(200'000, ']') + "]";
        QTest::newRow("millions of values") << R"("tags": [1)" + QByteArray(",1").repeated(1'500'000) + "]";
        QTest::newRow("a row of millions")
            << R"("windows": [{"ranks": [1)" + QByteArray(",1").repeated(1'500'000) + "]}]";
        QTest::newRow("a window that is a word") << QByteArray(R"("windows": ["one"])");
        QTest::newRow("windows by name") << QByteArray(R"("windows": {"one": {}})");
    }
    void jsonOfAnotherKindIsRefused() {
        QFETCH(const QByteArray, part);
        REQUIRE(writeFileAtomically(path("odd.json"), "{" + part.toStdString() + "}"));
        const auto outcome = import({"odd.json"});
        QCOMPARE(codeOf(outcome), std::string("import.json"));
        QVERIFY2(describe(outcome.error()).find('{') == std::string::npos, describe(outcome.error()).c_str());
        // In an event file they are no run of ours.
        EventFileWriter writer(1000.0);
        writer.addText(1000.0, 0, eventRunTag, "{" + part.toStdString() + "}");
        REQUIRE(writeFileAtomically(path("odd.tfevents"), writer.bytes()));
        QCOMPARE(codeOf(import({"odd.tfevents"})), std::string("import.events"));
    }

    /// Nothing is locked before all of it has been read.
    void readingLocksNothing() {
        RunStore busy(Library::open(path("to.sqlite"), Library::Mode::Write).value());
        QVERIFY(busy.begin());
        const std::vector<fs::path> files{path("from.sqlite")};
        auto runs = readRuns(files, path("to.sqlite"));
        REQUIRE(runs);
        QVERIFY(busy.commit());
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(codeOf(readRuns(files, path("to.sqlite"), {}, stop.get_token())), std::string("library.cancelled"));
        QCOMPARE(codeOf(addRuns(busy, std::move(*runs), stop.get_token())), std::string("library.cancelled"));
        QVERIFY(readerOf("to.sqlite").runs()->empty());
        QVERIFY(busy.begin()); // no batch was left open
    }

    void theStudyComesWithItsRun_data() {
        QTest::addColumn<bool>("json");
        QTest::newRow("json") << true;
        QTest::newRow("events") << false;
    }
    void theStudyComesWithItsRun() {
        QFETCH(bool, json);
        RunReader from = readerOf("from.sqlite");
        const fs::path file = path(json ? "run.json" : "run.tfevents");
        if (json)
            REQUIRE(exportRunJson(from, m_run, file));
        else
            REQUIRE(exportRunEvents(from, m_run, ExportedStep::Updates, file));
        REQUIRE(import({file.filename().string()}));
        const StudyRecord study = readerOf("to.sqlite").study(m_runs.study).value();
        QVERIFY(study == from.study(m_runs.study).value());
    }

    /// A run that comes without its study fixed no margin; the study itself takes the place of what stood in for it.
    void aMarginIsNeverMadeUp() {
        RunReader from = readerOf("from.sqlite");
        for (const auto& [run, name] : {std::pair(m_run, "a.json"), std::pair(m_runs.groupB.front(), "b.json")}) {
            auto json = runJson(from.run(run).value());
            json["windows"] = json["evaluations"] = nlohmann::ordered_json::array();
            REQUIRE(writeFileAtomically(path(name), json.dump()));
        }
        REQUIRE(import({"a.json", "b.json"}));
        {
            RunReader to = readerOf("to.sqlite");
            QVERIFY(to.study(m_runs.study).value().createdAt <= 0.0);
            const auto input = loadComparison(to, {m_run}, {m_runs.groupB.front()}, "", std::nullopt);
            REQUIRE(input);
            QVERIFY(input->marginSetAt <= 0.0 && input->marginSetAfterResults && !input->seedsAddedAfterResults);
        }
        REQUIRE(import({"from.sqlite"}));
        const StudyRecord study = from.study(m_runs.study).value();
        QVERIFY(readerOf("to.sqlite").study(m_runs.study).value() == study);
        // What is known stays.
        RunStore store(Library::open(path("to.sqlite"), Library::Mode::Write).value());
        StudyRecord other = study;
        other.name = "another";
        REQUIRE(store.takeStudy(other));
        other.createdAt = 0.0;
        REQUIRE(store.takeStudy(other));
        QVERIFY(readerOf("to.sqlite").study(m_runs.study).value() == study);
    }

private:
    [[nodiscard]] fs::path path(const std::string& name) const {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    [[nodiscard]] RunReader readerOf(const std::string& name) const {
        return RunReader(Library::open(path(name), Library::Mode::Read).value());
    }
    [[nodiscard]] Result<ImportOutcome> import(const std::vector<std::string>& names) {
        RunStore store(Library::open(path("to.sqlite"), Library::Mode::Write).value());
        std::vector<fs::path> files;
        for (const std::string& name : names)
            files.push_back(path(name));
        return importRuns(store, files);
    }
    static std::string codeOf(const auto& result) { return result.has_value() ? "no error" : result.error().code; }

    std::unique_ptr<QTemporaryDir> m_folder;
    SyntheticRuns m_runs;
    std::string m_run;
};

QTEST_APPLESS_MAIN(TestRunImportLimits)
} // namespace test_run_import_limits
#include "test_run_import_limits.moc"

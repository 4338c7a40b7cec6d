// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/base/measured_values.h"
#include "core/run/run_export.h"
#include "core/store/run_store.h"
#include "tests/support/numeric.h"

#include <QTemporaryDir>
#include <QTest>
#include <charconv>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace test_run_export {
using namespace accumulus;

namespace {

constexpr double third = 1.0 / 3.0; // no short decimal: the text has to keep every bit

WindowRecord fullWindow() {
    WindowRecord window;
    window.window = 1;
    window.update = 1;
    window.epoch = 2;
    window.epochPosition = third;
    window.samples = 256;
    window.units = 256;
    window.microSteps = 8;
    window.loss = 2.0 + third;
    window.lr = 1e-3;
    window.gradNorm = 1e-20;
    window.clipped = true;
    window.noiseS = 0.25;
    window.seconds = 0.125;
    window.activeSeconds = 0.125;
    window.wallTime = 1'790'000'000.25;
    return window;
}

WindowRecord brokenWindow() {
    WindowRecord window;
    window.window = 2;
    window.samples = 300;
    window.microSteps = 2;
    window.loss = std::numeric_limits<double>::quiet_NaN();
    window.nonfinite = true;
    return window;
}

std::vector<std::map<std::string, std::string>> readCsv(const std::string& text) {
    std::vector<std::map<std::string, std::string>> rows;
    const QStringList lines = QString::fromStdString(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    const QStringList header = lines.front().split(QLatin1Char(','));
    for (const QString& line : lines.mid(1)) {
        const QStringList cells = line.split(QLatin1Char(','));
        std::map<std::string, std::string> row;
        if (cells.size() != header.size()) // a row that is too short or too long is a row of nothing
            return {};
        for (qsizetype i = 0; i < header.size(); ++i)
            row[header[i].toStdString()] = cells[i].toStdString();
        rows.push_back(row);
    }
    return rows;
}

double number(const std::string& text) {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

} // namespace

class TestRunExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void csvKeepsEveryBitAndEveryColumn();
    void jsonHoldsTheWholeRun();
    void ranksAreRowsOfTheirOwn();
    void weightsAreTheCheckpointByteForByte();
    void theLastWeightsAreTheNewest();
    void whatDoesNotExistIsSaid();

private:
    [[nodiscard]] RunReader reader() const { return RunReader(Library::open(m_library, Library::Mode::Read).value()); }
    [[nodiscard]] std::filesystem::path file(const char* name) const {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }
    QTemporaryDir m_folder;
    std::filesystem::path m_library;
};

void TestRunExport::initTestCase() {
    m_library = file("library.sqlite");
    RunStore store(Library::open(m_library, Library::Mode::Write).value());
    StudyRecord study;
    study.id = "study";
    study.name = "study";
    QVERIFY(store.addStudy(study));
    RunRecord run;
    run.id = "11111111-0000-4000-8000-000000000000";
    run.study = "study";
    run.name = "one run";
    run.notes = "line one\nline \"two\"";
    run.createdAt = 1'790'000'000.0;
    QVERIFY(store.addRun(run));
    const std::vector<WindowRecord> windows{fullWindow(), brokenWindow()};
    QVERIFY(store.addWindows(run.id, 1, windows));
    EvaluationRecord evaluation;
    evaluation.update = 1;
    evaluation.samples = 256;
    evaluation.count = 500;
    evaluation.loss = third;
    evaluation.accuracy = 0.9;
    evaluation.seconds = 0.5;
    QVERIFY(store.addEvaluations(run.id, 1, {&evaluation, 1}));
    const auto weights = store.library().runFolder(run.id) / "last.safetensors";
    QVERIFY(writeFileAtomically(weights, std::string("weights\0with a zero", 19)));
    CheckpointRecord checkpoint;
    checkpoint.kind = CheckpointKind::Last;
    checkpoint.update = 1;
    checkpoint.weightsPath = weights.string();
    QVERIFY(store.addCheckpoint(run.id, checkpoint));
}

void TestRunExport::csvKeepsEveryBitAndEveryColumn() {
    RunReader library = reader();
    QVERIFY(exportRunCsv(library, "1111", file("run.csv")));
    const auto rows = readCsv(readFile(file("run.csv")).value());
    QCOMPARE(rows.size(), std::size_t{3});
    const auto& full = rows[0];
    QCOMPARE(full.at("kind"), std::string("window"));
    QVERIFY(test::compareBits(number(full.at("loss")), 2.0 + third));
    QVERIFY(test::compareBits(number(full.at("epochs")), third));
    QVERIFY(test::compareBits(number(full.at("grad_norm")), 1e-20));
    QVERIFY(test::compareBits(number(full.at("wall_time")), 1'790'000'000.25));
    for (const WindowValue& value : windowValues())
        QVERIFY2(full.contains(std::string(value.name)), value.name.data());
    QCOMPARE(full.at("epoch"), std::string("3")); // the third: people count from 1
    QCOMPARE(full.at("micro_steps"), std::string("8"));
    QCOMPARE(full.at("clipped"), std::string("1"));
    QVERIFY(test::compareBits(number(full.at("noise_s")), 0.25));
    QCOMPARE(full.at("noise_g2"), std::string()); // not measured
    QCOMPARE(full.at("accuracy"), std::string());
    QCOMPARE(full.at("count"), std::string());
    QCOMPARE(rows[1].at("update"), std::string()); // a window without an update
    QCOMPARE(rows[1].at("loss"), std::string("nan"));
    QCOMPARE(rows[1].at("nonfinite"), std::string("1"));
    const auto& evaluation = rows[2];
    QCOMPARE(evaluation.at("kind"), std::string("evaluation"));
    QCOMPARE(evaluation.at("update"), std::string("1"));
    QVERIFY(test::compareBits(number(evaluation.at("accuracy")), 0.9));
    QVERIFY(test::compareBits(number(evaluation.at("seconds")), 0.5));
    QCOMPARE(evaluation.at("lr"), std::string());
    QCOMPARE(evaluation.at("split"), std::string("test"));
    QCOMPARE(evaluation.at("count"), std::string("500"));
}

void TestRunExport::jsonHoldsTheWholeRun() {
    RunReader library = reader();
    QVERIFY(exportRunJson(library, "1111", file("run.json")));
    const auto json = nlohmann::json::parse(readFile(file("run.json")).value());
    QCOMPARE(json.at("name").get<std::string>(), std::string("one run"));
    QCOMPARE(json.at("notes").get<std::string>(), std::string("line one\nline \"two\""));
    QCOMPARE(json.at("windows").size(), std::size_t{2});
    QVERIFY(test::compareBits(json.at("windows")[0].at("loss").get<double>(), 2.0 + third));
    QCOMPARE(json.at("windows")[0].at("epoch").get<int>(), 3);
    QCOMPARE(json.at("windows")[0].at("clipped").get<bool>(), true);
    QCOMPARE(json.at("windows")[0].size(), windowValues().size());
    QCOMPARE(json.at("evaluations")[0].size(), evaluationValues().size());
    QVERIFY(json.at("windows")[1].at("loss").is_null());
    QVERIFY(json.at("windows")[1].at("update").is_null());
    QCOMPARE(json.at("evaluations")[0].at("count").get<int>(), 500);
    QCOMPARE(json.at("checkpoints")[0].at("kind").get<std::string>(), std::string("last"));
    QVERIFY(json.at("config").is_object());
}

void TestRunExport::ranksAreRowsOfTheirOwn() {
    {
        RunStore store(Library::open(m_library, Library::Mode::Write).value());
        RunRecord run;
        run.id = "33330000-0000-4000-8000-000000000000";
        run.study = "study";
        QVERIFY(store.addRun(run));
        WindowRecord window = fullWindow();
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            RankTimes times;
            times.window = 1;
            times.rank = rank;
            times.microSteps = 4 - rank;
            times.waitingSeconds = third;
            times.sentBytes = (std::int64_t{1} << 40) + rank;
            times.exchanges = 2;
            window.ranks.push_back(times);
        }
        const std::vector<WindowRecord> windows{window, brokenWindow()};
        QVERIFY(store.addWindows(run.id, 1, windows));
    }
    RunReader library = reader();
    QVERIFY(exportRunCsv(library, "33330000", file("ranks.csv")));
    const auto rows = readCsv(readFile(file("ranks.csv")).value());
    QCOMPARE(rows.size(), std::size_t{4});
    QCOMPARE(rows[0].at("rank"), std::string());
    QCOMPARE(rows[0].at("micro_steps"), std::string("8"));
    const auto& second = rows[3];
    QCOMPARE(second.at("kind"), std::string("rank"));
    QCOMPARE(second.at("window"), std::string("1"));
    QCOMPARE(second.at("rank"), std::string("1"));
    QCOMPARE(second.at("micro_steps"), std::string("3"));
    QCOMPARE(second.at("sent_bytes"), std::string("1099511627777"));
    QCOMPARE(second.at("loss"), std::string());
    QVERIFY(test::compareBits(number(second.at("waiting_seconds")), third));
    for (const RankValue& value : rankValues())
        QVERIFY2(!second.at(std::string(value.name)).empty(), value.name.data());
    // A run on one rank has no such column.
    QVERIFY(exportRunCsv(library, "1111", file("alone.csv")));
    QVERIFY(!readCsv(readFile(file("alone.csv")).value()).front().contains("rank"));

    QVERIFY(exportRunJson(library, "33330000", file("ranks.json")));
    const auto windows = nlohmann::json::parse(readFile(file("ranks.json")).value()).at("windows");
    QVERIFY(!windows[1].contains("ranks"));
    const auto& ranks = windows[0].at("ranks");
    QCOMPARE(ranks.size(), std::size_t{2});
    QCOMPARE(ranks[1].size(), rankValues().size());
    QCOMPARE(ranks[1].at("rank").get<int>(), 1);
    QCOMPARE(ranks[1].at("exchanges").get<int>(), 2);
    QVERIFY(test::compareBits(ranks[0].at("waiting_seconds").get<double>(), third));
}

void TestRunExport::weightsAreTheCheckpointByteForByte() {
    RunReader library = reader();
    QVERIFY(exportRunWeights(library, "1111", ExportedWeights::Last, file("out/last.safetensors")));
    QCOMPARE(readFile(file("out/last.safetensors")).value(), std::string("weights\0with a zero", 19));
}

/// Stopped at 140, resumed, killed after the periodic checkpoint of 200.
void TestRunExport::theLastWeightsAreTheNewest() {
    RunStore store(Library::open(m_library, Library::Mode::Write).value());
    RunRecord run;
    run.id = "44440000-0000-4000-8000-000000000000";
    run.study = "study";
    QVERIFY(store.addRun(run));
    const auto save = [&](CheckpointKind kind, std::int64_t update, double time) {
        CheckpointRecord checkpoint;
        checkpoint.kind = kind;
        checkpoint.update = update;
        checkpoint.wallTime = time;
        const std::string name = checkpointKindName(kind) + std::to_string(update);
        checkpoint.weightsPath = (store.library().runFolder(run.id) / name).string();
        QVERIFY(writeFileAtomically(checkpoint.weightsPath, name));
        QVERIFY(store.addCheckpoint(run.id, checkpoint));
    };
    RunReader library = reader();
    const auto exported = [&](ExportedWeights which) {
        const auto to = file("out/newest");
        return exportRunWeights(library, run.id, which, to) ? readFile(to).value() : std::string("nothing");
    };
    save(CheckpointKind::Best, 90, 0.5);
    QCOMPARE(exported(ExportedWeights::Last), std::string("nothing"));
    save(CheckpointKind::Periodic, 100, 1.0); // cut off there
    QCOMPARE(exported(ExportedWeights::Last), std::string("periodic100"));
    save(CheckpointKind::Last, 140, 2.0);
    QCOMPARE(exported(ExportedWeights::Last), std::string("last140"));
    save(CheckpointKind::Periodic, 200, 3.0);
    QCOMPARE(exported(ExportedWeights::Last), std::string("periodic200"));
    save(CheckpointKind::Last, 200, 4.0);
    QCOMPARE(exported(ExportedWeights::Last), std::string("last200"));
    QCOMPARE(exported(ExportedWeights::Best), std::string("best90"));
}

void TestRunExport::whatDoesNotExistIsSaid() {
    RunReader library = reader();
    QCOMPARE(exportRunWeights(library, "1111", ExportedWeights::Best, file("best")).error().code,
             std::string("export.no-checkpoint"));
    QVERIFY(!std::filesystem::exists(file("best")));
    QCOMPARE(exportRunCsv(library, "2222", file("none.csv")).error().code, std::string("library.no-run"));
    QVERIFY(!std::filesystem::exists(file("none.csv")));
}

QTEST_APPLESS_MAIN(TestRunExport)
} // namespace test_run_export
#include "test_run_export.moc"

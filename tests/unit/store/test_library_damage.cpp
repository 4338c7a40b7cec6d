// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files: whatever bytes a library has, using it ends with values or with an error, never with a crash or
// without end.
#include "core/store/connection.h"
#include "tests/unit/store/store_fixture.h"

#include <random>

namespace test_library_damage {
using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

namespace {

/// Reads everything there is. Returns the codes of the errors met.
std::vector<std::string> readEverything(const fs::path& file) {
    std::vector<std::string> codes;
    const auto note = [&](const auto& result) {
        if (!result)
            codes.push_back(result.error().code);
    };
    auto library = Library::open(file, Library::Mode::Read);
    note(library);
    if (!library)
        return codes;
    RunReader reader(std::move(*library));
    note(reader.studies());
    note(reader.run("a0000001"));
    note(reader.runs());
    note(reader.runs({.trashed = true, .study = {}}));
    for (const auto& id : {uuid(1), uuid(2)}) {
        note(reader.windows(id));
        note(reader.windowColumns(id));
        note(reader.windowCount(id));
        note(reader.evaluations(id));
        note(reader.events(id));
        note(reader.checkpoints(id));
    }
    return codes;
}

std::vector<std::string> writeABit(const fs::path& file) {
    std::vector<std::string> codes;
    const auto note = [&](const auto& result) {
        if (!result)
            codes.push_back(result.error().code);
    };
    auto library = Library::open(file, Library::Mode::Write);
    note(library);
    if (!library)
        return codes;
    RunStore store(std::move(*library));
    note(store.markInterrupted(2e9));
    note(store.addRun(makeRun(7)));
    note(store.addWindows(uuid(1), 2, makeWindows(301, 400)));
    note(store.addEvaluations(uuid(2), 2, std::vector{makeEvaluation(9)}));
    note(store.supersede(uuid(1), 100, 100));
    note(store.setTags(uuid(1), {"x"}));
    note(store.moveToTrash(std::vector{uuid(1)}, 3.0));
    note(store.emptyTrash());
    return codes;
}

bool allAreOurs(const std::vector<std::string>& codes) {
    return std::ranges::all_of(codes, [](const std::string& code) { return code.starts_with("library."); });
}

} // namespace

class TestLibraryDamage : public QObject {
    Q_OBJECT

private:
    LibraryFolder m_folder;
    std::string m_sound; ///< bytes of a library with everything in it

    /// A library file with these bytes and nothing left of an earlier one beside it.
    void place(const std::string& bytes) const {
        for (const char* suffix : {"-wal", "-shm", "-journal"})
            fs::remove(m_folder.file().string() + suffix);
        writeFile(m_folder.file(), bytes);
    }

private Q_SLOTS:
    void initTestCase() {
        {
            auto store = m_folder.store();
            REQUIRE(store.addStudy(makeStudy()));
            REQUIRE(store.addRun(makeRun(1, makeStudy().id)));
            REQUIRE(store.addRun(makeRun(2)));
            for (const auto& id : {uuid(1), uuid(2)}) {
                REQUIRE(store.addWindows(id, 1, makeWindows(1, 300)));
                REQUIRE(store.addEvaluations(id, 1, std::vector{makeEvaluation(1), makeEvaluation(2)}));
                REQUIRE(store.addEvents(id, std::vector<EventRecord>(20, {1.0, "info", "code", "text", 1})));
                CheckpointRecord checkpoint;
                checkpoint.weightsPath = "run/w";
                REQUIRE(store.addCheckpoint(id, checkpoint));
                REQUIRE(store.setTags(id, {"a", "b"}));
            }
        }
        m_sound = fileContent(m_folder.file());
        QVERIFY(m_sound.size() > 50000);
        QVERIFY(readEverything(m_folder.file()).empty()); // what follows is due to the damage alone
        QVERIFY(writeABit(m_folder.file()).empty());
    }

    void flippedBytes() {
        std::mt19937 random(20240601);
        int damaged = 0;
        for (int trial = 0; trial < 200; ++trial) {
            std::string bytes = m_sound;
            // Every third trial aims at the head of a page, where the structure is; the others anywhere.
            const int flips = 1 << (trial % 7);
            for (int flip = 0; flip < flips; ++flip) {
                std::size_t at = random() % bytes.size();
                if (trial % 3 == 0)
                    at = at / 4096 * 4096 + at % 24;
                bytes[at] = static_cast<char>(random());
            }
            place(bytes);
            const auto reading = readEverything(m_folder.file());
            QVERIFY2(allAreOurs(reading),
                     qPrintable(QString::fromStdString(fmt::format("trial {}: {}", trial, fmt::join(reading, ", ")))));
            place(bytes);
            const auto writing = writeABit(m_folder.file());
            QVERIFY2(allAreOurs(writing),
                     qPrintable(QString::fromStdString(fmt::format("trial {}: {}", trial, fmt::join(writing, ", ")))));
            damaged += reading.empty() ? 0 : 1;
        }
        QVERIFY2(damaged > 60, "the damage must be large enough to be noticed");
    }

    void cutOff() {
        for (std::size_t kept = 1; kept < m_sound.size(); kept += kept < 8192 ? 1021 : 12289) {
            place(m_sound.substr(0, kept));
            const auto codes = readEverything(m_folder.file());
            QVERIFY2(!codes.empty(), qPrintable(QString::number(kept)));
            QVERIFY(allAreOurs(codes));
            place(m_sound.substr(0, kept));
            QVERIFY(allAreOurs(writeABit(m_folder.file())));
        }
    }

    void damagedLogOfWrites() {
        // The file is sound, the write-ahead log beside it is noise: what was committed before stays readable.
        std::mt19937 random(7);
        for (int trial = 0; trial < 20; ++trial) {
            place(m_sound);
            std::string noise(8192, '\0');
            std::ranges::generate(noise, [&] { return static_cast<char>(random()); });
            writeFile(m_folder.file().string() + "-wal", noise);
            QVERIFY(readEverything(m_folder.file()).empty());
        }
    }

    void impossibleValues_data() {
        QTest::addColumn<QString>("sql");
        QTest::newRow("state") << "UPDATE runs SET state = 'asleep'";
        QTest::newRow("arm") << "UPDATE runs SET arm = 'left'";
        QTest::newRow("config") << "UPDATE runs SET config = '{\"data\":'";
        QTest::newRow("config type") << "UPDATE runs SET config = '[1, 2]'";
        QTest::newRow("id") << "UPDATE runs SET id = '../up' WHERE number = 1";
        QTest::newRow("study") << "UPDATE studies SET config = 'x'";
        QTest::newRow("checkpoint") << "UPDATE checkpoints SET kind = 'other'";
    }

    void impossibleValues() {
        QFETCH(QString, sql);
        place(m_sound);
        SQLite::Database(m_folder.file().string(), SQLite::OPEN_READWRITE).exec(sql.toStdString());
        const auto codes = readEverything(m_folder.file());
        QVERIFY(std::ranges::find(codes, "library.corrupt") != codes.end());
    }

    void missingTable() {
        place(m_sound);
        SQLite::Database(m_folder.file().string(), SQLite::OPEN_READWRITE)
            .exec("DROP VIEW run_windows; DROP TABLE windows");
        const auto codes = readEverything(m_folder.file());
        QVERIFY(std::ranges::find(codes, "library.read") != codes.end());
        QVERIFY(allAreOurs(writeABit(m_folder.file())));
    }

    void attemptsWithoutEnd() {
        // The readers walk from attempt to attempt: extreme numbers must not make them walk for ever.
        place(m_sound);
        SQLite::Database(m_folder.file().string(), SQLite::OPEN_READWRITE)
            .exec("UPDATE windows SET attempt = 9223372036854775807 WHERE window = 300;"
                  "UPDATE windows SET attempt = -9223372036854775807 WHERE window = 1");
        QVERIFY(readEverything(m_folder.file()).empty());
    }
};

QTEST_APPLESS_MAIN(TestLibraryDamage)
} // namespace test_library_damage
#include "test_library_damage.moc"

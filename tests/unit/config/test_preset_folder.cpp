// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/config/preset_folder.h"
#include "tests/support/as_nobody.h"
#include "tests/unit/config/settings.h"

#include <QTemporaryDir>
#include <QtTest>
#include <sys/stat.h>

namespace test_preset_folder {
using namespace accumulus;
using accumulus::test::asNobody;
using accumulus::test::everythingChanged;

class TestPresetFolder : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
    std::filesystem::path m_folder;

    [[nodiscard]] std::vector<Preset> listed() const { return listPresets(m_folder).value_or(std::vector<Preset>{}); }

private Q_SLOTS:
    void init() {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_folder = m_temporary->filePath(QStringLiteral("data/presets")).toStdString();
    }

    void whatIsSavedIsListedAndTheSame() {
        QVERIFY(listPresets(m_folder) && listed().empty()); // no folder yet
        ExperimentConfig all = everythingChanged();
        all.run.data.path = all.run.data.testPath = all.run.model.path = all.run.model.weights = "/data/x";
        QVERIFY(savePreset(m_folder, "everything", all, false));
        QVERIFY(savePreset(m_folder, "a default", {}, false));
        const auto presets = listed();
        QCOMPARE(presets.size(), std::size_t{2});
        QCOMPARE(presets[0].name, std::string("a default"));
        QVERIFY(presets[1].experiment && *presets[1].experiment == all);
        QVERIFY(presets[1].savedAt > 1.6e9);
    }

    void relativePathsStartWhereTheyWereMeant() {
        ExperimentConfig experiment;
        experiment.run.data.path = "digits";
        QVERIFY(savePreset(m_folder, "paths", experiment, false));
        const std::string expected = (std::filesystem::current_path() / "digits").string();
        QCOMPARE(listed().at(0).experiment->run.data.path, expected);
    }

    void namesMayHoldAnything_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"a/b", "..", ".hidden", "100%", "%2F", "50 % \\ \"q\" <x>|?*:", "数据 集 é 🎲",
                                 "line\nbreak", "p.toml", "-rf"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void namesMayHoldAnything() {
        QFETCH(const QString, name);
        QVERIFY(savePreset(m_folder, name.toStdString(), {}, false));
        QCOMPARE(listed().size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(listed().front().name), name);
        QVERIFY(listed().front().file.parent_path() == m_folder);
        QVERIFY(removePreset(listed().front().file));
        QVERIFY(listed().empty());
    }

    void whatIsNoNameIsRefused() {
        for (const std::string& name : {std::string(), std::string("  "), std::string("\xff"), std::string(201, 'x')}) {
            const Status status = savePreset(m_folder, name, {}, false);
            QVERIFY(!status);
            QCOMPARE(status.error().code, std::string("preset.name"));
        }
        QVERIFY(savePreset(m_folder, std::string(200, 'x'), {}, false));
    }

    void nothingIsOverwrittenUnasked() {
        ExperimentConfig other;
        other.run.batch.micro = 8;
        QVERIFY(savePreset(m_folder, "one", {}, false));
        const Status refused = savePreset(m_folder, "one", other, false);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("preset.exists"));
        QVERIFY(listed().front().experiment == ExperimentConfig{});
        QVERIFY(savePreset(m_folder, "one", other, true));
        QVERIFY(listed().front().experiment == other);

        QVERIFY(savePreset(m_folder, "two", {}, false));
        QCOMPARE(renamePreset(listed()[0].file, "two").error().code, std::string("preset.exists"));
        QVERIFY(renamePreset(listed()[0].file, "one")); // its own name
        QVERIFY(renamePreset(listed()[0].file, "a/one"));
        QCOMPARE(listed()[0].name, std::string("a/one"));
        QVERIFY(listed()[0].experiment == other);
    }

    void whatIsDeletedComesBack() {
        QVERIFY(savePreset(m_folder, "one", everythingChanged(), false));
        const auto before = listed().front();
        const auto content = removePreset(before.file);
        QVERIFY(content && listed().empty());
        QVERIFY(restorePreset(before.file, *content));
        QCOMPARE(listed().front().name, before.name);
        QVERIFY(listed().front().experiment == before.experiment);
        QCOMPARE(restorePreset(before.file, *content).error().code, std::string("preset.exists"));
    }

    void brokenFilesAreListedWithTheirReason() {
        QVERIFY(savePreset(m_folder, "good", {}, false));
        QVERIFY(writeFileAtomically(m_folder / "broken.toml", "[optimizer]\nlr = \n"));
        QVERIFY(writeFileAtomically(m_folder / "newer.toml", "[optimizer]\nfuture = 1\n"));
        QVERIFY(writeFileAtomically(m_folder / "notes.txt", "no preset"));
        QVERIFY(std::filesystem::create_directory(m_folder / "folder.toml"));
        QCOMPARE(mkfifo((m_folder / "pipe.toml").c_str(), 0600), 0); // opening it would wait for ever
        const auto presets = listed();
        QCOMPARE(presets.size(), std::size_t{3});
        QCOMPARE(presets[0].name, std::string("broken"));
        QCOMPARE(presets[0].experiment.error().code, std::string("config.syntax"));
        QVERIFY(presets[1].experiment);
        QCOMPARE(presets[2].experiment.error().code, std::string("config.unknown-key"));
        QVERIFY(renamePreset(presets[0].file, "to mend"));
        QVERIFY(removePreset(presets[2].file));
        QCOMPARE(listed().size(), std::size_t{2});
    }

    void aFolderThatCannotBeWrittenSaysSo() {
        QVERIFY(savePreset(m_folder, "one", {}, false));
        std::filesystem::permissions(m_temporary->path().toStdString(), std::filesystem::perms(0755));
        std::filesystem::permissions(m_folder, std::filesystem::perms(0555));
        const std::filesystem::path file = listed().front().file;
        const auto code = [](const auto& result) { return result ? std::string() : result.error().code; };
        const int status = asNobody([&] {
            if (code(savePreset(m_folder, "two", {}, false)) != "preset.write")
                return 1;
            if (code(renamePreset(file, "three")) != "preset.write")
                return 2;
            return code(removePreset(file)) == "preset.write" ? 0 : 3;
        });
        std::filesystem::permissions(m_folder, std::filesystem::perms(0755));
        QCOMPARE(status, 0);
        QCOMPARE(listed().size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestPresetFolder)
} // namespace test_preset_folder
#include "test_preset_folder.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What a form was filled from, and what of it the next session finds.
#include "core/base/atomic_file.h"
#include "core/base/log.h"
#include "core/config/experiment_file.h"
#include "tests/support/numeric.h"
#include "widgets/models/config_form.h"
#include "widgets/models/setup_draft.h"

#include <QTemporaryDir>
#include <QtTest>
#include <mutex>

namespace test_form_start {
using namespace accumulus;
using namespace accumulus::ui;
using accumulus::test::compareAbs;

namespace {

ExperimentConfig experimentOfRun() {
    ExperimentConfig experiment = newExperiment();
    experiment.run.optimizer.lr = 0.5;
    experiment.run.batch.micro = 16;
    experiment.study.name = "tiny";
    return experiment;
}

FormContent fromRun() {
    const ExperimentConfig experiment = experimentOfRun();
    return {experiment,
            std::make_shared<FormStart>(FormStart{experiment, FormStart::From::Run, QStringLiteral("tiny")})};
}

} // namespace

class TestFormStart : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsLoadedIsWhatChangesAreMarkedAgainst() {
        ConfigForm form(newExperiment());
        const ConfigField& lr = *findField("optimizer.lr");
        form.load(fromRun());
        QVERIFY(!form.differsFromStart(lr)); // although a new experiment has another one
        QVERIFY(form.edit("optimizer.lr", 0.25));
        QVERIFY(form.differsFromStart(lr));
        form.reset({"optimizer.lr"});
        QVERIFY(compareAbs(form.config().run.optimizer.lr, 0.5, 0.0));
    }

    void undoBringsBackTheStartOfBefore() {
        ConfigForm form(newExperiment());
        form.load(fromRun());
        form.undo();
        QVERIFY(form.config() == newExperiment());
        QVERIFY(form.start().from == FormStart::From::NewExperiment);
        form.redo();
        QCOMPARE(startTitle(form.start()), QStringLiteral("Run “tiny”"));
        QVERIFY(form.start().experiment == experimentOfRun());
        form.load(fromRun()); // the same once more is no step
        form.undo();
        QVERIFY(!form.canUndo());
    }

    void theStartHasAName() {
        FormStart start;
        QCOMPARE(startTitle(start), QStringLiteral("New experiment"));
        QCOMPARE(resetTitle(start), QStringLiteral("Reset"));
        start.from = FormStart::From::File;
        QCOMPARE(startTitle(start), QStringLiteral("File"));
        start.name = QStringLiteral("a.toml");
        QCOMPARE(startTitle(start), QStringLiteral("File “a.toml”"));
        QCOMPARE(resetTitle(start), QStringLiteral("Reset to the file"));
    }

    void aDraftOutlivesItsSession() {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("kept/setup.toml")).toStdString();
        ExperimentConfig experiment = experimentOfRun();
        experiment.run.data.path = "data"; // the next session may start in another folder
        {
            SetupDraft draft(file);
            QVERIFY(!draft.read());
            draft.keep(newExperiment());
            draft.keep(experiment);
        }
        const auto kept = SetupDraft(file).read();
        QVERIFY(kept);
        experiment.run.data.path = (std::filesystem::current_path() / "data").string();
        QVERIFY(*kept == experiment);
    }

    void aBrokenDraftIsToldToTheLogOnly() {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("setup.toml")).toStdString();
        QVERIFY(writeFileAtomically(file, "[batch]\nmicro = \"thirty"));
        const auto logged = std::make_shared<std::pair<std::mutex, QStringList>>();
        addLogReceiver([logged](LogLevel, const std::string& line) {
            const std::scoped_lock lock(logged->first);
            logged->second << QString::fromStdString(line);
        });
        QVERIFY(!SetupDraft(file).read());
        const std::scoped_lock lock(logged->first);
        QCOMPARE(logged->second.size(), 1);
        QVERIFY2(logged->second.front().contains(QStringLiteral("setup.toml")), qPrintable(logged->second.front()));
    }
};

QTEST_MAIN(TestFormStart)
} // namespace test_form_start
#include "test_form_start.moc"

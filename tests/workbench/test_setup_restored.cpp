// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in Set up after quitting and starting again, and after "New from run".
#include "core/base/atomic_file.h"
#include "core/config/experiment_file.h"
#include "tests/support/synthetic_library.h"
#include "tests/workbench/library_in_window.h"
#include "widgets/models/setup_draft.h"
#include "widgets/pages/setup/setup_page.h"

#include <QAction>
#include <QPushButton>
#include <QToolButton>

namespace test_setup_restored {
using namespace accumulus;
using namespace accumulus::ui;

class TestSetupRestored : public QObject {
    Q_OBJECT
private:
    static SetupPage& page(WorkbenchFixture& fixture) { return *fixture.window().findChild<SetupPage*>(); }
    static QString notice(WorkbenchFixture& fixture) {
        const auto* text = page(fixture).findChild<QLabel*>(QStringLiteral("noticeText"));
        return text->isVisibleTo(&page(fixture)) ? text->text() : QString();
    }

private Q_SLOTS:
    void theFormIsThereAfterARestart() {
        WorkbenchFixture fixture;
        QCOMPARE(notice(fixture), QString()); // there is no last session
        ExperimentConfig experiment = tinyExperiment();
        experiment.study.name = "took me minutes";
        page(fixture).setExperiment(experiment);
        fixture.reopen();
        fixture.window().showPage(QStringLiteral("setup"));
        QVERIFY(page(fixture).experiment() == experiment);
        QCOMPARE(notice(fixture), QStringLiteral("Restored from your last session."));
        auto* again = page(fixture).findChild<QPushButton*>(QStringLiteral("noticeAction"));
        QCOMPARE(again->text(), QStringLiteral("New experiment"));
        QTest::mouseClick(again, Qt::LeftButton);
        QVERIFY(page(fixture).experiment() == newExperiment());
        QCOMPARE(notice(fixture), QString());
        page(fixture).undo();
        QVERIFY(page(fixture).experiment() == experiment);
        fixture.reopen();
        auto* close = page(fixture).findChild<QToolButton*>(QStringLiteral("noticeClose"));
        fixture.window().showPage(QStringLiteral("setup"));
        QTest::mouseClick(close, Qt::LeftButton);
        QCOMPARE(notice(fixture), QString());
        QVERIFY(page(fixture).experiment() == experiment);
    }

    // The learning rate of a new experiment was tuned for 256, and is so after a restart and in another language.
    void theWarningOfTheLearningRateStays() {
        WorkbenchFixture fixture;
        fixture.window().showPage(QStringLiteral("setup"));
        const auto warning = [&] {
            const auto* label = page(fixture).findChild<QLabel*>(QStringLiteral("setup.finding.O01"));
            return label && label->isVisible() ? label->text() : QString();
        };
        const auto setBatch = [&](const char* text) {
            auto* batch = fixture.find<QWidget>("setup.batch.effective");
            batch->setFocus();
            QTest::keyClick(batch, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(batch, QLatin1String(text));
        };
        setBatch("128");
        QCOMPARE(page(fixture).experiment().run.batch.effective, 128);
        const QString words = QStringLiteral("The learning rate was tuned for batch 256; the batch is now 128.");
        QTRY_COMPARE(warning(), words);
        fixture.reopen();
        fixture.window().showPage(QStringLiteral("setup"));
        QCOMPARE(page(fixture).experiment().run.batch.effective, 128);
        QTRY_COMPARE(warning(), words);
        const QVariant state = page(fixture).state();
        page(fixture).setExperiment(tinyExperiment());
        page(fixture).setState(state);
        QTRY_COMPARE(warning(), words);
        fixture.click("setup.finding.O01.keep-lr");
        QTRY_COMPARE(warning(), QString());
        fixture.reopen();
        fixture.window().showPage(QStringLiteral("setup"));
        QCOMPARE(page(fixture).experiment().run.batch.effective, 128);
        QCOMPARE(warning(), QString()); // it was kept on purpose
    }

    void aFileOfTheCommandLineWins() {
        WorkbenchFixture fixture;
        page(fixture).setExperiment(tinyExperiment());
        ExperimentConfig named = tinyExperiment();
        named.study.name = "of the file";
        const QString file = fixture.file(QStringLiteral("named.toml"));
        QVERIFY(writeFileAtomically(file.toStdString(), experimentToml(named)));
        fixture.reopen({file});
        QTRY_VERIFY(page(fixture).experiment() == named);
        QVERIFY(!notice(fixture).contains(QStringLiteral("last session")));
    }

    void aBrokenDraftChangesNothing() {
        WorkbenchFixture fixture;
        page(fixture).setExperiment(tinyExperiment());
        fixture.quit();
        QVERIFY(std::filesystem::exists(setupDraftFile()));
        QVERIFY(writeFileAtomically(setupDraftFile(), "[batch"));
        fixture.open();
        QVERIFY(page(fixture).experiment() == newExperiment());
        QCOMPARE(notice(fixture), QString());
    }

    void newFromRunIsComparedWithTheRun() {
        WorkbenchFixture fixture;
        const auto runs = test::addSyntheticStudy(fixture.library(), test::studyOf(test::equivalentCase()));
        QVERIFY(runs);
        const auto count = static_cast<int>(runs->groupA.size() + runs->groupB.size());
        showLibrary(fixture, count);
        clickRows(fixture, {0});
        fixture.find<QAction>("libraryNewFrom")->trigger();
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        const auto& list = runList(fixture);
        const auto run = fixture.workbench().library().reader().run(list.record(0).id);
        QVERIFY(run);
        QVERIFY(page(fixture).experiment().run == run->config);
        const auto study = fixture.workbench().library().reader().study(run->study);
        QVERIFY(study && page(fixture).experiment().study == study->config);
        auto* reset = fixture.find<QToolButton>("setup.section.optimizer.reset");
        QCOMPARE(reset->text(), QStringLiteral("Reset to the run"));
        QVERIFY(!reset->isEnabled()); // nothing differs from the run
        QVERIFY(!fixture.find<QWidget>("setup.optimizer.lr.changed")->isVisible());
        auto* lr = fixture.find<QWidget>("setup.optimizer.lr");
        lr->setFocus();
        QTest::keyClick(lr, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(lr, QStringLiteral("0.125"));
        QVERIFY(fixture.find<QWidget>("setup.optimizer.lr.changed")->isVisible());
        QTest::mouseClick(reset, Qt::LeftButton);
        QVERIFY(page(fixture).experiment().run == run->config);
    }
};

QTEST_MAIN(TestSetupRestored)
} // namespace test_setup_restored
#include "test_setup_restored.moc"

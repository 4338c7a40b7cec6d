// SPDX-License-Identifier: GPL-3.0-or-later
// Set up after it was filled from a run, a file or a preset: what is marked as changed, and what Reset returns to.
#include "tests/support/numeric.h"
#include "tests/widgets/setup_form.h"

#include <QToolButton>

namespace test_setup_origin {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestSetupOrigin : public QObject, protected SetupForm {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { useTheme(); }
    void init() { openPage(); }
    void cleanup() { closePage(); }

    void aRunIsWhatItsFormIsComparedWith() {
        QCOMPARE(find<QToolButton>("setup.section.optimizer.reset")->text(), QStringLiteral("Reset"));
        ExperimentConfig experiment = m_page->experiment();
        experiment.run.optimizer.lr = 0.5;
        m_page->startFrom({experiment, FormStart::From::Run, QStringLiteral("tiny")});
        QVERIFY(!shows("setup.optimizer.lr.changed"));
        type("setup.optimizer.lr", QStringLiteral("0.25"));
        QVERIFY(shows("setup.optimizer.lr.changed"));
        QCOMPARE(find<QWidget>("setup.optimizer.lr.changed")->toolTip(), QStringLiteral("Run “tiny”: 0.5"));
        auto* reset = find<QToolButton>("setup.section.optimizer.reset");
        QCOMPARE(reset->text(), QStringLiteral("Reset to the run"));
        QVERIFY(reset->toolTip().contains(QStringLiteral("Run “tiny”")));
        click("setup.section.optimizer.reset");
        QVERIFY(compareAbs(m_page->experiment().run.optimizer.lr, 0.5, 0.0));
        QVERIFY(!shows("setup.optimizer.lr.changed"));
    }

    void aWindowInAnotherLanguageTakesTheStartOver() {
        ExperimentConfig experiment = m_page->experiment();
        experiment.run.optimizer.lr = 0.5;
        m_page->startFrom({experiment, FormStart::From::Preset, QStringLiteral("mine")});
        type("setup.optimizer.lr", QStringLiteral("0.25"));
        SetupPage next(Services{*m_theme, *m_library, *m_runs, *m_session}, nullptr, m_machine.queries());
        next.setState(m_page->state());
        QVERIFY(next.experiment() == m_page->experiment());
        const auto* reset = next.findChild<QToolButton*>(QStringLiteral("setup.section.optimizer.reset"));
        QCOMPARE(reset->text(), QStringLiteral("Reset to the preset"));
        QVERIFY(reset->isEnabled());
    }

    /// One step back is one edit, there as here, and what was undone can be redone.
    void aWindowInAnotherLanguageTakesTheHistoryOver() {
        m_page->setExperiment(newExperiment());
        type("setup.optimizer.lr", QStringLiteral("0.25"));
        type("setup.optimizer.momentum", QStringLiteral("0.5"));
        const ExperimentConfig both = m_page->experiment();
        m_page->undo();
        SetupPage next(Services{*m_theme, *m_library, *m_runs, *m_session}, nullptr, m_machine.queries());
        next.setState(m_page->state());
        QVERIFY(compareAbs(next.experiment().run.optimizer.lr, 0.25, 0.0));
        QVERIFY(next.canRedo());
        next.redo();
        QVERIFY(next.experiment() == both);
        next.undo();
        QVERIFY(next.canUndo());
        next.undo();
        QVERIFY(next.experiment() == newExperiment());
    }

    void aFileGivesItsName() {
        const std::filesystem::path file = m_folder->filePath(QStringLiteral("half.toml")).toStdString();
        type("setup.optimizer.lr", QStringLiteral("0.5"));
        QVERIFY(m_page->saveExperiment(file));
        m_page->setExperiment(newExperiment());
        QVERIFY(m_page->loadExperiment(file));
        QVERIFY(!shows("setup.optimizer.lr.changed"));
        QVERIFY(find<QToolButton>("setup.section.optimizer.reset")->toolTip().contains(QStringLiteral("half.toml")));
        m_page->setExperiment(m_page->experiment()); // no longer the file's
        QVERIFY(shows("setup.optimizer.lr.changed"));
    }
};

QTEST_MAIN(TestSetupOrigin)
} // namespace test_setup_origin
#include "test_setup_origin.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What Set up makes only when it is opened: the fields under "More", and the lists of its choices.
#include "tests/widgets/screenshot.h"
#include "tests/widgets/setup_form.h"
#include "widgets/pages/setup/setup_page.h"

#include <QComboBox>
#include <QToolButton>
#include <QtTest>

using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestSetupMore : public QObject, protected SetupForm {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { useTheme(); }

    void init() { openPage(); }

    void cleanup() { closePage(); }

    void aSettingIsMadeWhenItIsOpened() {
        QVERIFY(!m_page->findChild<QWidget*>(QStringLiteral("setup.optimizer.weight_decay")));
        QVERIFY(shows("setup.section.optimizer.more"));
        m_page->focusSetting(QStringLiteral("optimizer.weight_decay"));
        QTRY_COMPARE(QApplication::focusWidget(), find<QWidget>("setup.optimizer.weight_decay"));
        QVERIFY(!m_page->findChild<QWidget*>(QStringLiteral("setup.device.threads"))); // of another section
    }

    void aSettingThatWasChangedBeforeShowsItsValue() {
        auto experiment = m_page->experiment();
        experiment.run.data.trainLimit = 1000;
        m_page->setExperiment(experiment);
        QCOMPARE(find<QToolButton>("setup.section.data.more")->text(), QStringLiteral("More · 1 changed"));
        click("setup.section.data.more");
        QCOMPARE(find<NumberBox>("setup.data.train_limit")->integer(), std::optional<std::int64_t>(1000));
        QVERIFY(shows("setup.data.train_limit.changed"));
        click("setup.section.data.reset");
        QCOMPARE(find<NumberBox>("setup.data.train_limit")->integer(), std::optional<std::int64_t>(0));
    }

    void itLeavesTheHistoryAndFilesToThePage() {
        click("setup.section.data.more");
        type("setup.data.train_limit", QStringLiteral("1000"));
        QTest::keyClick(find<QWidget>("setup.data.train_limit"), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_page->experiment().run.data.trainLimit, 0);
        QVERIFY(m_page->canRedo()); // the line edit's own history would have typed the old number anew
        click("setup.section.numerics.more");
        QTest::keyClick(find<QWidget>("setup.numerics.nonfinite"), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(m_page->experiment().run.data.trainLimit, 1000);
        QVERIFY(!find<QWidget>("setup.data.train_limit")->acceptDrops());
    }

    // They take as much room as Qt's own policy, which makes the list of each choice before it is opened.
    void aChoiceIsAsWideAsSixLetters() {
        for (const char* name : {"setup.model.name", "setup.optimizer.name", "setup.train.length.unit"}) {
            const auto* combo = find<QComboBox>(name);
            QVERIFY(combo);
            QComboBox usual(combo->parentWidget());
            usual.addItem(QStringLiteral("a choice"));
            usual.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            usual.setMinimumContentsLength(6);
            QCOMPARE(combo->minimumSizeHint(), usual.minimumSizeHint());
            QCOMPARE(combo->sizeHint(), usual.sizeHint());
        }
    }
};

QTEST_MAIN(TestSetupMore)
#include "test_setup_more.moc"

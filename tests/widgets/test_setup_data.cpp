// SPDX-License-Identifier: GPL-3.0-or-later
// The data of a set-up: what is missing is said and mended, data are located, and what was answered is not asked again.
#include "tests/widgets/setup_form.h"
#include "widgets/models/recent_files.h"

#include <QMenu>

namespace test_setup_data {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestSetupData : public QObject, protected SetupForm {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useTheme(); }

    void init() { openPage(); }

    void cleanup() { closePage(); }

    void missingDataIsSaidAndMended() {
        type("setup.data.path", QStringLiteral("/missing"));
        QTRY_VERIFY(shows("setup.data.error"));
        QVERIFY(text("setup.data.error").contains(QStringLiteral("/missing")));
        QVERIFY(!startEnabled());
        find<QWidget>("setup.data.dataset")->setFocus();
        click("setup.data.field");
        QVERIFY(find<QWidget>("setup.data.path")->hasFocus());
        QCOMPARE(text("setup.summary.updates"), QStringLiteral("–"));
        QCOMPARE(text("setup.summary.data"), QStringLiteral("not found"));
        QVERIFY(!shows("setup.data.generated")); // the person has data of their own
        type("setup.data.path", QStringLiteral("/broken"));
        QTRY_COMPARE(text("setup.summary.data"), QStringLiteral("cannot be used"));
        ExperimentConfig experiment = m_page->experiment();
        experiment.run.data.dataset = "cifar10";
        experiment.run.data.path.clear();
        m_page->setExperiment(experiment);
        QTRY_VERIFY(shows("setup.data.generated"));
        click("setup.data.generated");
        QTRY_VERIFY(!shows("setup.data.error"));
        QCOMPARE(m_page->experiment().run.data.dataset, std::string("digits-generated"));
        QVERIFY(m_page->experiment().run.data.path.empty());
        QTRY_VERIFY(startEnabled());
    }

    // A file as well as a folder, looked at as if it were dropped.
    void dataAreLocated() {
        type("setup.data.path", QStringLiteral("/missing"));
        QTRY_VERIFY(shows("setup.data.locate"));
        auto* menu = m_page->findChild<QMenu*>(QStringLiteral("setup.data.locate.menu"));
        QVERIFY(menu);
        rememberFile(FileRole::Data, m_folder->filePath(QStringLiteral("rows.csv")));
        QFile file(m_folder->filePath(QStringLiteral("rows.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("x,y\n1,2\n3,4\n5,6\n");
        file.close();
        Q_EMIT menu->aboutToShow();
        QCOMPARE(menu->actions()[0]->text(), QStringLiteral("File…"));
        QCOMPARE(menu->actions()[1]->text(), QStringLiteral("Folder…"));
        for (QAction* action : menu->actions())
            if (action->data().isValid())
                action->trigger();
        QTRY_COMPARE(m_page->experiment().run.data.dataset, std::string("table"));
        forgetRecentFiles(FileRole::Data);
    }

    void answersAreRemembered() {
        const int before = *m_machine.asked;
        type("setup.optimizer.lr", QStringLiteral("0.5"));
        type("setup.batch.micro", QStringLiteral("64"));
        QTest::qWait(300);
        QCOMPARE(int(*m_machine.asked), before);
    }
};

QTEST_MAIN(TestSetupData)
} // namespace test_setup_data
#include "test_setup_data.moc"

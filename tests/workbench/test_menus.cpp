// SPDX-License-Identifier: GPL-3.0-or-later
// The menus hold what the buttons of the pages do, and the search lists it once.
#include "app/workbench/action_list.h"
#include "app/workbench/page_table.h"
#include "tests/workbench/workbench_fixture.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>

namespace test_menus {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

void gather(const QMenu* menu, QSet<const QAction*>& found) {
    for (const QAction* action : menu->actions())
        if (action->menu())
            gather(action->menu(), found);
        else
            found << action;
}

QSet<const QAction*> menuActions(MainWindow& window) {
    QSet<const QAction*> found;
    for (const QAction* menu : window.menuBar()->actions())
        gather(menu->menu(), found);
    return found;
}

/// The buttons that head their pages.
const QStringList buttons{"homeDemoButton",
                          "homeSetupButton",
                          "homeExamplesButton",
                          "homeOpenLibraryButton",
                          "setup.start",
                          "setup.enqueue",
                          "setup.copy",
                          "setup.presets",
                          "setup.experiment.save",
                          "setup.plan",
                          "setup.experiment.load",
                          "setupAudit",
                          "livePause",
                          "liveStop",
                          "liveStopNow",
                          "liveCompare",
                          "liveResumeStudy",
                          "compare.saved",
                          "compare.save",
                          "compare.editGroups",
                          "compare.swap",
                          "compare.report",
                          "compare.moreSeeds",
                          "compare.marginReset",
                          "auditStart",
                          "auditCancel",
                          "plannerStart",
                          "plannerCancel",
                          "plannerChange",
                          "reports.saveHtml",
                          "reports.savePdf",
                          "reports.saveMarkdown"};

} // namespace

class TestMenus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatAButtonDoesStandsInAMenu_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : buttons)
            QTest::newRow(qPrintable(name)) << name;
    }
    void whatAButtonDoesStandsInAMenu() {
        QFETCH(QString, name);
        const auto* button = m_fixture->window().findChild<QPushButton*>(name);
        QVERIFY(button);
        const QSet<const QAction*> known = menuActions(m_fixture->window());
        const QList<QAction*> actions = button->actions();
        QCOMPARE(std::ranges::count_if(actions, [&](const QAction* action) { return known.contains(action); }), 1);
    }

    void theSearchListsItOnce() {
        QStringList titles;
        for (const PageEntry& entry : pageTable())
            titles << pageTitle(entry);
        QList<Page*> pages;
        for (const PageEntry& entry : pageTable())
            for (Page* page : m_fixture->window().findChildren<Page*>())
                if (page->accessibleName() == pageTitle(entry))
                    pages << page;
        QCOMPARE(pages.size(), titles.size());
        QSet<const QObject*> listed;
        for (const FoundAction& found : gatherActions(*m_fixture->window().menuBar(), pages, titles, {})) {
            if (found.button)
                for (const QAction* same : found.button->actions())
                    QVERIFY2(!listed.contains(same), qPrintable(found.button->objectName()));
            const QObject* object = found.action ? static_cast<const QObject*>(found.action) : found.button;
            QVERIFY2(!listed.contains(object), qPrintable(object->objectName()));
            listed << object;
        }
        QVERIFY(listed.contains(m_fixture->find<QAction>("setup.experiment.save.action")));
    }

    void anActionShowsItsPage() {
        m_fixture->window().showPage(QStringLiteral("home"));
        m_fixture->find<QAction>("compare.saved.action")->trigger();
        QCOMPARE(m_fixture->window().currentPage(), QStringLiteral("compare"));
        QVERIFY(m_fixture->find<QPushButton>("compare.saved")->isChecked());
    }

    void whatAPageDoesNotOfferCannotBeChosen() {
        QVERIFY(!m_fixture->find<QAction>("reports.savePdf.action")->isEnabled()); // there is nothing to report
        QVERIFY(!m_fixture->find<QAction>("compare.moreSeeds.action")->isEnabled());
        QVERIFY(m_fixture->find<QAction>("setup.presets.action")->isEnabled());
    }

    void aPageWithoutAPlotSaysSo() {
        m_fixture->window().showPage(QStringLiteral("library"));
        m_fixture->find<QAction>("actionSavePlot")->trigger();
        QVERIFY(m_fixture->find<NoticeBar>("windowNotice")->accessibleName().contains(QStringLiteral("no plot")));
    }

    void initTestCase() { m_fixture = std::make_unique<WorkbenchFixture>(); }
    void cleanupTestCase() { m_fixture.reset(); }

private:
    std::unique_ptr<WorkbenchFixture> m_fixture;
};

QTEST_MAIN(TestMenus)
} // namespace test_menus
#include "test_menus.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A page of a window in another language, theme or text size looks as the one before it did: zoom, switches, notices.
#include "tests/support/numeric.h"
#include "tests/widgets/live_workplace.h"
#include "tests/widgets/plots_by_hand.h"
#include "tests/widgets/saved_comparisons.h"

#include <QCheckBox>

namespace test_taken_looks {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestTakenLooks : public QObject, protected SavedComparisons {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() { QSettings().clear(); }
    void cleanup() { closePage(); }

    void aPlotLooksWhereAnotherDid() {
        Theme theme{*qApp};
        const std::vector curves{curve(QStringLiteral("loss"), lossLike(2'000, 2.0, 0.1, 1), Qt::blue)};
        PlotView first(theme);
        show(first, 700, 300);
        first.setCurves(curves);
        first.setLogX(true);
        first.setLogY(true);
        first.setShowAll(true);
        first.zoomX(1000.0, 100'000.0);
        PlotViewpoint at = first.viewpoint();
        QVERIFY(!at.follow && at.logX && at.logY && at.showAll && !at.y);
        at.y = AxisRange{0.2, 0.9};
        PlotView second(theme);
        second.setViewpoint(at); // before it has any points
        show(second, 700, 300);
        second.setCurves(curves);
        second.refreshNow();
        QVERIFY(second.viewpoint() == at);
        QVERIFY(compareBits(second.xMin(), 1000.0) && compareBits(second.xMax(), 100'000.0));
        QVERIFY(compareBits(second.yMin(), 0.2) && compareBits(second.yMax(), 0.9));
        second.setViewpoint({});
        second.refreshNow();
        QVERIFY(second.follow() && !second.logX() && !second.logY() && second.xMax() > 100'000.0);
    }

    void liveKeepsItsZoom() {
        Workplace work;
        openLive(work);
        auto* loss = work.find<PlotView>("liveLoss");
        loss->zoomX(1000.0, 5000.0);
        work.find<PlotView>("liveSpeed")->setLogY(true);
        takeOver(work);
        loss = work.find<PlotView>("liveLoss");
        QTRY_COMPARE(loss->curveCount(), std::size_t{2});
        loss->refreshNow();
        QVERIFY(compareBits(loss->xMin(), 1000.0) && compareBits(loss->xMax(), 5000.0));
        QVERIFY(!work.find<QPushButton>("liveFollow")->isChecked());
        QVERIFY(work.find<PlotView>("liveSpeed")->logY() && !loss->logY());
        // One that follows goes on following.
        loss->fit();
        takeOver(work);
        loss = work.find<PlotView>("liveLoss");
        QTRY_COMPARE(loss->curveCount(), std::size_t{2});
        QVERIFY(loss->follow() && work.find<QPushButton>("liveFollow")->isChecked());
    }

    void liveKeepsItsNotice() {
        Workplace work;
        openLive(work);
        const auto told = [&work] {
            const auto* bar = work.find<NoticeBar>("liveNotice");
            return bar->isHidden() ? QString() : bar->findChild<QLabel*>(QStringLiteral("noticeText"))->text();
        };
        RunNoted noted;
        noted.event.level = "warning";
        noted.message = {"warning.seeds-late", {}};
        Q_EMIT work.runs->eventsArrived({noted});
        const QString words = told();
        QVERIFY(!words.isEmpty());
        takeOver(work);
        QTRY_COMPARE(told(), words);
        // One that was closed does not come back.
        work.find<NoticeBar>("liveNotice")->clear();
        takeOver(work);
        QTRY_COMPARE(work.find<PlotView>("liveLoss")->curveCount(), std::size_t{2});
        QCOMPARE(told(), QString());
    }

    void compareKeepsItsSwitchesAndItsZoom() {
        showCase(equivalentCase());
        for (const char* box : {"compare.singles", "compare.logDifferences", "compare.allSettings"})
            child<QCheckBox>(*m_page, box)->click();
        click("compare.settingsParallel");
        choose("compare.axis", "Updates");
        QTRY_VERIFY(text("compare.curvesNote").contains("at equal updates"));
        auto* setting = child<QComboBox>(*m_page, "compare.settingsAxis");
        setting->setCurrentIndex(setting->count() - 1);
        Q_EMIT setting->activated(setting->currentIndex());
        const QString chosen = setting->currentText();
        auto* loss = child<PlotView>(*m_page, "compare.loss");
        loss->zoomX(50.0, 120.0);
        loss->setLogY(true);
        const std::size_t curves = loss->curveCount();
        QVERIFY(curves > 4);
        const int settings = child<QTableView>(*m_page, "compare.settingsTable")->model()->rowCount();

        const QVariant state = m_page->state();
        makePage();
        for (const char* box : {"compare.singles", "compare.logDifferences", "compare.allSettings"})
            QVERIFY2(!child<QCheckBox>(*m_page, box)->isChecked(), box); // none of it is kept in the settings
        m_page->setState(state);
        QVERIFY(waitUntilShown(5));
        QTRY_VERIFY(text("compare.curvesNote").contains("at equal updates"));
        for (const char* box : {"compare.singles", "compare.logDifferences", "compare.allSettings"})
            QVERIFY2(child<QCheckBox>(*m_page, box)->isChecked(), box);
        QVERIFY(child<QPushButton>(*m_page, "compare.settingsParallel")->isChecked());
        QCOMPARE(child<QComboBox>(*m_page, "compare.settingsAxis")->currentText(), chosen);
        QCOMPARE(child<QTableView>(*m_page, "compare.settingsTable")->model()->rowCount(), settings);
        loss = child<PlotView>(*m_page, "compare.loss");
        QCOMPARE(loss->curveCount(), curves);
        QVERIFY(compareBits(loss->xMin(), 50.0) && compareBits(loss->xMax(), 120.0));
        QVERIFY(loss->logY() && !child<PlotView>(*m_page, "compare.accuracy")->logY());
    }

    void compareKeepsItsFace_data() {
        QTest::addColumn<QByteArray>("button");
        QTest::addColumn<QByteArray>("table");
        QTest::newRow("saved") << QByteArray("compare.saved") << QByteArray("compare.savedTable");
        QTest::newRow("runs") << QByteArray("compare.editGroups") << QByteArray("compare.runTable");
    }
    void compareKeepsItsFace() {
        QFETCH(QByteArray, button);
        QFETCH(QByteArray, table);
        showCase(equivalentCase());
        save();
        if (!child<QPushButton>(*m_page, button.constData())->isChecked())
            click(button.constData());
        const QVariant state = m_page->state();
        makePage();
        m_page->setState(state);
        QTRY_VERIFY(child<QTableView>(*m_page, table.constData())->isVisible());
        QTRY_VERIFY(child<QTableView>(*m_page, table.constData())->model()->rowCount() > 0);
        click(button.constData());
        QVERIFY(waitUntilShown(5));
    }

private:
    static void openLive(Workplace& work) {
        SyntheticStudy study;
        study.seedsA = study.seedsB = {0};
        study.finalA = study.finalB = {0.98};
        QVERIFY(addSyntheticStudy(work.library, study).has_value());
        work.open();
        QTRY_COMPARE(work.find<PlotView>("liveLoss")->curveCount(), std::size_t{2});
    }
    /// As when the window is built anew in another language.
    static void takeOver(Workplace& work) {
        const QVariant state = work.page->state();
        work.page = std::make_unique<LivePage>(work.services());
        work.page->resize(1240, 780);
        work.page->show();
        work.page->setState(state);
    }
};

QTEST_MAIN(TestTakenLooks)
} // namespace test_taken_looks
#include "test_taken_looks.moc"

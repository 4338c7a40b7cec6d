// SPDX-License-Identifier: GPL-3.0-or-later
// Live in what the inspector leaves of a window of 1280 x 720: everything is there, side by side or below each other.
#include "tests/support/synthetic_library.h"
#include "tests/widgets/live_workplace.h"
#include "tests/workbench/visible_texts.h"
#include "widgets/pages/live/live_header.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/qcp.h"

#include <QAbstractButton>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <cstring>

namespace test_live_narrow {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// 1280 without the rail (148), the inspector at its narrowest (280) and what lies between.
constexpr QSize leftOver(848, 640);
constexpr int pageMargins = 2 * space::pageMargin;
const QString longName = QStringLiteral("the same batch of 256 samples, cut into eight micro-batches or none at all");

} // namespace

class TestLiveNarrow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("Accumulus"));
        QCoreApplication::setApplicationName(QStringLiteral("test_live_narrow"));
        QLocale::setDefault(QLocale::c());
    }

    void itFitsBesideTheInspector_data() {
        QTest::addColumn<bool>("probes");
        QTest::newRow("a study with a long name") << false;
        QTest::newRow("with the probe's button") << true;
    }

    void itFitsBesideTheInspector() {
        QFETCH(const bool, probes);
        Workplace work;
        SyntheticStudy study = studyOf(equivalentCase());
        study.id = "long";
        study.name = longName.toStdString();
        if (probes)
            study.probe = "conv1.weight";
        const auto added = addSyntheticStudy(work.library, study);
        QVERIFY2(added.has_value(), added ? "" : describe(added.error()).c_str());
        work.open();
        QTRY_VERIFY(work.find<PlotView>("liveLoss")->curveCount() > 0U);
        QTRY_COMPARE(work.find<QAbstractButton>("liveGroupProbe")->isVisible(), probes);
        QVERIFY2(work.page->minimumSizeHint().width() <= leftOver.width(),
                 qPrintable(QString::number(work.page->minimumSizeHint().width())));

        work.page->resize(leftOver);
        QTRY_COMPARE(work.page->size(), leftOver);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        work.find<PlotView>("liveNoise")->refreshNow(); // all of the group, as they do a frame later
        saveScreenshot(*work.page, probes ? QStringLiteral("live_narrow_probe") : QStringLiteral("live_narrow"));
        std::vector<const QWidget*> shown;
        for (const char* name :
             {"liveStudy", "liveState", "liveCompare", "liveUpdates", "liveProgress", "liveProgressText", "liveXAxis",
              "liveSmoothingKind", "liveSmoothing", "liveSmoothingValue", "liveLogX", "liveLogY", "liveFollow",
              "liveGroupGradient", "liveGroupCost", "liveGroupMemory", "liveGroupProbe", "liveAccuracy",
              "liveEvaluationLoss"}) {
            const auto* widget = work.find<QWidget>(name);
            const bool ofProbes = std::strcmp(name, "liveGroupProbe") == 0;
            QVERIFY2(widget->isVisible() == (probes || !ofProbes), name);
            if (!widget->isVisible())
                continue;
            QVERIFY2(!isClipped(*widget), name);
            const int least = widget->minimumWidth() > 0 ? widget->minimumWidth() : widget->minimumSizeHint().width();
            QVERIFY2(widget->width() >= least, name);
            for (const QWidget* other : shown)
                QVERIFY2(!placeOf(*work.page, *widget).intersects(placeOf(*work.page, *other)),
                         qPrintable(QString(name) + " covers " + other->objectName()));
            shown.push_back(widget);
        }
        const auto* noise = work.find<PlotView>("liveNoise"); // the lowest of three, with the x axis
        QVERIFY2(noise->height() >= noise->minimumSizeHint().height(), qPrintable(QString::number(noise->height())));
        for (const char* name : {"liveGradNorm", "liveLr", "liveNoise"}) {
            const auto* title = work.find<PlotView>(name)->findChild<QCPTextElement*>();
            const int line = QFontMetrics(title->font()).height();
            QVERIFY2(title->rect().height() >= line, name);
        }
        QVERIFY(work.find<QLabel>("liveStudy")->text().endsWith(QChar(0x2026)));
        QCOMPARE(work.find<QLabel>("liveStudy")->toolTip(), longName);
    }

    /// With the queue open, or a notice above.
    void plotsDoNotOverlapInALowWindow() {
        Workplace work;
        const auto added = addSyntheticStudy(work.library, studyOf(equivalentCase()));
        QVERIFY2(added.has_value(), added ? "" : describe(added.error()).c_str());
        work.open();
        QTRY_VERIFY(work.find<PlotView>("liveLoss")->curveCount() > 0U);
        const auto* scroll = work.find<PlotView>("liveNoise")->parentWidget()->parentWidget()->parentWidget();
        QVERIFY(qobject_cast<const QScrollArea*>(scroll));
        const auto scrolls = [scroll] {
            return qobject_cast<const QScrollArea*>(scroll)->verticalScrollBar()->maximum() > 0;
        };
        work.page->resize(1000, 640);
        QTRY_COMPARE(work.page->height(), 640);
        QTRY_VERIFY(!scrolls()); // where all have room
        work.page->resize(1000, 430);
        QTRY_COMPARE(work.page->height(), 430);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        const QWidget* above = nullptr;
        for (const char* name : {"liveGradNorm", "liveLr", "liveNoise"}) {
            const auto* plot = work.find<PlotView>(name);
            const int least = plot->minimumHeight() > 0 ? plot->minimumHeight() : plot->minimumSizeHint().height();
            QVERIFY2(plot->height() >= least, name);
            QVERIFY2(!above || above->geometry().bottom() < plot->geometry().top(), name);
            above = plot;
        }
        QVERIFY(scrolls());
        for (const char* name : {"liveLoss", "liveAccuracy", "liveEvaluationLoss"}) {
            const auto* plot = work.find<PlotView>(name);
            QVERIFY2(plot->height() >= plot->minimumSizeHint().height(), name);
        }
        QVERIFY(work.find<PlotView>("liveAccuracy")->geometry().top() >
                work.find<PlotView>("liveLoss")->geometry().bottom());
        const auto* words = work.find<QWidget>("liveNoiseWords");
        QTRY_VERIFY(!words->isVisible() || words->geometry().top() > above->geometry().bottom());
    }

    /// A digit more or less in "9.2 ms" moved the curves beside them.
    void thePanelKeepsTheWidthOfItsNumbers() {
        Workplace work;
        const auto added = addSyntheticStudy(work.library, studyOf(equivalentCase()));
        QVERIFY2(added.has_value(), added ? "" : describe(added.error()).c_str());
        work.open();
        QTRY_VERIFY(work.find<PlotView>("liveLoss")->curveCount() > 0U);
        work.find<QAbstractButton>("liveGroupCost")->click();
        const auto* numbers = work.find<QScrollArea>("liveNumbers");
        const auto least = [numbers] { return numbers->widget()->minimumSizeHint().width(); };
        QTRY_VERIFY(numbers->isVisible() && numbers->width() >= least());

        constexpr int wide = 600;
        auto* number = work.find<QLabel>("liveTime.0.0");
        number->setMinimumWidth(wide); // as if it were one of many digits
        QTRY_VERIFY(least() >= wide && numbers->width() >= wide);
        number->setMinimumWidth(0);
        QTRY_VERIFY(least() < wide);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        QVERIFY(numbers->minimumSizeHint().width() >= wide && numbers->width() >= wide);
    }

    void soDoesTheHeadOfARunningStudy() {
        const Theme theme(*qApp);
        LiveHeader header(theme);
        RunRecord run;
        run.id = "run";
        run.batch = resolveBatch(run.config.batch).value();
        run.arm = Arm::Accumulated;
        header.setStudy(longName, true);
        header.setState(RunState::Running, true);
        header.setRun(&run, 3, 10);
        header.setOpenWindow({1340, 1340, 256, 8, 5});
        header.findChild<QLabel*>("liveUpdates")->setText("update 1,340 of 14,100");
        header.findChild<QLabel*>("liveProgressText")->setText("12 %  ·  12 min to 14 min left  ·  12,345 samples/s");
        header.show();
        QVERIFY(header.findChild<QWidget*>("liveMicroSteps")->isVisible());
        QVERIFY2(header.minimumSizeHint().width() <= leftOver.width() - pageMargins,
                 qPrintable(QString::number(header.minimumSizeHint().width())));
    }

private:
    static QRect placeOf(const QWidget& page, const QWidget& widget) {
        return {widget.mapTo(&page, QPoint(0, 0)), widget.size()};
    }
};

QTEST_MAIN(TestLiveNarrow)
} // namespace test_live_narrow
#include "test_live_narrow.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/numeric.h"
#include "tests/widgets/plots_by_hand.h"
#include "tests/widgets/screenshot.h"
#include "widgets/plots/curve_data.h"
#include "widgets/plots/plot_ticker.h"
#include "widgets/plots/plot_view.h"

#include <QImage>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace test_plot_view {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestPlotView : public QObject {
    Q_OBJECT

private:
    void fillGallery(const std::vector<PlotView*>& views) {
        const ThemeColors& colors = m_theme.colors();
        views[0]->setTitle(QStringLiteral("Training loss"));
        views[0]->setAxisTitles(QStringLiteral("samples"), QStringLiteral("loss"));
        views[0]->setSmoothing(0.95);
        views[0]->setCurves(
            {curve(QStringLiteral("accumulated"), lossLike(3'000, 2.3, 0.15, 1), colors.accumulated),
             curve(QStringLiteral("large batch"), lossLike(3'000, 2.2, 0.15, 2), colors.largeBatch, true)});
        views[1]->setTitle(QStringLiteral("Test accuracy"));
        views[1]->setAxisTitles(QStringLiteral("samples"), QStringLiteral("accuracy (%)"));
        views[1]->setLegendAlignment(Qt::AlignBottom | Qt::AlignRight);
        PlotCurve a = curve(QStringLiteral("accumulated"),
                            Series{{60e3, 240e3, 480e3, 768e3}, {96.2, 97.6, 98.2, 98.6}}, colors.accumulated);
        PlotCurve b = curve(QStringLiteral("large batch"),
                            Series{{60e3, 240e3, 480e3, 768e3}, {95.9, 97.7, 98.3, 98.5}}, colors.largeBatch, true);
        a.points = b.points = true;
        views[1]->setCurves({a, b});
        views[2]->setTitle(QStringLiteral("Gradient norm"));
        views[2]->setAxisTitles(QStringLiteral("samples"), QStringLiteral("L2 norm"));
        views[2]->setLogY(true);
        Series norm = lossLike(3'000, 2.3, 0.15, 3);
        norm.y[1500] = 900.0;
        norm.y[2000] = kNaN;
        norm.y[2500] = 0.0;
        views[2]->setCurves({curve(QStringLiteral("accumulated"), norm, colors.accumulated)});
        views[3]->setTitle(QStringLiteral("Difference, accumulated − large batch"));
        views[3]->setAxisTitles(QStringLiteral("samples"), QStringLiteral("accuracy (points)"));
        views[3]->setZeroLine(true);
        views[3]->setMarginBand(0.5);
        PlotBand band;
        band.id = QStringLiteral("d");
        band.color = colors.difference;
        band.x = {60e3, 240e3, 480e3, 768e3};
        band.lower = {-0.4, -0.3, -0.25, -0.1};
        band.upper = {0.7, 0.2, 0.3, 0.25};
        views[3]->setBands({band});
        views[3]->setCurves({curve(QStringLiteral("mean of 5 pairs"),
                                   Series{{60e3, 240e3, 480e3, 768e3}, {0.3, -0.1, 0.02, 0.05}}, colors.difference)});
    }
    Theme m_theme{*qApp};

private Q_SLOTS:
    void initTestCase() { m_theme.setMode(ThemeMode::Light); }

    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void aSpikeInAMillionPointsIsSeenAtFullRange() {
        PlotView view(m_theme);
        show(view, 700, 300);
        Series series;
        for (std::size_t i = 0; i < 1'000'000; ++i) {
            series.x.push_back(static_cast<double>(i));
            series.y.push_back(0.5 + 0.1 * std::sin(static_cast<double>(i)));
        }
        const QColor color(0x00, 0x72, 0xB2);
        const auto topPixels = [&] {
            view.refreshNow();
            const QImage image = view.grab().toImage();
            return pixelsLike(image, color, QRect(100, 30, 580, 60));
        };
        view.setShowAll(true);
        view.setLegendVisible(false);
        view.setCurves({curve(QStringLiteral("loss"), series, color)});
        // Without the spike nothing of the upper part of an axis up to 5 would be reached, so pin the range first by a
        // spike at the left edge.
        series.y[600'000] = 5.0;
        view.setCurves({curve(QStringLiteral("loss"), series, color)});
        QVERIFY(topPixels() > 20);
        series.y[600'000] = 0.5;
        PlotCurve limits = curve(QStringLiteral("limit"), Series{{0.0, 1.0}, {5.0, 5.0}}, QColor(Qt::white));
        view.setCurves({curve(QStringLiteral("loss"), series, color), limits});
        QCOMPARE(topPixels(), 0); // the test can fail: without the spike there is nothing up there
    }

    void oneFarPointDoesNotFlattenTheRestAndIsCounted() {
        PlotView view(m_theme);
        show(view, 700, 300);
        Series series = lossLike(20'000, 0.0, 0.02, 1);
        series.y[9'000] = 50.0;
        view.setCurves({curve(QStringLiteral("loss"), series, Qt::blue)});
        view.refreshNow();
        QCOMPARE(view.outliers(), 1U);
        QVERIFY(view.yMax() < 1.0);
        auto* badge = view.findChild<QToolButton*>(QStringLiteral("plotOutlierBadge"));
        QVERIFY(badge->isVisible());
        QCOMPARE(badge->text(), QStringLiteral("1 point(s) above"));
        QTest::mouseClick(badge, Qt::LeftButton);
        view.refreshNow();
        QCOMPARE(view.outliers(), 0U);
        QVERIFY(view.yMax() > 50.0);
        QVERIFY(!badge->isVisible());
    }

    void plainNoiseIsNeverCut() {
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setCurves({curve(QStringLiteral("loss"), lossLike(20'000, 0.0, 0.02, 2), Qt::blue)});
        view.refreshNow();
        QCOMPARE(view.outliers(), 0U);
    }

    void logarithmicAxisHidesAndCounts() {
        PlotView view(m_theme);
        show(view, 700, 300);
        Series series{{1, 2, 3, 4, 5, 6}, {1.0, 0.1, 0.0, -2.0, 0.01, 0.001}};
        view.setCurves({curve(QStringLiteral("difference"), series, Qt::blue)});
        view.refreshNow();
        QCOMPARE(view.hiddenValues(), 0U);
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_L);
        view.refreshNow();
        QVERIFY(view.logY());
        QCOMPARE(view.hiddenValues(), 2U);
        auto* badge = view.findChild<QToolButton*>(QStringLiteral("plotHiddenBadge"));
        QVERIFY(badge->isVisible());
        QVERIFY(badge->text().startsWith(QStringLiteral("2 value(s)")));
        QVERIFY(view.yMin() > 0.0 && view.yMin() <= 0.001 && view.yMax() >= 1.0);
        QTest::mouseClick(badge, Qt::LeftButton);
        QVERIFY(!view.logY());
    }

    /// Evaluations before the first update stand at 0, which a logarithmic x axis has no place for.
    void pointsLeftOfALogarithmicAxisAreCounted() {
        PlotView view(m_theme);
        show(view, 700, 300);
        auto* badge = view.findChild<QToolButton*>(QStringLiteral("plotHiddenBadge"));
        view.setCurves({curve(QStringLiteral("a"), Series{{-1, 0, 1, 10}, {1.0, -2.0, 3.0, 4.0}}, Qt::blue),
                        curve(QStringLiteral("b"), Series{{0, 1, 10}, {kNaN, -1.0, 2.0}}, Qt::red)});
        view.setLogX(true);
        view.refreshNow();
        QCOMPARE(view.hiddenValues(), 2U); // the gap at 0 is none in any case
        QVERIFY(view.xMin() > 0.9 && view.xMin() < 1.1 && view.xMax() > 10.0 && view.xMax() < 20.0);
        QVERIFY(badge->isVisible());
        view.setLogY(true);
        view.refreshNow();
        QCOMPARE(view.hiddenValues(), 3U); // one is hidden by both axes
        QTest::mouseClick(badge, Qt::LeftButton);
        QVERIFY(!view.logX() && !view.logY());
        // An axis that hides nothing stays logarithmic.
        view.setCurves({curve(QStringLiteral("a"), Series{{0, 1, 10}, {1.0, 2.0, 3.0}}, Qt::blue)});
        view.setLogX(true);
        view.setLogY(true);
        view.refreshNow();
        QCOMPARE(badge->text(), QStringLiteral("1 value(s) ≤ 0 hidden"));
        QTest::mouseClick(badge, Qt::LeftButton);
        view.refreshNow();
        QVERIFY(!view.logX() && view.logY() && !badge->isVisible());
    }

    /// Also where the margins stay as they are, so that nothing is drawn twice.
    void aLogarithmicAxisFollowsTheDataAtOnce() {
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setCurves({curve(QStringLiteral("a"), Series{{0, 5, 10, 20}, {1.0, 2.0, 1.0, 2.0}}, Qt::blue)});
        view.refreshNow();
        QCOMPARE(view.xMin(), 0.0);
        view.setLogX(true);
        view.refreshNow();
        QVERIFY2(view.xMin() > 4.9 && view.xMin() < 5.1, qPrintable(QString::number(view.xMin())));
    }

    void smoothingUsesAllPointsAndIsContinuedBitForBit() {
        const Series series = lossLike(5'000, 2.3, 0.2, 3);
        CurveData whole;
        whole.setSmoothing(0.99);
        whole.assign(series);
        const std::vector<double> reference = debiasedEma(series.y, 0.99);
        CurveData parts;
        parts.setSmoothing(0.99);
        for (std::size_t from = 0; from < series.size(); from += 700) {
            const std::size_t count = std::min<std::size_t>(700, series.size() - from);
            parts.append(std::span(series.x).subspan(from, count), std::span(series.y).subspan(from, count));
        }
        for (std::size_t i = 0; i < series.size(); ++i) {
            QVERIFY(test::compareBits(whole.front().y[i], reference[i]));
            QVERIFY(test::compareBits(parts.front().y[i], reference[i]));
        }
        // The first tenth does not know what follows; an average of thinned points would.
        const std::vector<double> truncated = debiasedEma(std::span(series.y).first(500), 0.99);
        for (std::size_t i = 0; i < truncated.size(); ++i)
            QVERIFY(test::compareBits(whole.front().y[i], truncated[i]));
    }

    void gapsStayGaps() {
        CurveData data;
        data.setSmoothing(0.5);
        data.assign(Series{{1, 2, 3}, {1.0, kNaN, 3.0}});
        QVERIFY(std::isnan(data.front().y[1]));
        QCOMPARE(data.nonFiniteAt().size(), 1U);
        const Series drawn = visiblePoints(data.raw(), {0.0, 4.0}, 100, false, false);
        QCOMPARE(drawn.size(), 3U);
        QVERIFY(std::isnan(drawn.y[1]));
    }

    void onlyWhatBecameNotFiniteIsMarked() {
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setLegendVisible(false);
        PlotCurve faulty = curve(QStringLiteral("loss"), Series{{1, 2, 3, 4}, {1.0, kNaN, 3.0, 2.0}}, Qt::blue);
        view.setCurves({faulty});
        const int marked = pixelsOfMarks(view, m_theme.colors().bad);
        QVERIFY(marked > 0);
        PlotCurve sparse = faulty;
        sparse.id = QStringLiteral("speed");
        sparse.gapsAreNoFault = true;
        view.setCurves({sparse});
        QCOMPARE(pixelsOfMarks(view, m_theme.colors().bad), 0);
        view.setCurves({sparse, faulty}); // that of the other curve stays
        QCOMPARE(pixelsOfMarks(view, m_theme.colors().bad), marked);
    }

    void theRawCurveStaysBehindTheSmoothedOne() {
        PlotView view(m_theme);
        show(view, 700, 300);
        const QColor color(0, 0, 255);
        view.setLegendVisible(false);
        view.setCurves({curve(QStringLiteral("loss"), lossLike(3'000, 2.0, 0.3, 4), color)});
        view.refreshNow();
        const QRect area(100, 30, 580, 200);
        const int rawOnly = pixelsOf(view.grab().toImage(), color, area);
        view.setSmoothing(0.99);
        view.refreshNow();
        const QImage smoothed = view.grab().toImage();
        const int front = pixelsOf(smoothed, color, area);
        const QColor pale = QColor::fromRgbF(0.7F, 0.7F, 1.0F); // 30 % of blue on white
        int behind = 0;
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x) {
                const QColor pixel = smoothed.pixelColor(x, y);
                behind += std::abs(pixel.red() - pale.red()) <= 2 && std::abs(pixel.green() - pale.green()) <= 2 &&
                          pixel.blue() == 255;
            }
        QVERIFY(front < rawOnly / 2); // the saturated line is a thin one now
        QVERIFY(behind > 500);        // and the raw one is still there, paler
    }

    void ticksAreRoundNumbersWithoutExponents() {
        const std::vector<Tick> counts = linearTicks({0.0, 300'000.0}, 5);
        QCOMPARE(counts.size(), 4U);
        QCOMPARE(counts[1].label, QStringLiteral("100,000"));
        const std::vector<Tick> losses = linearTicks({0.02, 0.31}, 4);
        QCOMPARE(losses.front().label, QStringLiteral("0.1"));
        const std::vector<Tick> decades = logTicks({0.0005, 3.0}, 6);
        QStringList labels;
        for (const Tick& tick : decades)
            labels << tick.label;
        QCOMPARE(labels, QStringList({QStringLiteral("0.001"), QStringLiteral("0.01"), QStringLiteral("0.1"),
                                      QStringLiteral("1")}));
        QCOMPARE(logTicks({1e-7, 1e-5}, 2).front().label, QStringLiteral("10⁻⁷"));
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        QCOMPARE(linearTicks({0.0, 300'000.0}, 5)[1].label, QStringLiteral("100.000"));
    }

    void summarySaysTheNumbers() {
        PlotView view(m_theme);
        view.setTitle(QStringLiteral("Training loss"));
        QVERIFY(view.summaryText().contains(QStringLiteral("no points")));
        view.setCurves({curve(QStringLiteral("a"), Series{{1, 2}, {1.0, 0.231}}, Qt::blue),
                        curve(QStringLiteral("b"), Series{{1, 2}, {1.0, 0.229}}, Qt::red)});
        QCOMPARE(view.summaryText(), QStringLiteral("Training loss: 2 curves, last 0.231 and 0.229, difference 0.002"));
    }

    void anEmptyPanelSaysWhatWillAppear() {
        PlotView view(m_theme);
        view.setEmptyText(QStringLiteral("Nothing yet"));
        show(view, 400, 200);
        const QImage empty = view.grab().toImage();
        view.setEmptyText({});
        QVERIFY(view.grab().toImage() != empty);
    }

    void gallery() {
        for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
            m_theme.setMode(mode);
            const QString suffix = mode == ThemeMode::Dark ? QStringLiteral("_dark") : QStringLiteral("_light");
            QWidget page;
            auto* column = new QVBoxLayout(&page);
            std::vector<PlotView*> views;
            for (int i = 0; i < 4; ++i) {
                views.push_back(new PlotView(m_theme));
                column->addWidget(views.back());
            }
            views[0]->linkWith({views[1], views[2]});
            fillGallery(views);
            page.resize(900, 1000);
            page.show();
            QCoreApplication::processEvents();
            views[0]->refreshNow();
            views[3]->refreshNow();
            QTest::mouseMove(views[0], QPoint(500, 120));
            QCoreApplication::processEvents();
            test::saveScreenshot(page, QStringLiteral("plots") + suffix);
        }
        m_theme.setMode(ThemeMode::Light);
    }
};

QTEST_MAIN(TestPlotView)
} // namespace test_plot_view
#include "test_plot_view.moc"

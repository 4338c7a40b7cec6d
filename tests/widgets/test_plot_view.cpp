// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/numeric.h"
#include "tests/widgets/screenshot.h"
#include "widgets/plots/curve_data.h"
#include "widgets/plots/plot_ticker.h"
#include "widgets/plots/plot_view.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QProcess>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <random>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A loss that falls from `start`, with noise of `spread`; x counts samples in steps of `batch`.
Series lossLike(std::size_t points, double start, double spread, unsigned seed, double batch = 256.0) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0.0, spread);
    Series series;
    for (std::size_t i = 0; i < points; ++i) {
        const double t = static_cast<double>(i) / static_cast<double>(points);
        series.x.push_back(batch * static_cast<double>(i + 1));
        series.y.push_back(
            std::max(1e-4, start * std::exp(-6.0 * t) + 0.08 + noise(random) * (0.3 + 0.7 * std::exp(-3.0 * t))));
    }
    return series;
}

PlotCurve curve(const QString& id, Series series, const QColor& color, bool dashed = false) {
    PlotCurve result;
    result.id = id;
    result.label = id;
    result.color = color;
    result.dashed = dashed;
    result.series = std::move(series);
    return result;
}

int pixelsOf(const QImage& image, const QColor& color, const QRect& where) {
    int found = 0;
    for (int y = where.top(); y <= where.bottom(); ++y)
        for (int x = where.left(); x <= where.right(); ++x)
            found += image.pixelColor(x, y) == color;
    return found;
}

/// Pixels that are at least as far from the ground towards `color` as half coverage.
int pixelsLike(const QImage& image, const QColor& color, const QRect& where) {
    int found = 0;
    for (int y = where.top(); y <= where.bottom(); ++y)
        for (int x = where.left(); x <= where.right(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            found += std::abs(pixel.red() - color.red()) < 128 && std::abs(pixel.green() - color.green()) < 80 &&
                     std::abs(pixel.blue() - color.blue()) < 80;
        }
    return found;
}

} // namespace

class TestPlotView : public QObject {
    Q_OBJECT

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
        QCOMPARE(badge->text(), QStringLiteral("1 point above"));
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
        QVERIFY(badge->text().startsWith(QStringLiteral("2 values")));
        QVERIFY(view.yMin() > 0.0 && view.yMin() <= 0.001 && view.yMax() >= 1.0);
        QTest::mouseClick(badge, Qt::LeftButton);
        QVERIFY(!view.logY());
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

    void linkedPanelsShareRangeCrosshairAndMargin() {
        QWidget page;
        auto* column = new QVBoxLayout(&page);
        auto* top = new PlotView(m_theme);
        auto* bottom = new PlotView(m_theme);
        column->addWidget(top);
        column->addWidget(bottom);
        top->linkWith({bottom});
        top->setCurves({curve(QStringLiteral("loss"), lossLike(500, 2.3, 0.1, 5), Qt::blue)});
        Series large = lossLike(500, 2.3, 0.1, 5);
        for (double& y : large.y)
            y *= 1e6; // wide labels
        bottom->setCurves({curve(QStringLiteral("rate"), large, Qt::blue)});
        page.resize(600, 500);
        page.show();
        top->refreshNow();
        QCOMPARE(top->xMax(), bottom->xMax());
        top->zoomX(1000.0, 50'000.0);
        top->refreshNow();
        QVERIFY(test::compareBits(bottom->xMin(), 1000.0));
        QVERIFY(test::compareBits(bottom->xMax(), 50'000.0));
        QVERIFY(!bottom->follow());
        // The left ends of the two x axes stand in one column: the first pixel of the axis' colour in the row of the
        // axis.
        const auto axisStart = [&](PlotView* view) {
            const QImage image = view->grab().toImage();
            for (int x = 0; x < image.width(); ++x)
                if (pixelsOf(image, m_theme.colors().axis, QRect(x, 40, 1, 120)) > 100)
                    return x;
            return -1;
        };
        QVERIFY(axisStart(top) > 20);
        QCOMPARE(axisStart(top), axisStart(bottom));
        bottom->fit();
        top->refreshNow();
        QVERIFY(top->follow());
        QVERIFY(top->xMax() >= 128'000.0);
    }

    void keysZoomStepBackAndFit() {
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setCurves({curve(QStringLiteral("loss"), lossLike(500, 2.3, 0.1, 6), Qt::blue)});
        view.refreshNow();
        const double full = view.xMax() - view.xMin();
        QTest::keyClick(&view, Qt::Key_Plus);
        view.refreshNow();
        QVERIFY(view.xMax() - view.xMin() < 0.8 * full);
        QVERIFY(!view.follow());
        QTest::keyClick(&view, Qt::Key_Left, Qt::AltModifier);
        view.refreshNow();
        QVERIFY(view.follow());
        QVERIFY(test::compareRel(view.xMax() - view.xMin(), full, 1e-12));
        QTest::keyClick(&view, Qt::Key_Right, Qt::AltModifier);
        view.refreshNow();
        QVERIFY(view.xMax() - view.xMin() < 0.8 * full);
        QTest::keyClick(&view, Qt::Key_F);
        view.refreshNow();
        QVERIFY(view.follow());
        QTest::keyClick(&view, Qt::Key_Right);
        const QString first = view.accessibleDescription();
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(first.contains(QStringLiteral("loss")));
        QVERIFY(view.accessibleDescription() != first);
    }

    /// Curves with points at different x share one table; what is zoomed away is not in it.
    void guidesAreHiddenAndShownInAllLinkedPanels() {
        PlotView above(m_theme), below(m_theme);
        above.linkWith({&below});
        for (PlotView* view : {&above, &below}) {
            show(*view, 600, 260);
            view->setCurves({curve(QStringLiteral("loss"), lossLike(500, 0.0, 0.02, 1), QColor(0x00, 0x72, 0xB2))});
        }
        const auto guides = [](PlotView& view) {
            view.refreshNow();
            const QImage image = view.grab().toImage();
            return pixelsOf(image, lightColors().grid, image.rect());
        };
        QVERIFY(above.guides());
        QVERIFY(guides(above) > 500 && guides(below) > 500);
        QTest::keyClick(&above, Qt::Key_G);
        QVERIFY(!below.guides());
        QCOMPARE(guides(above), 0);
        QCOMPARE(guides(below), 0);
        QTest::keyClick(&below, Qt::Key_G);
        QVERIFY(guides(above) > 500);
    }

    void theVisibleNumbersAreShownAsATable() {
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setTitle(QStringLiteral("Training loss"));
        view.setAxisTitles(QStringLiteral("samples seen"), QStringLiteral("loss"));
        view.setCurves({curve(QStringLiteral("a"), {{256, 512, 768}, {2.3, 0.1 + 0.2, kNaN}}, Qt::blue),
                        curve(QStringLiteral("b"), {{512, 1024, 1024}, {1.5, 1.25, 1.125}}, Qt::red)});
        view.refreshNow();
        const auto table = [&view]() -> QAbstractItemModel* {
            auto* found = view.findChild<QTableView*>(QStringLiteral("plotTable"));
            return found ? found->model() : nullptr;
        };
        QTest::keyClick(&view, Qt::Key_T);
        QVERIFY(table());
        QAbstractItemModelTester tester(table());
        QCOMPARE(table()->rowCount(), 4);
        QCOMPARE(table()->columnCount(), 3);
        QCOMPARE(table()->headerData(0, Qt::Horizontal).toString(), QStringLiteral("samples seen"));
        QCOMPARE(table()->headerData(2, Qt::Horizontal).toString(), QStringLiteral("b"));
        const auto number = [&](int row, int column) { return table()->index(row, column).data(Qt::EditRole); };
        QVERIFY(test::compareBits(number(1, 0).toDouble(), 512.0));
        QVERIFY(test::compareBits(number(1, 1).toDouble(), 0.1 + 0.2));
        QVERIFY(test::compareBits(number(1, 2).toDouble(), 1.5));
        QVERIFY(test::compareBits(number(3, 2).toDouble(), 1.125)); // the later one
        QVERIFY(!number(0, 2).isValid() && !number(3, 1).isValid());
        QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("plotTableCopy")), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(),
                 QStringLiteral("samples seen\ta\tb\n256\t2.3\t\n512\t0.30000000000000004\t1.5\n768\t\t\n"
                                "1024\t\t1.125\n"));

        view.zoomX(500.0, 800.0);
        view.refreshNow();
        view.showTable();
        QTRY_COMPARE(view.findChildren<QTableView*>(QStringLiteral("plotTable")).size(), 1); // it replaces the first
        QCOMPARE(table()->rowCount(), 2);
        QVERIFY(test::compareBits(number(0, 0).toDouble(), 512.0));
    }

    // Scrolling through a form must not zoom the plot that happens to come under the cursor.
    void onAScrollingPageTheWheelScrollsUntilThePlotHasTheFocus() {
        QScrollArea page;
        auto* content = new QWidget;
        content->setMinimumSize(600, 2000);
        auto* view = new PlotView(m_theme, content);
        view->setGeometry(0, 0, 600, 300);
        auto* other = new QLineEdit(content);
        other->setGeometry(0, 350, 100, 30);
        page.setWidget(content);
        page.resize(700, 500);
        page.show();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        view->setCurves({curve(QStringLiteral("loss"), lossLike(500, 2.3, 0.1, 7), Qt::blue)});
        view->refreshNow();
        const auto turn = [&] {
            QWheelEvent wheel(QPointF(300, 150), view->mapToGlobal(QPointF(300, 150)), {}, QPoint(0, -120),
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(view, &wheel);
            view->refreshNow();
            return wheel.isAccepted();
        };
        const double before = view->xMax() - view->xMin();
        other->setFocus();
        QVERIFY(!turn()); // left to the page
        QVERIFY(test::compareBits(view->xMax() - view->xMin(), before));
        view->setFocus();
        QVERIFY(turn());
        QVERIFY(view->xMax() - view->xMin() > before);
    }

    void wheelZoomsAtTheCursorAndDragPans() {
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setCurves({curve(QStringLiteral("loss"), lossLike(500, 2.3, 0.1, 7), Qt::blue)});
        view.refreshNow();
        const double before = view.xMax() - view.xMin();
        QWheelEvent wheel(QPointF(400, 150), view.mapToGlobal(QPointF(400, 150)), {}, QPoint(0, 120), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &wheel);
        view.refreshNow();
        const double after = view.xMax() - view.xMin();
        QVERIFY(after < before);
        const double left = view.xMin();
        QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(400, 150));
        QTest::mouseMove(&view, QPoint(430, 150));
        QTest::mouseMove(&view, QPoint(460, 150));
        QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(460, 150));
        view.refreshNow();
        QVERIFY(view.xMin() < left);
        QVERIFY(test::compareRel(view.xMax() - view.xMin(), after, 1e-9)); // rounding of two sums
        QTest::mouseDClick(&view, Qt::LeftButton, {}, QPoint(400, 150));
        view.refreshNow();
        QVERIFY(view.follow());
    }

    void shiftDragZoomsIntoTheBox() {
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setCurves({curve(QStringLiteral("loss"), lossLike(500, 2.3, 0.1, 8), Qt::blue)});
        view.refreshNow();
        const double yMax = view.yMax();
        QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, QPoint(200, 100));
        QTest::mouseMove(&view, QPoint(250, 130));
        QTest::mouseMove(&view, QPoint(400, 200));
        QTest::mouseRelease(&view, Qt::LeftButton, Qt::ShiftModifier, QPoint(400, 200));
        view.refreshNow();
        QVERIFY(view.yMax() < yMax);
        QVERIFY(view.xMin() > 0.0 && view.xMax() < 128'000.0);
        view.zoomBack();
        view.refreshNow();
        QVERIFY(test::compareRel(view.yMax(), yMax, 1e-12));
    }

    void followingMovesWithNewPointsUntilSomebodyZooms() {
        PlotView view(m_theme);
        show(view, 700, 300);
        const Series series = lossLike(1'000, 2.3, 0.1, 9);
        PlotCurve part = curve(QStringLiteral("loss"), {}, Qt::blue);
        part.series.x.assign(series.x.begin(), series.x.begin() + 500);
        part.series.y.assign(series.y.begin(), series.y.begin() + 500);
        view.setCurves({part});
        view.refreshNow();
        QVERIFY(view.xMax() > series.x[499] && view.xMax() < 1.05 * series.x[499]);
        view.append(QStringLiteral("loss"), std::span(series.x).subspan(500, 200),
                    std::span(series.y).subspan(500, 200));
        view.refreshNow();
        QVERIFY(view.xMax() > series.x[699] && view.xMax() < 1.05 * series.x[699]);
        view.zoomX(100.0, 1000.0);
        view.append(QStringLiteral("loss"), std::span(series.x).subspan(700), std::span(series.y).subspan(700));
        view.refreshNow();
        QVERIFY(test::compareBits(view.xMax(), 1000.0));
    }

    void csvHoldsAllPointsWithPointsAsDecimalSigns() {
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        QTemporaryDir folder;
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setSmoothing(0.5);
        view.setCurves({curve(QStringLiteral("accumulated, seed 0"), Series{{1, 2, 3}, {0.5, kNaN, 0.1}}, Qt::blue)});
        const QString file = folder.filePath(QStringLiteral("plot.csv"));
        QVERIFY(view.saveCsv(file));
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = in.readAll().split('\n');
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines[0], QByteArray("curve,x,y,smoothed"));
        QCOMPARE(lines[1], QByteArray("\"accumulated, seed 0\",1,0.5,0.5"));
        QCOMPARE(lines[2], QByteArray("\"accumulated, seed 0\",2,,"));
        // Debiased EMA by hand: weights 1/2, 1/4 over 3/4: (0.1 / 2 + 0.5 / 4) / (3 / 4) = 0.2333...
        QVERIFY(test::compareAbs(lines[3].split(',').last().toDouble(), 0.175 / 0.75, 1e-15));
    }

    void csvOfTheVisibleRangeHoldsItsPoints() {
        QTemporaryDir folder;
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setCurves({curve(QStringLiteral("a"), Series{{1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}}, Qt::blue)});
        view.zoomX(1.5, 4.0);
        view.refreshNow();
        const QString file = folder.filePath(QStringLiteral("plot.csv"));
        QVERIFY(view.saveAs(file, {QStringLiteral("csv"), 1.0, true}));
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        QCOMPARE(in.readAll(), QByteArray("curve,x,y,smoothed\na,2,4,\na,3,3,\na,4,2,\n"));
    }

    void pdfHoldsTheTextsOfThePlot() {
        QTemporaryDir folder;
        m_theme.setMode(ThemeMode::Dark);
        PlotView view(m_theme);
        show(view, 700, 330);
        view.setTitle(QStringLiteral("Training loss"));
        view.setAxisTitles(QStringLiteral("samples"), QStringLiteral("loss"));
        view.setCurves({curve(QStringLiteral("accumulated"), lossLike(1000, 2.0, 0.05, 10), Qt::blue)});
        view.refreshNow();
        const QString file = folder.filePath(QStringLiteral("plot.pdf"));
        QVERIFY(view.saveAs(file));
        QProcess tool;
        tool.start(QStringLiteral("pdftotext"), {file, QStringLiteral("-")});
        if (!tool.waitForFinished())
            QSKIP("pdftotext is not installed");
        const QString text = QString::fromUtf8(tool.readAllStandardOutput());
        for (const char* words : {"Training loss", "samples", "accumulated"})
            QVERIFY2(text.contains(QString::fromLatin1(words)), qPrintable(text));
        m_theme.setMode(ThemeMode::Light);
    }

    void picturesAreLightAndStayInsideThePanel() {
        QTemporaryDir folder;
        m_theme.setMode(ThemeMode::Dark);
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setTitle(QStringLiteral("Training loss"));
        view.setAxisTitles(QStringLiteral("samples"), QStringLiteral("loss"));
        Series series = lossLike(20'000, 2.0, 0.05, 10);
        series.y[9'000] = 1000.0; // far above the range: an SVG must cut it off
        view.setCurves(
            {curve(QStringLiteral("accumulated"), series, m_theme.colors().accumulated),
             curve(QStringLiteral("large batch"), lossLike(20'000, 2.0, 0.05, 11), m_theme.colors().largeBatch, true)});
        PlotBand band;
        band.id = QStringLiteral("band");
        band.color = m_theme.colors().accumulated;
        band.x = {1e6, 2e6, 3e6};
        band.lower = {0.5, 0.6, 0.4};
        band.upper = {1.0, 0.9, 0.8};
        view.setBands({band});
        view.refreshNow();
        const QString png = folder.filePath(QStringLiteral("plot.png"));
        QVERIFY(view.savePng(png));
        const QImage picture(png);
        QCOMPARE(picture.size(), QSize(1400, 640));
        QCOMPARE(picture.pixelColor(2, 2), QColor(Qt::white));
        QVERIFY(pixelsLike(picture, lightColors().accumulated, picture.rect()) > 500);
        const QString svg = folder.filePath(QStringLiteral("plot.svg"));
        QVERIFY(view.saveSvg(svg));
        QFile in(svg);
        QVERIFY(in.open(QIODevice::ReadOnly));
        const QByteArray text = in.readAll();
        QVERIFY(text.contains("Training loss"));
        QVERIFY(!text.contains("NaN") && !text.contains("nan"));
        if (const QString keep = qEnvironmentVariable("ACCUMULUS_SCREENSHOT_DIR"); !keep.isEmpty()) {
            QFile::remove(keep + QStringLiteral("/export.svg"));
            QFile::remove(keep + QStringLiteral("/export.png"));
            QFile::copy(svg, keep + QStringLiteral("/export.svg"));
            QFile::copy(png, keep + QStringLiteral("/export.png"));
        }
        m_theme.setMode(ThemeMode::Light);
    }

    void cuttingKeepsOnlyWhatIsInside() {
        const Series line{{0, 1, 2, 3, 4}, {0.5, 3.0, 0.5, kNaN, 0.5}};
        const Series cut = clippedLine(line, {0.0, 4.0}, {0.0, 1.0});
        for (std::size_t i = 0; i < cut.size(); ++i)
            QVERIFY(std::isnan(cut.y[i]) || (cut.y[i] >= 0.0 && cut.y[i] <= 1.0));
        // From (0, 0.5) up to y = 1 at x = 0.2, back in at x = 1.8: by hand from the slopes +-2.5.
        QVERIFY(test::compareAbs(cut.x[1], 0.2, 1e-15));
        QVERIFY(std::isnan(cut.y[2]));
        QVERIFY(test::compareAbs(cut.x[3], 1.8, 1e-12));
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

    void itsExportKeyIsNotTheWindows() {
        PlotView plot(m_theme);
        for (const auto& [key, own] : {std::pair(Qt::Key_E, true), std::pair(Qt::Key_F5, false)}) {
            QKeyEvent asked(QEvent::ShortcutOverride, key, Qt::ControlModifier);
            asked.ignore();
            QApplication::sendEvent(&plot, &asked);
            QCOMPARE(asked.isAccepted(), own);
        }
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

    void anUnknownEndingIsNoPicture() {
        PlotView view(m_theme);
        view.setTitle(QStringLiteral("Loss"));
        view.setCurves({curve(QStringLiteral("a"), lossLike(10, 1.0, 0.1, 1), m_theme.colors().accumulated)});
        show(view, 400, 300);
        QTemporaryDir folder;
        QSignalSpy failed(&view, &PlotView::exportFailed);
        QVERIFY(view.saveAs(folder.filePath(QStringLiteral("plot.xyz")), {QStringLiteral("csv")}));
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("plot.xyz"))));
        QVERIFY(QFile::exists(folder.filePath(QStringLiteral("plot.xyz.csv"))));
        QVERIFY(view.saveAs(folder.filePath(QStringLiteral("v1.2 loss.svg"))));
        QVERIFY(QFile::exists(folder.filePath(QStringLiteral("v1.2 loss.svg"))));
        QCOMPARE(failed.count(), 0);
        QVERIFY(!view.saveAs(folder.filePath(QStringLiteral("nowhere/plot.png"))));
        QCOMPARE(failed.count(), 1);
    }

private:
    void show(PlotView& view, int width, int height) {
        view.resize(width, height);
        view.show();
        view.refreshNow();
    }

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
};

QTEST_MAIN(TestPlotView)
#include "test_plot_view.moc"

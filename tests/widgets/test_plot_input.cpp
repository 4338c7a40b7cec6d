// SPDX-License-Identifier: GPL-3.0-or-later
// Plots under mouse and keys: zoom, pan, boxes, following, guides and panels that are linked.
#include "tests/support/numeric.h"
#include "tests/widgets/plots_by_hand.h"
#include "widgets/plots/plot_view.h"

#include <QApplication>
#include <QImage>
#include <QLineEdit>
#include <QScrollArea>
#include <QTest>
#include <QVBoxLayout>

namespace test_plot_input {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestPlotInput : public QObject {
    Q_OBJECT

private:
    Theme m_theme{*qApp};

private Q_SLOTS:
    void initTestCase() { m_theme.setMode(ThemeMode::Light); }

    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

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

    void itsExportKeyIsNotTheWindows() {
        PlotView plot(m_theme);
        for (const auto& [key, own] : {std::pair(Qt::Key_E, true), std::pair(Qt::Key_F5, false)}) {
            QKeyEvent asked(QEvent::ShortcutOverride, key, Qt::ControlModifier);
            asked.ignore();
            QApplication::sendEvent(&plot, &asked);
            QCOMPARE(asked.isAccepted(), own);
        }
    }
};

QTEST_MAIN(TestPlotInput)
} // namespace test_plot_input
#include "test_plot_input.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of plots: an entry hides and shows its curve on all linked panels, by mouse and from the menu. And the
// readout of the crosshair, which stays off the legend.
#include "tests/support/numeric.h"
#include "tests/widgets/plots_by_hand.h"
#include "widgets/plots/plot_overlay.h"
#include "widgets/plots/plot_view.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QTest>
#include <QVBoxLayout>

namespace test_plot_legend {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

namespace {

const QColor kBlue(0, 0, 255);
const QColor kRed(255, 0, 0);

/// Two linked panels of curves "a" and "b", of which b lies far above.
struct Panels {
    explicit Panels(const Theme& theme) : top(new PlotView(theme)), bottom(new PlotView(theme)) {
        auto* column = new QVBoxLayout(&page);
        for (PlotView* view : {top, bottom}) {
            column->addWidget(view);
            view->setTitle(QStringLiteral("loss"));
            PlotCurve single = curve(QStringLiteral("b1"), line(90.0), kRed);
            single.thin = true;
            single.partOf = QStringLiteral("b");
            view->setCurves({curve(QStringLiteral("a"), line(1.0), kBlue), std::move(single),
                             curve(QStringLiteral("b"), line(100.0), kRed)});
            view->setBands({{QStringLiteral("b"), kRed, {1.0, 2.0}, {80.0, 80.0}, {120.0, 120.0}}});
        }
        top->linkWith({bottom});
        page.resize(600, 600);
        page.show();
        top->refreshNow();
    }
    static Series line(double y) { return {{1.0, 2.0, 3.0}, {y, y, y}}; }

    QWidget page;
    PlotView* top;
    PlotView* bottom;
};

void moveTo(PlotView& view, const QPoint& at) {
    QMouseEvent move(QEvent::MouseMove, QPointF(at), view.mapToGlobal(QPointF(at)), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&view, &move);
}

/// Where the only entry of a legend is.
std::optional<QPoint> onlyEntry(PlotView& view) {
    for (QPoint at(0, 0); at.y() < view.height(); at.ry() += 4)
        for (at.setX(0); at.x() < view.width(); at.rx() += 4) {
            moveTo(view, at);
            if (view.cursor().shape() == Qt::PointingHandCursor)
                return at;
        }
    return std::nullopt;
}

/// The last entry, which is b's, of a legend at the right.
std::optional<QPoint> lastEntry(PlotView& view) {
    std::optional<QPoint> found;
    for (QPoint at(view.width() - 50, 0); at.y() < view.height(); at.ry() += 2) {
        moveTo(view, at);
        if (view.cursor().shape() == Qt::PointingHandCursor)
            found = at;
    }
    return found;
}

} // namespace

class TestPlotLegend : public QObject {
    Q_OBJECT

private:
    Theme m_theme{*qApp};

private Q_SLOTS:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_theme.setMode(ThemeMode::Light);
    }

    void aClickHidesTheCurveOnAllLinkedPanels() {
        Panels panels(m_theme);
        QVERIFY(panels.top->yMax() > 100.0);
        const auto entry = lastEntry(*panels.top);
        QVERIFY(entry.has_value());
        QTest::mouseClick(panels.top, Qt::LeftButton, {}, *entry);
        QCOMPARE(panels.top->hiddenCurves(), QStringList{QStringLiteral("b")});
        for (PlotView* view : {panels.top, panels.bottom}) {
            view->refreshNow();
            QVERIFY2(view->yMax() < 2.0, "the range is that of the curve that is left"); // without band and single seed
            QCOMPARE(pixelsLike(view->grab().toImage(), kRed, view->rect()), 0);
            QVERIFY(view->summaryText().startsWith(QStringLiteral("loss: 1 curve, last 1")));
            QVERIFY2(view->summaryText().contains(QStringLiteral("hidden")), qPrintable(view->summaryText()));
            QCOMPARE(view->accessibleDescription(), view->summaryText());
        }
        // The entry stays, and brings the curve back.
        QTest::mouseClick(panels.bottom, Qt::LeftButton, {}, lastEntry(*panels.bottom).value());
        panels.top->refreshNow();
        QVERIFY(panels.top->hiddenCurves().isEmpty());
        QVERIFY(panels.top->yMax() > 100.0);
    }

    /// At the top right unless a curve runs there; then it stays where it went for as long as that is free.
    void theLegendGivesWayToCurves() {
        PlotView view(m_theme);
        view.resize(600, 300);
        view.show();
        const auto place = [&](const Series& series) {
            view.setCurves({curve(QStringLiteral("a"), series, kBlue)});
            view.refreshNow();
            return onlyEntry(view).value_or(QPoint(-1, -1));
        };
        const auto isRight = [&](const QPoint& at) { return at.x() > view.width() / 2 && at.y() < view.height() / 2; };
        const auto isLeft = [&](const QPoint& at) {
            return at.x() >= 0 && at.x() < view.width() / 2 && at.y() < view.height() / 2;
        };
        QVERIFY(isRight(place({{1.0, 2.0, 3.0}, {3.0, 2.0, 1.0}})));
        QVERIFY(isLeft(place({{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}})));
        QVERIFY(isLeft(place({{1.0, 2.0, 3.0}, {1.0, 1.0, 1.0}})));
        QVERIFY(isRight(place({{1.0, 2.0, 3.0}, {3.0, 2.0, 1.0}})));
        const QPoint at = onlyEntry(view).value(); // where a person puts it, it stays
        QTest::mousePress(&view, Qt::LeftButton, {}, at);
        QTest::mouseMove(&view, at + QPoint(-20, 10));
        QTest::mouseRelease(&view, Qt::LeftButton, {}, at + QPoint(-20, 10));
        QVERIFY(isRight(place({{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}})));
    }

    void aLegendThatIsDraggedHidesNothing() {
        Panels panels(m_theme);
        const QPoint entry = lastEntry(*panels.top).value();
        QTest::mousePress(panels.top, Qt::LeftButton, {}, entry);
        QTest::mouseMove(panels.top, entry + QPoint(-60, 40));
        QTest::mouseRelease(panels.top, Qt::LeftButton, {}, entry + QPoint(-60, 40));
        QVERIFY(panels.top->hiddenCurves().isEmpty());
    }

    void theMenuHidesToo() {
        Panels panels(m_theme);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), panels.top->mapToGlobal(QPoint()));
        QApplication::sendEvent(panels.top, &event);
        auto* menu = panels.top->findChild<QMenu*>(QStringLiteral("plotMenu"));
        QVERIFY(menu != nullptr);
        auto* curve = menu->findChild<QAction*>(QStringLiteral("plotCurve.b"));
        QVERIFY(curve != nullptr && curve->isChecked());
        QVERIFY(menu->findChild<QAction*>(QStringLiteral("plotCurve.b1")) == nullptr); // part of it
        curve->trigger();
        QCOMPARE(panels.bottom->hiddenCurves(), QStringList{QStringLiteral("b")});
        menu->close();
        panels.bottom->showAllCurves();
        QVERIFY(panels.top->hiddenCurves().isEmpty());
    }

    void theReadoutStandsBesideTheCursorAndOffTheLegend() {
        const QRect area(100, 50, 400, 150);
        const QRect legend(340, 58, 150, 44);
        for (const QSize size : {QSize(160, 60), QSize(180, 90), QSize(60, 20)})
            for (int x = area.left(); x <= area.right(); x += 20)
                for (int y = area.top(); y <= area.bottom(); y += 10) {
                    const auto box = readoutPlace(area, legend, x, y, size);
                    QVERIFY(box.has_value());
                    QVERIFY(area.contains(*box) && !box->intersects(legend));
                    QVERIFY(x < box->left() || x > box->right());
                }
        // None that would cover something, or be larger than the panel.
        QVERIFY(!readoutPlace(area, legend, 300, 100, QSize(250, 60)));
        QVERIFY(!readoutPlace(area, legend, 150, 100, QSize(100, 160)));
    }
};

QTEST_MAIN(TestPlotLegend)
} // namespace test_plot_legend
#include "test_plot_legend.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A plot whose curves are on their way, or whose file nobody wants any more: it says nothing that is not so, shows no
// old numbers under new titles, and leaves no file.
#include "tests/widgets/page_fixture.h"
#include "widgets/plots/plot_view.h"

#include <QFile>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

namespace test_plot_waiting {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

constexpr std::size_t many = PlotView::manyPoints;

PlotCurve curveOf(const QString& name, std::size_t points) {
    PlotCurve curve;
    curve.id = curve.label = name;
    curve.color = Qt::blue;
    for (std::size_t i = 0; i < points; ++i) {
        curve.series.x.push_back(static_cast<double>(i + 1));
        curve.series.y.push_back(1.0 / static_cast<double>(i + 1));
    }
    return curve;
}

} // namespace

class TestPlotWaiting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Another theme or another choice of runs: the same points, however many, at once and without another thread.
    void looksChangeWithoutPoints() {
        PlotView view(m_theme);
        view.resize(400, 200);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setCurves({curveOf(QStringLiteral("a"), many), curveOf(QStringLiteral("b"), 3)});
        view.refreshNow();
        const QImage before = view.grab().toImage();
        const auto looks = [](const QString& second) {
            std::vector<PlotCurve> changed{curveOf(QStringLiteral("a"), 0), curveOf(second, 0)};
            changed.front().color = Qt::red;
            return changed;
        };
        QVERIFY(!view.setLooks(looks(QStringLiteral("c")))); // another curve
        QVERIFY(!view.setLooks({looks(QStringLiteral("b")).front()}));
        std::vector<PlotCurve> markers = looks(QStringLiteral("b"));
        markers.back().points = true; // is not smoothed
        QVERIFY(!view.setLooks(markers));
        view.refreshNow();
        QCOMPARE(view.grab().toImage(), before);

        QVERIFY(view.setLooks(looks(QStringLiteral("b"))));
        QVERIFY(!view.preparing());
        view.refreshNow();
        QVERIFY(view.grab().toImage() != before);
        const std::vector<double> x{many + 1.0}, y{7.0};
        view.append(QStringLiteral("a"), x, y); // to the points that were there
        view.refreshNow();
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("a.csv"));
        QVERIFY(view.saveCsv(file));
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll().count('\n'), static_cast<qsizetype>(many) + 1 + 3 + 1); // and the heading
    }

    void notWhileOthersAreOnTheirWay() {
        QSemaphore gate;
        PlotView view(m_theme);
        const auto open = qScopeGuard([&gate] { gate.release(); });
        view.setCurves({curveOf(QStringLiteral("a"), 3)});
        view.buildCurves(many, [&] {
            gate.acquire();
            return std::vector<PlotCurve>{curveOf(QStringLiteral("a"), 4)};
        });
        QVERIFY(!view.setLooks({curveOf(QStringLiteral("a"), 0)}));
    }

    void thereMayBePointsWhileTheyAreOnTheirWay() {
        QSemaphore begun;
        QSemaphore gate;
        PlotView view(m_theme);
        const auto open = qScopeGuard([&gate] { gate.release(); }); // also where a check fails
        view.setFocusPolicy(Qt::NoFocus);                           // its frame is no part of this
        view.setEmptyText(QStringLiteral("Nothing yet"));
        view.resize(400, 200);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.buildCurves(many, [&] {
            begun.release();
            gate.acquire();
            return std::vector<PlotCurve>();
        });
        begun.acquire();
        view.redraw();
        const QImage waiting = view.grab().toImage();
        view.setEmptyText({});
        QVERIFY(view.preparing());
        QCOMPARE(view.grab().toImage(), waiting);
        // There are none after all.
        view.setEmptyText(QStringLiteral("Nothing yet"));
        gate.release();
        QTRY_VERIFY(!view.preparing());
        view.redraw();
        QVERIFY(view.grab().toImage() != waiting);
    }

    void theTableComesWithTheNewCurves() {
        QSemaphore gate;
        PlotView view(m_theme);
        const auto open = qScopeGuard([&gate] { gate.release(); }); // also where a check fails
        view.resize(700, 300);
        view.show();
        view.setCurves({curveOf(QStringLiteral("old"), 2)});
        view.refreshNow();
        view.setAxisTitles(QStringLiteral("updates"), QStringLiteral("loss"));
        view.buildCurves(many, [&] {
            gate.acquire();
            return std::vector{curveOf(QStringLiteral("new"), many)};
        });
        QVERIFY(view.preparing());
        view.showTable(); // does not wait for them
        const auto table = [&view] { return view.findChild<QTableView*>(QStringLiteral("plotTable")); };
        QVERIFY(table() == nullptr);
        gate.release();
        QTRY_VERIFY(table() != nullptr);
        const QAbstractItemModel* model = table()->model();
        QCOMPARE(model->headerData(0, Qt::Horizontal).toString(), QStringLiteral("updates"));
        QCOMPARE(model->headerData(1, Qt::Horizontal).toString(), QStringLiteral("new"));
        QVERIFY(model->rowCount() > 2);
    }

    void theTableOfAPlotThatIsLeftDoesNotCome() {
        QSemaphore gate;
        PlotView view(m_theme);
        const auto open = qScopeGuard([&gate] { gate.release(); }); // also where a check fails
        view.show();
        view.buildCurves(many, [&] {
            gate.acquire();
            return std::vector{curveOf(QStringLiteral("new"), many)};
        });
        view.showTable();
        view.hide(); // another page
        gate.release();
        QTRY_VERIFY(!view.preparing());
        QVERIFY(view.findChild<QTableView*>(QStringLiteral("plotTable")) == nullptr);
    }

    void aCancelledPictureLeavesNoFile() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plot.png"));
        PlotView view(m_theme);
        view.setCurves({curveOf(QStringLiteral("a"), 100)});
        QSignalSpy finished(&view, &PlotView::exportFinished);
        QSignalSpy failed(&view, &PlotView::exportFailed);
        // The one thread that writes is busy until the file is not wanted any more.
        QSemaphore begun;
        QSemaphore gate;
        QThreadPool& pool = *QThreadPool::globalInstance();
        pool.waitForDone();
        const auto restore = qScopeGuard([&gate, &pool, threads = pool.maxThreadCount()] {
            gate.release();
            pool.waitForDone();
            pool.setMaxThreadCount(threads);
        });
        pool.setMaxThreadCount(1);
        pool.start([&] {
            begun.release();
            gate.acquire();
        });
        begun.acquire();
        view.saveInBackground(file, {QStringLiteral("png"), 1.0});
        QVERIFY(view.saving());
        view.cancelSaving();
        gate.release();
        QTRY_VERIFY(!view.saving());
        pool.waitForDone();
        QVERIFY(!QFile::exists(file));
        QVERIFY(finished.isEmpty() && failed.isEmpty());
        view.saveInBackground(file, {QStringLiteral("png"), 1.0});
        QTRY_COMPARE(finished.count(), 1);
        QVERIFY(QFile::exists(file));
    }

private:
    Theme m_theme{*qApp};
};

QTEST_MAIN(TestPlotWaiting)
} // namespace test_plot_waiting
#include "test_plot_waiting.moc"

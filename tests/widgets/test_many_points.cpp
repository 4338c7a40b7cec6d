// SPDX-License-Identifier: GPL-3.0-or-later
// Long curves: prepared, smoothed and written on other threads, with the results of the GUI thread's own arithmetic.
// The old curve stays until the new one is there, and nothing that arrives meanwhile is lost.
#include "tests/support/numeric.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/live/live_curves.h"
#include "widgets/pages/live/live_panels.h"
#include "widgets/plots/plot_csv.h"
#include "widgets/plots/plot_view.h"

#include <QFile>
#include <QSemaphore>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QThreadPool>
#include <cmath>

namespace test_many_points {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

constexpr std::size_t many = PlotView::manyPoints + 10'000;

Series lossOf(std::size_t points, double start) {
    Series series;
    for (std::size_t i = 0; i < points; ++i) {
        const auto at = static_cast<double>(i);
        series.x.push_back(256.0 * (at + 1.0));
        series.y.push_back(start * std::exp(-at / 2e4) + 0.02 * std::sin(0.7 * at) + 0.1);
    }
    return series;
}

PlotCurve curveOf(const QString& name, Series series) {
    PlotCurve curve;
    curve.id = curve.label = name;
    curve.color = Qt::blue;
    curve.series = std::move(series);
    return curve;
}

QByteArray contentOf(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

} // namespace

class TestManyPoints : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QSettings().clear(); }

    void curvesAreBuiltElsewhereAndTheOldOneStays() {
        PlotView view(m_theme);
        view.setCurves({curveOf(QStringLiteral("old"), {{1, 2}, {1.0, 0.5}})});
        QVERIFY(!view.preparing()); // few points
        const QString before = view.summaryText();
        QThread* builtOn = nullptr;
        view.buildCurves(many, [&builtOn] {
            builtOn = QThread::currentThread();
            return std::vector{curveOf(QStringLiteral("a"), lossOf(many, 2.0)),
                               curveOf(QStringLiteral("b"), lossOf(many, 1.0))};
        });
        QVERIFY(view.preparing());
        QCOMPARE(view.curveCount(), std::size_t{1}); // the new ones come as an event
        QCOMPARE(view.summaryText(), before);
        QTRY_VERIFY(!view.preparing());
        QCOMPARE(view.curveCount(), std::size_t{2});
        QVERIFY(builtOn && builtOn != QThread::currentThread());
        // Few points are built in place.
        view.buildCurves(2, [&builtOn] {
            builtOn = QThread::currentThread();
            return std::vector{curveOf(QStringLiteral("c"), {{1, 2}, {1.0, 0.5}})};
        });
        QCOMPARE(builtOn, QThread::currentThread());
        QCOMPARE(view.curveCount(), std::size_t{1});
    }

    void anOutdatedBuildIsDropped() {
        QSemaphore begun, gate;
        PlotView view(m_theme);
        view.buildCurves(many, [&] {
            begun.release();
            gate.acquire();
            return std::vector{curveOf(QStringLiteral("outdated"), lossOf(many, 2.0)),
                               curveOf(QStringLiteral("outdated too"), lossOf(many, 1.0))};
        });
        begun.acquire();
        view.setCurves({curveOf(QStringLiteral("newest"), lossOf(many, 1.0))});
        gate.release();
        QTRY_VERIFY(!view.preparing());
        QCOMPARE(view.curveCount(), std::size_t{1});
        // Also by curves that need no thread.
        view.buildCurves(many, [&] {
            begun.release();
            gate.acquire();
            return std::vector<PlotCurve>();
        });
        begun.acquire();
        view.setCurves({curveOf(QStringLiteral("few"), {{1, 2}, {1.0, 0.5}})});
        gate.release();
        QVERIFY(!view.preparing());
        QTest::qWait(50);
        QCOMPARE(view.curveCount(), std::size_t{1});
    }

    void anotherSmoothingIsThatOfAllPoints() {
        PlotView view(m_theme);
        const Series series = lossOf(many, 2.0);
        view.setCurves({curveOf(QStringLiteral("a"), series)});
        QTRY_VERIFY(!view.preparing());
        const QString unsmoothed = view.summaryText();
        view.setSmoothing(0.9);
        view.setSmoothing(0.999);
        QVERIFY(compareBits(view.smoothing(), 0.999));
        QVERIFY(view.preparing());
        QCOMPARE(view.summaryText(), unsmoothed); // the old curve
        QTRY_VERIFY(!view.preparing());
        QVERIFY(view.summaryText() != unsmoothed);
        CurveData reference;
        reference.setSmoothing(0.999);
        reference.assign(series);
        QCOMPARE(written(view), csvOf({{QStringLiteral("a"), reference}}));
        // While curves are on their way it is theirs at once.
        view.setCurves({curveOf(QStringLiteral("a"), series)});
        view.setSmoothing({.beta = 0.0, .half = 25, .samples = 51});
        QTRY_VERIFY(!view.preparing());
        reference.setSmoothing({.beta = 0.0, .half = 25, .samples = 51});
        QCOMPARE(written(view), csvOf({{QStringLiteral("a"), reference}}));
    }

    void pointsThatArriveMeanwhileComeAtTheEnd() {
        PlotView view(m_theme);
        const Series whole = lossOf(many + 30, 2.0);
        Series first = whole;
        first.x.resize(many);
        first.y.resize(many);
        view.setSmoothing(0.99);
        view.setCurves({curveOf(QStringLiteral("a"), first)});
        const auto append = [&](std::size_t from) {
            view.append(QStringLiteral("a"), std::span(whole.x).subspan(from, 10),
                        std::span(whole.y).subspan(from, 10));
        };
        QVERIFY(view.preparing());
        append(many);
        QTRY_VERIFY(!view.preparing());
        view.setSmoothing(0.9);
        QVERIFY(view.preparing());
        append(many + 10);
        QTRY_VERIFY(!view.preparing());
        append(many + 20);
        CurveData reference;
        reference.setSmoothing(0.9);
        reference.assign(whole);
        QCOMPARE(written(view), csvOf({{QStringLiteral("a"), reference}}));
    }

    void drawingAtOnceWaitsForThem() {
        PlotView view(m_theme);
        view.resize(700, 300);
        view.show();
        view.setCurves({curveOf(QStringLiteral("a"), lossOf(many, 2.0))});
        view.redraw();
        QVERIFY(view.preparing());
        view.refreshNow();
        QVERIFY(!view.preparing());
        QVERIFY(view.xMax() >= 256.0 * many);
    }

    void theFileHoldsWhatWasOnItsWay() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plot.csv"));
        PlotView view(m_theme);
        QSignalSpy finished(&view, &PlotView::exportFinished);
        view.setCurves({curveOf(QStringLiteral("a"), lossOf(many, 2.0))});
        QVERIFY(view.preparing());
        view.saveInBackground(file);
        QVERIFY(view.saving());
        QTRY_COMPARE(finished.count(), 1);
        QVERIFY(!view.saving());
        CurveData reference;
        reference.assign(lossOf(many, 2.0));
        QCOMPARE(contentOf(file), csvOf({{QStringLiteral("a"), reference}}));
        // A picture goes the same way.
        const QString picture = folder.filePath(QStringLiteral("plot.png"));
        view.saveInBackground(picture, {QStringLiteral("png"), 1.0});
        QTRY_COMPARE(finished.count(), 2);
        QVERIFY(!QImage(picture).isNull());
        // What cannot be written is told.
        QSignalSpy failed(&view, &PlotView::exportFailed);
        view.saveInBackground(file + QStringLiteral("/below-a-file.csv"));
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(!view.saving());
    }

    void aFileBecomesWholeWhenItsPlotGoes() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plot.csv"));
        auto view = std::make_unique<PlotView>(m_theme);
        view->setCurves({curveOf(QStringLiteral("a"), lossOf(many, 2.0))});
        QTRY_VERIFY(!view->preparing());
        view->saveInBackground(file);
        view.reset();
        QThreadPool::globalInstance()->waitForDone();
        CurveData reference;
        reference.assign(lossOf(many, 2.0));
        QCOMPARE(contentOf(file), csvOf({{QStringLiteral("a"), reference}}));
    }

    void aLongRunOfTheLivePageKeepsItsRowsAndItsNewestAxis() {
        LiveCurves curves;
        StudyRecord study;
        study.id = "s";
        RunRecord run;
        run.id = "r";
        run.study = "s";
        curves.start(study, {run});
        const auto add = [&curves] {
            RunCurves& known = *curves.find("r");
            WindowRecord window;
            window.window = static_cast<std::int64_t>(known.window.size()) + 1;
            window.update = window.window;
            window.samples = window.window * 64;
            window.epochPosition = static_cast<double>(window.window) / 1000.0;
            window.loss = 1.0 / static_cast<double>(window.window);
            window.seconds = 0.5;
            known.add(window);
        };
        for (std::size_t i = 0; i < many; ++i)
            add();
        LivePanels panels(m_theme, curves);
        PlotView& loss = *panels.lossPlot();
        loss.setSmoothing(0.0);
        panels.rebuild();
        QVERIFY(loss.preparing());
        panels.setAxis(LiveAxis::Updates);
        panels.setAxis(LiveAxis::Epochs); // the newest one counts
        add();
        panels.appendWindows(*curves.find("r"), many);
        QTRY_VERIFY(!loss.preparing());
        add();
        panels.appendWindows(*curves.find("r"), many + 1);
        const QList<QByteArray> lines = written(loss).trimmed().split('\n');
        QCOMPARE(lines.size(), static_cast<qsizetype>(many + 3)); // with the titles
        for (const std::size_t row : {std::size_t{1}, many, many + 1, many + 2}) {
            // The label may hold commas: the last three cells are x, y and the smoothed value.
            const QList<QByteArray> cells = lines[static_cast<qsizetype>(row)].split(',');
            QVERIFY(compareRel(cells[cells.size() - 3].toDouble(), static_cast<double>(row) / 1000.0, 1e-12));
            QVERIFY(compareRel(cells[cells.size() - 2].toDouble(), 1.0 / static_cast<double>(row), 1e-12));
        }
    }

private:
    /// The CSV that the view writes, and the one that stands for it.
    QByteArray written(const PlotView& view) {
        const QString file = m_folder.filePath(QStringLiteral("view.csv"));
        return view.saveCsv(file) ? contentOf(file) : QByteArray("not written");
    }
    QByteArray csvOf(const std::vector<CsvCurve>& curves) {
        const QString file = m_folder.filePath(QStringLiteral("reference.csv"));
        return writePlotCsv(file.toStdString(), curves, {}) ? contentOf(file) : QByteArray("not written either");
    }

    QTemporaryDir m_folder;
    Theme m_theme{*qApp};
};

QTEST_MAIN(TestManyPoints)
} // namespace test_many_points
#include "test_many_points.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves a plot: tables and CSV files of its points, PDF, SVG and PNG.
#include "tests/support/numeric.h"
#include "tests/widgets/plots_by_hand.h"
#include "tests/widgets/screenshot.h"
#include "widgets/plots/curve_data.h"
#include "widgets/plots/plot_view.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cmath>

namespace test_plot_export {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestPlotExport : public QObject {
    Q_OBJECT

private:
    Theme m_theme{*qApp};

private Q_SLOTS:
    void initTestCase() { m_theme.setMode(ThemeMode::Light); }

    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

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
        view.setAxisTitles(QStringLiteral("active time (s)"), QStringLiteral("loss, mean"));
        view.setCurves({curve(QStringLiteral("a"), Series{{1, 2, 3, 4, 5}, {5, 4, 100'000, 2, 1}}, Qt::blue)});
        view.zoomX(1.5, 4.0);
        view.refreshNow();
        const QString file = folder.filePath(QStringLiteral("plot.csv"));
        QVERIFY(view.saveAs(file, {QStringLiteral("csv"), 1.0, true}));
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        QCOMPARE(in.readAll(),
                 QByteArray("curve,active time (s),\"loss, mean\",smoothed\na,2,4,\na,3,100000,\na,4,2,\n"));
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

    /// On the screen the panel beside it names the curves.
    void aPictureOfSeveralCurvesHasALegend() {
        QTemporaryDir folder;
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setLegendVisible(false);
        view.setCurves({curve(QStringLiteral("first arm"), Series{{1, 2, 3}, {1, 2, 3}}, Qt::blue),
                        curve(QStringLiteral("second arm"), Series{{1, 2, 3}, {3, 2, 1}}, Qt::red)});
        view.refreshNow();
        QFile svg(folder.filePath(QStringLiteral("plot.svg")));
        QVERIFY(view.saveSvg(svg.fileName()) && svg.open(QIODevice::ReadOnly));
        const QByteArray text = svg.readAll();
        QVERIFY(text.contains("first arm") && text.contains("second arm"));
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

    void whatWasCopiedOrSavedIsConfirmed() {
        QTemporaryDir folder;
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setCurves({curve(QStringLiteral("a"), Series{{1, 2, 3}, {1, 2, 3}}, Qt::blue)});
        const auto* badge = view.findChild<QToolButton*>(QStringLiteral("plotDoneBadge"));
        QVERIFY(!badge->isVisible());
        view.copyToClipboard();
        QVERIFY(badge->isVisible());
        QCOMPARE(badge->text(), QStringLiteral("Picture copied"));
        for (const QString& name : {QStringLiteral("a.csv"), QStringLiteral("a.png"), QStringLiteral("a.svg")}) {
            view.saveInBackground(folder.filePath(name));
            QTRY_COMPARE(badge->text(), QStringLiteral("Saved ") + name);
        }
    }

    void aHiddenCurveIsInNoPictureTableOrCsv() {
        QTemporaryDir folder;
        PlotView view(m_theme);
        show(view, 700, 300);
        view.setCurves({curve(QStringLiteral("a"), Series{{1, 2, 3}, {1, 2, 3}}, Qt::blue),
                        curve(QStringLiteral("b"), Series{{1, 2, 3}, {3, 2, 1}}, Qt::red)});
        const auto colours = [&] {
            const QString file = folder.filePath(QStringLiteral("plot.png"));
            const QImage image = view.savePng(file) ? QImage(file) : QImage();
            return pixelsLike(image, Qt::red, image.rect());
        };
        QVERIFY(colours() > 20);
        view.setCurveHidden(QStringLiteral("b"), true);
        QCOMPARE(colours(), 0);
        view.showTable();
        QCOMPARE(view.findChild<QTableView*>(QStringLiteral("plotTable"))->model()->columnCount(), 2);
        QFile csv(folder.filePath(QStringLiteral("plot.csv")));
        QVERIFY(view.saveCsv(csv.fileName()));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll(), QByteArray("curve,x,y,smoothed\na,1,1,\na,2,2,\na,3,3,\n"));
    }
};

QTEST_MAIN(TestPlotExport)
} // namespace test_plot_export
#include "test_plot_export.moc"

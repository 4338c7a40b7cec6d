// SPDX-License-Identifier: GPL-3.0-or-later
// "Copy all" of a plot's table: long ones are made elsewhere while the window answers, show how far they are, and can
// be cancelled; the clipboard has all of it or what it had.
#include "tests/widgets/page_fixture.h"
#include "widgets/plots/plot_table.h"
#include "widgets/plots/plot_view.h"

#include <QClipboard>
#include <QDialog>
#include <QProgressBar>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <atomic>

namespace test_plot_table_copy {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

constexpr int longRows = static_cast<int>(PlotView::manyPoints);
const QString before = QStringLiteral("what was there before");

/// A model of so many cells that its text is made elsewhere.
QStandardItemModel* longModel() {
    auto* model = new QStandardItemModel;
    model->setColumnCount(1);
    model->setRowCount(longRows);
    return model;
}

} // namespace

class TestPlotTableCopy : public QObject {
    Q_OBJECT

    Theme m_theme{*qApp};

    [[nodiscard]] static QPushButton* button(const QWidget& parent) {
        return child<QPushButton>(parent, "plotTableCopy");
    }
    [[nodiscard]] static QProgressBar* bar(const QWidget& parent) {
        return child<QProgressBar>(parent, "plotTableCopying");
    }
    [[nodiscard]] static QString clipboard() { return QGuiApplication::clipboard()->text(); }

private Q_SLOTS:
    void init() { QGuiApplication::clipboard()->setText(before); }

    void theWindowAnswersWhileALongTableIsCopied() {
        QSemaphore begun, gate;
        QWidget parent;                                             // goes first
        const auto open = qScopeGuard([&gate] { gate.release(); }); // also where a check fails
        std::atomic<QThread*> madeOn = nullptr;
        showTableWindow(
            QStringLiteral("Numbers"), longModel(),
            [&](const std::function<bool(double)>& goesOn) {
                madeOn = QThread::currentThread();
                (void)goesOn(0.5);
                begun.release();
                gate.acquire();
                return QStringLiteral("all of it");
            },
            &parent);
        QVERIFY(!bar(parent)->isVisible());
        button(parent)->click();
        QVERIFY(begun.tryAcquire(1, 10'000));
        int turns = 0;
        QTimer often;
        connect(&often, &QTimer::timeout, this, [&turns] { ++turns; });
        often.start(0);
        QTRY_VERIFY(turns > 100);
        QTRY_VERIFY(bar(parent)->isVisible()); // what takes longer says so
        QCOMPARE(bar(parent)->value(), 50);
        QCOMPARE(button(parent)->text(), QStringLiteral("Cancel copying"));
        QCOMPARE(clipboard(), before);
        gate.release();
        QTRY_COMPARE(clipboard(), QStringLiteral("all of it"));
        QTRY_VERIFY(!bar(parent)->isVisible());
        QCOMPARE(button(parent)->text(), QStringLiteral("Copy all"));
        QVERIFY(madeOn != QThread::currentThread());
    }

    void copyingIsCancelled_data() {
        QTest::addColumn<bool>("byClosing");
        QTest::newRow("button") << false;
        QTest::newRow("closed window") << true;
    }
    void copyingIsCancelled() {
        QFETCH(const bool, byClosing);
        QSemaphore begun, ended;
        std::atomic<bool> unwanted = false;
        QWidget parent; // goes first
        showTableWindow(
            QStringLiteral("Numbers"), longModel(),
            [&](const std::function<bool(double)>& goesOn) {
                begun.release();
                for (int i = 0; i < 1000 && !unwanted; ++i) { // ten seconds at most
                    unwanted = !goesOn(0.0);
                    QThread::msleep(10);
                }
                ended.release();
                return QStringLiteral("all of it");
            },
            &parent);
        button(parent)->click();
        QVERIFY(begun.tryAcquire(1, 10'000));
        if (byClosing)
            parent.findChild<QDialog*>(QStringLiteral("plotTableDialog"))->close();
        else
            button(parent)->click();
        QVERIFY(ended.tryAcquire(1, 15'000));
        QVERIFY(unwanted);
        QTest::qWait(50); // what it brings comes as an event
        QCOMPARE(clipboard(), before);
        if (byClosing)
            QVERIFY(parent.findChild<QDialog*>(QStringLiteral("plotTableDialog")) == nullptr);
        else
            QCOMPARE(button(parent)->text(), QStringLiteral("Copy all"));
    }

    void aMillionRowsOfAPlot() {
        constexpr std::size_t points = 1'000'000;
        PlotCurve curve;
        curve.id = curve.label = QStringLiteral("loss");
        curve.color = Qt::blue;
        for (std::size_t i = 0; i < points; ++i) {
            curve.series.x.push_back(static_cast<double>(i + 1));
            curve.series.y.push_back(1.0 / static_cast<double>(i + 1));
        }
        PlotView view(m_theme);
        view.resize(700, 300);
        view.show();
        view.setAxisTitles(QStringLiteral("updates"), QStringLiteral("loss"));
        view.setCurves({std::move(curve)});
        QTRY_VERIFY_WITH_TIMEOUT(!view.preparing(), 30'000);
        view.refreshNow();
        view.showTable();
        const auto* table = view.findChild<QTableView*>(QStringLiteral("plotTable"));
        QVERIFY(table != nullptr);
        QCOMPARE(table->model()->rowCount(), int{points});
        int turns = 0;
        QTimer often;
        connect(&often, &QTimer::timeout, this, [&turns] { ++turns; });
        often.start(0);
        button(view)->click();
        QCOMPARE(clipboard(), before); // the click has not waited for it
        QTRY_VERIFY_WITH_TIMEOUT(clipboard() != before, 60'000);
        QVERIFY(turns > 0);
        const QString text = clipboard();
        QCOMPARE(text.count(QLatin1Char('\n')), qsizetype{points} + 1);
        QVERIFY(text.startsWith(QStringLiteral("updates\tloss\n1\t1\n2\t0.5\n")));
        const auto exact = [](double number) { return QString::number(number, 'g', QLocale::FloatingPointShortest); };
        QVERIFY(text.endsWith(QStringLiteral("\n%1\t%2\n").arg(exact(1e6), exact(1.0 / 1e6))));
    }

    void aShortOneIsThereAtOnce() {
        PlotView view(m_theme);
        PlotCurve curve;
        curve.id = QStringLiteral("a");
        curve.series = {{1, 2}, {0.5, 0.25}};
        view.setCurves({curve});
        view.refreshNow();
        view.showTable();
        button(view)->click();
        QVERIFY2(clipboard().endsWith(QStringLiteral("\ta\n1\t0.5\n2\t0.25\n")), qPrintable(clipboard()));
    }
};

QTEST_MAIN(TestPlotTableCopy)
} // namespace test_plot_table_copy
#include "test_plot_table_copy.moc"

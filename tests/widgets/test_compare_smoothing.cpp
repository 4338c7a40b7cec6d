// SPDX-License-Identifier: GPL-3.0-or-later
// How the training loss of a comparison is smoothed: chosen over its curves, kept with what is compared, and said; and
// the keys of the row in which it is chosen.
#include "tests/widgets/saved_comparisons.h"
#include "widgets/plots/plot_view.h"

#include <QFile>
#include <QSignalSpy>
#include <QSlider>

namespace test_compare_smoothing {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareSmoothing : public QObject, protected SavedComparisons {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() { closePage(); }

    void theLossIsSmoothedAsChosen() {
        showCase(equivalentCase());
        QCOMPARE(slider()->value(), 26);
        QCOMPARE(text("compare.smoothingValue"), QString("0.95"));
        QCOMPARE(title(), QString("Training loss, smoothed (EMA 0.95)"));
        QCOMPARE(loss()->curveCount(), std::size_t{4}); // behind each mean that of the values as they are
        QCOMPARE(csv().count("not smoothed"), csv().count("mean of 5\""));
        QVERIFY(csv().contains("not smoothed"));

        slider()->setValue(0);
        QTRY_COMPARE(title(), QString("Training loss"));
        QCOMPARE(text("compare.smoothingValue"), QString("none"));
        QCOMPARE(loss()->curveCount(), std::size_t{2});
        QVERIFY(!csv().contains("not smoothed"));

        child<QComboBox>(*m_page, "compare.smoothingKind")->setCurrentIndex(1);
        slider()->setValue(20);
        QTRY_COMPARE(title(), QString("Training loss, smoothed (centred mean of 11 window(s))"));
        QCOMPARE(text("compare.smoothingValue"), QString("11 window(s)"));
        QCOMPARE(slider()->value(), 20); // shown again as it was chosen
        // Differences are of values as they are, and the report is of what is on the screen.
        QCOMPARE(child<PlotView>(*m_page, "compare.lossDifference")->curveCount(), std::size_t{1});
        QSignalSpy report(m_page.get(), &ComparePage::reportRequested);
        QTRY_VERIFY(child<QPushButton>(*m_page, "compare.report")->isEnabled());
        click("compare.report");
        QVERIFY((report[0][0].value<ComparisonRequest>().lossSmoothing == CurveSmoothing{.beta = 0.0, .half = 5}));
    }

    void itIsKeptWithWhatIsCompared() {
        showCase(equivalentCase());
        slider()->setValue(20);
        QTRY_COMPARE(title(), QString("Training loss, smoothed (EMA 0.9)"));
        save();
        QCOMPARE(stored().front().smoothing, std::string("ema 0.9"));
        click("compare.saved");
        slider()->setValue(0);
        QTRY_COMPARE(title(), QString("Training loss"));
        makePage(); // the next session
        QVERIFY(waitUntilShown(5));
        QTRY_COMPARE(title(), QString("Training loss"));
        QCOMPARE(slider()->value(), 0);
        click("compare.saved");
        child<QTableView>(*m_page, "compare.savedTable")->selectRow(0);
        click("compare.savedOpen");
        QTRY_COMPARE(title(), QString("Training loss, smoothed (EMA 0.9)"));
        QCOMPARE(slider()->value(), 20);
    }

    void itsRowHasTheKeysOfLive() {
        showCase(equivalentCase());
        auto* axis = child<QComboBox>(*m_page, "compare.axis");
        for (const char* next : {"Updates", "Epochs", "Wall time", "Active time", "Samples"}) {
            loss()->setFocus();
            QTest::keyClick(loss(), Qt::Key_X);
            QCOMPARE(axis->currentText(), QString(next));
            QTRY_VERIFY2(text("compare.curvesNote").contains(QString("at equal %1").arg(QString(next).toLower())),
                         next);
        }
        QTest::keyClick(loss(), Qt::Key_S);
        QVERIFY(slider()->hasFocus());
        const int before = slider()->value();
        QTest::keyClick(slider(), Qt::Key_Right);
        QCOMPARE(slider()->value(), before + 1);
        click("compare.saved"); // where no curve is seen
        QTest::keyClick(m_page.get(), Qt::Key_X);
        QCOMPARE(axis->currentText(), QString("Samples"));
    }

private:
    [[nodiscard]] PlotView* loss() const { return child<PlotView>(*m_page, "compare.loss"); }
    [[nodiscard]] QSlider* slider() const { return child<QSlider>(*m_page, "compare.smoothing"); }
    [[nodiscard]] QString title() const { return loss()->accessibleName(); }
    [[nodiscard]] QString csv() const {
        QFile file(m_fixture->path("loss.csv"));
        return loss()->saveCsv(file.fileName()) && file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll())
                                                                                  : QString();
    }
};

QTEST_MAIN(TestCompareSmoothing)
} // namespace test_compare_smoothing
#include "test_compare_smoothing.moc"

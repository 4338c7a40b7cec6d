// SPDX-License-Identifier: GPL-3.0-or-later
// A step of the metric that is larger than the margin: an interval that lies inside the margin shows no equivalence,
// and the pictures of Compare say so.
#include "tests/widgets/compare_cases.h"
#include "widgets/plots/verdict_card.h"

#include <QImage>

namespace test_compare_coarse {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareCoarse : public QObject, protected CompareCases {
    Q_OBJECT

    [[nodiscard]] bool paints(const QColor& color) const {
        const QImage picture = child<IntervalBar>(*m_page, "compare.interval")->grab().toImage();
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                if (picture.pixelColor(x, y) == color)
                    return true;
        return false;
    }

private Q_SLOTS:
    void cleanup() { closePage(); }

    void thePicturesSayWhyItIsInconclusive_data() {
        QTest::addColumn<double>("margin");
        QTest::newRow("half an answer") << 0.00005; // of 10 000
        QTest::newRow("a hundred answers") << 0.01;
    }
    void thePicturesSayWhyItIsInconclusive() {
        QFETCH(const double, margin);
        const bool coarse = margin < 0.0001;
        const std::vector<double> same{0.91, 0.92, 0.93, 0.92, 0.91};
        showCase({"same", same, same, margin});
        QCOMPARE(text("compare.verdictWord"),
                 coarse ? QStringLiteral("Inconclusive") : QStringLiteral("Equivalent within ±1 points"));
        QString said = QStringLiteral("A single prediction changes the metric by 0.01 points, more than the margin");
        for (const char* label : {"compare.verdictScale", "compare.curvesNote"}) {
            const QString shown = text(label).replace(QChar(0x00A0), QLatin1Char(' '));
            QVERIFY2(shown.contains(said) == coarse, qPrintable(shown));
        }
        const ThemeColors& colors = m_fixture->theme().colors();
        QCOMPARE(paints(colors.warning), coarse);
        QCOMPARE(paints(verdictColor(colors, Verdict::Inconclusive)), coarse);
        takePicture(*m_page, coarse ? QStringLiteral("compare-coarse") : QStringLiteral("compare-fine"));
    }
};

QTEST_MAIN(TestCompareCoarse)
} // namespace test_compare_coarse
#include "test_compare_coarse.moc"

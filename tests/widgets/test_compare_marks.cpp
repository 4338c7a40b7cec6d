// SPDX-License-Identifier: GPL-3.0-or-later
// Each group has one mark, on its curves as in the scatter plot.
#include "tests/widgets/three_groups.h"
#include "widgets/plots/group_look.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/qcp.h"

namespace test_compare_marks {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareMarks : public QObject, protected ThreeGroups {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() { closePage(); }

    /// The mistake that this is to catch: group E is a disc on its curve, as A is, and a diamond as a point.
    void curvesHaveTheMarksOfPoints() {
        startWithThree();
        for (const std::int64_t micro : {16, 8}) {
            SyntheticStudy study = studyOf(differentCase());
            study.name = "m" + std::to_string(micro);
            study.micro = micro;
            m_page->addGroup(qtList(m_fixture->add(study).groupA));
        }
        QTRY_COMPARE(verdicts()->rowCount(), 4);
        auto* view = child<PlotView>(*m_page, "compare.accuracy");
        view->refreshNow();
        QCOMPARE(shapeOf(*view, 0), QCPScatterStyle::ssCircle);
        QCOMPARE(shapeOf(*view, 1), QCPScatterStyle::ssSquare);
        QCOMPARE(shapeOf(*view, 2), QCPScatterStyle::ssTriangle);
        QCOMPARE(shapeOf(*view, 3), QCPScatterStyle::ssTriangleInverted);
        QCOMPARE(shapeOf(*view, 4), QCPScatterStyle::ssDiamond);
    }

private:
    /// Of the group's mean, found by its colour.
    [[nodiscard]] QCPScatterStyle::ScatterShape shapeOf(const PlotView& view, std::size_t group) const {
        ComparisonInput input; // as on the page: B is the large batch
        for (std::vector<ComparedRun>* runs : {&input.groupA, &input.groupB})
            runs->emplace_back();
        input.groupB.front().arm = Arm::LargeBatch;
        for (int further = 0; further < 3; ++further)
            input.further.emplace_back().emplace_back();
        const QColor color = groupLooks(m_fixture->theme().colors(), input)[group].color;
        const auto* plot = view.findChild<QCustomPlot*>();
        for (int graph = 0; plot && graph < plot->graphCount(); ++graph) {
            const QCPScatterStyle style = plot->graph(graph)->scatterStyle();
            if (!style.isNone() && plot->graph(graph)->pen().color() == color)
                return style.shape();
        }
        return QCPScatterStyle::ssNone;
    }
};

QTEST_MAIN(TestCompareMarks)
} // namespace test_compare_marks
#include "test_compare_marks.moc"

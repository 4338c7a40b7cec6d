// SPDX-License-Identifier: GPL-3.0-or-later
// A pair on every x axis of Live: 32 x 8 and 256 x 1 lie at the same samples, updates and epochs, the axis says what it
// counts, and the choice is there again after a restart.
#include "tests/support/numeric.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/plots/plot_view.h"

#include <QComboBox>
#include <QDialog>
#include <QPushButton>
#include <QTableView>
#include <cmath>

namespace acceptance_a09 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr int arms = 2;
constexpr int updates = 8; // 2 epochs of 1 000 samples in windows of 256

/// The words drawn at the lower axis.
QString xTitleOf(const PlotView& view) {
    constexpr int atBottom = 0x08;
    for (const QObject* axis : view.findChildren<QObject*>())
        if (axis->inherits("QCPAxis") && axis->property("axisType").toInt() == atBottom)
            return axis->property("label").toString();
    return {};
}

/// What "the numbers as a table" shows of a plot.
struct Numbers {
    QString xTitle;
    std::vector<double> x;
    std::vector<std::size_t> points; ///< of each curve
};
Numbers numbersOf(PlotView& view) {
    view.refreshNow();
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_T);
    Numbers numbers;
    auto* dialog = view.findChild<QDialog*>(QStringLiteral("plotTableDialog"));
    if (!dialog)
        return numbers;
    const QAbstractItemModel* model = dialog->findChild<QTableView*>(QStringLiteral("plotTable"))->model();
    numbers.xTitle = model->headerData(0, Qt::Horizontal).toString();
    numbers.points.assign(static_cast<std::size_t>(model->columnCount() - 1), 0);
    for (int row = 0; row < model->rowCount(); ++row) {
        numbers.x.push_back(model->index(row, 0).data(Qt::EditRole).toDouble());
        for (int curve = 1; curve < model->columnCount(); ++curve)
            numbers.points[static_cast<std::size_t>(curve) - 1] +=
                model->index(row, curve).data(Qt::EditRole).isValid() ? 1U : 0U;
    }
    dialog->close();
    return numbers;
}

} // namespace

class AcceptanceA09 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePairCoincidesOnWhatBothCount() {
        WorkbenchFixture fixture;
        fixture.click("rail-setup");
        ExperimentConfig experiment = tinyExperiment();
        experiment.study.largeBatch = true;
        fixture.window().findChild<SetupPage*>()->setExperiment(experiment);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.find<QPushButton>("setup.start")->isEnabled(), patience);
        fixture.click("setup.start");
        fixture.waitUntilIdle(runTimeout);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
        auto* loss = fixture.find<PlotView>("liveLoss");
        auto* accuracy = fixture.find<PlotView>("liveAccuracy"); // bears the axis of both
        auto* axis = fixture.find<QComboBox>("liveXAxis");
        QTRY_COMPARE_WITH_TIMEOUT(loss->curveCount(), std::size_t{arms}, patience);
        QCOMPARE(axis->currentData().toString(), QStringLiteral("samples")); // the first choice

        struct Case {
            QString title;
            double last;
        };
        const std::vector<Case> counted{{"samples seen", 2000.0}, {"updates", updates}, {"epochs", 2.0}};
        QStringList titles;
        axis->setFocus();
        for (const auto& [title, last] : counted) {
            const Numbers numbers = numbersOf(*loss);
            QCOMPARE(numbers.xTitle, title);
            QCOMPARE(xTitleOf(*accuracy), title);
            // One x for both arms at each update: were they apart, there would be more.
            QCOMPARE(numbers.x.size(), std::size_t{updates});
            QCOMPARE(numbers.points, std::vector<std::size_t>(arms, updates));
            QVERIFY(test::compareRel(numbers.x.back(), last, 1e-12));
            titles << title;
            axis->setFocus();
            QTest::keyClick(axis, Qt::Key_Down);
        }
        const QString wallTime = QStringLiteral("wall time since the start of the run (s)");
        const Numbers numbers = numbersOf(*loss);
        QCOMPARE(numbers.xTitle, wallTime);
        QCOMPARE(xTitleOf(*accuracy), wallTime);
        QVERIFY(!titles.contains(wallTime));
        QCOMPARE(numbers.points, std::vector<std::size_t>(arms, updates));

        fixture.reopen();
        fixture.click("rail-live");
        QTRY_COMPARE_WITH_TIMEOUT(fixture.find<PlotView>("liveLoss")->curveCount(), std::size_t{arms}, patience);
        QCOMPARE(fixture.find<QComboBox>("liveXAxis")->currentData().toString(), QStringLiteral("wall-time"));
        QCOMPARE(fixture.find<QComboBox>("liveXAxis")->currentText(), QStringLiteral("Wall time"));
        QCOMPARE(numbersOf(*fixture.find<PlotView>("liveLoss")).xTitle, wallTime);
        QCOMPARE(xTitleOf(*fixture.find<PlotView>("liveAccuracy")), wallTime);
        // And from there back to the first choice.
        auto* again = fixture.find<QComboBox>("liveXAxis");
        again->setFocus();
        QTest::keyClick(again, Qt::Key_Home);
        QCOMPARE(numbersOf(*fixture.find<PlotView>("liveLoss")).x.size(), std::size_t{updates});
    }
};

QTEST_MAIN(AcceptanceA09)
} // namespace acceptance_a09
#include "acceptance_a09.moc"

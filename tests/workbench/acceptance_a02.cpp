// SPDX-License-Identifier: GPL-3.0-or-later
// The demo from its card to its verdict: the first arm's curves move within seconds, then Compare opens by itself with
// five pairs, their difference and a verdict. The bundled MNIST and the real training, once.
#include "tests/workbench/workbench_fixture.h"
#include "widgets/plots/plot_view.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QTableView>

namespace acceptance_a02 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

// Budgets in seconds as they are meant, on a machine that does nothing else. Printed; a busy machine may take three
// times as long.
constexpr double movesWithin = 5.0;
constexpr double endsWithin = 120.0;
constexpr int slack = 3;
constexpr std::size_t pairs = 5;

int milliseconds(double seconds) { return static_cast<int>(1000.0 * seconds); }

void tell(const char* what, const QElapsedTimer& clock, double budget) {
    const double seconds = static_cast<double>(clock.elapsed()) / 1000.0;
    qInfo("%s after %.1f s (budget %.0f s)", what, seconds, budget);
}

} // namespace

class AcceptanceA02 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theDemoEndsWithAVerdict() {
        WorkbenchFixture fixture;
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("home"));
        QElapsedTimer clock;
        clock.start();
        fixture.click("homeDemoButton");
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
        auto* loss = fixture.find<PlotView>("liveLoss");
        QTRY_VERIFY_WITH_TIMEOUT(loss->curveCount() > 0 && loss->xMax() > 256.0, slack * milliseconds(movesWithin));
        const double before = loss->xMax();
        const QString words = loss->summaryText();
        QTRY_VERIFY_WITH_TIMEOUT(loss->xMax() > before, slack * milliseconds(movesWithin));
        tell("the curves move", clock, movesWithin);
        QVERIFY(clock.elapsed() < slack * milliseconds(movesWithin));
        QVERIFY(loss->isVisible());
        QVERIFY(loss->summaryText() != words);

        QTRY_COMPARE_WITH_TIMEOUT(fixture.window().currentPage(), QStringLiteral("compare"),
                                  slack * milliseconds(endsWithin));
        auto* word = fixture.find<QLabel>("compare.verdictWord");
        QTRY_VERIFY(word->isVisible());
        tell("Compare is open", clock, endsWithin);
        QVERIFY(clock.elapsed() < slack * milliseconds(endsWithin));
        const QStringList verdicts{"Equivalent within ±0.5 points", "Different", "Different, but within ±0.5 points",
                                   "Inconclusive", "Not enough seeds"};
        QTRY_VERIFY2(std::ranges::any_of(verdicts, [&](const QString& one) { return word->text().startsWith(one); }),
                     qPrintable(word->text()));
        qInfo("verdict: %s", qPrintable(word->text()));

        const auto* sentence = fixture.find<QLabel>("compare.verdictSentence"); // what was shown, in words
        QVERIFY2(sentence->isVisible() && sentence->text().contains(QStringLiteral("5 paired seeds")),
                 qPrintable(sentence->text()));
        QCOMPARE(fixture.find<QTableView>("compare.seedTable")->model()->rowCount(), static_cast<int>(pairs) + 1);
        auto* difference = fixture.find<PlotView>("compare.accuracyDifference");
        QVERIFY(difference->isVisible());
        difference->refreshNow();
        QCOMPARE(difference->curveCount(), std::size_t{1}); // the mean of the pairs
        QVERIFY(difference->xMax() > 100'000.0);            // over the samples of two epochs
        QVERIFY2(difference->summaryText().contains(QStringLiteral("1 curve, last ")),
                 qPrintable(difference->summaryText()));
        const QString note = fixture.find<QLabel>("compare.curvesNote")->text();
        QVERIFY2(note.contains(QStringLiteral("n = 5")), qPrintable(note));

        const auto runs = fixture.workbench().library().reader().runs().value();
        QCOMPARE(runs.size(), 2 * pairs);
        for (const RunRecord& run : runs) {
            QCOMPARE(run.state, RunState::Completed);
            QCOMPARE(run.config.data.dataset, std::string("mnist"));
            QCOMPARE(run.batch.effective, 256);
            QCOMPARE(run.batch.micro, run.arm == Arm::Accumulated ? 32 : 256);
            QCOMPARE(run.summary.updates, 470);
        }
    }
};

QTEST_MAIN(AcceptanceA02)
} // namespace acceptance_a02
#include "acceptance_a02.moc"

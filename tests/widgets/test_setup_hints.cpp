// SPDX-License-Identifier: GPL-3.0-or-later
// What Set up says beside its fields: the margin in the metric's unit and what it is by default, the learning rate over
// samples, how long earlier runs took.
#include "tests/support/numeric.h"
#include "tests/support/synthetic_library.h"
#include "tests/widgets/setup_form.h"
#include "widgets/plots/plot_view.h"

#include <QComboBox>

namespace test_setup_hints {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestSetupHints : public QObject, protected SetupForm {
    Q_OBJECT
private:
    QString marginUnit() {
        const auto* box = find<NumberBox>("setup.study.margin");
        return box->findChild<QLabel*>()->text().replace(QChar(0x00A0), QLatin1Char(' '));
    }
    void choose(const char* name, const QVariant& data) {
        auto* choice = find<QComboBox>(name);
        const int index = choice->findData(data);
        QVERIFY2(index >= 0, name);
        choice->setCurrentIndex(index);
        Q_EMIT choice->activated(index);
    }

private Q_SLOTS:
    void initTestCase() { useTheme(); }
    void init() { openPage(); }
    void cleanup() { closePage(); }

    void theMarginHasTheUnitOfItsMetric() {
        QCOMPARE(marginUnit(), QStringLiteral("= default, 0.2 points"));
        QCOMPARE(text("setup.summary.margin").replace(QChar(0x00A0), QLatin1Char(' ')),
                 QStringLiteral("±0.2 points, the metric's default"));
        choose("setup.loss.kind", QStringLiteral("mse"));
        QCOMPARE(marginUnit(), QStringLiteral("= default, 1 % of the mean"));
        QCOMPARE(text("setup.summary.margin").replace(QChar(0x00A0), QLatin1Char(' ')),
                 QStringLiteral("±1 % of the large batch's mean, the metric's default"));
        choose("setup.loss.kind", QStringLiteral("cross-entropy"));
        type("setup.study.margin", QStringLiteral("0.005"));
        QCOMPARE(marginUnit(), QStringLiteral("= 0.5 points"));
        choose("setup.loss.kind", QStringLiteral("mse"));
        QCOMPARE(marginUnit(), QString()); // an error in the unit of the targets
        choose("setup.loss.kind", QStringLiteral("cross-entropy"));
        QCOMPARE(marginUnit(), QStringLiteral("= 0.5 points"));
    }

    void theBatchOfTheLearningRateIsANumber() {
        const auto* box = find<NumberBox>("setup.optimizer.lr_batch");
        QCOMPARE(box->findChild<QLabel*>()->text(), QStringLiteral("= this batch, 256"));
        type("setup.batch.effective", QStringLiteral("96"));
        QCOMPARE(box->findChild<QLabel*>()->text(), QStringLiteral("= this batch, 96"));
    }

    void theLearningRateIsShownOverUpdatesOrSamples() {
        auto* plot = find<PlotView>("setup.lr.preview");
        plot->refreshNow();
        QVERIFY(plot->xMax() >= 705.0 && plot->xMax() < 1000.0); // 3 epochs of 235 updates
        choose("setup.lr.axis", 1);
        plot->refreshNow();
        QVERIFY(plot->xMax() >= 180'000.0 && plot->xMax() < 250'000.0);
        choose("setup.lr.axis", 0);
        plot->refreshNow();
        QVERIFY(plot->xMax() < 1000.0);
    }

    void earlierRunsTellHowLongItTakes() {
        QCOMPARE(text("setup.summary.runs"), QStringLiteral("2 arm(s) × 5 seed(s) = 10 run(s)"));
        const QString unknown = QStringLiteral("Time: not known yet. Plan micro-batch measures it.");
        QTRY_VERIFY(shows("setup.summary.time")); // before the first run
        QCOMPARE(text("setup.summary.time"), unknown);
        const std::filesystem::path file = m_folder->filePath(QStringLiteral("library.sqlite")).toStdString();
        const auto runs = addSyntheticStudy(file, studyOf(equivalentCase()));
        QVERIFY(runs);
        QVERIFY(m_library->open(file));
        const auto run = m_library->reader().run(runs->groupA.front());
        QVERIFY(run && run->summary.samplesPerSecond > 0.0);
        ExperimentConfig experiment{run->config, {}};
        experiment.study.seeds = {7, 8};
        experiment.study.largeBatch = false;
        m_page->setExperiment(experiment);
        QTRY_VERIFY(text("setup.summary.runs").startsWith(QStringLiteral("1 arm(s) × 2 seed(s) = 2 run(s), about ")));
        QVERIFY(find<QLabel>("setup.summary.runs")->toolTip().contains(QStringLiteral("earlier runs")));
        QVERIFY(!shows("setup.summary.time"));
        experiment.run.batch.micro /= 2; // no run has this one
        m_page->setExperiment(experiment);
        QCOMPARE(text("setup.summary.runs"), QStringLiteral("1 arm(s) × 2 seed(s) = 2 run(s)"));
        QTRY_VERIFY(shows("setup.summary.time"));
    }
};

QTEST_MAIN(TestSetupHints)
} // namespace test_setup_hints
#include "test_setup_hints.moc"

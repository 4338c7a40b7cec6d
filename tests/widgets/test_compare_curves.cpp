// SPDX-License-Identifier: GPL-3.0-or-later
// Axes, symmetric logarithm, several metrics, settings over all runs, and the card as a picture.
#include "widgets/pages/compare/compare_page.h"

#include "tests/support/numeric.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/difference_model.h"
#include "widgets/models/judged_metric_model.h"
#include "widgets/models/pair_model.h"
#include "widgets/pages/compare/compare_view.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/symmetric_log.h"
#include "widgets/plots/verdict_card.h"
#include "widgets/style/controls.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>

namespace test_compare_curves {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

QByteArray contentOf(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

} // namespace

class TestCompareCurves : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void everyAxisOfLive_data();
    void everyAxisOfLive();
    void theSymmetricLogarithmKeepsOrderAndSign();
    void itsTicksAreDecadesOfBothSigns();
    void differencesAreDrawnOnIt();
    void severalMetricsAreJudgedTogether();
    void bothIntervalsStandOnTheCard();
    void theCardIsAPicture();
    void aPictureThatCannotBeWrittenIsSaid();
    void settingsAreComparedOverAllRuns();
    void whatIsNotSetIsNotEmpty();

private:
    void showCase(const VerdictCase& verdictCase) {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<ComparePage>(m_fixture->services());
        m_page->resize(1110, 690);
        m_page->show();
        m_runs = m_fixture->add(studyOf(verdictCase));
        m_page->compareStudy(QString::fromStdString(m_runs.study));
        const auto* table = child<QTableView>(*m_page, "compare.seedTable");
        const int rows = static_cast<int>(verdictCase.a.size()) + 1;
        QTRY_COMPARE(table->model()->rowCount(), rows);
    }
    [[nodiscard]] QString text(const char* name) const { return child<QLabel>(*m_page, name)->text(); }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ComparePage> m_page;
    SyntheticRuns m_runs;
};

void TestCompareCurves::everyAxisOfLive_data() {
    QTest::addColumn<QString>("axis");
    QTest::addColumn<QString>("note");
    QTest::addColumn<double>("end");
    // 300 windows of 256 of 60,000 samples; the accumulated arm takes 12 ms for each (tests/support/synthetic_library).
    QTest::newRow("samples") << "Samples"
                             << "at equal samples" << 76'800.0;
    QTest::newRow("updates") << "Updates"
                             << "at equal updates" << 300.0;
    QTest::newRow("epochs") << "Epochs"
                            << "at equal epochs" << 1.28;
    QTest::newRow("wall time") << "Wall time"
                               << "at equal wall time" << 3.6;
    QTest::newRow("active time") << "Active time"
                                 << "at equal active time" << 3.6;
}

void TestCompareCurves::everyAxisOfLive() {
    QFETCH(QString, axis);
    QFETCH(QString, note);
    QFETCH(double, end);
    showCase(equivalentCase());
    auto* box = child<QComboBox>(*m_page, "compare.axis");
    box->setCurrentIndex(box->findText(axis));
    Q_EMIT box->activated(box->currentIndex());
    QTRY_VERIFY2(text("compare.curvesNote").contains(note), qPrintable(text("compare.curvesNote")));
    const QString verdict = text("compare.verdictWord");
    QVERIFY2(verdict.startsWith("Equivalent"), qPrintable(verdict)); // the verdict is of the ends, on any axis
    for (const char* name : {"compare.accuracy", "compare.loss"}) {
        auto* plot = child<PlotView>(*m_page, name);
        plot->refreshNow();
        // All four share one range, that of the longer arm; the picture leaves a little air.
        QVERIFY2(plot->xMax() > 0.9 * end && plot->xMax() < 1.3 * end, qPrintable(QString::number(plot->xMax())));
    }
    takePicture(*m_page, "compare-axis-" + QString(QTest::currentDataTag()).replace(' ', '-'));
}

void TestCompareCurves::theSymmetricLogarithmKeepsOrderAndSign() {
    const SymmetricLog scale{0.01};
    const std::vector<double> values{-10.0, -0.5, -0.01, -1e-4, 0.0, 1e-4, 0.01, 0.5, 10.0};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double place = scale.toAxis(values[i]);
        QVERIFY(compareAbs(scale.fromAxis(place), values[i], 1e-12)); // sinh(asinh(x)) of at most 1000
        QVERIFY(compareBits(scale.toAxis(-values[i]), -place));
        if (i > 0)
            QVERIFY(place > scale.toAxis(values[i - 1]));
    }
    // Far out a decade is a decade, near zero the scale is linear.
    const double decade = scale.toAxis(10.0) - scale.toAxis(1.0);
    QVERIFY(compareRel(decade, std::log(10.0), 1e-4));
    QVERIFY(compareRel(scale.toAxis(2e-4), 2.0 * scale.toAxis(1e-4), 1e-3));
    QVERIFY(compareBits(SymmetricLog().toAxis(0.3), 0.3) && compareBits(SymmetricLog().fromAxis(0.3), 0.3));
}

void TestCompareCurves::itsTicksAreDecadesOfBothSigns() {
    const auto labels = [](const AxisRange& range, double linear, int wanted = 8) {
        QStringList texts;
        double last = -1e9;
        for (const Tick& tick : symmetricLogTicks(range, SymmetricLog{linear}, wanted)) {
            if (tick.value <= last)
                return QStringList{"not ascending"};
            last = tick.value;
            texts << tick.label;
        }
        return texts;
    };
    QCOMPARE(labels({-1.0, 1.0}, 0.01), (QStringList{"−1", "−0.1", "0", "0.1", "1"}));
    const QStringList oneSided = labels({-0.001, 10.0}, 0.01);
    QVERIFY2(oneSided.contains("0") && oneSided.contains("10") && !oneSided.join(' ').contains(QChar(0x2212)),
             qPrintable(oneSided.join(' ')));
    QVERIFY(!labels({0.5, 50.0}, 0.01).contains("0"));
    QCOMPARE(labels({-50.0, -0.5}, 0.01).first().front(), QChar(0x2212));
    // Both signs have the same decades, however few have room.
    QCOMPARE(labels({-10.0, 1.0}, 0.01, 5), (QStringList{"−10", "−0.1", "0", "0.1"}));
    QCOMPARE(labels({-0.05, 0.05}, 0.0001, 4), (QStringList{"−0.01", "0", "0.01"}));
    QVERIFY(labels({-0.005, 0.01}, 0.01).size() >= 4); // inside the linear part: round numbers
    for (const int wanted : {2, 3, 5, 12})
        QVERIFY2(labels({-1e4, 1e3}, 0.01, wanted).contains("0"), qPrintable(QString::number(wanted)));
}

void TestCompareCurves::differencesAreDrawnOnIt() {
    showCase(differentWithinCase());
    auto* plot = child<PlotView>(*m_page, "compare.accuracyDifference");
    const auto svg = [&](const char* name) {
        plot->refreshNow();
        const QString file = m_fixture->path(name);
        return plot->saveSvg(file) ? contentOf(file) : QByteArray();
    };
    const QByteArray linear = svg("linear.svg");
    auto* log = child<QCheckBox>(*m_page, "compare.logDifferences");
    log->click();
    const QByteArray symmetric = svg("symmetric.svg");
    QVERIFY(!linear.isEmpty() && linear != symmetric);
    // Accuracies differ by some points: decades below that stand on the axis, which a linear one has no room for.
    static const QRegularExpression decade(">0\\.0*1<");
    QVERIFY2(QString::fromUtf8(symmetric).contains(decade), symmetric.right(4000));
    QVERIFY(symmetric.contains(">0<"));
    takePicture(*m_page, "compare-symmetric");
    auto* scroll = child<QScrollArea>(*m_page, "compare.scroll");
    QTest::qWait(200); // plots repaint at most ten times a second
    if (!qEnvironmentVariableIsEmpty("ACCUMULUS_TEST_PICTURES"))
        takePicture(*scroll->widget(), "compare-symmetric-whole");
    // The numbers that leave the program stay what they are.
    const QString csv = m_fixture->path("differences.csv");
    QVERIFY(plot->saveCsv(csv));
    const QByteArray before = contentOf(csv);
    log->click();
    QVERIFY(plot->saveCsv(csv));
    QCOMPARE(contentOf(csv), before);
    QCOMPARE(svg("again.svg").size(), linear.size());
}

void TestCompareCurves::severalMetricsAreJudgedTogether() {
    showCase(equivalentCase());
    auto* table = child<QTableView>(*m_page, "compare.metricTable");
    QVERIFY(!table->isVisible());
    QVERIFY(!text("compare.verdictSentence").contains("Holm"));
    QCOMPARE(child<QPushButton>(*m_page, "compare.together")->text(), QString("No other metric"));
    auto* loss = child<QAction>(*m_page, "compare.together.test_loss");
    QVERIFY(m_page->findChild<QAction*>("compare.together.test_accuracy") == nullptr); // the verdict's own
    loss->trigger();
    QTRY_VERIFY(table->isVisible());
    const QAbstractItemModelTester tester(table->model());
    QCOMPARE(table->model()->rowCount(), 2);
    const auto cell = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
    QCOMPARE(cell(0, JudgedMetricModel::Metric), QString("Final test accuracy"));
    QCOMPARE(cell(1, JudgedMetricModel::Metric), QString("Final test loss"));
    QCOMPARE(cell(0, JudgedMetricModel::Word), QString("Equivalent"));
    QCOMPARE(table->model()->headerData(JudgedMetricModel::Pairs, Qt::Horizontal).toString(), QString("Pairs"));
    QCOMPARE(cell(1, JudgedMetricModel::Pairs), QString("5"));
    QVERIFY(!cell(0, JudgedMetricModel::Margin).contains("not fixed"));
    QVERIFY2(cell(1, JudgedMetricModel::Margin).contains("not fixed"), qPrintable(cell(1, JudgedMetricModel::Margin)));
    QVERIFY2(text("compare.verdictSentence").contains("2 metrics are judged together") &&
                 text("compare.verdictSentence").contains("Holm's method"),
             qPrintable(text("compare.verdictSentence")));
    QVERIFY2(text("compare.verdictWord").startsWith("Final test accuracy: Equivalent within"),
             qPrintable(text("compare.verdictWord")));
    const QString other = "Final test loss: " + cell(1, JudgedMetricModel::Word);
    QVERIFY2(text("compare.otherVerdicts").startsWith(other), qPrintable(text("compare.otherVerdicts")));
    QVERIFY(!text("compare.verdictScale").contains("would pass"));
    QCOMPARE(child<QPushButton>(*m_page, "compare.together")->text(), QString("1 more metric(s)"));
    QTest::qWait(200);
    if (!qEnvironmentVariableIsEmpty("ACCUMULUS_TEST_PICTURES"))
        takePicture(*child<QScrollArea>(*m_page, "compare.scroll")->widget(), "compare-together-whole");
    takePicture(*m_page, "compare-together");
    // The verdict on another metric: it is not its own companion.
    auto* metric = child<QComboBox>(*m_page, "compare.metric");
    metric->setCurrentIndex(metric->findData(QString("test_loss")));
    Q_EMIT metric->activated(metric->currentIndex());
    QTRY_VERIFY(!table->isVisible());
    QVERIFY(!text("compare.verdictSentence").contains("Holm"));
}

void TestCompareCurves::bothIntervalsStandOnTheCard() {
    showCase(equivalentCase());
    // scipy 1.17.1, stats.t.interval(0.95, 4, mean, stats.sem) of the five differences: 2e-05 -+ 2.776445 x 0.00045760.
    const QString scale = text("compare.verdictScale");
    QVERIFY2(scale.contains(QString::fromUtf8("95 % interval: −0.125 to +0.129\u00A0points")), qPrintable(scale));
    QVERIFY(text("compare.verdictSentence").contains("90 % interval"));
}

void TestCompareCurves::theCardIsAPicture() {
    showCase(equivalentCase());
    auto* card = child<VerdictCard>(*m_page, "compare.verdict");
    const QString word = text("compare.verdictWord");
    m_fixture->theme().setMode(ThemeMode::Dark);
    const QString png = m_fixture->path("card.png");
    const QString svg = m_fixture->path("card.svg");
    const QString pdf = m_fixture->path("card.pdf");
    QVERIFY(card->saveAs(png) && card->saveAs(svg) && card->saveAs(pdf));
    m_fixture->theme().setMode(ThemeMode::Light);
    const QImage image(png);
    QCOMPARE(image.width(), 1440); // twice 720
    QVERIFY(image.height() > 300 && image.height() < 1200);
    QVERIFY(image.pixelColor(3, 3).lightness() > 240); // light colours, also from the dark window
    const QByteArray drawing = contentOf(svg);
    QVERIFY(drawing.contains("<svg") && drawing.contains(word.toUtf8()));
    QVERIFY(contentOf(pdf).startsWith("%PDF-"));
    QGuiApplication::clipboard()->clear();
    child<QAction>(*m_page, "compare.cardCopy")->trigger();
    QCOMPARE(QGuiApplication::clipboard()->image().size(), image.size());
    const QString folder = qEnvironmentVariable("ACCUMULUS_TEST_PICTURES");
    if (!folder.isEmpty())
        image.save(folder + "/compare-card.png");
}

void TestCompareCurves::aPictureThatCannotBeWrittenIsSaid() {
    showCase(equivalentCase());
    const QString file = m_fixture->path("no/such/folder/card.png");
    QVERIFY(!child<VerdictCard>(*m_page, "compare.verdict")->saveAs(file));
    auto* notice = child<NoticeBar>(*m_page, "compare.notice");
    QVERIFY(notice->isVisible() && notice->accessibleName().contains(file));
}

void TestCompareCurves::settingsAreComparedOverAllRuns() {
    ComparisonInput input;
    for (std::vector<ComparedRun>* group : {&input.groupA, &input.groupB})
        for (int seed = 0; seed < 3; ++seed) {
            ComparedRun& run = group->emplace_back();
            run.seed = seed;
            run.batch = resolveBatch(run.config.batch).value();
            run.environment = {{"program", "Accumulus 1"}};
        }
    const auto rowOf = [&](const QString& name) {
        for (const DifferenceRow& row : differenceRows(input))
            if (row.name == name)
                return row;
        return DifferenceRow{};
    };
    QVERIFY(rowOf("optimizer.lr").kind == DifferenceKind::Equal);
    input.groupA[2].config.optimizer.lr = 0.5; // not of the first run
    QVERIFY(rowOf("optimizer.lr").kind == DifferenceKind::Mixed);
    QVERIFY2(rowOf("optimizer.lr").a.endsWith(" / 0.5"), qPrintable(rowOf("optimizer.lr").a));
    QVERIFY(!rowOf("optimizer.lr").b.contains('/'));
    for (ComparedRun& run : input.groupA)
        run.config.optimizer.lr = 0.5;
    QVERIFY(rowOf("optimizer.lr").kind == DifferenceKind::Unexpected);
    input.groupB[1].environment = {{"program", "Accumulus 2"}};
    QVERIFY(rowOf("program").kind == DifferenceKind::Mixed);
    QCOMPARE(rowOf("program").b, QString("Accumulus 1 / Accumulus 2"));
}

void TestCompareCurves::whatIsNotSetIsNotEmpty() {
    ComparisonInput input;
    for (std::vector<ComparedRun>* group : {&input.groupA, &input.groupB}) {
        ComparedRun& run = group->emplace_back();
        run.batch = resolveBatch(run.config.batch).value();
        run.environment = {{"program", "Accumulus 1"}};
    }
    input.groupA[0].environment.emplace_back("hardware", "");
    const auto rows = differenceRows(input);
    const auto hardware = std::ranges::find(rows, QString("hardware"), &DifferenceRow::name);
    QVERIFY(hardware != rows.end());
    QCOMPARE(hardware->a, QString("(empty)"));
    QCOMPARE(hardware->b, QString("(not set)"));
    QVERIFY(hardware->kind == DifferenceKind::Unexpected);
}

QTEST_MAIN(TestCompareCurves)
} // namespace test_compare_curves
#include "test_compare_curves.moc"

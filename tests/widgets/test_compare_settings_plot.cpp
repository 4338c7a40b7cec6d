// SPDX-License-Identifier: GPL-3.0-or-later
// Settings and metric of the compared runs: points, lines, highlight by pointer and keys, table, files, empty states.
#include "widgets/pages/compare/compare_page.h"

#include "tests/widgets/page_fixture.h"
#include "widgets/models/setting_run_model.h"
#include "widgets/plots/settings_card.h"
#include "widgets/style/controls.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTranslator>

namespace test_compare_settings_plot {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

QByteArray contentOf(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

/// Every letter of the card and its plot becomes a character as wide as a Chinese one.
class WideWords : public QTranslator {
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int) const override {
        static const QStringList contexts{"accumulus::ui::SettingsCard", "accumulus::ui::SettingsFigure",
                                          "accumulus::ui::SettingsPicture", "accumulus::ui::setting_axis_text",
                                          "fields"};
        if (!contexts.contains(QString::fromLatin1(context)))
            return {};
        QString wide = QString::fromUtf8(source);
        for (qsizetype i = 0; i < wide.size(); ++i)
            if (wide[i].isLetter() && (i == 0 || (wide[i - 1] != '%' && wide[i - 1] != '&')))
                wide[i] = QChar(0x6C49);
        return wide;
    }
};

} // namespace

class TestCompareSettingsPlot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void everyCompletedRunIsAPoint();
    void anotherSettingMovesThePoints();
    void settingsOfSeveralStudies();
    void keysGoFromRunToRun();
    void thePointerHighlights();
    void parallelCoordinatesHaveAPointOnEveryAxis();
    void theTableHasEveryRun();
    void itLeavesTheProgram();
    void whatCannotBeWrittenIsSaid();
    void equalSettingsAreSaid();
    void oneRunIsTooFew();
    void itFitsItsPage_data();
    void itFitsItsPage();

private:
    void start() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<ComparePage>(m_fixture->services());
        m_page->resize(1110, 690);
        m_page->show();
        m_page->activateWindow(); // keys go to the widget with the focus
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }
    void showCase() {
        start();
        m_runs = m_fixture->add(studyOf(equivalentCase()));
        m_page->compareStudy(QString::fromStdString(m_runs.study));
        QTRY_COMPARE(figure().axes.runs.size(), std::size_t{10});
        QTRY_VERIFY(plot().isVisible());
    }
    [[nodiscard]] SettingsPlot& plot() const { return *child<SettingsPlot>(*m_page, "compare.settingsPlot"); }
    [[nodiscard]] const SettingsFigure& figure() const { return plot().figure(); }
    [[nodiscard]] QPointF markOf(std::size_t run) const { return plot().picture().pointsOf(run).back().value(); }
    [[nodiscard]] QString note() const { return child<QLabel>(*m_page, "compare.settingsNote")->text(); }
    void point(const QPointF& at) const {
        QMouseEvent move(QEvent::MouseMove, at, plot().mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&plot(), &move);
    }
    void press(Qt::Key key) const { QTest::keyClick(&plot(), key); }
    void choose(const QString& setting) const {
        auto* box = child<QComboBox>(*m_page, "compare.settingsAxis");
        box->setCurrentIndex(box->findText(setting));
        QCOMPARE(box->currentText(), setting);
        Q_EMIT box->activated(box->currentIndex());
    }
    void showParallel() const {
        QTest::mouseClick(child<QPushButton>(*m_page, "compare.settingsParallel"), Qt::LeftButton);
        QVERIFY(figure().view == SettingsView::Parallel);
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ComparePage> m_page;
    SyntheticRuns m_runs;
};

void TestCompareSettingsPlot::everyCompletedRunIsAPoint() {
    showCase();
    const auto* box = child<QComboBox>(*m_page, "compare.settingsAxis");
    QStringList offered;
    for (int i = 0; i < box->count(); ++i)
        offered << box->itemData(i).toString();
    QCOMPARE(offered, (QStringList{"batch.micro", "batch.steps", "seed"}));
    QCOMPARE(box->currentIndex(), 0);
    const SettingsPicture picture = plot().picture();
    for (std::size_t run = 0; run < 10; ++run) {
        QVERIFY(picture.panel().contains(markOf(run)));
        for (std::size_t other = 0; other < 10; ++other) {
            const MeasuredRun &a = figure().axes.runs[run], &b = figure().axes.runs[other];
            if (a.metric > b.metric)
                QVERIFY(markOf(run).y() < markOf(other).y()); // higher is above
            if (a.group < b.group)
                QVERIFY(markOf(run).x() < markOf(other).x()); // m = 32 stands left of 256
        }
    }
    QVERIFY2(plot().summaryText().contains("5 run(s)"), qPrintable(plot().summaryText()));
    QCOMPARE(plot().accessibleDescription(), plot().summaryText());
    QVERIFY(!plot().accessibleName().isEmpty());
    takePicture(*child<SettingsCard>(*m_page, "compare.settingsCard"), "compare-settings-scatter");
}

void TestCompareSettingsPlot::anotherSettingMovesThePoints() {
    showCase();
    choose("Seed");
    for (std::size_t run = 1; run < 5; ++run)
        QVERIFY(markOf(run).x() > markOf(run - 1).x());
    QCOMPARE(markOf(0).x(), markOf(5).x()); // the same seed in both groups
    // A comparison that is loaded again keeps what was chosen.
    plot().choose(3);
    m_page->compareStudy(QString::fromStdString(m_runs.study));
    QTest::qWait(200);
    QVERIFY(plot().highlighted() == std::optional<std::size_t>(3));
    QCOMPARE(child<QComboBox>(*m_page, "compare.settingsAxis")->currentText(), QString("Seed"));
    // Another metric moves them up or down.
    const auto before = figure().axes.runs[0].metric;
    auto* metric = child<QComboBox>(*m_page, "compare.metric");
    metric->setCurrentIndex(metric->findData(QString("test_loss")));
    Q_EMIT metric->activated(metric->currentIndex());
    QTRY_VERIFY(figure().axes.judged == CompareMetric::TestLoss);
    QVERIFY(figure().axes.runs[0].metric != before);
}

void TestCompareSettingsPlot::settingsOfSeveralStudies() {
    start();
    QStringList a, b;
    for (const double rate : {0.001, 0.01, 0.1}) {
        SyntheticStudy study = studyOf(equivalentCase());
        study.name = "rate " + std::to_string(rate);
        study.learningRate = rate;
        study.createdAt += 1000.0 * rate;
        const SyntheticRuns runs = m_fixture->add(study);
        a << qtList(runs.groupA);
        b << qtList(runs.groupB);
    }
    m_page->compareGroups(a, b);
    QTRY_COMPARE(figure().axes.runs.size(), std::size_t{30});
    choose("Learning rate");
    QVERIFY(figure().xAxis().scale == AxisScale::Logarithmic);
    QVERIFY(!figure().xAxis().betweenGroups);
    QCOMPARE(groupMeans(figure().axes, figure().xAxis()).size(), std::size_t{6});
    // On a logarithmic axis a decade is a decade.
    std::map<double, double> places;
    for (std::size_t run = 0; run < 30; ++run)
        places[figure().axes.runs[run].config.optimizer.lr] = markOf(run).x();
    QCOMPARE(places.size(), std::size_t{3});
    QVERIFY(std::abs((places[0.1] - places[0.01]) - (places[0.01] - places[0.001])) < 0.5);
    takePicture(*child<SettingsCard>(*m_page, "compare.settingsCard"), "compare-settings-rates");
    showParallel();
    takePicture(*child<SettingsCard>(*m_page, "compare.settingsCard"), "compare-settings-rates-parallel");
}

void TestCompareSettingsPlot::keysGoFromRunToRun() {
    showCase();
    plot().setFocus();
    QVERIFY(!plot().highlighted());
    const std::vector<std::size_t> order = runOrder(figure());
    QCOMPARE(order.size(), std::size_t{10});
    QCOMPARE(figure().axes.runs[order.front()].group, std::size_t{0});
    for (const std::size_t run : order) {
        press(Qt::Key_Right);
        QVERIFY(plot().highlighted() == run);
        const MeasuredRun& shown = figure().axes.runs[run];
        const QString words = plot().accessibleDescription();
        QVERIFY2(words.contains(QString::fromStdString(shown.name)) &&
                     words.contains(QString("seed %1").arg(shown.seed)) && words.contains("Micro-batch"),
                 qPrintable(words));
        QVERIFY(readoutLines(figure(), run).join('\n').contains("accuracy"));
    }
    press(Qt::Key_Right); // there is no other
    QVERIFY(plot().highlighted() == order.back());
    press(Qt::Key_Left);
    QVERIFY(plot().highlighted() == order[8]);
    press(Qt::Key_Home);
    QVERIFY(plot().highlighted() == order.front());
    press(Qt::Key_End);
    QVERIFY(plot().highlighted() == order.back());
    press(Qt::Key_Escape);
    QVERIFY(!plot().highlighted());
    QCOMPARE(plot().accessibleDescription(), plot().summaryText());
}

void TestCompareSettingsPlot::thePointerHighlights() {
    showCase();
    const QImage before = plot().grab().toImage();
    const QPointF at = markOf(7);
    point(at);
    QVERIFY(plot().highlighted().has_value());
    QCOMPARE(markOf(*plot().highlighted()), at);
    QVERIFY(plot().grab().toImage() != before);
    takePicture(plot(), "compare-settings-readout");
    point(plot().picture().panel().topLeft() + QPointF(plot().picture().panel().width() / 2.0, 2.0));
    QVERIFY(!plot().highlighted()); // nothing is near
    QTest::mouseClick(&plot(), Qt::LeftButton, {}, at.toPoint());
    QVERIFY(plot().highlighted().has_value());
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&plot(), &leave);
    QVERIFY(plot().highlighted().has_value()); // it was clicked
}

void TestCompareSettingsPlot::parallelCoordinatesHaveAPointOnEveryAxis() {
    showCase();
    showParallel();
    QVERIFY(!child<QComboBox>(*m_page, "compare.settingsAxis")->isVisible());
    QCOMPARE(figure().columns().size(), std::size_t{4}); // m, K, seed, metric
    const SettingsPicture picture = plot().picture();
    for (std::size_t run = 0; run < 10; ++run) {
        const auto& points = picture.pointsOf(run);
        QCOMPARE(points.size(), std::size_t{4});
        for (std::size_t axis = 0; axis < points.size(); ++axis) {
            QVERIFY(points[axis].has_value());
            QVERIFY(picture.panel().adjusted(-1, -1, 1, 1).contains(*points[axis]));
            QVERIFY(axis == 0 || points[axis]->x() > points[axis - 1]->x());
        }
        const bool accumulated = figure().axes.runs[run].group == 0;
        QCOMPARE(points[0]->y() > points[1]->y(), accumulated); // small m, large K
    }
    plot().setFocus();
    press(Qt::Key_End);
    QVERIFY(plot().highlighted().has_value());
    for (const MeasuredRun& run : figure().axes.runs)
        QVERIFY(figure().axes.runs[*plot().highlighted()].metric >= run.metric);
    const auto line = picture.pointsOf(*plot().highlighted());
    press(Qt::Key_Escape);
    point((*line[2] + *line[3]) / 2.0); // on the way between two axes
    QVERIFY(plot().highlighted().has_value());
    takePicture(*child<SettingsCard>(*m_page, "compare.settingsCard"), "compare-settings-parallel");
}

void TestCompareSettingsPlot::theTableHasEveryRun() {
    showCase();
    plot().setFocus();
    press(Qt::Key_T);
    auto* dialog = plot().findChild<QDialog*>("plotTableDialog");
    QVERIFY(dialog != nullptr && dialog->isVisible());
    auto* table = dialog->findChild<QTableView*>("plotTable");
    QVERIFY(table != nullptr);
    const auto* model = qobject_cast<SettingRunModel*>(table->model());
    QVERIFY(model != nullptr);
    const QAbstractItemModelTester tester(table->model());
    QCOMPARE(model->rowCount(), 10);
    QCOMPARE(model->columnCount(), 6); // run, group, seed, m, K, metric
    QCOMPARE(model->index(0, SettingRunModel::Group).data().toString(), QString("A"));
    QCOMPARE(model->index(9, SettingRunModel::Group).data().toString(), QString("B"));
    QVERIFY(model->index(0, SettingRunModel::FirstSetting).data().toString().startsWith("32"));
    QVERIFY(model->headerData(5, Qt::Horizontal, Qt::DisplayRole).toString().contains("accuracy"));
    QCOMPARE(model->text().count('\n'), 11);
    table->setCurrentIndex(model->index(4, 0)); // a row highlights its run
    QVERIFY(plot().highlighted() == std::optional<std::size_t>(4));
    dialog->close();
}

void TestCompareSettingsPlot::itLeavesTheProgram() {
    showCase();
    m_fixture->theme().setMode(ThemeMode::Dark);
    const QString png = m_fixture->path("settings.png"), svg = m_fixture->path("settings.svg"),
                  pdf = m_fixture->path("settings.pdf"), csv = m_fixture->path("settings.csv");
    QVERIFY(plot().saveAs(png) && plot().saveAs(svg) && plot().saveAs(pdf) && plot().saveAs(csv));
    m_fixture->theme().setMode(ThemeMode::Light);
    const QImage image(png);
    QVERIFY(image.width() >= 1440);
    QVERIFY(image.pixelColor(2, image.height() - 3).lightness() > 240); // light colours, also from the dark window
    QVERIFY(contentOf(svg).contains("<svg"));
    QVERIFY(contentOf(pdf).startsWith("%PDF-"));
    const QByteArray numbers = contentOf(csv);
    QVERIFY(numbers.startsWith("run,id,group,seed,batch.micro,batch.steps,"));
    QCOMPARE(numbers.count('\n'), 11);
    // A name that ends like nothing gets the ending of the format.
    QVERIFY(plot().saveAs(m_fixture->path("plain"), {.suffix = "svg"}));
    QVERIFY(QFile::exists(m_fixture->path("plain.svg")));
}

void TestCompareSettingsPlot::whatCannotBeWrittenIsSaid() {
    showCase();
    const QString file = m_fixture->path("no/such/folder/settings.csv");
    QVERIFY(!plot().saveAs(file));
    auto* notice = child<NoticeBar>(*m_page, "compare.notice");
    QVERIFY(notice->isVisible() && notice->accessibleName().contains(file));
}

void TestCompareSettingsPlot::equalSettingsAreSaid() {
    showCase();
    m_page->compareGroups(qtList({m_runs.groupA[0], m_runs.groupA[1]}), qtList({m_runs.groupA[2], m_runs.groupA[3]}));
    QTRY_COMPARE(figure().axes.runs.size(), std::size_t{4});
    QCOMPARE(plot().summaryText(), QString("All runs have the same settings."));
    QVERIFY(!child<QComboBox>(*m_page, "compare.settingsAxis")->isEnabled());
    QVERIFY(!child<QPushButton>(*m_page, "compare.settingsParallel")->isEnabled());
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_End, Qt::Key_T, Qt::Key_Escape})
        press(key);
    QVERIFY(!plot().highlighted());
    QVERIFY(plot().findChild<QDialog*>("plotTableDialog") == nullptr);
    takePicture(*child<SettingsCard>(*m_page, "compare.settingsCard"), "compare-settings-equal");
}

void TestCompareSettingsPlot::oneRunIsTooFew() {
    start();
    SyntheticStudy study = studyOf(equivalentCase());
    study.lastState = RunState::Running;
    m_runs = m_fixture->add(study);
    m_page->compareGroups(qtList({m_runs.groupA[0]}), qtList({m_runs.groupB.back()}));
    QTRY_COMPARE(figure().axes.runs.size(), std::size_t{1});
    QCOMPARE(plot().summaryText(), QString("Needs at least two completed runs."));
}

void TestCompareSettingsPlot::itFitsItsPage_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("percent");
    QTest::addColumn<int>("width");
    QTest::newRow("light, 80 %, narrow") << false << 80 << 790;
    QTest::newRow("dark, 100 %") << true << 100 << 1430;
    QTest::newRow("light, 200 %, narrow") << false << 200 << 1110;
}

void TestCompareSettingsPlot::itFitsItsPage() {
    QFETCH(bool, dark);
    QFETCH(int, percent);
    QFETCH(int, width);
    WideWords words;
    QCoreApplication::installTranslator(&words);
    showCase();
    m_fixture->theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
    m_fixture->theme().setTextSize(percent);
    m_page->resize(width, 690);
    const QString name = QString("compare-settings-wide-%1").arg(percent);
    for (const char* button : {"compare.settingsScatter", "compare.settingsParallel"}) {
        child<QPushButton>(*m_page, button)->click();
        QTRY_VERIFY(plot().height() >= plot().minimumSizeHint().height());
        const auto* card = child<SettingsCard>(*m_page, "compare.settingsCard");
        QVERIFY(card->minimumSizeHint().width() <= width);
        QVERIFY(plot().width() <= card->width());
        const QRectF panel = plot().picture().panel();
        QVERIFY(QRectF(plot().rect()).contains(panel));
        QVERIFY2(panel.height() > plot().height() / 3.0 && panel.width() > plot().width() / 3.0,
                 qPrintable(QString("%1 x %2").arg(panel.width()).arg(panel.height())));
        takePicture(plot(), name + button);
    }
    m_fixture->theme().setTextSize(text_size::usual);
    m_page.reset();
    QCoreApplication::removeTranslator(&words);
}

QTEST_MAIN(TestCompareSettingsPlot)
} // namespace test_compare_settings_plot
#include "test_compare_settings_plot.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Plain literals read better here than in the program, where every string a person sees goes through tr(). Audits are
// made by hand: what the engine finds is tested elsewhere.
#include "core/config/config_fields.h"
#include "tests/widgets/audits_by_hand.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/audit_examples.h"
#include "widgets/models/audited_tensor_model.h"
#include "widgets/models/run_audits.h"
#include "widgets/pages/audit/audit_page.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/weight_bars.h"
#include "widgets/style/controls.h"
#include "widgets/style/number_box.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>

#include <numeric>

namespace test_audit_page {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// Takes what would go to the browser.
class LinkCatcher : public QObject {
    Q_OBJECT
public:
    LinkCatcher() { QDesktopServices::setUrlHandler("https", this, "take"); }
    ~LinkCatcher() override { QDesktopServices::unsetUrlHandler("https"); }
    QList<QUrl> taken;
public Q_SLOTS:
    void take(const QUrl& url) { taken << url; }
};

} // namespace

class TestAuditPage : public QObject, protected AuditsByHand {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void init() { openPage(); }

    void cleanup() { closePage(); }

    void aRightLoopIsSaidInWordsAndGreen();
    void aWrongLoopIsNamed();
    void expectedIsNeitherRightNorWrong();
    void anotherSetUpHasAnotherResult();
    void anotherLibraryHasOtherRuns();
    void barsShowTheChosenWindow();
    void tensorsSortByNumbers();
    void tensorsSortByKeys();
    void tensorsAreFilteredByNameAndResult();
    void theTableIsAnHonestModel();
    void theGalleryShowsEveryKnownMistake();
    void aThreadOpensOnlyByClick();
    void examplesAreWhatTheirFormulasSay();
    void theNewestAuditBelongsToARun();
};

void TestAuditPage::aRightLoopIsSaidInWordsAndGreen() {
    audit(equivalentAudit());
    QCOMPARE(text("auditWord"), QString("Equivalent"));
    QCOMPARE(text("auditSentence"), QString("Worst tensor fc.weight 3.1e-07, tolerance 1e-05"));
    QCOMPARE(wordColor(), m_fixture->theme().colors().good);
    QCOMPARE(child<QWidget>(*m_page, "auditHeadline")->accessibleName(), QString("Equivalent"));
    QVERIFY(text("auditCircumstances").contains("LeNet-5 on MNIST"));
    QVERIFY(!child<QLabel>(*m_page, "auditPlanted")->isVisible());
    for (const char* plot : {"auditTensorPlot", "auditSplitPlot"})
        QVERIFY2(!child<PlotView>(*m_page, plot)->summaryText().isEmpty(), plot);
    QCOMPARE(child<PlotView>(*m_page, "auditTensorPlot")->curveCount(), std::size_t{3});
    takePicture(*m_page, "audit-right");
}

void TestAuditPage::aWrongLoopIsNamed() {
    audit(wrongAudit());
    QCOMPARE(text("auditWord"), QString("Not equivalent"));
    QVERIFY(text("auditSentence").contains("was not divided by K"));
    QCOMPARE(wordColor(), m_fixture->theme().colors().bad);
    m_fixture->theme().setMode(ThemeMode::Dark);
    QCOMPARE(wordColor(), darkColors().bad);
    takePicture(*m_page, "audit-wrong-dark");
    m_fixture->theme().setMode(ThemeMode::Light);
}

void TestAuditPage::expectedIsNeitherRightNorWrong() {
    GradientAudit expected = wrongAudit();
    expected.verdict = AuditVerdict::Expected;
    expected.notes = {{"audit.note.ghost-agrees", {}}, {"audit.note.clip-off", {}}};
    audit(expected);
    QCOMPARE(text("auditWord"), QString("Expected"));
    QVERIFY(wordColor() != m_fixture->theme().colors().good && wordColor() != m_fixture->theme().colors().bad);
    QCOMPARE(text("auditNotes").count(QChar('\n')), 1);
    const auto* table = child<QTableView>(*m_page, "auditTensorTable");
    QCOMPARE(table->model()->index(0, AuditedTensorModel::Result).data().toString(), QString("expected"));
}

void TestAuditPage::anotherSetUpHasAnotherResult() {
    audit(equivalentAudit());
    auto* empty = child<EmptyState>(*m_page, "auditEmpty");
    m_page->setSetup(smallSetup()); // the page was left and came back
    QTest::qWait(50);
    QVERIFY(!empty->isVisible());

    // What was found before, here or by accumulus-cli, is shown again.
    ExperimentConfig changed = smallSetup();
    changed.run.batch.micro = 16;
    m_page->setSetup(changed);
    QTRY_VERIFY(empty->isVisible());
    AuditRecord record;
    record.id = "known";
    record.createdAt = 1.0;
    record.configuration = configHash(smallSetup().run, 0);
    record.verdict = "not-equivalent";
    record.result = auditJson(wrongAudit());
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(store.addAudit(record));
    QSignalSpy shown(m_page.get(), &AuditPage::auditShown);
    m_page->setSetup(smallSetup());
    QVERIFY(shown.wait());
    QCOMPARE(text("auditWord"), QString("Not equivalent"));
    QCOMPARE(text("auditSentence"), QString("Factor 4.00 on all tensors: the sum was not divided by K"));
}

void TestAuditPage::anotherLibraryHasOtherRuns() {
    const SyntheticRuns runs = m_fixture->add(studyOf(equivalentCase()));
    m_page->setSetup(smallSetup());
    m_page->chooseRun(QString::fromStdString(runs.groupA.front()));
    QTRY_VERIFY(m_fixture->services().library.idle());
    m_hand->answer = equivalentAudit();
    QSignalSpy shown(m_page.get(), &AuditPage::auditShown);
    QTest::mouseClick(child<QPushButton>(*m_page, "auditStart"), Qt::LeftButton);
    QVERIFY(shown.wait());
    QVERIFY(child<QPushButton>(*m_page, "auditReport")->isVisible());
    QVERIFY(m_fixture->services().library.open(m_fixture->path("other.sqlite").toStdString()));
    QTRY_VERIFY(m_fixture->services().library.idle());
    QVERIFY(child<EmptyState>(*m_page, "auditEmpty")->isVisible());
    QVERIFY(!child<QPushButton>(*m_page, "auditReport")->isVisible());
    // Nor does the page of a window in another language know it.
    AuditPage next(m_fixture->services(), nullptr, m_hand->engine());
    next.setState(m_page->state());
    QVERIFY(!child<EmptyState>(next, "auditEmpty")->isHidden());
}

void TestAuditPage::barsShowTheChosenWindow() {
    GradientAudit found = wrongAudit();
    found.judgedWindow = 1;
    audit(found);
    auto* choice = child<QComboBox>(*m_page, "auditWindow");
    auto* bars = child<WeightBars>(*m_page, "auditWeights");
    QCOMPARE(choice->count(), 2);
    QCOMPARE(choice->currentIndex(), 1);
    QVERIFY(choice->itemText(1).contains("short"));
    QCOMPARE(bars->picture().weights, found.windows[1].weights);
    choice->setCurrentIndex(0);
    QCOMPARE(bars->picture().weights, found.windows[0].weights);
    QCOMPARE(bars->picture().rightWeights, found.windows[0].rightWeights);
    QVERIFY2(bars->accessibleDescription().contains("1, 1, 1, 1"), qPrintable(bars->accessibleDescription()));
    QVERIFY(!bars->accessibleDescription().contains("earlier"));

    // The bars are in the picture: both colours, the wrong ones far taller.
    const QImage picture = bars->grab().toImage();
    int fitted = 0, right = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            fitted += picture.pixelColor(x, y) == lightColors().accumulated;
            right += picture.pixelColor(x, y) == lightColors().largeBatch;
        }
    QVERIFY2(fitted > 2 * right && right > 100, qPrintable(QString("%1 and %2").arg(fitted).arg(right)));

    // What is left of earlier windows is told.
    found.windows[0].earlier = {0.3, 0.3};
    audit(found);
    choice->setCurrentIndex(0);
    QVERIFY(bars->accessibleDescription().contains("earlier windows: 0.3, 0.3"));
}

void TestAuditPage::tensorsSortByNumbers() {
    audit(wrongAudit());
    auto* table = child<QTableView>(*m_page, "auditTensorTable");
    QCOMPARE(names(), (QStringList{"conv.weight", "conv.bias", "fc.weight"})); // the model's order
    table->sortByColumn(AuditedTensorModel::Error, Qt::DescendingOrder);
    QCOMPARE(names(), (QStringList{"conv.weight", "fc.weight", "conv.bias"}));
    table->sortByColumn(AuditedTensorModel::Error, Qt::AscendingOrder);
    QCOMPARE(names(), (QStringList{"conv.bias", "fc.weight", "conv.weight"}));
    table->sortByColumn(AuditedTensorModel::Name, Qt::AscendingOrder);
    QCOMPARE(names(), (QStringList{"conv.bias", "conv.weight", "fc.weight"}));
    table->sortByColumn(AuditedTensorModel::Result, Qt::AscendingOrder);
    QCOMPARE(names().back(), QString("conv.bias")); // the one that passed
}

void TestAuditPage::tensorsSortByKeys() {
    auto* action = child<QAction>(*m_page, "auditTensorColumn");
    QVERIFY(!action->isEnabled()); // no table yet
    audit(wrongAudit());
    QVERIFY(action->isEnabled() && m_page->menus().view.contains(action));
    auto* table = child<QTableView>(*m_page, "auditTensorTable");
    m_page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_page->window()));
    const auto choose = [&](int column, int down) {
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, column));
        QTest::keyClick(table, Qt::Key_C);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        for (int step = 0; step < down; ++step)
            QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
    };
    choose(AuditedTensorModel::Error, 2);
    QCOMPARE(names(), (QStringList{"conv.weight", "fc.weight", "conv.bias"}));
    choose(AuditedTensorModel::Error, 1);
    QCOMPARE(names(), (QStringList{"conv.bias", "fc.weight", "conv.weight"}));
    choose(AuditedTensorModel::Error, 3);
    QCOMPARE(names(), (QStringList{"conv.weight", "conv.bias", "fc.weight"})); // the network's order
}

void TestAuditPage::tensorsAreFilteredByNameAndResult() {
    audit(wrongAudit());
    auto* failed = child<QCheckBox>(*m_page, "auditFailedOnly");
    auto* filter = child<QLineEdit>(*m_page, "auditTensorFilter");
    QVERIFY(text("auditTensorCount").startsWith("3 tensors, 2 "));
    failed->setFocus();
    QTest::keyClick(failed, Qt::Key_Space);
    QCOMPARE(names(), (QStringList{"conv.weight", "fc.weight"}));
    filter->setFocus();
    QTest::keyClicks(filter, "CONV");
    QCOMPARE(names(), QStringList{"conv.weight"});
    QCOMPARE(text("auditTensorCount"), QString("1 of 3 tensors"));
    QTest::keyClick(failed, Qt::Key_Space);
    QCOMPARE(names(), (QStringList{"conv.weight", "conv.bias"}));
}

void TestAuditPage::theTableIsAnHonestModel() {
    AuditedTensorModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    GradientAudit found = wrongAudit();
    found.tensors[1].cosine = std::nan("");
    model.setTensors(found.tensors, found.verdict);
    const QPersistentModelIndex kept = model.index(0, AuditedTensorModel::Name);
    model.sort(AuditedTensorModel::Error, Qt::AscendingOrder);
    QCOMPARE(kept.data().toString(), QString("conv.weight"));
    QCOMPARE(kept.row(), 2);
    // Nothing reads as a dash and sorts below every number.
    model.sort(AuditedTensorModel::Cosine, Qt::AscendingOrder);
    QCOMPARE(model.index(0, AuditedTensorModel::Cosine).data().toString(), QString("–"));
    QCOMPARE(model.index(0, AuditedTensorModel::ErrorFp64).data().toString(), QString("–"));
    model.setFailedOnly(true);
    model.setFilter("nothing");
    QCOMPARE(model.rowCount(), 0);
    model.setTensors({}, AuditVerdict::Equivalent);
    QCOMPARE(model.failedCount(), std::size_t{0});
}

void TestAuditPage::theGalleryShowsEveryKnownMistake() {
    child<QTabBar>(*m_page, "auditTabs")->setCurrentIndex(2);
    auto* list = child<QListWidget>(*m_page, "auditGalleryList");
    QCOMPARE(static_cast<std::size_t>(list->count()), auditPatterns().size());
    for (int row = 0; row < list->count(); ++row) {
        const AuditPattern& pattern = auditPatterns()[static_cast<std::size_t>(row)];
        list->setCurrentRow(row);
        const QByteArray code(pattern.code.data(), static_cast<qsizetype>(pattern.code.size()));
        QVERIFY2(!text("auditGalleryTitle").contains("audit.pattern"), code); // it has a title
        QVERIFY2(!text("auditGalleryWhy").contains("audit.pattern"), code);
        QCOMPARE(child<QPushButton>(*m_page, "auditShowMe")->isVisible(), pattern.canPlant);
        QCOMPARE(child<QPushButton>(*m_page, "auditGalleryThread")->isVisible(), !pattern.thread.empty());
        QCOMPARE(child<WeightBars>(*m_page, "auditGalleryPicture")->isVisible(),
                 auditExample(pattern.code).has_value());
    }
    list->setCurrentRow(0);
    takePicture(*m_page, "audit-gallery");
}

void TestAuditPage::aThreadOpensOnlyByClick() {
    LinkCatcher browser;
    child<QTabBar>(*m_page, "auditTabs")->setCurrentIndex(2);
    auto* list = child<QListWidget>(*m_page, "auditGalleryList");
    for (int row = list->count() - 1; row >= 0; --row)
        list->setCurrentRow(row);
    QVERIFY(browser.taken.isEmpty());
    QTest::mouseClick(child<QPushButton>(*m_page, "auditGalleryThread"), Qt::LeftButton);
    QCOMPARE(browser.taken, QList<QUrl>{QUrl(QString::fromStdString(std::string(auditPatterns()[0].thread)))});
}

// The formulas of SHIPPED bugs for n = 4, 4, 4, 2: sums of a few quarters and fourteenths, right to a few ulp.
void TestAuditPage::examplesAreWhatTheirFormulasSay() {
    const auto sum = [](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    };
    constexpr double rounding = 1e-14;
    for (const AuditPattern& pattern : auditPatterns())
        if (const auto example = auditExample(pattern.code)) {
            QCOMPARE(example->weights.size(), example->units.size());
            QVERIFY(std::abs(sum(example->rightWeights) - 1.0) < rounding);
            QVERIFY(example->weights != example->rightWeights || !example->earlier.empty());
        }
    QVERIFY(std::abs(sum(auditExample("mean-of-means")->weights) - 1.0) < rounding);
    QVERIFY(std::abs(sum(auditExample("factor-k")->weights) - 4.0) < rounding);
    QVERIFY(std::abs(sum(auditExample("divided-twice")->weights) - 0.25) < rounding);
    QVERIFY(std::abs(sum(auditExample("rank-normalisation")->weights) - 1.0) < rounding);
    QVERIFY(std::abs(sum(auditExample("remainder-window")->weights) - 0.5) < rounding);
    QCOMPARE(auditExample("last-micro-batch-lost")->weights.back(), 0.0);
    QCOMPARE(auditExample("gradients-not-cleared")->earlier.size(), std::size_t{4});
    QVERIFY(!auditExample("dropout-stream"));
}

void TestAuditPage::theNewestAuditBelongsToARun() {
    RunRecord run;
    run.id = "a";
    run.config = smallSetup().run;
    RunRecord other = run;
    other.id = "b";
    other.config.batch.micro = 16;
    AuditRecord ofSetup, ofRun, ofAnother;
    ofSetup.id = "setup";
    ofSetup.configuration = configHash(run.config, 0);
    ofRun.id = "run";
    ofRun.run = "a";
    ofRun.configuration = ofSetup.configuration;
    ofAnother.id = "another";
    ofAnother.run = "c";
    ofAnother.configuration = ofSetup.configuration;
    RunAudits known;
    QVERIFY(known.of(run) == nullptr);
    known.setAudits({ofAnother, ofSetup, ofRun}); // newest first
    QCOMPARE(known.of(run)->id, std::string("setup"));
    QVERIFY(known.of(other) == nullptr);
    known.setAudits({ofRun, ofAnother, ofSetup});
    QCOMPARE(known.of(run)->id, std::string("run"));
    run.id = "d"; // the same settings, another seed
    run.seed = 3;
    QCOMPARE(known.of(run)->id, std::string("setup"));
}

QTEST_MAIN(TestAuditPage)
} // namespace test_audit_page
#include "test_audit_page.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Audits on their way: options that reach the engine, cancelling, errors with their cure, what is kept, and pages
// that end or change their language meanwhile.
#include "core/store/run_store.h"
#include "tests/widgets/audits_by_hand.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/audit/audit_page.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"
#include "widgets/style/number_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QTabBar>

namespace test_audit_running {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestAuditRunning : public QObject, protected AuditsByHand {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void init() { openPage(); }

    void cleanup() { closePage(); }

    void anEmptyPageAsksForTheSetUpAndAuditsIt();
    void optionsReachTheEngine();
    void whatHasAMistakeBuiltInIsNotKept();
    void anAuditIsCancelled();
    void errorsAreSaidWithTheirCure();
    void aResultThatCannotBeKeptIsShownAllTheSame();
    void updatesStandBesideTheirControl();
    void showMeBuildsTheMistakeIn();
    void anotherLanguageTakesTheAuditOver();
    void endingThePageEndsTheAudit();
    void whileAStudyTrainsStartSaysWhyNot();
    void aStudyBeginsBehindTheAudit();
    void theReportIsOneClickAway();
    void aReportKeepsItsTitleThoughThePageIsEmptied();
};

void TestAuditRunning::anEmptyPageAsksForTheSetUpAndAuditsIt() {
    auto* empty = child<EmptyState>(*m_page, "auditEmpty");
    QVERIFY(empty->isVisible());
    takePicture(*m_page, "audit-empty");
    connect(m_page.get(), &AuditPage::setupWanted, m_page.get(), [this] { m_page->setSetup(smallSetup()); });
    QSignalSpy shown(m_page.get(), &AuditPage::auditShown);
    QTest::mouseClick(child<QPushButton>(*empty, "emptyStateAction"), Qt::LeftButton);
    QVERIFY(shown.wait());
    QCOMPARE(m_hand->asked.size(), std::size_t{1});
    QCOMPARE(m_hand->asked[0].seed, 7);
    QCOMPARE(m_hand->asked[0].config, smallSetup().run);
    QVERIFY(m_hand->asked[0].run.empty());
    QVERIFY(!empty->isVisible());
}

// Disabled with its reason, not refused after the click.
void TestAuditRunning::whileAStudyTrainsStartSaysWhyNot() {
    m_page->setSetup(smallSetup());
    const auto* start = child<QPushButton>(*m_page, "auditStart");
    QVERIFY(start->isEnabled());
    RunController& runs = m_fixture->services().runs;
    ExperimentConfig endless = smallSetup();
    endless.run.data.trainLimit = 1000;
    endless.run.data.testLimit = 100;
    endless.run.train.length = {1000, Extent::Unit::Epochs};
    runs.start(endless);
    QTRY_VERIFY(runs.busy());
    QTRY_VERIFY(!start->isEnabled());
    QVERIFY(!child<QPushButton>(*child<EmptyState>(*m_page, "auditEmpty"), "emptyStateAction")->isEnabled());
    QCOMPARE(start->toolTip(), QString("A study is being trained. Audit when it has ended."));
    QCOMPARE(start->accessibleDescription(), start->toolTip());
    child<QTabBar>(*m_page, "auditTabs")->setCurrentIndex(2);
    QCOMPARE(child<QPushButton>(*m_page, "auditShowMe")->toolTip(), start->toolTip());
    runs.stopNow();
    QTRY_VERIFY_WITH_TIMEOUT(!runs.busy(), 30000);
    QTRY_VERIFY(start->isEnabled());
    QVERIFY(start->toolTip().startsWith("Compares the gradients"));
}

// An audit limits and counts the memory of the whole process, and chooses its kernels.
void TestAuditRunning::aStudyBeginsBehindTheAudit() {
    m_hand->blocks = true;
    m_page->setSetup(smallSetup());
    QTest::mouseClick(child<QPushButton>(*m_page, "auditStart"), Qt::LeftButton);
    QTRY_COMPARE(child<QProgressBar>(*m_page, "auditProgress")->value(), 500);
    RunController& runs = m_fixture->services().runs;
    QVERIFY(runs.held());
    runs.start(smallSetup());
    QVERIFY(!runs.busy());
    QCOMPARE(runs.queued(), std::size_t{1});
    QTest::mouseClick(child<QPushButton>(*m_page, "auditCancel"), Qt::LeftButton);
    QTRY_VERIFY(runs.busy());
    QVERIFY(!runs.held());
    runs.stopNow();
    QTRY_VERIFY_WITH_TIMEOUT(!runs.busy(), 30000);
}

void TestAuditRunning::theReportIsOneClickAway() {
    auto* report = child<QPushButton>(*m_page, "auditReport");
    QVERIFY(!report->isVisible());
    GradientAudit found = equivalentAudit();
    found.createdAt = 1.8e9 + 0.25;
    audit(found);
    QVERIFY(report->isVisible());
    QSignalSpy asked(m_page.get(), &AuditPage::reportRequested);
    QTest::mouseClick(report, Qt::LeftButton);
    QTRY_VERIFY2(notice().contains("not kept in the library"), qPrintable(notice()));
    {
        RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
        AuditRecord record;
        record.id = "3f0c0000-0000-4000-8000-000000000001";
        record.createdAt = found.createdAt;
        record.verdict = "equivalent";
        record.result = auditJson(found);
        QVERIFY(store.addAudit(record));
    }
    QTest::mouseClick(report, Qt::LeftButton);
    QTRY_COMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].toString(), QString("3f0c0000-0000-4000-8000-000000000001"));
    QCOMPARE(asked[0][1].toString(), QString("LeNet-5 on MNIST, 14 = 4 x 4"));
}

/// The set-up is changed while the library is asked for the report.
void TestAuditRunning::aReportKeepsItsTitleThoughThePageIsEmptied() {
    GradientAudit stored = equivalentAudit();
    stored.createdAt = 1.79e9;
    {
        RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
        AuditRecord record;
        record.id = "3f0c0000-0000-4000-8000-000000000001";
        record.createdAt = stored.createdAt;
        record.configuration = configHash(smallSetup().run, 0);
        record.verdict = "equivalent";
        record.result = auditJson(stored);
        QVERIFY(store.addAudit(record));
    }
    m_page->setSetup(smallSetup());
    auto* report = child<QPushButton>(*m_page, "auditReport");
    QTRY_VERIFY(report->isVisible());
    QSignalSpy asked(m_page.get(), &AuditPage::reportRequested);
    ExperimentConfig other = smallSetup();
    other.run.optimizer.lr = 0.123;
    m_page->setSetup(other); // of which nothing is stored
    QTest::mouseClick(report, Qt::LeftButton);
    QTRY_COMPARE(asked.count(), 1);
    QVERIFY(child<EmptyState>(*m_page, "auditEmpty")->isVisible());
    QCOMPARE(asked[0][1].toString(), QString("LeNet-5 on MNIST, 14 = 4 x 4"));
}

void TestAuditRunning::optionsReachTheEngine() {
    m_page->setSetup(smallSetup());
    auto* tolerance = child<NumberBox>(*m_page, "auditTolerance");
    tolerance->setFocus();
    tolerance->selectAll();
    QTest::keyClicks(tolerance, "1e-7");
    auto* updates = child<NumberBox>(*m_page, "auditUpdates");
    updates->setFocus();
    updates->selectAll();
    QTest::keyClicks(updates, "20");
    child<QCheckBox>(*m_page, "auditReference")->setChecked(false);
    QSignalSpy shown(m_page.get(), &AuditPage::auditShown);
    QTest::mouseClick(child<QPushButton>(*m_page, "auditStart"), Qt::LeftButton);
    QVERIFY(shown.wait());
    const AuditRequest& request = m_hand->asked.back();
    QCOMPARE(request.tolerance, std::optional(1e-7));
    QCOMPARE(request.updates, 20);
    QVERIFY(!request.reference);
    QVERIFY(!request.fault);
    QCOMPARE(m_hand->kept.size(), std::size_t{1});
    // A set-up has no checkpoints to choose from.
    QVERIFY(!child<QComboBox>(*m_page, "auditCheckpoint")->isEnabled());
}

void TestAuditRunning::whatHasAMistakeBuiltInIsNotKept() {
    m_page->setSetup(smallSetup());
    auto* fault = child<QComboBox>(*m_page, "auditFault");
    for (const AuditPattern& pattern : auditPatterns()) // those that can be built in, and no other
        QCOMPARE(fault->findData(QString::fromStdString(std::string(pattern.code))) >= 0, pattern.canPlant);
    fault->setCurrentIndex(fault->findData("factor-k"));
    GradientAudit found = wrongAudit();
    found.fault = "factor-k";
    m_hand->answer = found;
    QSignalSpy shown(m_page.get(), &AuditPage::auditShown);
    QTest::mouseClick(child<QPushButton>(*m_page, "auditStart"), Qt::LeftButton);
    QVERIFY(shown.wait());
    QCOMPARE(m_hand->asked.back().fault, std::optional<std::string>("factor-k"));
    QVERIFY(m_hand->kept.empty());
    QVERIFY(child<QLabel>(*m_page, "auditPlanted")->isVisible());
    QVERIFY(text("auditPlanted").contains("Not divided by K"));
}

void TestAuditRunning::anAuditIsCancelled() {
    m_hand->blocks = true;
    m_page->setSetup(smallSetup());
    QVERIFY(!child<QPushButton>(*m_page, "auditCancel")->isVisible());
    QTest::mouseClick(child<QPushButton>(*m_page, "auditStart"), Qt::LeftButton);
    QTRY_COMPARE(child<QProgressBar>(*m_page, "auditProgress")->value(), 500);
    QVERIFY(child<QProgressBar>(*m_page, "auditProgress")->isVisible());
    QCOMPARE(text("auditDoing"), QString("Computing the large batch"));
    QVERIFY(!child<QPushButton>(*m_page, "auditStart")->isEnabled());
    QVERIFY(m_page->busy()); // the window asks before it closes
    takePicture(*m_page, "audit-running");
    QTest::mouseClick(child<QPushButton>(*m_page, "auditCancel"), Qt::LeftButton);
    QTRY_VERIFY(child<QPushButton>(*m_page, "auditStart")->isEnabled());
    QVERIFY(!child<QPushButton>(*m_page, "auditCancel")->isVisible() && !m_page->busy());
    QVERIFY(notice().contains("cancelled"));
    QVERIFY(child<EmptyState>(*m_page, "auditEmpty")->isVisible());
}

void TestAuditRunning::errorsAreSaidWithTheirCure() {
    m_hand->answer = failure("audit.micro-steps", {{"effective", "1"}});
    m_page->setSetup(smallSetup());
    QTest::mouseClick(child<QPushButton>(*m_page, "auditStart"), Qt::LeftButton);
    QTRY_VERIFY(child<NoticeBar>(*m_page, "auditNotice")->isVisible());
    QVERIFY(notice().contains("cannot be cut"));
    QVERIFY(notice().contains("Set “Effective batch B” to 2 or more"));
    QVERIFY(child<QPushButton>(*m_page, "auditStart")->isEnabled());
    takePicture(*m_page, "audit-error");
}

void TestAuditRunning::aResultThatCannotBeKeptIsShownAllTheSame() {
    m_hand->keeps = failure("library.write", {{"file", "x"}, {"reason", "reason.read-only"}});
    audit(equivalentAudit());
    QVERIFY(notice().contains("not kept"));
    QCOMPARE(text("auditWord"), QString("Equivalent"));
}

void TestAuditRunning::updatesStandBesideTheirControl() {
    audit(equivalentAudit());
    child<QTabBar>(*m_page, "auditTabs")->setCurrentIndex(1);
    QVERIFY(text("auditUpdatesSentence").contains("No updates were made"));
    audit(wrongAudit());
    auto* plot = child<PlotView>(*m_page, "auditUpdatePlot");
    QCOMPARE(plot->curveCount(), std::size_t{2});
    QVERIFY(plot->logY());
    QVERIFY(text("auditUpdatesSentence").startsWith("After 2 update"));
}

void TestAuditRunning::showMeBuildsTheMistakeIn() {
    m_page->setSetup(smallSetup());
    auto* tabs = child<QTabBar>(*m_page, "auditTabs");
    tabs->setCurrentIndex(2);
    QSignalSpy shown(m_page.get(), &AuditPage::auditShown);
    QTest::mouseClick(child<QPushButton>(*m_page, "auditShowMe"), Qt::LeftButton);
    QVERIFY(shown.wait());
    QCOMPARE(m_hand->asked.back().fault, std::optional(std::string(auditPatterns()[0].code)));
    QCOMPARE(tabs->currentIndex(), 0);
    // The next audit of the set-up by itself has none.
    m_page->auditSetup(smallSetup());
    QVERIFY(shown.wait());
    QVERIFY(!m_hand->asked.back().fault);
}

void TestAuditRunning::anotherLanguageTakesTheAuditOver() {
    audit(wrongAudit());
    child<QTabBar>(*m_page, "auditTabs")->setCurrentIndex(2);
    child<QListWidget>(*m_page, "auditGalleryList")->setCurrentRow(3);
    m_hand->blocks = true;
    QTest::mouseClick(child<QPushButton>(*m_page, "auditStart"), Qt::LeftButton);
    QTRY_COMPARE(child<QProgressBar>(*m_page, "auditProgress")->value(), 500);

    // As the application does: the new page stands before the old one goes.
    auto next = std::make_unique<AuditPage>(m_fixture->services(), nullptr, m_hand->engine());
    next->setState(m_page->state());
    m_page = std::move(next);
    m_page->show();
    QCOMPARE(text("auditWord"), QString("Not equivalent"));
    QCOMPARE(child<QTabBar>(*m_page, "auditTabs")->currentIndex(), 2);
    QCOMPARE(child<QListWidget>(*m_page, "auditGalleryList")->currentRow(), 3);
    QVERIFY(!child<QPushButton>(*m_page, "auditStart")->isEnabled());
    QTest::mouseClick(child<QPushButton>(*m_page, "auditCancel"), Qt::LeftButton);
    QTRY_VERIFY(child<QPushButton>(*m_page, "auditStart")->isEnabled());
    QVERIFY(notice().contains("cancelled"));
}

void TestAuditRunning::endingThePageEndsTheAudit() {
    m_hand->blocks = true;
    m_page->setSetup(smallSetup());
    QTest::mouseClick(child<QPushButton>(*m_page, "auditStart"), Qt::LeftButton);
    QTRY_COMPARE(child<QProgressBar>(*m_page, "auditProgress")->value(), 500);
    m_page.reset(); // returns: the audit has been cancelled and has ended
    QCOMPARE(m_hand->asked.size(), std::size_t{1});
    QVERIFY(m_hand->kept.empty());
}

QTEST_MAIN(TestAuditRunning)
} // namespace test_audit_running
#include "test_audit_running.moc"

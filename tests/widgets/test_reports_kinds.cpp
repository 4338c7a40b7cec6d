// SPDX-License-Identifier: GPL-3.0-or-later
// Reports says that there is nothing to report only where no kind has anything.
#include "core/store/run_store.h"
#include "tests/support/made_up_plans.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/report_loader.h"
#include "widgets/pages/reports/report_preview.h"
#include "widgets/pages/reports/reports_page.h"
#include "widgets/style/controls.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>

namespace test_reports_kinds {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// Two runs of one arm, which nothing can be compared with.
SyntheticStudy onlyRuns() {
    SyntheticStudy study;
    study.seedsA = firstSeeds(2);
    study.finalA = {0.9, 0.91};
    study.windows = 20;
    return study;
}

} // namespace

class TestReportsKinds : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ReportsPage> m_page;

    [[nodiscard]] QComboBox& kind() const { return *child<QComboBox>(*m_page, "reports.kind"); }
    [[nodiscard]] QListWidget& list() const { return *child<QListWidget>(*m_page, "reports.list"); }
    [[nodiscard]] EmptyState& empty() const { return *child<EmptyState>(*m_page, "reports.empty"); }

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<ReportsPage>(m_fixture->services());
        m_page->resize(1110, 690);
        m_page->show();
        m_page->activated();
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    /// With the window's language or text size, and at the next start, another page comes.
    void theChosenLanguageIsThatOfTheNextPage() {
        const auto language = [this] { return child<QComboBox>(*m_page, "reports.language"); };
        const auto begin = [this] { m_page = std::make_unique<ReportsPage>(m_fixture->services()); };
        QCOMPARE(language()->currentData().toString(), QString("en")); // as the window
        language()->setCurrentIndex(language()->findData("zh_CN"));
        begin();
        QCOMPARE(language()->currentData().toString(), QString("zh_CN"));
        language()->setCurrentIndex(language()->findData("en")); // follows the window again
        QLocale::setDefault(QLocale(QLocale::Chinese, QLocale::China));
        begin();
        QCOMPARE(language()->currentData().toString(), QString("zh_CN"));
        QLocale::setDefault(QLocale::c());
    }

    void singleRunsAreEnough() {
        QTRY_VERIFY(!empty().isHidden());
        QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
        QVERIFY(!m_fixture->add(onlyRuns()).groupA.empty());
        m_page->activated();
        QTRY_COMPARE(list().count(), 2);
        QCOMPARE(kind().currentIndex(), static_cast<int>(ReportKind::Run));
        QVERIFY(empty().isHidden() && kind().isVisible());
        QTRY_COMPARE(shown.count(), 1);
        QVERIFY(child<QPushButton>(*m_page, "reports.saveHtml")->isEnabled());

        // A kind that has nothing stays chosen, nothing of another kind is shown or saved, and the way back is there.
        kind().setCurrentIndex(static_cast<int>(ReportKind::Comparison));
        QVERIFY(!child<QPushButton>(*m_page, "reports.saveHtml")->isEnabled());
        QTRY_VERIFY(child<QLabel>(*m_page, "reports.nothing")->isVisible());
        QCOMPARE(list().count(), 0);
        QCOMPARE(child<ReportPreview>(*m_page, "reports.preview")->pageCount(), 0);
        QCOMPARE(kind().currentIndex(), static_cast<int>(ReportKind::Comparison));
        QVERIFY(kind().isVisible() && empty().isHidden());
        kind().setCurrentIndex(static_cast<int>(ReportKind::Run));
        QTRY_COMPARE(shown.count(), 2);
        QVERIFY(!child<QLabel>(*m_page, "reports.nothing")->isVisible());
        QVERIFY(child<QPushButton>(*m_page, "reports.saveHtml")->isEnabled());
    }

    /// As when the language or the size of the text changes.
    void theChosenKindOutlivesThePage() {
        QVERIFY(!m_fixture->add(onlyRuns()).groupA.empty());
        m_page->activated();
        QTRY_COMPARE(list().count(), 2);
        kind().setCurrentIndex(static_cast<int>(ReportKind::Comparison));
        QTRY_VERIFY(child<QLabel>(*m_page, "reports.nothing")->isVisible());
        const QVariant kept = m_page->state();
        m_page = std::make_unique<ReportsPage>(m_fixture->services());
        m_page->setState(kept);
        m_page->show();
        m_page->activated();
        QTRY_VERIFY(child<QLabel>(*m_page, "reports.nothing")->isVisible());
        QTRY_VERIFY(m_fixture->services().library.idle());
        QCOMPARE(kind().currentIndex(), static_cast<int>(ReportKind::Comparison));
        QCOMPARE(list().count(), 0);
    }

    void theNewestOfTheChosenKindIsShown() {
        QVERIFY(!m_fixture->add(studyOf(equivalentCase())).groupA.empty());
        QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
        m_page->activated();
        QTRY_COMPARE(shown.count(), 1);
        QCOMPARE(kind().currentIndex(), static_cast<int>(ReportKind::Comparison));
        kind().setCurrentIndex(static_cast<int>(ReportKind::Run));
        QVERIFY(!child<QPushButton>(*m_page, "reports.saveHtml")->isEnabled()); // until it is there
        QTRY_COMPARE(shown.count(), 2);
        QCOMPARE(list().currentRow(), 0);
        QVERIFY(m_page->inspectedRun().has_value());
        QVERIFY(child<QPushButton>(*m_page, "reports.saveHtml")->isEnabled());
    }

    void aPlanIsEnough() {
        QTRY_VERIFY(!empty().isHidden());
        {
            RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
            const MicroPlan plan = madeUpPlan();
            QVERIFY(store.putPlan({"key", plan.createdAt, planJson(plan)}));
        }
        m_page->activated();
        QTRY_COMPARE(list().count(), 1);
        QCOMPARE(kind().currentIndex(), static_cast<int>(ReportKind::Plan));
        QVERIFY(empty().isHidden());
    }

    /// Where nobody has chosen, a visit begins with the comparison that there is by then.
    void aComparisonComesFirstAtTheNextVisit() {
        QVERIFY(!m_fixture->add(onlyRuns()).groupA.empty());
        m_page->activated();
        QTRY_COMPARE(kind().currentIndex(), static_cast<int>(ReportKind::Run));
        QVERIFY(!m_fixture->add(studyOf(equivalentCase())).groupA.empty());
        m_page->activated();
        QTRY_COMPARE(kind().currentIndex(), static_cast<int>(ReportKind::Comparison));
        QTRY_COMPARE(list().count(), 1);
        kind().setCurrentIndex(static_cast<int>(ReportKind::Run));
        QTRY_COMPARE(list().count(), 12);
        list().setCurrentRow(3);
        const QString chosen = list().currentItem()->text();
        m_page->activated();
        QTRY_VERIFY(m_fixture->services().library.idle());
        QCOMPARE(kind().currentIndex(), static_cast<int>(ReportKind::Run));
        QCOMPARE(list().currentItem()->text(), chosen);
    }

    /// Of another library than the one before.
    void anEmptyLibraryStaysEmpty() {
        QVERIFY(!m_fixture->add(onlyRuns()).groupA.empty());
        m_page->activated();
        QTRY_COMPARE(list().count(), 2);
        QVERIFY(m_fixture->services().library.open(m_fixture->path("empty.sqlite").toStdString()));
        QTRY_VERIFY(!empty().isHidden());
        QCOMPARE(list().count(), 0);
    }
};

QTEST_MAIN(TestReportsKinds)
} // namespace test_reports_kinds
#include "test_reports_kinds.moc"

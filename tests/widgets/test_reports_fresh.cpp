// SPDX-License-Identifier: GPL-3.0-or-later
// What is previewed and saved is what the library holds: a report is read again where its runs have changed, and stays
// where it was scrolled to.
#include "core/store/run_store.h"
#include "tests/support/report_saving.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/reports/report_preview.h"
#include "widgets/pages/reports/reports_page.h"

#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

namespace test_reports_fresh {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestReportsFresh : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        SyntheticStudy study = studyOf(equivalentCase());
        study.lastState = RunState::Running;
        m_runs = m_fixture->add(study);
        m_page = std::make_unique<ReportsPage>(m_fixture->services());
        m_page->resize(1110, 690);
        m_page->show();
        m_page->activated();
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void whatIsSavedHasTheNewestNotes() {
        showRun(m_runs.groupA.front());
        QScrollBar& bar = *child<ReportPreview>(*m_page, "reports.preview")->verticalScrollBar();
        QTRY_VERIFY(bar.maximum() > 100);
        bar.setValue(100);
        m_fixture->services().session.edits.setNotes(record(m_runs.groupA.front()), QStringLiteral("seen by the page"));
        QTRY_VERIFY_WITH_TIMEOUT(saved().contains("seen by the page"), 20'000);
        QCOMPARE(bar.value(), 100);
        QVERIFY(child<QPushButton>(*m_page, "reports.saveHtml")->isEnabled());
    }

    void whatWasWrittenMeanwhileIsReadOnReturn() {
        showRun(m_runs.groupA.front());
        m_page->hide();
        m_fixture->services().session.edits.setNotes(record(m_runs.groupA.front()), QStringLiteral("out of sight"));
        QTRY_VERIFY(m_fixture->services().library.idle());
        m_page->show();
        m_page->activated();
        QTRY_VERIFY(m_fixture->services().library.idle());
        QVERIFY(saved().contains("out of sight"));
    }

    /// The list holds runs that have ended; what is asked for from elsewhere has a name as well.
    void aRunThatHasNotEndedHasItsName() {
        showRun(m_runs.groupB.back());
        const auto* list = child<QListWidget>(*m_page, "reports.list");
        QTRY_VERIFY(list->currentItem() != nullptr);
        const QString name = QString::fromStdString(record(m_runs.groupB.back()).name);
        QVERIFY(!name.isEmpty());
        QTRY_VERIFY2(list->currentItem()->text().startsWith(name), qPrintable(list->currentItem()->text()));
    }

private:
    [[nodiscard]] RunRecord record(const std::string& run) {
        return m_fixture->services().library.reader().run(run).value();
    }
    void showRun(const std::string& run) {
        QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
        m_page->showRun(QString::fromStdString(run));
        QVERIFY(shown.wait(20'000));
        QTRY_VERIFY(m_fixture->services().library.idle());
    }
    [[nodiscard]] QByteArray saved() {
        const QString path = m_fixture->path(QStringLiteral("saved.html"));
        QFile file(path);
        return savedBy(*m_page, path) && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ReportsPage> m_page;
    SyntheticRuns m_runs;
};

QTEST_MAIN(TestReportsFresh)
} // namespace test_reports_fresh
#include "test_reports_fresh.moc"

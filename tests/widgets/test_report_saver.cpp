// SPDX-License-Identifier: GPL-3.0-or-later
// Reports are written while the window goes on. A page that closes leaves no half of a file and waits for none; the
// next page tells what came of it.
#include "tests/support/report_saving.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/reports/report_saver.h"
#include "widgets/style/controls.h"

#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QThread>

namespace test_report_saver {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestReportSaver : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<ReportsPage>(m_fixture->services());
        m_page->resize(1110, 690);
        m_page->show();
        const SyntheticRuns runs = m_fixture->add(studyOf(equivalentCase()));
        QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
        m_page->showComparison(qtList(runs.groupA), qtList(runs.groupB));
        QVERIFY(shown.wait(60'000));
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    /// The file comes although this thread handles no event: another one writes it.
    void anotherThreadWrites_data() {
        QTest::addColumn<QString>("suffix");
        for (const char* suffix : {"html", "md", "pdf"})
            QTest::newRow(suffix) << QString(suffix);
    }
    void anotherThreadWrites() {
        QFETCH(QString, suffix);
        const QString file = m_fixture->path("report." + suffix);
        int told = 0;
        connect(m_page.get(), &ReportsPage::saved, this, [&told] { ++told; });
        m_page->saveTo(file);
        for (const char* name : {"reports.saveHtml", "reports.savePdf", "reports.saveMarkdown"})
            QVERIFY2(!child<QPushButton>(*m_page, name)->isEnabled(), name);
        const QString notice = child<NoticeBar>(*m_page, "reports.notice")->accessibleName();
        QVERIFY2(notice.contains("Saving") && notice.contains("report." + suffix), qPrintable(notice));
        for (int waited = 0; !QFileInfo::exists(file) && waited < 6000; ++waited)
            QThread::msleep(10);
        QVERIFY(QFileInfo::exists(file));
        QCOMPARE(told, 0); // told by an event
        QTRY_COMPARE(told, 1);
        for (const char* name : {"reports.saveHtml", "reports.savePdf", "reports.saveMarkdown"})
            QVERIFY2(child<QPushButton>(*m_page, name)->isEnabled(), name);
    }

    /// One after the other, each told of by itself.
    void severalAreWrittenInTheirOrder() {
        QStringList told;
        const auto tell = [&told](const QString& file) { told << QFileInfo(file).fileName(); };
        connect(m_page.get(), &ReportsPage::saved, this, tell);
        connect(m_page.get(), &ReportsPage::notSaved, this, tell);
        for (const char* name : {"a.pdf", "b.html", "c.docx"})
            m_page->saveTo(m_fixture->path(name));
        QTRY_COMPARE(told.size(), 3);
        QCOMPARE(told, (QStringList{"a.pdf", "b.html", "c.docx"}));
        QVERIFY(QFileInfo::exists(m_fixture->path("a.pdf")) && QFileInfo::exists(m_fixture->path("b.html")));
        QVERIFY(!QFileInfo::exists(m_fixture->path("c.docx")));
    }

    /// The page does not wait for them; the end of the program does.
    void whatWasAskedForIsWrittenWithoutThePage_data() {
        QTest::addColumn<bool>("programEnds");
        QTest::newRow("another page comes") << false;
        QTest::newRow("the program ends") << true;
    }
    void whatWasAskedForIsWrittenWithoutThePage() {
        QFETCH(const bool, programEnds);
        const QTemporaryDir folder; // outlives the fixture
        const QString first = folder.filePath("first.pdf");
        const QString last = folder.filePath("last.html");
        for (int i = 0; i < 5; ++i)
            m_page->saveTo(first);
        m_page->saveTo(last);
        const ReportSaver& saver = m_fixture->services().session.reports;
        QCOMPARE(saver.files().size(), 6);
        m_page.reset();
        QCOMPARE(saver.files().size(), 6); // told by events
        if (programEnds)
            m_fixture.reset();
        else
            QTRY_VERIFY_WITH_TIMEOUT(!saver.isSaving(), 60'000);
        QFile pdf(first);
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        const QByteArray content = pdf.readAll();
        QVERIFY(content.startsWith("%PDF") && content.trimmed().endsWith("%%EOF"));
        QFile html(last);
        QVERIFY(html.open(QIODevice::ReadOnly));
        QVERIFY(html.readAll().contains("</html>"));
        QTest::qWait(50); // an answer that comes late finds nobody
    }

    /// As another language builds the page anew.
    void theNextPageTellsOfTheFile_data() {
        QTest::addColumn<bool>("builtBefore");
        QTest::newRow("built while it is written") << true;
        QTest::newRow("built after that") << false;
    }
    void theNextPageTellsOfTheFile() {
        QFETCH(const bool, builtBefore);
        ReportSaver& saver = m_fixture->services().session.reports;
        QSemaphore gate;
        const auto end = qScopeGuard([this, &gate] { // also where a check fails: the gate outlives the saver
            gate.release();
            cleanup();
        });
        const QString file = m_fixture->path("slow.html");
        saver.save(file, [&gate]() -> Status {
            gate.acquire();
            return {};
        });
        std::unique_ptr<ReportsPage> next;
        if (builtBefore)
            next = std::make_unique<ReportsPage>(m_fixture->services());
        if (!builtBefore) {
            gate.release();
            QTRY_VERIFY(!saver.isSaving());
            QVERIFY(noticeOf(*m_page).contains("Saved as"));
            next = std::make_unique<ReportsPage>(m_fixture->services());
        }
        QSignalSpy shown(next.get(), &ReportsPage::reportShown);
        next->setState(m_page->state());
        m_page.reset(); // waits for nothing
        QVERIFY2(noticeOf(*next).contains(builtBefore ? "Saving" : "Saved as"), qPrintable(noticeOf(*next)));
        QVERIFY(shown.wait(60'000)); // the report that was shown comes again, and the notice stays
        QVERIFY2(noticeOf(*next).contains(builtBefore ? "Saving" : "Saved as"), qPrintable(noticeOf(*next)));
        QVERIFY(noticeOf(*next).contains("slow.html"));
        QCOMPARE(child<QPushButton>(*next, "reports.saveHtml")->isEnabled(), !builtBefore);
        if (builtBefore) {
            gate.release();
            QTRY_VERIFY2(noticeOf(*next).contains("Saved as"), qPrintable(noticeOf(*next)));
            QVERIFY(child<QPushButton>(*next, "reports.saveHtml")->isEnabled());
        }
    }

    void whatFailedIsToldByTheNextPageToo() {
        ReportSaver& saver = m_fixture->services().session.reports;
        QSemaphore gate;
        const auto end = qScopeGuard([this, &gate] {
            gate.release();
            cleanup();
        });
        const QString file = m_fixture->path("full.html");
        saver.save(file, [&gate, file]() -> Status {
            gate.acquire();
            return failure("file.write", {{"file", file.toStdString()}, {"reason", "no space"}});
        });
        const auto next = std::make_unique<ReportsPage>(m_fixture->services());
        m_page.reset();
        QSignalSpy shown(next.get(), &ReportsPage::reportShown);
        QVERIFY(shown.wait(60'000)); // it begins with the newest one
        QSignalSpy refused(next.get(), &ReportsPage::notSaved);
        gate.release();
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY2(noticeOf(*next).contains("full.html"), qPrintable(noticeOf(*next)));
    }

private:
    [[nodiscard]] static QString noticeOf(const ReportsPage& page) {
        return child<NoticeBar>(page, "reports.notice")->accessibleName();
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ReportsPage> m_page;
};

QTEST_MAIN(TestReportSaver)
} // namespace test_report_saver
#include "test_report_saver.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Reports are written while the window goes on, and a page that closes leaves no half of a file.
#include "tests/support/report_saving.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/style/controls.h"

#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QSignalSpy>
#include <QThread>

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

    void aPageThatClosesWritesAll() {
        const QString first = m_fixture->path("first.pdf");
        const QString last = m_fixture->path("last.html");
        for (int i = 0; i < 5; ++i)
            m_page->saveTo(first);
        m_page->saveTo(last);
        m_page.reset(); // what was asked for is not lost
        QFile pdf(first);
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        const QByteArray content = pdf.readAll();
        QVERIFY(content.startsWith("%PDF") && content.trimmed().endsWith("%%EOF"));
        QFile html(last);
        QVERIFY(html.open(QIODevice::ReadOnly));
        QVERIFY(html.readAll().contains("</html>"));
        QTest::qWait(50); // an answer that comes late finds nobody
    }

private:
    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ReportsPage> m_page;
};

QTEST_MAIN(TestReportSaver)
#include "test_report_saver.moc"

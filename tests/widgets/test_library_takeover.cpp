// SPDX-License-Identifier: GPL-3.0-or-later
// The Library is made anew for another language or text size while long work is on its way: imports, exports and
// backups go on, and the page that is there then tells of them and can cancel them.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_imports.h"
#include "widgets/pages/library/run_table.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QPushButton>
#include <semaphore>

namespace test_library_takeover {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestLibraryTakeover : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
        SyntheticStudy study;
        study.name = "brought";
        study.seedsA = study.seedsB = {0};
        study.finalA = study.finalB = {0.9};
        study.windows = 20;
        QVERIFY(addSyntheticStudy(other().toStdString(), study));
        m_page = newPage();
        QTRY_COMPARE(table()->model()->rowCount(), 10);
    }
    void cleanup() {
        m_goOn.release(); // whatever a check has left behind
        m_page.reset();
        m_fixture.reset();
        while (m_goOn.try_acquire()) {
        }
    }

    void anImportComesToItsEnd() {
        occupy();
        m_page->findChild<RunImports*>()->read({other()});
        replacePage();
        QVERIFY(bar("libraryImport")->isVisible());
        m_goOn.release();
        QTRY_COMPARE(bar("libraryImport")->accessibleName(), QStringLiteral("2 runs imported."));
        QTRY_COMPARE(table()->model()->rowCount(), 12);
        QTRY_COMPARE(table()->selectedRuns().size(), 2);
    }

    void anImportIsCancelledOnTheOtherPage() {
        occupy();
        m_page->findChild<RunImports*>()->read({other()});
        replacePage();
        press("libraryImport");
        m_goOn.release();
        QTRY_VERIFY(idle());
        QVERIFY(!bar("libraryImport")->isVisible());
        QCOMPARE(m_fixture->services().library.reader().runs().value().size(), std::size_t{10});
    }

    void whatAnImportLacksIsToldOnTheOtherPage() {
        occupy();
        m_page->findChild<RunImports*>()->read({m_fixture->path("nothing.csv")});
        replacePage();
        m_goOn.release();
        QTRY_VERIFY(bar("libraryImport")->accessibleName().contains("nothing.csv"));
    }

    void anExportIsToldOnTheOtherPage() {
        occupy();
        const auto runs = m_fixture->services().library.reader().runs().value();
        m_fixture->services().session.exports.write({runs.front()}, ExportKind::Csv, {m_fixture->path("a.csv")});
        replacePage();
        QVERIFY(bar("libraryExporting")->isVisible());
        m_goOn.release();
        QTRY_VERIFY(bar("libraryToast")->accessibleName().contains("a.csv"));
        QVERIFY(!bar("libraryExporting")->isVisible());
        QVERIFY(QFile::exists(m_fixture->path("a.csv")));
    }

    void anExportIsCancelledOnTheOtherPage() {
        occupy();
        const auto runs = m_fixture->services().library.reader().runs().value();
        m_fixture->services().session.exports.write({runs.front()}, ExportKind::Csv, {m_fixture->path("a.csv")});
        replacePage();
        press("libraryExporting");
        m_goOn.release();
        QTRY_VERIFY(idle());
        QVERIFY(!bar("libraryExporting")->isVisible());
        QVERIFY(!QFile::exists(m_fixture->path("a.csv")));
    }

    void aBackupIsToldOnTheOtherPage() {
        occupy();
        m_page->backUp(m_fixture->path("copy.sqlite"));
        replacePage();
        QVERIFY(bar("libraryBackingUp")->isVisible());
        m_goOn.release();
        QTRY_VERIFY(bar("libraryNotice")->accessibleName().contains("Backed up as"));
        QVERIFY(!bar("libraryBackingUp")->isVisible());
    }

    void aCheckIsToldOnTheOtherPage() {
        occupy();
        m_page->findChild<QAction*>("libraryCheck")->trigger();
        replacePage();
        QVERIFY(bar("libraryNotice")->accessibleName().contains("Checking"));
        m_goOn.release();
        QTRY_VERIFY(bar("libraryNotice")->accessibleName().contains("is sound"));
    }

private:
    [[nodiscard]] QString other() const { return m_fixture->path("other.sqlite"); }
    [[nodiscard]] bool idle() const { return m_fixture->services().library.idle(); }
    /// What is asked for next waits until m_goOn.
    void occupy() {
        std::ignore = m_fixture->services().library.start(
            this, [this](RunReader&, const std::stop_token&) -> Status { return m_goOn.acquire(), Status(); }, {});
    }
    [[nodiscard]] std::unique_ptr<LibraryPage> newPage() {
        auto page = std::make_unique<LibraryPage>(m_fixture->services());
        page->resize(1280, 760);
        page->show();
        page->activated();
        return page;
    }
    /// As the application does it: the new page stands before the old one goes.
    void replacePage() {
        const QVariant kept = m_page->state();
        auto page = newPage();
        page->setState(kept);
        m_page = std::move(page);
    }
    [[nodiscard]] NoticeBar* bar(const char* name) { return child<NoticeBar>(*m_page, name); }
    void press(const char* name) { bar(name)->findChild<QPushButton*>(QStringLiteral("noticeAction"))->click(); }
    [[nodiscard]] RunTable* table() { return m_page->findChild<RunTable*>(); }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
    std::counting_semaphore<8> m_goOn{0};
};

QTEST_MAIN(TestLibraryTakeover)
} // namespace test_library_takeover
#include "test_library_takeover.moc"

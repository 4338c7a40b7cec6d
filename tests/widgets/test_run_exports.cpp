// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of several kinds lie beside each other, nothing is replaced unasked, and the page tells of all that are on
// their way.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_exports.h"
#include "widgets/style/controls.h"

#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <semaphore>

namespace test_run_exports {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

constexpr std::array allKinds{ExportKind::Csv,
                              ExportKind::WideCsv,
                              ExportKind::Json,
                              ExportKind::EventsByUpdates,
                              ExportKind::EventsBySamples,
                              ExportKind::WeightsBest,
                              ExportKind::WeightsLast,
                              ExportKind::WeightsInitial};

} // namespace

class TestRunExports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<LibraryPage>(m_fixture->services());
        m_page->show();
        m_runs = m_fixture->services().library.reader().runs().value();
        m_runs.resize(2);
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void noKindHasTheNameOfAnother() {
        QSet<QString> names;
        for (const RunRecord& run : m_runs)
            for (const ExportKind kind : allKinds)
                names.insert(exportName(run, kind));
        QCOMPARE(names.size(), static_cast<qsizetype>(m_runs.size() * allKinds.size()));
    }

    void aFolderHoldsAllKindsAndNothingIsReplacedUnasked() {
        RunExports& exports = m_fixture->services().session.exports;
        QSignalSpy written(&exports, &RunExports::written);
        exportInto(m_fixture->path("."), ExportKind::Csv);
        QTRY_COMPARE(written.count(), 1);
        exportInto(m_fixture->path("."), ExportKind::WideCsv);
        QTRY_COMPARE(written.count(), 2);
        QCOMPARE(QDir(m_fixture->path(".")).entryList({"*.csv"}).size(), 4);

        const auto question = [this] { return m_page->findChild<QMessageBox*>("replaceFilesDialog"); };
        exportInto(m_fixture->path("."), ExportKind::Csv);
        QVERIFY(question());
        QVERIFY(question()->informativeText().contains(exportName(m_runs[1], ExportKind::Csv)));
        question()->reject();
        QTRY_VERIFY(!question());
        QVERIFY(m_fixture->services().library.idle());
        exportInto(m_fixture->path("."), ExportKind::Csv);
        question()->findChild<QPushButton*>("replaceFilesConfirm")->click();
        QTRY_COMPARE(written.count(), 3);
    }

    void whatIsOnItsWayIsToldUntilTheLast() {
        LibraryGateway& library = m_fixture->services().library;
        RunExports& exports = m_fixture->services().session.exports;
        QSignalSpy written(&exports, &RunExports::written), cancelled(&exports, &RunExports::cancelled);
        const auto* bar = child<NoticeBar>(*m_page, "libraryExporting");
        std::binary_semaphore goOn{0};
        exports.write(m_runs, ExportKind::Csv, {m_fixture->path("a.csv"), m_fixture->path("b.csv")});
        std::ignore = library.start(
            this, [&](RunReader&, const std::stop_token&) -> Status { return goOn.acquire(), Status(); }, {});
        exports.write({m_runs[0]}, ExportKind::Json, {m_fixture->path("never.json")});
        const bool all = bar->accessibleName().contains("3");
        [&] { QTRY_COMPARE(written.count(), 1); }();
        const bool told = !bar->isHidden() && bar->accessibleName().contains("1");
        exports.cancel(); // the one that is left
        goOn.release();
        QVERIFY(all && told);
        QTRY_COMPARE(cancelled.count(), 1);
        QVERIFY(bar->isHidden());
        QVERIFY(!QFile::exists(m_fixture->path("never.json")));
    }

    void aBackupIsToldOfAndCanBeCancelled() {
        LibraryGateway& library = m_fixture->services().library;
        const auto* bar = child<NoticeBar>(*m_page, "libraryBackingUp");
        const auto* notice = child<NoticeBar>(*m_page, "libraryNotice");
        std::binary_semaphore goOn{0};
        std::ignore = library.start(
            this, [&](RunReader&, const std::stop_token&) -> Status { return goOn.acquire(), Status(); }, {});
        m_page->backUp(m_fixture->path("first.sqlite"));
        const bool told = !bar->isHidden();
        m_page->backUp(m_fixture->path("second.sqlite"));
        const QString refused = notice->accessibleName();
        bar->findChild<QPushButton*>()->click();
        goOn.release();
        QVERIFY(told);
        QVERIFY2(refused.contains("A backup is being written"), qPrintable(refused));
        QTRY_VERIFY(library.idle());
        QVERIFY(bar->isHidden());
        QVERIFY(!QFile::exists(m_fixture->path("first.sqlite")) && !QFile::exists(m_fixture->path("second.sqlite")));
        m_page->backUp(m_fixture->path("first.sqlite"));
        QTRY_VERIFY(notice->accessibleName().contains("Backed up as"));
        QVERIFY(bar->isHidden());
    }

private:
    /// As a person answers the dialog for the folder.
    void exportInto(const QString& folder, ExportKind kind) {
        bool answered = false;
        QTimer hand;
        connect(&hand, &QTimer::timeout, this, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            auto* name = dialog ? dialog->findChild<QLineEdit*>("fileNameEdit") : nullptr;
            if (!name || std::exchange(answered, true))
                return;
            name->setText(folder);
            QTimer::singleShot(0, name, [name] { QTest::keyClick(name, Qt::Key_Return); });
        });
        hand.start(50);
        m_fixture->services().session.exports.ask(*m_page, m_runs, kind);
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
    std::vector<RunRecord> m_runs;
};

QTEST_MAIN(TestRunExports)
} // namespace test_run_exports
#include "test_run_exports.moc"

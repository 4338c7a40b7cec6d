// SPDX-License-Identifier: GPL-3.0-or-later
// What the Reports page saves is what is chosen and shown, and never in place of a file that nobody asked about.
#include "tests/support/report_saving.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/reports/report_preview.h"
#include "widgets/pages/reports/reports_page.h"
#include "widgets/style/controls.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>

namespace test_reports_saving {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestReportsSaving : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void onlyWhatIsShownIsSaved();
    void theButtonKeepsTheKeyboard();
    void anOldFileIsNeverReplacedUnasked();
    void theFolderIsRemembered();

private:
    void startWith(const VerdictCase& verdictCase) {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<ReportsPage>(m_fixture->services());
        m_page->resize(1110, 690);
        m_page->show();
        m_page->activated();
        m_runs = m_fixture->add(studyOf(verdictCase));
        QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
        m_page->showComparison(qtList(m_runs.groupA), qtList(m_runs.groupB));
        QVERIFY(shown.wait(60'000));
    }
    [[nodiscard]] ReportPreview& preview() const { return *child<ReportPreview>(*m_page, "reports.preview"); }
    [[nodiscard]] QString notice() const { return child<NoticeBar>(*m_page, "reports.notice")->accessibleName(); }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ReportsPage> m_page;
    SyntheticRuns m_runs;
};

void TestReportsSaving::onlyWhatIsShownIsSaved() {
    startWith(equivalentCase());
    auto* save = child<QPushButton>(*m_page, "reports.saveHtml");
    QVERIFY(save->isEnabled());
    QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
    m_page->showRun(QString::fromStdString(m_runs.groupA.front()));
    QVERIFY(!save->isEnabled() && preview().pageCount() > 0); // the one before is still to be seen
    QVERIFY(shown.wait());
    QVERIFY(save->isEnabled());
    m_page->showRun("no such run");
    QTRY_VERIFY(!notice().isEmpty());
    QVERIFY(!save->isEnabled());
    QCOMPARE(preview().pageCount(), 0);
    QVERIFY(!savedBy(*m_page, m_fixture->path("another.html")).has_value());
    m_page->showRun(QString::fromStdString(m_runs.groupA.front()));
    QVERIFY(shown.wait());
    QVERIFY(save->isEnabled());
}

void TestReportsSaving::theButtonKeepsTheKeyboard() {
    startWith(equivalentCase());
    auto* save = child<QPushButton>(*m_page, "reports.saveHtml");
    save->setFocus();
    QSignalSpy saved(m_page.get(), &ReportsPage::saved);
    m_page->saveTo(m_fixture->path("kept.html"));
    QVERIFY(!save->isEnabled() && m_page->window()->focusWidget() == &preview());
    QVERIFY(saved.wait());
    QCOMPARE(m_page->window()->focusWidget(), save);
}

void TestReportsSaving::anOldFileIsNeverReplacedUnasked() {
    startWith(equivalentCase());
    const QString old = m_fixture->path("old.html");
    QFile file(old);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
    file.close();
    int asked = 0;
    QTimer hand; // names it without its ending, and gives up where the dialog or a box comes back
    connect(&hand, &QTimer::timeout, this, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        auto* name = dialog ? dialog->findChild<QLineEdit*>("fileNameEdit") : nullptr;
        if (name && asked++ == 0) {
            name->setText(m_fixture->path("old"));
            QTimer::singleShot(0, name, [name] { QTest::keyClick(name, Qt::Key_Return); }); // a box may stop it
        } else if (auto* box = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
            box->reject();
        }
    });
    hand.start(50);
    QTest::mouseClick(child<QPushButton>(*m_page, "reports.saveHtml"), Qt::LeftButton);
    hand.stop();
    QVERIFY(asked > 0);
    QCOMPARE(contentOf(old), QByteArray("mine"));
}

/// Also by the page of the next session.
void TestReportsSaving::theFolderIsRemembered() {
    startWith(equivalentCase());
    const QString folder = m_fixture->path("reports");
    QVERIFY(QDir().mkdir(folder));
    bool saves = true;
    QString offered;
    QTimer hand;
    connect(&hand, &QTimer::timeout, this, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        auto* name = dialog ? dialog->findChild<QLineEdit*>("fileNameEdit") : nullptr;
        if (!name)
            return;
        offered = dialog->directory().absolutePath();
        if (!saves)
            return dialog->reject();
        saves = false;
        name->setText(folder + "/mine.html");
        QTimer::singleShot(0, name, [name] { QTest::keyClick(name, Qt::Key_Return); });
    });
    hand.start(50);
    QSignalSpy saved(m_page.get(), &ReportsPage::saved);
    QTest::mouseClick(child<QPushButton>(*m_page, "reports.saveHtml"), Qt::LeftButton);
    QTRY_COMPARE(saved.count(), 1);
    QVERIFY(offered != folder);
    m_page = std::make_unique<ReportsPage>(m_fixture->services());
    m_page->show();
    QSignalSpy shown(m_page.get(), &ReportsPage::reportShown);
    m_page->showComparison(qtList(m_runs.groupA), qtList(m_runs.groupB));
    QVERIFY(shown.wait(60'000));
    offered.clear();
    QTest::mouseClick(child<QPushButton>(*m_page, "reports.saveHtml"), Qt::LeftButton);
    hand.stop();
    QCOMPARE(offered, folder);
}

QTEST_MAIN(TestReportsSaving)
} // namespace test_reports_saving
#include "test_reports_saving.moc"

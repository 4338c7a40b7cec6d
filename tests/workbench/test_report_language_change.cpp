// SPDX-License-Identifier: GPL-3.0-or-later
// Another language while a report is being written: the new window comes and the old one goes without waiting for the
// file, and the new window tells, in its language, that the file is there.
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/reports/report_saver.h"
#include "widgets/pages/reports/reports_page.h"
#include "widgets/style/controls.h"

#include <QPointer>
#include <QScopeGuard>
#include <QSemaphore>

namespace test_report_language_change {
using namespace accumulus;
using namespace accumulus::ui;

class TestReportLanguageChange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theReportIsToldOfInTheNewWindow() {
        QSemaphore gate; // outlives the saver
        WorkbenchFixture fixture;
        const auto open = qScopeGuard([&gate] { gate.release(); }); // also where a check fails
        const auto page = [&fixture] { return fixture.find<ReportsPage>("reports"); };
        const auto notice = [&page] {
            return page()->findChild<NoticeBar*>(QStringLiteral("reports.notice"))->accessibleName();
        };
        ReportSaver& saver = fixture.workbench().session().reports;
        saver.save(fixture.file(QStringLiteral("slow.html")), [&gate]() -> Status {
            gate.acquire();
            return {};
        });
        const QPointer<ReportsPage> old = page();
        QVERIFY(old);
        fixture.setLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY_WITH_TIMEOUT(old.isNull(), patience); // all of the old window is gone, too
        QVERIFY(saver.isSaving());
        QVERIFY2(notice().contains(QStringLiteral("slow.html")), qPrintable(notice()));
        QVERIFY2(!notice().contains(QStringLiteral("Sav")), qPrintable(notice()));
        const QString saving = notice();
        gate.release();
        QTRY_VERIFY_WITH_TIMEOUT(notice() != saving, patience);
        QVERIFY2(notice().contains(QStringLiteral("slow.html")) && !notice().contains(QStringLiteral("Sav")),
                 qPrintable(notice()));
        QVERIFY(!saver.isSaving());
    }
};

QTEST_MAIN(TestReportLanguageChange)
} // namespace test_report_language_change
#include "test_report_language_change.moc"

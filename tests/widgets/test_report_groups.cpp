// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a comparison of several groups, as the window writes it: every group is in each kind of file, in its
// table and in a chapter.
#include "tests/support/report_saving.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/reports/reports_page.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>

namespace test_report_groups {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

QString textOf(const QString& file) {
    if (file.endsWith(QLatin1String(".pdf"))) {
        QProcess tool;
        tool.start("pdftotext", {"-layout", file, "-"});
        return tool.waitForFinished() ? QString::fromUtf8(tool.readAllStandardOutput()) : QString();
    }
    QFile text(file);
    return text.open(QIODevice::ReadOnly) ? QString::fromUtf8(text.readAll()) : QString();
}

} // namespace

class TestReportGroups : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyGroupIsInEveryFile_data() {
        QTest::addColumn<QString>("suffix");
        for (const char* suffix : {"html", "md", "pdf"})
            QTest::newRow(suffix) << QString(suffix);
    }
    void everyGroupIsInEveryFile() {
        QFETCH(const QString, suffix);
        if (suffix == "pdf" && QStandardPaths::findExecutable("pdftotext").isEmpty())
            QSKIP("pdftotext is not installed");
        PageFixture fixture;
        QVERIFY(fixture.open());
        const SyntheticRuns first = fixture.add(studyOf(equivalentCase()));
        SyntheticStudy other = studyOf(differentCase());
        other.name = "other";
        other.micro = 64;
        other.createdAt += 1000.0;
        const SyntheticRuns second = fixture.add(other);
        SyntheticStudy third = studyOf(inconclusiveCase());
        third.name = "third";
        third.micro = 16;
        third.createdAt += 2000.0;
        const SyntheticRuns last = fixture.add(third);
        ReportsPage page(fixture.services());
        page.resize(1110, 690);
        page.show();
        ComparisonRequest request;
        request.setGroups({qtList(first.groupA), qtList(first.groupB), qtList(second.groupA), qtList(last.groupA)}, 1);
        QSignalSpy shown(&page, &ReportsPage::reportShown);
        page.showComparison(request);
        QVERIFY(shown.wait(60'000));
        const QString file = fixture.path("report." + suffix);
        const Status saved = savedBy(page, file);
        QVERIFY2(saved.has_value(), saved ? "" : describe(saved.error()).c_str());
        const QString text = textOf(file).simplified(); // a heading of a PDF may break
        QStringList parts{"4 groups of runs compared", "All groups against B", "A against B", "C against B",
                          "D against B"};
        if (suffix != "pdf") // there the cells of a table break into lines
            parts << QString::fromUtf8("A: accumulated 32 × 8") << QString::fromUtf8("B: large batch 256 × 1")
                  << QString::fromUtf8("C: accumulated 64 × 4") << QString::fromUtf8("D: accumulated 16 × 16");
        for (const QString& part : parts)
            QVERIFY2(text.contains(part), qPrintable(part + ": " + text.left(4000)));
    }
};

QTEST_MAIN(TestReportGroups)
} // namespace test_report_groups
#include "test_report_groups.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Notes stand in a report as they were written, line by line, and nothing of them becomes markup of the report.
#include "core/report/run_report.h"

#include <QTest>

namespace test_report_notes {
using namespace accumulus;

namespace {

const std::string notes = "# Aim\n\n- warm <b>up</b>\n- ```\n| a | b |";

} // namespace

class TestReportNotes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ofARun() {
        RunReportInput input;
        input.run.id = "run";
        input.notes = notes;
        const ReportDocument document = makeRunReport(input);
        const std::string html = reportHtml(document);
        QVERIFY(html.find("<pre><code># Aim\n\n- warm &lt;b&gt;up&lt;/b&gt;\n") != std::string::npos);
        std::vector<std::pair<std::string, std::string>> figures;
        const std::string markdown = reportMarkdown(document, "figures", figures);
        QVERIFY(markdown.find("````\n" + notes + "\n````") != std::string::npos); // a fence that they do not end
        input.notes.clear();
        QVERIFY(reportHtml(makeRunReport(input)).find(">Notes<") == std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestReportNotes)
} // namespace test_report_notes
#include "test_report_notes.moc"

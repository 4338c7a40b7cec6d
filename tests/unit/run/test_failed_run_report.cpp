// SPDX-License-Identifier: GPL-3.0-or-later
// What the report of a failed run says of its end, in its own language.
#include "core/report/report_words.h"
#include "core/run/library_views.h"
#include "core/store/run_store.h"
#include "tests/unit/run/library_views_fixture.h"

#include <QtTest>

using namespace accumulus;
using namespace accumulus::test;

class TestFailedRunReport : public QObject, protected LibraryViewsFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { useNewLibrary(); }

    void whyARunEndedIsSaidInTheReportsLanguage() {
        const SyntheticRuns runs = add(studyOf(equivalentCase()));
        const Error error{"training.all-skipped", {{"windows", "3"}}};
        const std::string known = runs.groupA[0], old = runs.groupA[1];
        {
            RunStore store(Library::open(file(), Library::Mode::Write).value());
            QVERIFY(store.finishRun(known, RunState::Failed, {}, 1.0, describe(error), error));
            QVERIFY(store.finishRun(old, RunState::Failed, {}, 1.0, describe(error)));
        }
        RunReader library = reader();
        const auto htmlOf = [&](const std::string& run) { return reportHtml(runReport(library, run).value()); };
        QVERIFY(htmlOf(known).find(describe(error)) != std::string::npos);
        const Language marking{[](std::string_view words) { return "«" + std::string(words) + "»"; }, english().count};
        const ReportLanguage scope(marking, "x-marked");
        QVERIFY(htmlOf(known).find("«3 windows in a row had no finite gradient.» «Skipping no longer helps.»") !=
                std::string::npos);
        QVERIFY(htmlOf(old).find("3 windows in a row had no finite gradient. Skipping") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestFailedRunReport)
#include "test_failed_run_report.moc"

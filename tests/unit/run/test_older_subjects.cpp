// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of audits and plans that a library of version 9 holds, which kept their subjects in English.
#include "core/base/atomic_file.h"
#include "core/report/report_words.h"
#include "core/run/library_views.h"
#include "core/store/plan_list.h"
#include "tests/support/study_fixture.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace test_older_subjects {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Translates nothing but the titles of the reports.
const Language& upsideDown() {
    static const Language language{[](std::string_view words) -> std::string {
                                       if (words == "Audit of {}")
                                           return "{}: audit";
                                       return words == "Plan of {}, effective batch {}" ? "{1}: {0}"
                                                                                        : std::string(words);
                                   },
                                   [](std::int64_t number) { return std::to_string(number); }};
    return language;
}

} // namespace

class TestOlderSubjects : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyAreShownAsTheyWereWritten() {
        const TemporaryLibrary library;
        const auto script = readFile(fs::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) /
                                         "tests/unit/store/library_v9.sql",
                                     1'000'000);
        REQUIRE(script);
        SQLite::Database(library.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(*script);
        REQUIRE(Library::open(library.file(), Library::Mode::Write)); // brings it up to this version
        RunReader reader = library.reader();
        const auto audits = reader.audits(true, true);
        REQUIRE(audits);
        QCOMPARE(audits->size(), std::size_t{1});
        const auto plans = storedPlans(reader);
        REQUIRE(plans);
        QCOMPARE(plans->size(), std::size_t{1});
        const auto titles = [&] {
            const auto audit = auditReport(reader, audits->front().id);
            const auto plan = planReport(reader, plans->front().key);
            return audit && plan ? std::pair(audit->title, plan->title) : std::pair<std::string, std::string>();
        };
        QCOMPARE(titles().first, std::string("Audit of MLP, Generated digits, 16 = 6 x 3"));
        QCOMPARE(titles().second, std::string("Plan of MLP on Generated digits, fp32, effective batch 16"));
        const ReportLanguage scope(upsideDown(), "x-other");
        QCOMPARE(titles().first, std::string("MLP, Generated digits, 16 = 6 x 3: audit"));
        QCOMPARE(titles().second, std::string("16: MLP on Generated digits, fp32"));
    }
};

QTEST_APPLESS_MAIN(TestOlderSubjects)
} // namespace test_older_subjects
#include "test_older_subjects.moc"

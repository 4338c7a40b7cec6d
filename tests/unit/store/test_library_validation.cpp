// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's row says of its validation samples, also in a library of a version that did not sum them up.
#include "core/store/connection.h"
#include "tests/support/numeric.h"
#include "tests/unit/store/store_fixture.h"

namespace test_library_validation {
using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

namespace {

/// The end of the only run of a library of version 11, once `change` was made to it and this version has opened it.
RunSummary summaryAfter(const std::string& change) {
    const LibraryFolder folder;
    const std::string script = fileContent(fs::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) /
                                           "tests/unit/store/library_v11_validation.sql");
    SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(script + change);
    const auto opened = Library::open(folder.file(), Library::Mode::Write);
    if (!opened)
        qFatal("%s", describe(opened.error()).c_str());
    return folder.reader().runs().value().front().summary;
}

RunSummary withValidation() {
    RunSummary summary;
    summary.testLoss = 0.5;
    summary.validationLoss = 0.25;
    summary.validationAccuracy = 0.875;
    summary.bestValidationAccuracy = 0.9375;
    summary.validationMae = 0.125;
    summary.validationRmse = 1.0 / 3.0;
    return summary;
}

} // namespace

class TestLibraryValidation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itComesBack() {
        const LibraryFolder folder;
        RunStore store = folder.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        QVERIFY(!folder.reader().run(run.id).value().summary.validationLoss);
        const RunSummary summary = withValidation();
        REQUIRE(store.finishRun(run.id, RunState::Completed, summary, 1700000007.0));
        QVERIFY(folder.reader().run(run.id).value().summary == summary);
    }

    void notANumberComesBackAsSuch() {
        const LibraryFolder folder;
        RunStore store = folder.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        RunSummary summary = withValidation();
        summary.validationLoss = summary.validationRmse = std::nan("");
        summary.validationMae.reset();
        REQUIRE(store.finishRun(run.id, RunState::Completed, summary, 1700000007.0));
        const RunSummary back = folder.reader().run(run.id).value().summary;
        QVERIFY(std::isnan(back.validationLoss.value()) && std::isnan(back.validationRmse.value()));
        QVERIFY(!back.validationMae && compareBits(back.bestValidationAccuracy.value(), 0.9375));
    }

    /// Version 11 had it in its evaluations only: 3, 8 and 4 of 30 samples right.
    void version11IsUnderstood() {
        const RunSummary summary = summaryAfter({});
        QVERIFY(compareBits(summary.validationLoss.value(), 2.31056976318359375));
        QVERIFY(compareBits(summary.validationAccuracy.value(), 4.0 / 30.0));
        QVERIFY(compareBits(summary.bestValidationAccuracy.value(), 8.0 / 30.0));
        QVERIFY(!summary.validationMae && !summary.validationRmse);
        QVERIFY(compareBits(summary.testAccuracy.value(), 0.1));
    }

    void whatALaterAttemptMadeAgainDoesNotCount() {
        const RunSummary summary = summaryAfter("UPDATE evaluations SET superseded = 1 WHERE update_number >= 2");
        QVERIFY(compareBits(summary.validationAccuracy.value(), 0.1));
        QVERIFY(compareBits(summary.bestValidationAccuracy.value(), 0.1));
    }

    void aRunThatDivergedStaysNotANumber() {
        const RunSummary summary = summaryAfter(
            "UPDATE evaluations SET loss = NULL, accuracy = NULL WHERE update_number = 3;"
            "UPDATE runs SET test_loss = NULL, test_accuracy = NULL, not_a_number = 'test_loss,test_accuracy'");
        QVERIFY(std::isnan(summary.testLoss.value()) && std::isnan(summary.testAccuracy.value()));
        QVERIFY(std::isnan(summary.validationLoss.value()) && std::isnan(summary.validationAccuracy.value()));
        QVERIFY(compareBits(summary.bestValidationAccuracy.value(), 8.0 / 30.0));
        QVERIFY(!summary.validationMae && !summary.validationRmse);
    }

    void whereNothingWasMeasuredNothingIsSaid_data() {
        QTest::addColumn<QString>("change");
        QTest::newRow("no validation samples") << "DELETE FROM evaluations WHERE split = 'validation'";
        QTest::newRow("without an end") << "UPDATE runs SET state = 'interrupted', test_loss = NULL, "
                                           "test_accuracy = NULL, best_test_accuracy = NULL";
    }
    void whereNothingWasMeasuredNothingIsSaid() {
        QFETCH(QString, change);
        const RunSummary summary = summaryAfter(change.toStdString());
        QVERIFY(!summary.validationLoss && !summary.validationAccuracy && !summary.bestValidationAccuracy);
        QVERIFY(!summary.validationMae && !summary.validationRmse);
    }
};

QTEST_APPLESS_MAIN(TestLibraryValidation)
} // namespace test_library_validation
#include "test_library_validation.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints in the inspector: what lies on the disk, verified in place, deleted after a question. A verification does
// not end with the window that asked.
#include "tests/workbench/library_in_window.h"
#include "tests/workbench/tiny_runs.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/style/format.h"

#include <QMessageBox>
#include <QProgressBar>
#include <QTabWidget>
#include <QTreeWidget>
#include <filesystem>
#include <fstream>
#include <memory>
#include <semaphore>
#include <tuple>

namespace test_checkpoints {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

std::vector<CheckpointRecord> checkpointsOf(WorkbenchFixture& fixture) {
    return fixture.workbench().library().reader().checkpoints(runsOf(fixture).front().id).value();
}

void flipLastBit(const std::string& file) {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekg(-1, std::ios::end);
    const auto last = static_cast<char>(bytes.get() ^ 1);
    bytes.seekp(-1, std::ios::end);
    bytes.put(last);
}

/// Long jobs that are asked for wait while this lives.
class BusyJobs {
public:
    explicit BusyJobs(LibraryGateway& library) {
        std::ignore = library.start(
            qApp, [gate = m_gate](RunReader&, const std::stop_token&) -> Status { return gate->acquire(), Status(); },
            {});
    }
    ~BusyJobs() { m_gate->release(); }
    BusyJobs(const BusyJobs&) = delete;
    BusyJobs& operator=(const BusyJobs&) = delete;

private:
    std::shared_ptr<std::binary_semaphore> m_gate = std::make_shared<std::binary_semaphore>(0);
};

} // namespace

class TestCheckpoints : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theyAreVerifiedAndDeleted() {
        WorkbenchFixture fixture;
        openFilesOfATinyRun(fixture);
        auto* list = fixture.find<QTreeWidget>("inspectorCheckpoints");
        const std::vector<CheckpointRecord> saved = checkpointsOf(fixture);
        QVERIFY(saved.size() > 1 && saved.back().kind == CheckpointKind::Last);
        QTRY_COMPARE_WITH_TIMEOUT(list->topLevelItemCount(), static_cast<int>(saved.size()), patience);
        auto* verify = fixture.find<QPushButton>("checkpointVerify");
        QVERIFY(!verify->isEnabled()); // of which one?

        // The last one, with both of its files by their formats.
        const int last = static_cast<int>(saved.size()) - 1;
        QTreeWidgetItem* item = list->topLevelItem(last);
        QCOMPARE(item->childCount(), 2);
        QVERIFY(item->child(0)->text(0).contains(QStringLiteral("safetensors")));
        QVERIFY(item->child(1)->text(0).contains(QStringLiteral("resume bundle")));
        list->setCurrentItem(item);
        QVERIFY(verify->isEnabled());
        QCOMPARE(resultAfterVerifying(fixture).section(QLatin1Char(':'), 0, 0), QStringLiteral("Equal"));

        const auto sizeBefore = static_cast<qint64>(std::filesystem::file_size(saved.back().weightsPath) +
                                                    std::filesystem::file_size(saved.back().bundlePath));
        flipLastBit(saved.back().weightsPath);
        QCOMPARE(resultAfterVerifying(fixture).section(QLatin1Char(':'), 0, 0), QStringLiteral("Differs"));
        std::filesystem::remove(saved.back().weightsPath);
        QVERIFY(resultAfterVerifying(fixture).startsWith(QStringLiteral("Cannot be verified.")));

        // The other files go only after a question.
        QTest::mouseClick(fixture.find<QPushButton>("checkpointDelete"), Qt::LeftButton);
        auto* box = fixture.find<QMessageBox>("deleteCheckpointDialog");
        QVERIFY(box);
        QVERIFY2(box->text().contains(format::bytes(sizeBefore)), qPrintable(box->text()));
        box->reject();
        QTRY_VERIFY(!fixture.window().findChild<QMessageBox*>());
        QVERIFY(std::filesystem::exists(saved.back().bundlePath));
        QTest::mouseClick(fixture.find<QPushButton>("checkpointDelete"), Qt::LeftButton);
        QTest::mouseClick(fixture.find<QPushButton>("deleteCheckpointConfirm"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(list->topLevelItemCount(), last, patience);
        QVERIFY(!std::filesystem::exists(saved.back().bundlePath));
        QCOMPARE(checkpointsOf(fixture).size(), saved.size() - 1);

        // A protected run keeps its own.
        QVERIFY(storeOf(fixture).setProtected(runsOf(fixture).front().id, true));
        list->setCurrentItem(list->topLevelItem(0));
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.find<QPushButton>("checkpointDelete")->isEnabled(), patience);
    }

    /// A window in another language shows how far it has come, and what came of it, in its words.
    void aVerificationOutlivesTheWindow() {
        WorkbenchFixture fixture;
        openFilesOfATinyRun(fixture);
        const CheckpointRecord last = checkpointsOf(fixture).back();
        auto* list = fixture.find<QTreeWidget>("inspectorCheckpoints");
        QTRY_VERIFY_WITH_TIMEOUT(list->topLevelItemCount() > 0, patience);
        list->setCurrentItem(list->topLevelItem(list->topLevelItemCount() - 1));
        auto busy = std::make_unique<BusyJobs>(fixture.workbench().library());
        fixture.find<QPushButton>("checkpointVerify")->click();
        QVERIFY(fixture.find<QProgressBar>("checkpointProgress")->isVisible());
        const QString english = fixture.find<QProgressBar>("checkpointProgress")->format();

        fixture.setLanguage(QStringLiteral("zh_CN"));
        const auto* progress = fixture.find<QProgressBar>("checkpointProgress");
        const auto* result = fixture.find<QLabel>("checkpointResult");
        QTRY_VERIFY_WITH_TIMEOUT(progress->isVisible(), patience); // the tab is in front, the run is selected
        QVERIFY2(progress->format() != english, qPrintable(english));
        QVERIFY(!result->isVisible());
        busy.reset();
        QTRY_VERIFY_WITH_TIMEOUT(result->isVisible(), patience);
        QVERIFY2(result->text().startsWith(QStringLiteral("一致")), qPrintable(result->text()));
        QVERIFY(!progress->isVisible());

        fixture.setLanguage(QStringLiteral("en"));
        result = fixture.find<QLabel>("checkpointResult");
        QTRY_VERIFY_WITH_TIMEOUT(result->isVisible(), patience);
        QCOMPARE(result->text().section(QLatin1Char(':'), 0, 0), QStringLiteral("Equal"));

        const CheckpointVerifier& verifier = fixture.workbench().session().verifier;
        QVERIFY(verifier.resultOf(last.weightsPath));
        QVERIFY(fixture.workbench().library().open(fixture.file(QStringLiteral("other.sqlite")).toStdString()));
        QVERIFY(!verifier.resultOf(last.weightsPath));
    }

private:
    static void openFilesOfATinyRun(WorkbenchFixture& fixture) {
        trainTiny(fixture);
        showLibrary(fixture, 1);
        fixture.window().findChild<LibraryPage*>()->selectRuns({QString::fromStdString(runsOf(fixture).front().id)});
        fixture.find<QTabWidget>("inspectorTabs")->setCurrentIndex(2);
    }
    static QString resultAfterVerifying(WorkbenchFixture& fixture) {
        auto* result = fixture.find<QLabel>("checkpointResult");
        fixture.find<QPushButton>("checkpointVerify")->click();
        if (result->isVisible()) // of the last time
            return QStringLiteral("still there");
        if (!QTest::qWaitFor([&] { return result->isVisible(); }, patience))
            return QStringLiteral("no answer");
        return result->text();
    }
};

QTEST_MAIN(TestCheckpoints)
} // namespace test_checkpoints
#include "test_checkpoints.moc"

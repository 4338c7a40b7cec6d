// SPDX-License-Identifier: GPL-3.0-or-later
// One run counted: 1 000 samples in windows of 256 are three full ones and one of 232, which is applied. Status bar,
// library and CSV name the same updates, micro-steps and samples, and the schedule moves once per update.
#include "core/base/atomic_file.h"
#include "tests/support/numeric.h"
#include "tests/workbench/hands.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/setup/setup_page.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <cmath>
#include <numbers>

namespace acceptance_a04 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr std::int64_t updates = 8;     // 2 epochs of 4
constexpr std::int64_t microSteps = 64; // 2 epochs of 3 x 8 + ceil(232 / 32)
constexpr std::int64_t samples = 2'000; // 2 epochs of 1 000
constexpr double lr = 0.05;

QString withoutSeparators(QString text) {
    text.remove(QChar(0x00A0)).remove(QChar(0x202F)).remove(QLatin1Char(',')).remove(QLatin1Char(' '));
    return text;
}

/// Cosine to 0 over the run; what update `number` (1, 2, ...) uses. Written out here, not asked of the program.
double cosineLr(std::int64_t number) {
    return lr * 0.5 *
           (1.0 + std::cos(std::numbers::pi * static_cast<double>(number - 1) / static_cast<double>(updates)));
}

struct Table {
    QStringList header;
    std::vector<QStringList> rows;
    [[nodiscard]] QString cell(const QStringList& row, const char* column) const {
        return row.value(header.indexOf(QLatin1String(column)));
    }
};

/// The rows of the windows in an exported run.
Table windowsOf(const QString& file) {
    Table table;
    const QStringList lines = QString::fromStdString(readFile(file.toStdString()).value_or(std::string()))
                                  .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    table.header = lines.value(0).split(QLatin1Char(','));
    for (const QString& line : lines)
        if (line.startsWith(QStringLiteral("window,")))
            table.rows.push_back(line.split(QLatin1Char(',')));
    return table;
}

} // namespace

class AcceptanceA04 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRunIsCountedAlikeInStatusBarLibraryAndCsv() {
        WorkbenchFixture fixture;
        ExperimentConfig experiment = tinyExperiment();
        experiment.run.batch.micro = 16;
        experiment.run.batch.effective = 64;
        experiment.run.batch.tail = TailPolicy::Apply;
        experiment.run.optimizer.lr = lr;
        experiment.run.schedule.kind = ScheduleKind::Cosine;
        fixture.click("rail-setup");
        fixture.window().findChild<SetupPage*>()->setExperiment(experiment);
        typeNumber(fixture, "setup.batch.micro", "32");
        typeNumber(fixture, "setup.batch.effective", "256");
        QCOMPARE(fixture.find<NumberBox>("setup.batch.steps")->integer(), std::optional<std::int64_t>(8));
        QTRY_COMPARE(fixture.find<QLabel>("setup.epoch.line")->text(),
                     QStringLiteral("4 updates per epoch, last window 232 samples"));
        QTRY_VERIFY_WITH_TIMEOUT(fixture.find<QPushButton>("setup.start")->isEnabled(), 20'000);
        fixture.click("setup.start");
        QVERIFY(fixture.workbench().runs().busy());
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
        fixture.waitUntilIdle(runTimeout);

        QTRY_COMPARE(withoutSeparators(fixture.find<QLabel>("statusCounters")->text()),
                     QStringLiteral("Updates8·Micro-steps64·Samples2000"));

        RunReader& reader = fixture.workbench().library().reader();
        const auto runs = reader.runs().value();
        QCOMPARE(runs.size(), std::size_t{1});
        QCOMPARE(runs.front().state, RunState::Completed);
        QCOMPARE(runs.front().totalUpdates, updates);
        QCOMPARE(runs.front().summary.updates, updates);
        QCOMPARE(runs.front().summary.microSteps, microSteps);
        QCOMPARE(runs.front().summary.samples, samples);
        const auto windows = reader.windows(runs.front().id).value();
        QCOMPARE(std::ssize(windows), updates);
        std::int64_t counted = 0;
        for (std::size_t at = 0; at < windows.size(); ++at) {
            const auto number = static_cast<std::int64_t>(at) + 1;
            QCOMPARE(windows[at].update, std::optional(number));
            // 1 + cos loses at most 1 / 0.076 of its digits here: some 1e-15.
            QVERIFY2(test::compareRel(windows[at].lr, cosineLr(number), 1e-12), qPrintable(QString::number(number)));
            QVERIFY(at == 0 || windows[at].lr < windows[at - 1].lr); // moved
            counted += windows[at].microSteps;
        }
        QCOMPARE(counted, microSteps);
        QCOMPARE(windows.back().samples, samples);

        // The same out of the window, as a file.
        fixture.click("rail-library");
        QTRY_COMPARE(fixture.find<QTableView>("runTable")->model()->rowCount(), 1);
        fixture.find<QTableView>("runTable")->selectRow(0);
        auto* exportCsv = fixture.find<QAction>("libraryExportCsv");
        QTRY_VERIFY(exportCsv->isEnabled());
        const QString file = fixture.file(QStringLiteral("run.csv"));
        answerFileDialog(file);
        exportCsv->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!windowsOf(file).rows.empty(), 10'000);
        const Table csv = windowsOf(file);
        QCOMPARE(std::ssize(csv.rows), updates);
        std::int64_t inFile = 0;
        for (const QStringList& row : csv.rows) {
            QCOMPARE(row.size(), csv.header.size());
            inFile += csv.cell(row, "micro_steps").toLongLong();
        }
        QCOMPARE(inFile, microSteps);
        QCOMPARE(csv.cell(csv.rows.back(), "update").toLongLong(), updates);
        QCOMPARE(csv.cell(csv.rows.back(), "samples").toLongLong(), samples);
        QVERIFY(test::compareRel(csv.cell(csv.rows.back(), "lr").toDouble(), cosineLr(updates), 1e-12));
    }
};

QTEST_MAIN(AcceptanceA04)
} // namespace acceptance_a04
#include "acceptance_a04.moc"

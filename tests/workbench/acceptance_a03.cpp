// SPDX-License-Identifier: GPL-3.0-or-later
// The batch triple while somebody types: the equation in words, K computed, and B01 with the fixes that mend it.
#include "tests/workbench/hands.h"
#include "widgets/pages/setup/batch_triple.h"
#include "widgets/pages/setup/setup_page.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>

namespace acceptance_a03 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr int shownWithin = 300; // milliseconds that a person may wait for B01

} // namespace

class AcceptanceA03 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatDoesNotDivideIsToldWhileTypingAndMended() {
        WorkbenchFixture fixture;
        ExperimentConfig experiment = tinyExperiment();
        experiment.run.batch.micro = 16;
        experiment.run.batch.effective = 64;
        fixture.click("rail-setup");
        auto* page = fixture.window().findChild<SetupPage*>();
        page->setExperiment(experiment);
        const auto* line = fixture.find<QLabel>("setup.batch.line");
        auto* start = fixture.find<QPushButton>("setup.start");
        QTRY_VERIFY_WITH_TIMEOUT(start->isEnabled(), 20'000);

        typeNumber(fixture, "setup.batch.micro", "32");
        typeNumber(fixture, "setup.batch.effective", "256");
        const QString equation = QStringLiteral("micro-batch 32 × accumulation 8 × 1 device = 256 samples per update");
        QCOMPARE(line->text(), equation);
        QVERIFY(line->isVisible());
        QVERIFY(start->isEnabled());
        QCOMPARE(page->experiment().run.batch.micro, 32);
        QCOMPARE(page->experiment().run.batch.effective, 256);

        // K is the computed one, and says so to everybody.
        const auto* steps = fixture.find<NumberBox>("setup.batch.steps");
        QCOMPARE(steps->integer(), std::optional<std::int64_t>(8));
        QVERIFY(steps->isReadOnly());
        QVERIFY2(steps->accessibleName().endsWith(QStringLiteral(", computed")), qPrintable(steps->accessibleName()));
        QVERIFY(fixture.find<QLabel>("setup.batch.steps.computed")->isVisible());
        QCOMPARE(fixture.find<QComboBox>("setup.batch.computed")->currentText(),
                 QStringLiteral("Accumulation steps K"));
        QVERIFY(!fixture.find<NumberBox>("setup.batch.micro")->isReadOnly());
        QVERIFY(!fixture.window().findChild<QLabel*>(QStringLiteral("setup.summary.B01")));

        typeNumber(fixture, "setup.batch.effective", "25");
        QElapsedTimer clock;
        clock.start();
        QTest::keyClicks(fixture.find<NumberBox>("setup.batch.effective"), "0");
        // Without a turn of the event loop: nothing is waited for.
        const auto* told = fixture.find<QLabel>("setup.summary.B01");
        QVERIFY(told && told->isVisible());
        fixture.window().repaint();
        qInfo("B01 after %lld ms", static_cast<long long>(clock.elapsed()));
        QVERIFY(clock.elapsed() < shownWithin);
        QCOMPARE(told->text().section(QLatin1Char('.'), 0, 0),
                 QStringLiteral("Effective batch 250 is not a multiple of micro-batch 32"));
        QVERIFY(fixture.find<QLabel>("setup.finding.B01")->isVisible()); // and beside the field
        QVERIFY(!start->isEnabled());
        QTest::mouseClick(start, Qt::LeftButton);
        QTest::keyClick(&fixture.window(), Qt::Key_F5);
        QVERIFY(!fixture.workbench().runs().busy());
        QCOMPARE(fixture.find<QPushButton>("setup.summary.B01.use-upper")->text(), QStringLiteral("Use 256"));
        QCOMPARE(fixture.find<QPushButton>("setup.summary.B01.use-lower")->text(), QStringLiteral("Use 224"));
        QVERIFY(fixture.find<QPushButton>("setup.summary.B01.allow-ragged"));

        fixture.click("setup.summary.B01.use-upper");
        QCOMPARE(fixture.find<NumberBox>("setup.batch.effective")->integer(), std::optional<std::int64_t>(256));
        QCOMPARE(steps->integer(), std::optional<std::int64_t>(8));
        QCOMPARE(line->text(), equation);
        QVERIFY(!fixture.window().findChild<QLabel*>(QStringLiteral("setup.summary.B01")));
        QTRY_VERIFY(start->isEnabled());
    }
};

QTEST_MAIN(AcceptanceA03)
} // namespace acceptance_a03
#include "acceptance_a03.moc"

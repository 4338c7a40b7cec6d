// SPDX-License-Identifier: GPL-3.0-or-later
// A right set-up passes its audit in green; a loop with a mistake built in is told which one it is. What was found is
// kept with the runs of that set-up, lessons are not.
#include "tests/workbench/audit_in_window.h"

#include "widgets/models/run_row.h"

#include <QTableView>
#include <cmath>

namespace acceptance_a11 {
using namespace accumulus;
using namespace accumulus::ui;

class AcceptanceA11 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_fixture = std::make_unique<WorkbenchFixture>();
        ExperimentConfig experiment = tinyExperiment();
        experiment.run.train.length = {2, Extent::Unit::Updates};
        m_fixture->window().findChild<SetupPage*>()->setExperiment(experiment);
        m_experiment = experiment;
    }
    void cleanupTestCase() { m_fixture.reset(); }

    void aRightSetUpIsEquivalentInGreen();
    void eachMistakeIsNamed_data();
    void eachMistakeIsNamed();
    void theResultStaysWithTheRunsOfTheSetUp();

private:
    std::unique_ptr<WorkbenchFixture> m_fixture;
    ExperimentConfig m_experiment;
};

void AcceptanceA11::aRightSetUpIsEquivalentInGreen() {
    m_fixture->window().showPage(QStringLiteral("setup"));
    QVERIFY(auditBy(*m_fixture, "setupAudit"));
    QCOMPARE(m_fixture->window().currentPage(), QStringLiteral("audit"));
    QCOMPARE(labelText(*m_fixture, "auditWord"), QStringLiteral("Equivalent"));
    QCOMPARE(wordColor(*m_fixture), m_fixture->workbench().theme().colors().good);
    const auto audits = m_fixture->workbench().library().reader().audits().value();
    QCOMPARE(audits.size(), std::size_t{1});
    QCOMPARE(audits.front().verdict, std::string("equivalent"));
    QVERIFY2(audits.front().worstError < 1e-5, qPrintable(QString::number(audits.front().worstError)));
    QVERIFY(auditFromJson(audits.front().result).has_value());
}

void AcceptanceA11::eachMistakeIsNamed_data() {
    QTest::addColumn<QString>("words"); // of the head line: the factor or what was lost
    QTest::newRow("factor-k") << QStringLiteral("not divided by K");
    QTest::newRow("gradients-not-cleared") << QStringLiteral("not cleared");
    QTest::newRow("last-micro-batch-lost") << QStringLiteral("lost");
}

void AcceptanceA11::eachMistakeIsNamed() {
    QFETCH(QString, words);
    m_fixture->window().showPage(QStringLiteral("audit"));
    auto* fault = m_fixture->find<QComboBox>("auditFault");
    const int row = fault->findData(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(row > 0);
    fault->setCurrentIndex(row);
    QVERIFY(auditBy(*m_fixture, "auditStart"));
    QCOMPARE(labelText(*m_fixture, "auditWord"), QStringLiteral("Not equivalent"));
    QCOMPARE(wordColor(*m_fixture), m_fixture->workbench().theme().colors().bad);
    const QString sentence = labelText(*m_fixture, "auditSentence");
    QVERIFY2(sentence.contains(words), qPrintable(sentence));
    QVERIFY(m_fixture->find<QLabel>("auditPlanted")->isVisible());
    QCOMPARE(m_fixture->workbench().library().reader().audits(false, true).value().size(), std::size_t{1});
}

void AcceptanceA11::theResultStaysWithTheRunsOfTheSetUp() {
    m_fixture->workbench().runs().start(m_experiment);
    m_fixture->waitUntilIdle(auditTimeout);
    m_fixture->window().showPage(QStringLiteral("library"));
    auto* table = m_fixture->find<QTableView>("runTable");
    const auto badge = [&] { return table->model()->index(0, static_cast<int>(RunColumn::Audit)).data().toString(); };
    QTRY_COMPARE(badge(), QStringLiteral("Set-up passed"));
    table->selectRow(0);
    auto* sentence = m_fixture->find<QLabel>("inspectorAudit");
    QTRY_VERIFY(sentence->isVisible());
    QVERIFY2(sentence->text().contains(QStringLiteral("Equivalent")), qPrintable(sentence->text()));

    // From there the page shows it again, for the run and its checkpoints.
    QSignalSpy shown(m_fixture->window().findChild<AuditPage*>(), &AuditPage::auditShown);
    m_fixture->click("libraryAuditButton");
    QCOMPARE(m_fixture->window().currentPage(), QStringLiteral("audit"));
    QTRY_VERIFY(!shown.isEmpty());
    QCOMPARE(labelText(*m_fixture, "auditWord"), QStringLiteral("Equivalent"));
    QVERIFY(!m_fixture->find<QLabel>("auditPlanted")->isVisible());
    auto* weights = m_fixture->find<QComboBox>("auditCheckpoint");
    weights->setCurrentIndex(weights->findData(QStringLiteral("last")));
    QVERIFY(auditBy(*m_fixture, "auditStart"));
    QCOMPARE(labelText(*m_fixture, "auditWord"), QStringLiteral("Equivalent"));
    QVERIFY(!m_fixture->workbench().library().reader().audits(false).value().front().run.empty());
}

QTEST_MAIN(AcceptanceA11)
} // namespace acceptance_a11
#include "acceptance_a11.moc"

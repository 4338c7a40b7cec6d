// SPDX-License-Identifier: GPL-3.0-or-later
// BatchNorm is told with its three fixes; after the switch to GroupNorm nothing is left to tell. Who keeps it is told
// by the audit that the difference is expected.
#include "tests/workbench/audit_in_window.h"

namespace acceptance_a05 {
using namespace accumulus;
using namespace accumulus::ui;

class AcceptanceA05 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void batchNormIsToldAndItsAuditIsExpected();
};

void AcceptanceA05::batchNormIsToldAndItsAuditIsExpected() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment;
    for (const char* assignment :
         {"data.dataset=textures-generated", "data.resize=18", "data.train_limit=64", "data.test_limit=32",
          "model.name=resnet18", "model.stem=cifar", "batch.effective=12", "batch.micro=4"})
        QVERIFY2(applyAssignment(experiment, assignment), assignment);
    experiment.study.seeds = {0};
    fixture.window().showPage(QStringLiteral("setup"));
    fixture.window().findChild<SetupPage*>()->setExperiment(experiment);
    QTRY_VERIFY(fixture.find<QLabel>("setup.summary.B03"));
    for (const char* fix :
         {"setup.summary.B03.norm-group", "setup.summary.B03.norm-frozen", "setup.summary.B03.keep-norm"})
        QVERIFY2(fixture.find<QPushButton>(fix), fix);

    // Kept: expected, and no failure.
    fixture.find<QPushButton>("setup.summary.B03.keep-norm")->click();
    QTRY_VERIFY(labelText(fixture, "setup.summary.B03").contains(QStringLiteral("It is kept")));
    QVERIFY(auditBy(fixture, "setupAudit"));
    QCOMPARE(labelText(fixture, "auditWord"), QStringLiteral("Expected"));
    const QString sentence = labelText(fixture, "auditSentence");
    QVERIFY2(sentence.contains(QStringLiteral("BatchNorm layers")), qPrintable(sentence));
    QVERIFY(wordColor(fixture) != fixture.workbench().theme().colors().bad);
    QCOMPARE(fixture.workbench().library().reader().audits(false).value().front().verdict, std::string("expected"));

    // Switched: nothing to tell.
    fixture.window().showPage(QStringLiteral("setup"));
    fixture.find<QPushButton>("setup.summary.B03.norm-group")->click();
    QTRY_VERIFY(!fixture.window().findChild<QLabel*>(QStringLiteral("setup.summary.B03")));
    QCOMPARE(fixture.window().findChild<SetupPage*>()->experiment().run.model.norm, std::string("group"));
    QVERIFY(auditBy(fixture, "setupAudit"));
    QCOMPARE(labelText(fixture, "auditWord"), QStringLiteral("Equivalent"));
}

QTEST_MAIN(AcceptanceA05)
} // namespace acceptance_a05
#include "acceptance_a05.moc"

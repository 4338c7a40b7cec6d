// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of audits and plans speak the window's language, whatever it was when they were made.
#include "core/analysis/gradient_audit.h"
#include "core/analysis/micro_plan.h"
#include "core/store/run_store.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/report_loader.h"

#include <QTranslator>

namespace test_report_subjects {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// Another language, for as long as it lives.
class OtherLanguage : public QTranslator {
public:
    OtherLanguage() { QCoreApplication::installTranslator(this); }
    ~OtherLanguage() override { QCoreApplication::removeTranslator(this); }
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* text, const char*, int) const override {
        const auto is = [&](const char* where, const char* what) {
            return qstrcmp(context, where) == 0 && qstrcmp(text, what) == 0;
        };
        if (is("messages", "{~model}, {~dataset}, {effective} = {micro} x {steps}"))
            return QStringLiteral("{~dataset} mit {~model}: {micro} mal {steps}");
        if (is("messages", "{~model} on {~dataset}, {precision}"))
            return QStringLiteral("{~dataset} mit {~model} in {precision}");
        return is("choices", "Generated digits") ? QStringLiteral("Erzeugte Ziffern") : QString();
    }
};

QString onlyTitle(RunReader& reader, ReportKind kind) {
    const auto subjects = loadReportSubjects(reader, kind);
    return subjects && subjects->size() == 1 ? subjects->front().title : QString();
}

} // namespace

class TestReportSubjects : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyAreListedInTheWindowsLanguage() {
        const PageFixture fixture;
        {
            RunStore store(Library::open(fixture.file(), Library::Mode::Write).value());
            GradientAudit audit;
            audit.subject = {"audit.subject",
                             {{"model", "MLP"},
                              {"dataset", "Generated digits"},
                              {"effective", "12"},
                              {"micro", "4"},
                              {"steps", "3"}}};
            AuditRecord record;
            record.id = "11111111-0000-4000-8000-000000000000";
            record.verdict = "equivalent";
            record.result = auditJson(audit);
            QVERIFY(store.addAudit(record).has_value());
            MicroPlan plan;
            plan.effective = 12;
            plan.subject = {"plan.subject", {{"model", "MLP"}, {"dataset", "Generated digits"}, {"precision", "fp32"}}};
            QVERIFY(store.putPlan({"key", 1.0, planJson(plan)}).has_value());
        }
        RunReader reader(Library::open(fixture.file(), Library::Mode::Read).value());
        const QString audit = onlyTitle(reader, ReportKind::Audit);
        QVERIFY2(audit.startsWith("MLP, Generated digits, 12 = 4 x 3 · "), qPrintable(audit));
        const QString plan = onlyTitle(reader, ReportKind::Plan);
        QVERIFY2(plan.startsWith("MLP on Generated digits, fp32 · B = 12 · "), qPrintable(plan));
        const OtherLanguage other;
        const QString auditThere = onlyTitle(reader, ReportKind::Audit);
        QVERIFY2(auditThere.startsWith("Erzeugte Ziffern mit MLP: 4 mal 3 · "), qPrintable(auditThere));
        const QString planThere = onlyTitle(reader, ReportKind::Plan);
        QVERIFY2(planThere.startsWith("Erzeugte Ziffern mit MLP in fp32 · "), qPrintable(planThere));
    }
};

QTEST_MAIN(TestReportSubjects)
} // namespace test_report_subjects
#include "test_report_subjects.moc"

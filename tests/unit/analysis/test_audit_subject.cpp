// SPDX-License-Identifier: GPL-3.0-or-later
// What an audit or a plan is about is kept as a code with arguments, and said in the reader's language.
#include "core/analysis/gradient_audit.h"
#include "core/analysis/micro_plan.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace test_audit_subject {
using namespace accumulus;
using Json = nlohmann::ordered_json;

namespace {

const Message auditSubject{
    "audit.subject",
    {{"model", "Character GPT"}, {"dataset", "Text"}, {"effective", "128"}, {"micro", "32"}, {"steps", "4"}}};
const Message planSubject{"plan.subject", {{"model", "MLP"}, {"dataset", "Generated digits"}, {"precision", "fp32"}}};

/// Marks titles, and has the plan's sentence the other way round.
const Language& marking() {
    static const Language language{[](std::string_view words) -> std::string {
                                       if (words == "{~model} on {~dataset}, {precision}")
                                           return "{precision}: {~dataset}, {~model}";
                                       return words == "MLP" || words == "Generated digits"
                                                  ? "<" + std::string(words) + ">"
                                                  : std::string(words);
                                   },
                                   [](std::int64_t number) { return std::to_string(number); }};
    return language;
}

} // namespace

class TestAuditSubject : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsKeptAsData() {
        GradientAudit audit;
        audit.subject = auditSubject;
        const auto auditBack = auditFromJson(auditJson(audit));
        QVERIFY(auditBack.has_value());
        QVERIFY(auditBack->subject == auditSubject);
        MicroPlan plan;
        plan.subject = planSubject;
        const auto planBack = planFromJson(planJson(plan));
        QVERIFY(planBack.has_value());
        QVERIFY(planBack->subject == planSubject);
    }

    void programsStillReadASentence() {
        GradientAudit audit;
        audit.subject = auditSubject;
        QCOMPARE(Json::parse(auditJson(audit)).at("subject").get<std::string>(),
                 std::string("Character GPT, Text, 128 = 32 x 4"));
        MicroPlan plan;
        plan.subject = planSubject;
        QCOMPARE(Json::parse(planJson(plan)).at("subject").get<std::string>(),
                 std::string("MLP on Generated digits, fp32"));
    }

    void itIsSaidInTheReadersLanguage() {
        QCOMPARE(messageText(planSubject), std::string("MLP on Generated digits, fp32"));
        QCOMPARE(messageText(planSubject, marking()), std::string("fp32: <Generated digits>, <MLP>"));
    }

    /// What earlier versions wrote is English for ever, and nothing in it is taken for a sentence.
    void anOlderOneIsShownAsItWasWritten() {
        for (const std::string written : {"MLP, Generated digits, 16 = 6 x 3", "MLP", "audit.subject", "{~model}"}) {
            Json audit = Json::parse(auditJson(GradientAudit()));
            audit.erase("subject_message");
            audit["subject"] = written;
            const auto auditBack = auditFromJson(audit.dump());
            QVERIFY(auditBack.has_value());
            QCOMPARE(messageText(auditBack->subject), written);
            QCOMPARE(messageText(auditBack->subject, marking()), written);
            Json plan = Json::parse(planJson(MicroPlan()));
            plan.erase("subject_message");
            plan["subject"] = written;
            const auto planBack = planFromJson(plan.dump());
            QVERIFY(planBack.has_value());
            QCOMPARE(messageText(planBack->subject, marking()), written);
        }
    }

    void aDamagedOneIsNoSubject() {
        Json audit = Json::parse(auditJson(GradientAudit()));
        audit["subject_message"] = "audit.subject";
        QVERIFY(!auditFromJson(audit.dump()).has_value());
        Json plan = Json::parse(planJson(MicroPlan()));
        plan["subject_message"] = Json::array({1});
        QVERIFY(!planFromJson(plan.dump()).has_value());
    }

    /// Only a title is looked up: the name of a file that reads like one is a name.
    void aFileKeepsItsName() { QCOMPARE(messageText(subjectAsNamed("MLP"), marking()), std::string("MLP")); }
};

QTEST_APPLESS_MAIN(TestAuditSubject)
} // namespace test_audit_subject
#include "test_audit_subject.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Which windows an audit looks at.
#include "core/train/audit_plan.h"

#include <QTest>

#include <algorithm>
#include <string>

using namespace accumulus;

class TestAuditPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void windowsHaveThreeMicroStepsWhereTheyCan() {
        for (std::int64_t effective = 2; effective <= 64; ++effective)
            for (std::int64_t micro = 1; micro <= effective; ++micro) {
                RunConfig config;
                config.batch.effective = effective;
                config.batch.micro = micro;
                config.batch.ragged = RaggedPolicy::Weight;
                const AuditPlan plan = planAudit(config, 0, 1000).value();
                const std::string where = std::to_string(effective) + " of " + std::to_string(micro);
                QVERIFY2(plan.steps >= std::min<std::int64_t>(effective, 3), where.c_str());
                QVERIFY2(plan.micro <= micro && plan.effective <= effective, where.c_str());
                const bool isNoted = std::ranges::any_of(
                    plan.notes, [](const Message& note) { return note.code == "audit.note.smaller-micro"; });
                QVERIFY2(isNoted == (plan.micro < micro && plan.steps >= 3), where.c_str());
            }
    }
};

QTEST_APPLESS_MAIN(TestAuditPlan)
#include "test_audit_plan.moc"

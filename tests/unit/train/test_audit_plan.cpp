// SPDX-License-Identifier: GPL-3.0-or-later
// Which windows an audit looks at.
#include "core/train/audit_plan.h"

#include "core/config/batch_plan.h"
#include "core/train/audit.h"
#include "tests/support/training.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <string>

namespace test_audit_plan {
using namespace accumulus;

namespace {

RunConfig configOf(std::int64_t effective, std::int64_t micro, TailPolicy tail = TailPolicy::Apply) {
    RunConfig config;
    config.batch.effective = effective;
    config.batch.micro = micro;
    config.batch.ragged = RaggedPolicy::Weight;
    config.batch.tail = tail;
    return config;
}

} // namespace

class TestAuditPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void windowsHaveThreeMicroStepsWhereTheyCan() {
        for (std::int64_t effective = 2; effective <= 64; ++effective)
            for (std::int64_t micro = 1; micro <= effective; ++micro) {
                const AuditPlan plan = planAudit(configOf(effective, micro), 0, 1000).value();
                const std::string where = std::to_string(effective) + " of " + std::to_string(micro);
                QVERIFY2(plan.steps >= std::min<std::int64_t>(effective, 3), where.c_str());
                QVERIFY2(plan.micro <= micro && plan.effective <= effective, where.c_str());
                const bool isNoted = std::ranges::any_of(
                    plan.notes, [](const Message& note) { return note.code == "audit.note.smaller-micro"; });
                QVERIFY2(isNoted == (plan.micro < micro && plan.steps >= 3), where.c_str());
            }
    }

    /// The audit asks the network how many it takes: of digits the last stage of ResNet-18 sees one pixel.
    void aNetworkWithBatchNormIsAudited() {
        const QTemporaryDir folder;
        AuditSetup setup;
        RunConfig config = test::smallConfig(24, 8, 2);
        config.model.name = "resnet18";
        setup.engine = test::makeSetup(config, folder);
        const auto audit = auditTraining(setup);
        QVERIFY2(audit.has_value(), audit ? "" : describe(audit.error()).c_str());
        QCOMPARE(audit->windows.front().weights.size(), std::size_t{4});
    }

    /// BatchNorm over a single pixel takes no micro-batch of one sample: none is made, or the set-up is refused.
    void noMicroBatchIsSmallerThanTheNetworkTakes() {
        for (const TailPolicy tail : {TailPolicy::Apply, TailPolicy::Leak})
            for (std::int64_t effective = 2; effective <= 64; ++effective)
                for (std::int64_t micro = 1; micro <= effective; ++micro) {
                    const auto plan = planAudit(configOf(effective, micro, tail), 0, 1000, 2);
                    const std::string where = std::to_string(effective) + " of " + std::to_string(micro);
                    const bool trains = micro > 1 && effective % micro != 1;
                    if (!plan) {
                        QVERIFY2(!trains || effective < 4, where.c_str());
                        QVERIFY2(plan.error().code == "model.batch-norm-one" ||
                                     plan.error().code == "model.batch-norm-cut",
                                 where.c_str());
                        continue;
                    }
                    QVERIFY2(plan->steps >= 2, where.c_str());
                    for (const AuditWindowPlan& window : plan->windows)
                        for (const std::int64_t size : microSizes(std::ssize(window.ids), plan->micro))
                            QVERIFY2(size >= 2 && size <= plan->micro, where.c_str());
                }
    }
};

QTEST_APPLESS_MAIN(TestAuditPlan)
} // namespace test_audit_plan
#include "test_audit_plan.moc"

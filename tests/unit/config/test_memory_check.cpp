// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/memory_check.h"

#include "core/config/byte_size.h"
#include "core/config/config_fields.h"

#include <QtTest>

namespace test_memory_check {
using namespace accumulus;

namespace {

constexpr std::int64_t GB = 1'000'000'000;

const Finding* find(const std::vector<Finding>& findings, std::string_view id) {
    const auto found = std::ranges::find(findings, id, &Finding::id);
    return found == findings.end() ? nullptr : &*found;
}

ExperimentConfig configOf(std::initializer_list<const char*> assignments) {
    ExperimentConfig config;
    config.run.batch = {};
    for (const char* assignment : assignments)
        if (!applyAssignment(config, assignment))
            qFatal("bad test: %s", assignment);
    return config;
}

MemoryFacts measured(std::int64_t bytes, std::int64_t free) {
    return {.need = MemoryNeed{bytes, MemorySource::Fit}, .largeNeed = {}, .free = free};
}

} // namespace

class TestMemoryCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void levelsChangeAtEightyAndNinetyFivePercent() {
        const auto level = [](std::int64_t bytes) {
            return memoryLevel(MemoryNeed{bytes, MemorySource::Measured}, 1000);
        };
        QCOMPARE(level(799), MemoryLevel::Fits);
        QCOMPARE(level(800), MemoryLevel::Tight);
        QCOMPARE(level(950), MemoryLevel::Tight);
        QCOMPARE(level(951), MemoryLevel::Exceeds);
        const auto ofLimit = [](std::int64_t bytes) {
            return memoryLevel(MemoryNeed{bytes, MemorySource::Measured}, 1000, true);
        };
        QCOMPARE(ofLimit(799), MemoryLevel::Fits);
        QCOMPARE(ofLimit(951), MemoryLevel::Tight); // nobody else takes of it
        QCOMPARE(ofLimit(1000), MemoryLevel::Tight);
        QCOMPARE(ofLimit(1001), MemoryLevel::Exceeds);
        QCOMPARE(memoryLevel(std::nullopt, 1000), MemoryLevel::Unknown);
        QCOMPARE(memoryLevel(MemoryNeed{1, MemorySource::Measured}, 0), MemoryLevel::Unknown);
    }

    void m01SaysWhatIsNeededAndHalvesTheMicroBatch() {
        const ExperimentConfig config = configOf({"batch.micro=32", "batch.effective=256"});
        const auto findings = checkMemory(config, measured(11'200'000'000, 9'600'000'000));
        QCOMPARE(findings.size(), 1U); // measured: no M02
        const Finding& exceeds = findings.front();
        QCOMPARE(exceeds.id, std::string("M01"));
        QCOMPARE(exceeds.level, FindingLevel::Error);
        QCOMPARE(messageText(exceeds.message), std::string("Needs about 11.2 GB (measured fit), 9.6 GB free."));
        QCOMPARE(exceeds.fixes.size(), 2U);
        QCOMPARE(messageText(exceeds.fixes[0].label), std::string("Micro-batch 16, K 16 (same B)"));
        QCOMPARE(exceeds.fixes[1].id, std::string("start-anyway"));
        QVERIFY(exceeds.fixes[1].assignments.empty());
    }

    // 13.7 of 14.0 MB train within the limit, and would not be started where a machine has no more free.
    void aLimitMayBeUsedUp() {
        ExperimentConfig config = configOf({"batch.micro=32", "batch.effective=128", "device.memory_limit=14 MB"});
        config.study.largeBatch = true;
        MemoryFacts facts = measured(13'720'000, freeForRun(config.run, GB, false));
        facts.largeNeed = MemoryNeed{13'990'000, MemorySource::Measured};
        facts.limited = isMemoryLimit(config.run, facts.free);
        QVERIFY(facts.limited);
        QVERIFY(checkMemory(config, facts).empty());
        facts.need->bytes = facts.largeNeed->bytes = 14'100'000;
        const auto findings = checkMemory(config, facts);
        QCOMPARE(messageText(find(findings, "M01")->message),
                 std::string("Needs about 14.1 MB (measured fit), the memory limit is 14.0 MB."));
        QCOMPARE(messageText(find(findings, "M05")->message),
                 std::string("The large batch needs about 14.1 MB (measured), the memory limit is 14.0 MB."));
        facts = measured(13'720'000, freeForRun(config.run, 14'000'000 - 1, false)); // of the machine
        facts.limited = isMemoryLimit(config.run, facts.free);
        QVERIFY(!facts.limited);
        QVERIFY(find(checkMemory(config, facts), "M01"));
    }

    void theFixKeepsTheEffectiveBatch_data() {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<qint64>("micro");
        QTest::addColumn<qint64>("steps");
        QTest::newRow("steps derived") << QStringList{"batch.micro=32", "batch.effective=256"} << 16LL << 16LL;
        QTest::newRow("steps given") << QStringList{"batch.micro=32", "batch.effective=256", "batch.steps=8"} << 16LL
                                     << 16LL;
        QTest::newRow("batch derived") << QStringList{"batch.micro=32", "batch.effective=0", "batch.steps=8"} << 16LL
                                       << 16LL;
        QTest::newRow("two devices") << QStringList{"batch.micro=32", "batch.effective=256", "batch.devices=2"} << 16LL
                                     << 8LL;
        QTest::newRow("odd") << QStringList{"batch.micro=15", "batch.effective=60"} << 6LL << 10LL;
        QTest::newRow("ragged") << QStringList{"batch.micro=15", "batch.effective=64", "batch.ragged=weight"} << 7LL
                                << 10LL;
    }

    void theFixKeepsTheEffectiveBatch() {
        QFETCH(const QStringList, settings);
        QFETCH(const qint64, micro);
        QFETCH(const qint64, steps);
        ExperimentConfig config = configOf({});
        for (const QString& setting : settings)
            QVERIFY(applyAssignment(config, setting.toStdString()));
        const BatchPlan before = resolveBatch(config.run.batch).value();
        const auto findings = checkMemory(config, measured(2 * GB, GB));
        const Fix fix = find(findings, "M01")->fixes.front();
        QCOMPARE(fix.id, std::string("halve-micro"));
        for (const std::string& assignment : fix.assignments)
            QVERIFY(applyAssignment(config, assignment));
        const BatchPlan after = resolveBatch(config.run.batch).value();
        QCOMPARE(after.effective, before.effective);
        QCOMPARE(after.micro, micro);
        QCOMPARE(after.steps, steps);
    }

    void aSingleSampleCannotBeHalved() {
        const auto findings = checkMemory(configOf({"batch.micro=1", "batch.effective=8"}), measured(2 * GB, GB));
        QCOMPARE(find(findings, "M01")->fixes.size(), 1U);
    }

    void acceptedItIsAWarning() {
        MemoryFacts facts = measured(2 * GB, GB);
        facts.accepted = true;
        const auto findings = checkMemory(configOf({"batch.micro=2", "batch.effective=8"}), facts);
        QCOMPARE(find(findings, "M01")->level, FindingLevel::Warning);
        QCOMPARE(find(findings, "M01")->fixes.size(), 1U);
    }

    void m02ComesWithAFormulaOnly() {
        MemoryFacts facts = measured(1, GB);
        QVERIFY(checkMemory(configOf({}), facts).empty());
        facts.need->source = MemorySource::Formula;
        const auto findings = checkMemory(configOf({}), facts);
        QCOMPARE(findings.size(), 1U);
        QCOMPARE(findings.front().id, std::string("M02"));
        QCOMPARE(messageText(findings.front().message), std::string("Only a formula estimate; it can be far off."));
        QCOMPARE(messageText(findings.front().fixes.front().label), std::string("Probe now"));
    }

    // What is known of a network from a file is the least that it needs.
    void withoutActivationsNothingIsRefused() {
        MemoryFacts facts = measured(2 * GB, GB);
        facts.need->source = MemorySource::WithoutActivations;
        auto findings = checkMemory(configOf({"batch.micro=8", "batch.effective=8"}), facts);
        QCOMPARE(find(findings, "M01")->level, FindingLevel::Warning);
        QCOMPARE(find(findings, "M01")->fixes.front().id, std::string("probe"));
        QVERIFY(messageText(find(findings, "M02")->message).starts_with("The activations of a network from a file"));
        QCOMPARE(memoryLevel(facts.need, GB), MemoryLevel::Exceeds);
        facts.need->bytes = GB / 10;
        QCOMPARE(memoryLevel(facts.need, GB), MemoryLevel::Unknown); // it need not fit
        findings = checkMemory(configOf({}), facts);
        QVERIFY(!find(findings, "M01"));
        QVERIFY(find(findings, "M02"));
    }

    void m05IsAboutTheLargeArm() {
        MemoryFacts facts = measured(1, GB);
        facts.largeNeed = MemoryNeed{2 * GB, MemorySource::Measured};
        QVERIFY(checkMemory(configOf({}), facts).empty());
        const auto findings = checkMemory(configOf({"study.large_batch=true"}), facts);
        QCOMPARE(findings.size(), 1U);
        QCOMPARE(findings.front().level, FindingLevel::Warning);
        QCOMPARE(findings.front().fixes.back().assignments, std::vector<std::string>{"study.large_batch=false"});
    }

    void m05OffersWhatFits() {
        constexpr std::int64_t MB = 1'000'000; // 20 MB and 1 MB a sample
        MemoryFacts facts = measured(52 * MB, 160 * MB);
        facts.largeNeed = MemoryNeed{276 * MB, MemorySource::Fit};
        const auto ids = [&](std::initializer_list<const char*> assignments = {}) {
            ExperimentConfig config = configOf({"study.large_batch=true", "batch.micro=32", "batch.effective=256"});
            for (const char* assignment : assignments)
                if (!applyAssignment(config, assignment))
                    qFatal("bad test: %s", assignment);
            const auto findings = checkMemory(config, facts);
            std::string all;
            for (const Fix& fix : find(findings, "M05")->fixes)
                all += fix.id + (fix.assignments.empty() ? "" : " " + fix.assignments.front()) + "; ";
            return all;
        };
        const std::string rest = "audit-only; no-large-batch study.large_batch=false; ";
        QCOMPARE(ids(), "smaller-batch batch.effective=128; " + rest); // 148 of 160 MB
        facts.free = 80 * MB;                                          // not even two micro-steps
        QCOMPARE(ids(), rest);
        facts.need.reset(); // a line needs two points
        facts.free = 160 * MB;
        QCOMPARE(ids(), rest);
    }

    // Whether "auto" takes a GPU the machine knows, not the build; and a limit that is too low is too low on both.
    void m05OffersTheCpuWhereThatChangesSomething() {
        constexpr std::int64_t MB = 1'000'000;
        const auto offersCpu = [](const char* kind, std::int64_t freeOnCpu) {
            MemoryFacts facts = measured(52 * MB, 160 * MB);
            facts.largeNeed = MemoryNeed{276 * MB, MemorySource::Fit};
            facts.freeOnCpu = freeOnCpu;
            const std::string device = std::string("device.kind=") + kind;
            const auto findings = checkMemory(configOf({"study.large_batch=true", device.c_str()}), facts);
            const auto& fixes = find(findings, "M05")->fixes;
            const auto found = std::ranges::find(fixes, "use-cpu", &Fix::id);
            return found != fixes.end() && found->assignments == std::vector<std::string>{"device.kind=cpu"};
        };
        QVERIFY(offersCpu("cuda:0", GB));
        QVERIFY(offersCpu("auto", GB));
        QVERIFY(!offersCpu("auto", 0)); // the CPU it is
        QVERIFY(!offersCpu("cpu", 0));
        QVERIFY(!offersCpu("cuda:0", 160 * MB));
    }

    void theLimitAndTheMachineBoundWhatIsFree() {
        const auto free = [](std::initializer_list<const char*> assignments, std::int64_t device, bool gpu = false) {
            return freeForRun(configOf(assignments).run, device, gpu);
        };
        QCOMPARE(free({}, 8 * GB), 8 * GB);
        QCOMPARE(free({"batch.devices=2"}, 8 * GB), 4 * GB);
        QCOMPARE(free({"batch.devices=2"}, 8 * GB, true), 8 * GB); // whatever chose it, "auto" or "cuda"
        QCOMPARE(free({"device.memory_limit=2 GB"}, 8 * GB), 2 * GB);
        QCOMPARE(free({"device.memory_limit=20 GB"}, 8 * GB), 8 * GB);
        QCOMPARE(free({"device.memory_limit=2 GB"}, 0), 2 * GB);
        QCOMPARE(free({}, 0), 0);
    }

    void amountsReadAsPeopleWriteThem() {
        QCOMPARE(bytesText(640), std::string("640 B"));
        QCOMPARE(bytesText(5'120'000), std::string("5.1 MB"));
        QCOMPARE(bytesText(999'960'000), std::string("1.0 GB"));
        QCOMPARE(bytesText(112'000'000'000), std::string("112 GB"));
        for (const char* text : {"640 B", "5.1 MB", "112 GB"})
            QCOMPARE(bytesText(parseBytes(text).value()), std::string(text));
    }
};

QTEST_APPLESS_MAIN(TestMemoryCheck)
} // namespace test_memory_check
#include "test_memory_check.moc"

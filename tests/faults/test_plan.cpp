// SPDX-License-Identifier: GPL-3.0-or-later
// The planner with the real accumulus-cli: trials under a limit, trials that the system ends, a plan that is cancelled
// or found again, and training with what was recommended.
#include "core/base/clock.h"
#include "core/launch/micro_sweep.h"
#include "tests/support/cli_program.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <thread>

namespace test_plan {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// One lane of one thread, so that nothing depends on the machine's cores.
const QString experiment = R"(
[data]
dataset = "digits-generated"
train_limit = 2048
test_limit = 100
[model]
name = "lenet5"
[batch]
effective = 256
micro = 32
[train]
length = "30 updates"
[evaluate]
every = "0 epochs"
[device]
lanes = 1
threads = 1
)";
/// LeNet-5 on one lane took 3.2 MB with m = 64 and 4.6 MB with 128.
const QString limit = "device.memory_limit=4MB";
constexpr double limitBytes = 4e6;

/// A plan is confirmed over 200 windows: small ones, where nothing else is said, so that this takes a second or two.
RunConfig settings(std::int64_t effective = 64) {
    RunConfig config;
    config.data.dataset = "digits-generated";
    config.data.trainLimit = 2048;
    config.data.testLimit = 100;
    config.batch.effective = effective;
    config.device.kind = "cpu";
    config.device.lanes = 1;
    config.device.threads = 1;
    return config;
}

} // namespace

class TestPlan : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    [[nodiscard]] CliResult cli(const QStringList& arguments) const { return runCli(arguments, m_folder.path()); }

    /// A program that does `shell` to trials whose settings match the pattern and hands the others on to accumulus-cli.
    [[nodiscard]] std::filesystem::path programThat(const QString& shell, const QString& pattern) const {
        const QString name = "program-" + QString::number(qHash(shell + pattern));
        const QString script = QString("#!/bin/sh\nread -r settings\ncase $settings in *'%1'*) %2;; esac\n"
                                       "printf '%s\\n' \"$settings\" | '%3' \"$@\"\n")
                                   .arg(pattern, shell, programPath("accumulus-cli"));
        if (!writeText(m_folder.path(), name, script))
            qFatal("the script cannot be written");
        const std::filesystem::path file = m_folder.filePath(name).toStdString();
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return file;
    }

    [[nodiscard]] MicroPlan planned(const RunConfig& config, std::vector<std::int64_t> sizes,
                                    const std::filesystem::path& program) const {
        PlanRequest request;
        request.config = config;
        request.sizes = std::move(sizes);
        request.program = program;
        const auto plan = planMicroBatch(request);
        if (!plan)
            qFatal("%s", describe(plan.error()).c_str());
        return *plan;
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(!programPath("accumulus-cli").isEmpty(),
                 "accumulus-cli is not built, or ACCUMULUS_TEST_PROGRAMS is not set");
        QVERIFY(writeText(m_folder.path(), "plan.toml", experiment));
    }

    void aLimitIsFoundAndWhatIsRecommendedTrainsWithinIt() {
        const QStringList command{"plan", "plan.toml", "--sizes",   "32,64,128,256", "--set",
                                  limit,  "--json",    "--library", "plans.sqlite"};
        const CliResult first = cli(command);
        QVERIFY2(first.exitCode == 0, qPrintable(first.all()));
        QCOMPARE(first.jsonLines().size(), std::size_t{1});
        const QJsonObject plan = first.jsonLines().front();
        const QJsonArray points = plan["points"].toArray();
        QCOMPARE(points.size(), 4);
        for (int i : {0, 1}) {
            const QJsonObject point = points[i].toObject();
            QVERIFY2(point["fits"].toBool(), qPrintable(first.all()));
            QCOMPARE(point["steps"].toInt(), 256 / point["micro"].toInt());
            QCOMPARE(point["lanes"].toInt(), 1);
            QVERIFY(point["peak_bytes"].toDouble() <= limitBytes);
            QVERIFY(point["update_seconds"].toDouble() > 0.0);
        }
        QVERIFY(points[0].toObject()["peak_bytes"].toDouble() < points[1].toObject()["peak_bytes"].toDouble());
        QVERIFY(!points[2].toObject()["fits"].toBool());
        QCOMPARE(points[2].toObject()["problem"].toObject()["sentence"].toString(), "It needs more than 4.0 MB.");
        QCOMPARE(points[3].toObject()["problem"].toObject()["code"].toString(), "plan.not-tried");
        QVERIFY(plan["verified"].toBool());
        const int micro = plan["recommended"].toObject()["micro"].toInt();
        QVERIFY2(micro == 32 || micro == 64, qPrintable(first.all()));
        QVERIFY(
            plan["sentence"].toString().startsWith(QString("m = %1, K = %2, 1 lane: ").arg(micro).arg(256 / micro)));

        // It trains without a re-split; the next larger size does not.
        const auto train = [&](int size) {
            return cli({"run", "plan.toml", "--set", limit, "--set", QString("batch.micro=%1").arg(size), "--json",
                        "--library", "runs.sqlite"});
        };
        const CliResult good = train(micro);
        QVERIFY2(good.exitCode == 0, qPrintable(good.all()));
        QVERIFY2(!good.output.contains("memory.resplit"), qPrintable(good.all()));
        QVERIFY(train(128).output.contains("memory.resplit"));

        // Kept: the same again, at once.
        const QJsonObject again = cli(command).jsonLines().front();
        QCOMPARE(again, plan);
        const CliResult text =
            cli({"plan", "plan.toml", "--sizes", "32,64,128,256", "--set", limit, "--library", "plans.sqlite"});
        QVERIFY2(text.output.contains(", measured 20") && text.output.contains("It needs more than 4.0 MB."),
                 qPrintable(text.all()));
    }

    void aFreshPlanIsMeasuredAnew() {
        const QStringList command{"plan",   "plan.toml", "--sizes",     "64", "--set", "batch.effective=64",
                                  "--json", "--library", "fresh.sqlite"};
        const QJsonObject plan = cli(command).jsonLines().front();
        QVERIFY(plan["verified"].toBool());
        QCOMPARE(cli(command).jsonLines().front(), plan);
        const CliResult fresh = cli(QStringList(command) << "--fresh");
        QVERIFY2(fresh.exitCode == 0, qPrintable(fresh.all()));
        QVERIFY(fresh.jsonLines().front()["created_at"].toDouble() > plan["created_at"].toDouble());
    }

    void settingsThatNoSizeMendsAreAnError() {
        const CliResult heads = cli({"plan", "plan.toml", "--set", "model.name=char-gpt"});
        QCOMPARE(heads.exitCode, 2);
        const CliResult sizes = cli({"plan", "plan.toml", "--sizes", "48"});
        QCOMPARE(sizes.exitCode, 2);
        QVERIFY2(sizes.errors.contains("--ragged"), qPrintable(sizes.all()));
        const CliResult data = cli({"plan", "plan.toml", "--set", "batch.effective=4096", "--sizes", "32"});
        QCOMPARE(data.exitCode, 2); // more than there is to train on: every trial says so
    }

    void aTrialThatTheSystemKillsEndsOnlyItself() {
        const MicroPlan plan = planned(settings(), {4, 16, 32, 64}, programThat("kill -9 $$", "\"micro\":32"));
        QCOMPARE(plan.points.size(), std::size_t{4});
        QVERIFY(plan.points[0].fits && plan.points[1].fits);
        QCOMPARE(plan.points[2].problem->code, "plan.killed");
        QCOMPARE(plan.points[3].problem->code, "plan.not-tried");
        QVERIFY(plan.recommended && *plan.recommended <= 1 && plan.verified && !plan.cancelled);
    }

    void aTrialThatCrashesSaysSoAndLargerSizesAreTried() {
        const MicroPlan plan =
            planned(settings(), {4, 16, 32}, programThat("echo Ouch. >&2; kill -SEGV $$", "\"micro\":16"));
        QCOMPARE(plan.points[1].problem->code, "plan.crashed");
        QCOMPARE(messageText(*plan.points[1].problem), "The trial broke off (signal 11): its last output was: Ouch.");
        QVERIFY(!plan.points[1].fits && plan.points[2].fits && plan.recommended);
    }

    /// The address space of a run with m = 16 was 520 to 540 MB, with m = 2048 560 to 600 MB. Where a machine's
    /// libraries take more than the limit by themselves, the trial does not even begin: that is told as well.
    void aTrialThatTheSystemRefusesMemorySaysSo() {
        const MicroPlan plan = planned(settings(2048), {256, 2048}, programThat("ulimit -v 540000", "\"micro\":2048"));
        QVERIFY(plan.points[0].fits);
        QVERIFY(!plan.points[1].fits && plan.points[1].problem);
        const std::string code = plan.points[1].problem->code;
        QVERIFY2(code == "plan.refused" || code == "plan.crashed", code.c_str());
        QVERIFY(plan.recommended && *plan.recommended == 0 && plan.verified);
    }

    void aSizeThatFailsItsSecondTrialIsNotRecommended() {
        // The first attempt to confirm a size is killed. m = 2 is several times slower than m = 64.
        const MicroPlan plan =
            planned(settings(), {2, 64},
                    programThat("case $* in *--confirm*) if mkdir \"$0.once\"; then kill -9 $$; fi;; "
                                "esac",
                                "micro"));
        QVERIFY(!plan.points[1].fits);
        QCOMPARE(plan.points[1].problem->code, "plan.killed");
        QVERIFY(plan.verified && plan.recommended && *plan.recommended == 0);
        QVERIFY(std::ranges::any_of(plan.notes, [](const Message& note) { return note.code == "plan.not-confirmed"; }));
    }

    /// What is measured is under a second; the bound leaves room for a machine that is busy with other tests.
    void aStopEndsTheTrialAndKeepsWhatWasMeasured() {
        PlanRequest request;
        request.config = settings();
        request.sizes = {16, 32};
        request.program = programThat("exec sleep 100", "\"micro\":32");
        std::stop_source stop;
        Stopwatch sinceStop;
        std::jthread stopper;
        const auto plan = planMicroBatch(
            request,
            [&](const MicroPlan& soFar) {
                if (soFar.points.size() == 1)
                    stopper = std::jthread([&] {
                        std::this_thread::sleep_for(std::chrono::milliseconds(300)); // in the midst of the next trial
                        sinceStop = Stopwatch();
                        stop.request_stop();
                    });
            },
            stop.get_token());
        const double seconds = sinceStop.seconds();
        qInfo("returned %.3f s after the stop", seconds);
        QVERIFY2(plan.has_value(), plan ? "" : describe(plan.error()).c_str());
        QVERIFY(plan->cancelled && !plan->verified);
        QCOMPARE(plan->points.size(), std::size_t{1});
        QVERIFY(plan->points[0].fits);
        QVERIFY2(seconds < 5.0, qPrintable(QString::number(seconds)));
    }

    void ctrlCPrintsWhatWasMeasured() {
        RunningCli running({"plan", "plan.toml", "--json", "--fresh", "--library", "cancelled.sqlite"},
                           m_folder.path());
        QVERIFY(running.waitUntilItHandles(SIGINT));
        std::this_thread::sleep_for(std::chrono::milliseconds(300)); // long before nine sizes are through
        running.signal(SIGINT);
        const CliResult result = running.finish();
        QCOMPARE(result.exitCode, 130);
        QCOMPARE(result.jsonLines().size(), std::size_t{1});
        QVERIFY(result.jsonLines().front()["cancelled"].toBool());
        QVERIFY(!QFile::exists(m_folder.filePath("cancelled.sqlite"))); // what was not finished is not kept
    }

    void aMissingProgramIsAnError() {
        PlanRequest request;
        request.config = settings();
        request.program = "/nonexistent/accumulus-cli";
        QCOMPARE(planMicroBatch(request).error().code, "launch.start");
    }
};

QTEST_APPLESS_MAIN(TestPlan)
} // namespace test_plan
#include "test_plan.moc"

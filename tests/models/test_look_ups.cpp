// SPDX-License-Identifier: GPL-3.0-or-later
// Look-ups beside the window: what a library throws is an answer, and nobody waits for a disk that is slow.
#include "widgets/bridge/look_ups.h"
#include "widgets/models/gpu_memory.h"
#include "widgets/models/start_checks.h"

#include <QElapsedTimer>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QThreadPool>
#include <atomic>
#include <memory>
#include <new>
#include <stdexcept>

namespace test_look_ups {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// What a question shares with its test, whichever of the two ends first.
struct Gate {
    QSemaphore begun, open;
    std::atomic<int> passed = 0;
};

std::function<Result<int>()> passing(const std::shared_ptr<Gate>& gate) {
    return [gate]() -> Result<int> {
        gate->begun.release();
        gate->open.acquire();
        return ++gate->passed;
    };
}

} // namespace

class TestLookUps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachIsAnsweredHereInItsOrder() {
        LookUps lookUps;
        QStringList answers;
        QThread* asked = nullptr;
        for (const QString& name : {QStringLiteral("a"), QStringLiteral("b")})
            lookUps.ask<QString>(
                [name, &asked]() -> Result<QString> {
                    asked = QThread::currentThread();
                    return name;
                },
                [&](const Result<QString>& answer) {
                    QCOMPARE(QThread::currentThread(), thread());
                    answers << answer.value_or(QString());
                });
        QTRY_COMPARE(answers, (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
        QVERIFY(asked != thread());
    }

    void whatIsThrownIsAnError() {
        LookUps lookUps;
        std::vector<Error> errors;
        const auto take = [&](const Result<int>& answer) { errors.push_back(answer ? Error() : answer.error()); };
        lookUps.ask<int>([]() -> Result<int> { throw std::bad_alloc(); }, take);
        lookUps.ask<int>([]() -> Result<int> { throw std::runtime_error("torch says no"); }, take);
        lookUps.ask<int>([]() -> Result<int> { return failure("file.open", {}); }, take);
        lookUps.ask<int>([]() -> Result<int> { return 1; }, take); // goes on
        QTRY_COMPARE(errors.size(), std::size_t{4});
        QVERIFY(LookUps::wasThrown(errors[0]) && LookUps::wasThrown(errors[1]) && !LookUps::wasThrown(errors[2]));
        QCOMPARE(errors[1].argument("reason"), std::string("torch says no"));
        QVERIFY(errors[3] == Error());
    }

    /// As pages do that go for another language.
    void nobodyWaitsForASlowOne() {
        const auto gate = std::make_shared<Gate>();
        const auto open = qScopeGuard([&gate] { gate->open.release(10); }); // also where a check fails
        const auto answered = std::make_shared<int>(0);
        const auto take = [answered](const Result<int>&) { ++*answered; };
        auto lookUps = std::make_unique<LookUps>();
        lookUps->ask<int>(passing(gate), take);
        lookUps->ask<int>(passing(gate), take); // has not begun, and never does
        gate->begun.acquire();
        lookUps.reset();
        QCOMPARE(gate->passed.load(), 0);
        gate->open.release(10);
        QTRY_COMPARE(gate->passed.load(), 1);
        QTRY_COMPARE(qApp->findChildren<QThreadPool*>().size(), 0); // nothing of it is left
        QCOMPARE(gate->passed.load(), 1);
        QCOMPARE(*answered, 0);
    }

    void whatWritesIsDoneEvenSo() {
        const auto gate = std::make_shared<Gate>();
        const auto open = qScopeGuard([&gate] { gate->open.release(10); });
        auto lookUps = std::make_unique<LookUps>(LookUps::AtEnd::Keep);
        for (int i = 0; i < 3; ++i)
            lookUps->ask<int>(passing(gate), [](const Result<int>&) { QFAIL("nobody is there"); });
        gate->begun.acquire();
        lookUps.reset();
        gate->open.release(10);
        QTRY_COMPARE(gate->passed.load(), 3);
        QTRY_COMPARE(qApp->findChildren<QThreadPool*>().size(), 0);
    }

    void whatHasNotBegunIsTakenBack() {
        const auto gate = std::make_shared<Gate>();
        const auto open = qScopeGuard([&gate] { gate->open.release(10); });
        LookUps lookUps;
        QStringList answers;
        lookUps.ask<int>(passing(gate), [&](const Result<int>&) { answers << QStringLiteral("first"); });
        gate->begun.acquire();
        lookUps.ask<int>(passing(gate), [&](const Result<int>&) { answers << QStringLiteral("second"); });
        lookUps.clear();
        lookUps.ask<int>(passing(gate), [&](const Result<int>&) { answers << QStringLiteral("third"); });
        gate->open.release(10);
        QTRY_COMPARE(answers, (QStringList{QStringLiteral("first"), QStringLiteral("third")}));
    }

    void aDriverThatThrowsIsAskedAgain() {
        const auto asked = std::make_shared<std::atomic<int>>(0);
        GpuMemory memory([asked](const DeviceConfig&) -> std::optional<MemoryUse> {
            if (++*asked == 1)
                throw std::runtime_error("no driver");
            return MemoryUse{1, 2};
        });
        memory.watch(DeviceConfig());
        QTRY_COMPARE(memory.use(), std::optional(MemoryUse{1, 2}));
    }

    /// Every few seconds: told once, and what it finds later counts.
    void aCheckThatThrowsIsToldOnce() {
        const auto throws = std::make_shared<std::atomic<bool>>(true);
        const auto asked = std::make_shared<std::atomic<int>>(0);
        StartQueries queries;
        queries.device = [throws, asked](const DeviceConfig&, const std::filesystem::path&) -> Status {
            ++*asked;
            if (*throws)
                throw std::runtime_error("no driver");
            return failure("device.gone", {{"device", "cuda"}, {"reason", "no answer"}});
        };
        StartChecks checks(queries);
        QSignalSpy failed(&checks, &StartChecks::failed);
        for (int i = 1; i <= 3; ++i) {
            checks.ask({}, {});
            QTRY_COMPARE(asked->load(), i);
        }
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(checks.findings(true).empty());
        *throws = false;
        QTRY_VERIFY((checks.ask({}, {}), !checks.findings(true).empty()));
        QCOMPARE(failed.size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestLookUps)
} // namespace test_look_ups
#include "test_look_ups.moc"

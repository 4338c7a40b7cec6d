// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run's process lives: real children that work, end, wait to be buried, are suspended.
#include "core/store/run_owner.h"

#include "core/store/run_records.h"

#include <QtTest>

#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace test_run_owner {
using namespace accumulus;

namespace {

/// A child process that sleeps until it is killed; it calls itself `name`.
class Child {
public:
    explicit Child(const char* name = "sleeper") {
        int ready[2];
        if (pipe(ready) != 0)
            qFatal("no pipe");
        m_pid = fork();
        if (m_pid == 0) {
            prctl(PR_SET_NAME, name);
            if (write(ready[1], "x", 1) != 1)
                _exit(1);
            for (;;)
                pause();
        }
        char byte = 0;
        if (read(ready[0], &byte, 1) != 1)
            qFatal("no child");
        close(ready[0]);
        close(ready[1]);
    }
    ~Child() {
        if (m_pid <= 0)
            return;
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    [[nodiscard]] pid_t pid() const { return m_pid; }
    void end() {
        kill(m_pid, SIGKILL);
        siginfo_t info{};
        waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOWAIT); // ended, not buried
    }
    void bury() {
        waitpid(m_pid, nullptr, 0);
        m_pid = 0;
    }

private:
    pid_t m_pid = 0;
};

/// As the child would write it down, without its start time.
RunOwner ownerOf(const Child& child) {
    RunOwner owner = thisProcess();
    owner.pid = child.pid();
    owner.started = 0;
    return owner;
}

} // namespace

class TestRunOwner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thisProcessLives() {
        const RunOwner self = thisProcess();
        QCOMPARE(self.pid, std::int64_t{getpid()});
        QVERIFY(self.started > 0 && !self.host.empty());
        QVERIFY(self == thisProcess());
        QCOMPARE(lifeOf(self), OwnerLife::Alive);
    }

    void aProcessIsDeadAsSoonAsItHasEnded() {
        Child child;
        const RunOwner owner = ownerOf(child);
        QCOMPARE(lifeOf(owner), OwnerLife::Alive);
        child.end();
        QCOMPARE(lifeOf(owner), OwnerLife::Dead); // kill(pid, 0) still finds it
        child.bury();
        QCOMPARE(lifeOf(owner), OwnerLife::Dead);
    }

    void aSuspendedProcessIsAlive() {
        const Child child;
        kill(child.pid(), SIGSTOP);
        siginfo_t info{};
        waitid(P_PID, static_cast<id_t>(child.pid()), &info, WSTOPPED | WNOWAIT);
        QCOMPARE(lifeOf(ownerOf(child)), OwnerLife::Alive);
    }

    void namesOfProgramsDoNotConfuse() {
        const Child child(") Z 1 2 (");
        QCOMPARE(lifeOf(ownerOf(child)), OwnerLife::Alive);
    }

    /// The pid now belongs to a process that started at another time.
    void aReusedPidIsNotTheOwner() {
        RunOwner owner = thisProcess();
        owner.started -= 1;
        QCOMPARE(lifeOf(owner), OwnerLife::Dead);
        owner.started = 0; // unknown: nothing can be said against it
        QCOMPARE(lifeOf(owner), OwnerLife::Alive);
    }

    // The program lives on, but it gave this run up.
    void aClaimThatWasGivenUpIsDead() {
        RunOwner owner;
        {
            const LiveClaim claim;
            const LiveClaim another;
            owner = claim.owner();
            QVERIFY(!owner.claim.empty() && owner.claim != another.owner().claim);
            QCOMPARE(lifeOf(owner), OwnerLife::Alive);
        }
        QCOMPARE(lifeOf(owner), OwnerLife::Dead);
        QCOMPARE(lifeOf(thisProcess()), OwnerLife::Alive); // no claim, as before version 4
    }

    void whatCannotBeAskedIsUnknown() {
        QCOMPARE(lifeOf({}), OwnerLife::Unknown);
        RunOwner owner = thisProcess();
        owner.host += "x";
        QCOMPARE(lifeOf(owner), OwnerLife::Unknown);
        for (const std::int64_t pid : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40}) {
            owner = thisProcess();
            owner.pid = pid; // nothing that we wrote; kill() must not hear of it
            QCOMPARE(lifeOf(owner), OwnerLife::Unknown);
        }
    }

    void aRunIsAbandonedByItsProcessOrByItsHeartbeat() {
        Child child;
        RunRecord run;
        run.heartbeat = 100.0;
        constexpr double soon = 101.0, late = 100.0 + 2.0 * staleSeconds;
        for (const RunState state :
             {RunState::Queued, RunState::Starting, RunState::Running, RunState::Paused, RunState::Stopping}) {
            run.state = state;
            run.owner = {}; // nobody to ask
            QVERIFY(!isAbandoned(run, soon) && isAbandoned(run, late));
            run.owner = ownerOf(child);
            QVERIFY(!isAbandoned(run, soon) && !isAbandoned(run, late)); // suspended or slow, but there
        }
        child.end();
        QVERIFY(isAbandoned(run, soon));
        for (const RunState state :
             {RunState::Draft, RunState::Completed, RunState::Stopped, RunState::Failed, RunState::Interrupted}) {
            run.state = state;
            QVERIFY(!isAbandoned(run, late));
        }
    }
};

QTEST_APPLESS_MAIN(TestRunOwner)
} // namespace test_run_owner
#include "test_run_owner.moc"

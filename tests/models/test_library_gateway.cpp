// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "tests/support/synthetic_library.h"
#include "widgets/bridge/library_gateway.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <semaphore>

namespace test_library_gateway {
using namespace accumulus;
using namespace accumulus::ui;

class TestLibraryGateway : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(QStringLiteral("library.sqlite")).toStdString();
        test::SyntheticStudy study;
        study.seedsA = study.seedsB = {0};
        study.finalA = study.finalB = {0.9};
        study.windows = 20;
        m_runs = test::addSyntheticStudy(m_file, study).value();
    }
    void queriesRunOnAnotherThreadAndAnswerOnThisOne();
    void onlyTheLatestQueryOfATokenAnswers();
    void aContextThatHasGoneGetsNoAnswer();
    void tokensOfDifferentContextsDoNotMeet();
    void ownEditsAreAnnouncedOnce();
    void commitsOfOthersAreNoticed();
    void staleRunsAreMarkedAndAnnounced();
    void runsOfADeadProcessAreAnnouncedAtOnceInTheirOrder();
    void theSameFileUnderAnotherNameStaysWritable();
    void aFileThatIsNoLibraryLeavesTheOpenOneAlone();

    void anotherLibraryCancelsWhatWasAsked();
    void exceptionsBecomeErrors();
    void itIsIdleOnceAllHasBeenAnswered();
    void aLockedLibraryHoldsUpNobodyButTheEdit();
    void editsAreWrittenBeforeTheEnd();
    void aLongJobHoldsUpNoQueryAndCanBeCancelled();
    void aSecondWindowReadsOnly();

private:
    static void waitUntilWritten(LibraryGateway& gateway) { QTRY_VERIFY(!gateway.writing()); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_file;
    test::SyntheticRuns m_runs;
};

void TestLibraryGateway::queriesRunOnAnotherThreadAndAnswerOnThisOne() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    QThread* worked = nullptr;
    QThread* answered = nullptr;
    std::size_t count = 0;
    gateway.query<std::size_t>(
        this, QStringLiteral("count"),
        [&](RunReader& reader) {
            worked = QThread::currentThread();
            return reader.runs().value().size();
        },
        [&](std::size_t found) {
            answered = QThread::currentThread();
            count = found;
        });
    QTRY_COMPARE(count, std::size_t{2});
    QVERIFY(worked != thread());
    QCOMPARE(answered, thread());
}

void TestLibraryGateway::onlyTheLatestQueryOfATokenAnswers() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    std::binary_semaphore begun{0};
    std::binary_semaphore goOn{0};
    QList<int> answers;
    // The first is being worked on when the others are asked.
    gateway.query<int>(
        this, QStringLiteral("t"),
        [&](RunReader&) {
            begun.release();
            goOn.acquire();
            return 1;
        },
        [&](int answer) { answers << answer; });
    begun.acquire();
    bool secondWorked = false;
    gateway.query<int>(
        this, QStringLiteral("t"),
        [&](RunReader&) {
            secondWorked = true;
            return 2;
        },
        [&](int answer) { answers << answer; });
    gateway.query<int>(
        this, QStringLiteral("t"), [](RunReader&) { return 3; }, [&](int answer) { answers << answer; });
    goOn.release();
    QTRY_COMPARE(answers, QList<int>{3});
    QTest::qWait(20);
    QCOMPARE(answers, QList<int>{3});
    QVERIFY(!secondWorked); // stale before its turn: not even asked
}

void TestLibraryGateway::aContextThatHasGoneGetsNoAnswer() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    bool answered = false;
    bool last = false;
    {
        QObject context;
        gateway.query<int>(
            &context, QStringLiteral("t"), [](RunReader&) { return 1; }, [&](int) { answered = true; });
    }
    gateway.query<int>(
        this, QStringLiteral("after"), [](RunReader&) { return 1; }, [&](int) { last = true; });
    QTRY_VERIFY(last);
    QVERIFY(!answered);
}

void TestLibraryGateway::tokensOfDifferentContextsDoNotMeet() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    QObject other;
    QList<int> answers;
    gateway.query<int>(
        this, QStringLiteral("runs"), [](RunReader&) { return 1; }, [&](int answer) { answers << answer; });
    gateway.query<int>(
        &other, QStringLiteral("runs"), [](RunReader&) { return 2; }, [&](int answer) { answers << answer; });
    QTRY_COMPARE(answers, (QList<int>{1, 2}));
}

void TestLibraryGateway::ownEditsAreAnnouncedOnce() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    waitUntilWritten(gateway);
    QSignalSpy changed(&gateway, &LibraryGateway::changed);
    QThread* worked = nullptr;
    gateway.edit(this, [&](RunStore& store) {
        worked = QThread::currentThread();
        return store.setNotes(m_runs.groupA.front(), "noted");
    });
    waitUntilWritten(gateway);
    QVERIFY(worked != nullptr && worked != thread());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(gateway.reader().run(m_runs.groupA.front()).value().notes, std::string("noted"));
    QTest::qWait(1200); // two polls
    QCOMPARE(changed.count(), 1);
    QVERIFY(gateway.secondsSinceCommit() >= 0);
}

void TestLibraryGateway::commitsOfOthersAreNoticed() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    QSignalSpy changed(&gateway, &LibraryGateway::changed);
    RunStore other(Library::open(m_file, Library::Mode::Write).value());
    QVERIFY(other.setNotes(m_runs.groupA.front(), "from outside"));
    QTRY_COMPARE(changed.count(), 1);
    QCOMPARE(gateway.reader().run(m_runs.groupA.front()).value().notes, std::string("from outside"));
}

void TestLibraryGateway::staleRunsAreMarkedAndAnnounced() {
    {
        RunStore store(Library::open(m_file, Library::Mode::Write).value());
        QVERIFY(store.setState(m_runs.groupB.front(), RunState::Running));
        QVERIFY(store.heartbeat(m_runs.groupB.front(), 1000.0));
    }
    LibraryGateway gateway;
    QSignalSpy found(&gateway, &LibraryGateway::interruptedRunsFound);
    QVERIFY(gateway.open(m_file));
    QTRY_COMPARE(found.count(), 1);
    QCOMPARE(found.first().first().toStringList(), QStringList{QString::fromStdString(m_runs.groupB.front())});
    QCOMPARE(gateway.reader().run(m_runs.groupB.front()).value().state, RunState::Interrupted);
}

void TestLibraryGateway::runsOfADeadProcessAreAnnouncedAtOnceInTheirOrder() {
    QStringList expected;
    {
        RunStore store(Library::open(m_file, Library::Mode::Write).value());
        RunReader reader(Library::open(m_file, Library::Mode::Read).value());
        const auto setOwner = [&](const std::string& id, RunState state, const RunOwner& owner) {
            RunRecord run = reader.run(id).value();
            run.owner = owner;
            QVERIFY(store.setState(id, state)); // with a heartbeat of now
            QVERIFY(store.updateStarted(run));
            expected << QString::fromStdString(id);
        };
        RunOwner dead = thisProcess();
        dead.started -= 1; // another process has its pid by now
        setOwner(m_runs.groupA.front(), RunState::Running, dead);
        setOwner(m_runs.groupB.front(), RunState::Queued, dead);
    }
    LibraryGateway gateway;
    QSignalSpy found(&gateway, &LibraryGateway::interruptedRunsFound);
    QVERIFY(gateway.open(m_file));
    QTRY_COMPARE(found.count(), 1);
    QCOMPARE(found.first().first().toStringList(), expected);
}

void TestLibraryGateway::theSameFileUnderAnotherNameStaysWritable() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    const std::filesystem::path other = m_file.parent_path() / "." / m_file.filename();
    QVERIFY(gateway.open(other));
    QVERIFY(!gateway.readOnly());
    QVERIFY(gateway.otherWindow().isEmpty());
    const std::string before = QDir::currentPath().toStdString();
    QDir::setCurrent(QString::fromStdString(m_file.parent_path().string()));
    QVERIFY(gateway.open(m_file.filename()));
    QDir::setCurrent(QString::fromStdString(before));
    QVERIFY(!gateway.readOnly());
    QCOMPARE(gateway.path(), m_file);
}

void TestLibraryGateway::aFileThatIsNoLibraryLeavesTheOpenOneAlone() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    const std::filesystem::path letter = m_folder->filePath(QStringLiteral("letter.txt")).toStdString();
    QVERIFY(writeFileAtomically(letter, "no library"));
    const Status status = gateway.open(letter);
    QVERIFY(!status);
    QCOMPARE(gateway.path(), m_file);
    QCOMPARE(gateway.reader().runs().value().size(), std::size_t{2});
    QCOMPARE(readFile(letter).value(), std::string("no library"));
}

void TestLibraryGateway::anotherLibraryCancelsWhatWasAsked() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    std::binary_semaphore begun{0};
    std::binary_semaphore goOn{0};
    QStringList ends;
    const auto ask = [&](const QString& token, bool waits) {
        gateway.query<int>(
            this, token,
            [&begun, &goOn, waits](RunReader&) {
                if (waits) {
                    begun.release();
                    goOn.acquire();
                }
                return 1;
            },
            [&ends](int) { ends << "done"; },
            [&ends](const Error& error) { ends << QString::fromStdString(error.code); });
    };
    ask("at work", true);
    begun.acquire();
    ask("waits", false);
    QVERIFY(gateway.open(m_folder->filePath(QStringLiteral("other.sqlite")).toStdString()));
    goOn.release();
    QTRY_COMPARE(ends, (QStringList{"library.cancelled", "library.cancelled"}));
    ask("later", false);
    QTRY_COMPARE(ends.back(), QStringLiteral("done"));
}

void TestLibraryGateway::itIsIdleOnceAllHasBeenAnswered() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    QTRY_VERIFY(gateway.idle());
    int answers = 0;
    gateway.query<int>(
        this, QStringLiteral("fails"), [](RunReader&) -> int { throw std::runtime_error("no"); }, [](int) {},
        [&](const Error&) { ++answers; });
    gateway.edit(
        this, [](RunStore&) { return Status(); }, [&](const Status&) { ++answers; });
    std::ignore = gateway.start(
        this, [](RunReader&, const std::stop_token&) { return Status(); }, [&](const Status&) { ++answers; });
    QVERIFY(!gateway.idle());
    QTRY_VERIFY(gateway.idle());
    QCOMPARE(answers, 3);
}

void TestLibraryGateway::exceptionsBecomeErrors() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    QStringList ends;
    const auto note = [&ends](const Error& error) { ends << QString::fromStdString(error.code); };
    gateway.query<int>(
        this, QStringLiteral("t"), [](RunReader&) -> int { throw std::bad_alloc(); }, [](int) {}, note);
    QTRY_COMPARE(ends, QStringList{"internal.exception"});
    gateway.edit(
        this, [](RunStore&) -> Status { throw std::bad_alloc(); }, [&](const Status& status) { note(status.error()); });
    QTRY_COMPARE(ends.size(), 2);
    gateway.start(
        this, [](RunReader&, const std::stop_token&) -> Status { throw std::bad_alloc(); },
        [&](const Status& status) { note(status.error()); });
    QTRY_COMPARE(ends.size(), 3);
    QCOMPARE(ends.count("internal.exception"), 3);
    // Nobody takes it: it is announced.
    QSignalSpy failed(&gateway, &LibraryGateway::failed);
    gateway.query<int>(
        this, QStringLiteral("t"), [](RunReader&) -> int { throw std::bad_alloc(); }, [](int) {});
    QTRY_COMPARE(failed.count(), 1);
}

// Another writer holds the library: the edit waits on its thread, queries and events go on.
void TestLibraryGateway::aLockedLibraryHoldsUpNobodyButTheEdit() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    waitUntilWritten(gateway);
    RunStore other(Library::open(m_file, Library::Mode::Write).value());
    QVERIFY(other.begin());
    QVERIFY(other.setNotes(m_runs.groupB.front(), "of the other"));
    QElapsedTimer time;
    time.start();
    std::optional<Status> outcome;
    gateway.edit(
        this, [&](RunStore& store) { return store.setNotes(m_runs.groupA.front(), "waits"); },
        [&](const Status& status) { outcome = status; });
    QVERIFY(time.elapsed() < 500);
    std::size_t found = 0;
    gateway.query<std::size_t>(
        this, QStringLiteral("runs"), [](RunReader& reader) { return reader.runs().value().size(); },
        [&](std::size_t count) { found = count; });
    QTRY_COMPARE(found, std::size_t{2});
    QVERIFY(!outcome && gateway.writing());
    QVERIFY(other.commit());
    QTRY_VERIFY_WITH_TIMEOUT(outcome.has_value(), 10'000);
    QVERIFY(*outcome);
    QCOMPARE(gateway.reader().run(m_runs.groupA.front()).value().notes, std::string("waits"));
}

void TestLibraryGateway::editsAreWrittenBeforeTheEnd() {
    {
        LibraryGateway gateway;
        QVERIFY(gateway.open(m_file));
        for (int i = 0; i < 5; ++i)
            gateway.edit(this, [&, i](RunStore& store) {
                return store.setNotes(m_runs.groupA.front(), "note " + std::to_string(i));
            });
    }
    RunReader reader(Library::open(m_file, Library::Mode::Read).value());
    QCOMPARE(reader.run(m_runs.groupA.front()).value().notes, std::string("note 4"));
}

void TestLibraryGateway::aLongJobHoldsUpNoQueryAndCanBeCancelled() {
    LibraryGateway gateway;
    QVERIFY(gateway.open(m_file));
    QStringList ends;
    const auto untilStopped = [](RunReader&, const std::stop_token& stop) -> Status {
        while (!stop.stop_requested())
            QThread::msleep(5);
        return failure("library.cancelled");
    };
    const auto note = [&ends](const Status& status) {
        ends << (status ? QStringLiteral("done") : QString::fromStdString(status.error().code));
    };
    std::stop_source first = gateway.start(this, untilStopped, note);
    std::stop_source second = gateway.start(this, untilStopped, note); // waits for the first
    int answered = 0;
    gateway.query<int>(
        this, QStringLiteral("t"), [](RunReader&) { return 1; }, [&](int answer) { answered = answer; });
    QTRY_COMPARE(answered, 1);
    QVERIFY(ends.isEmpty());
    second.request_stop();
    first.request_stop();
    QTRY_COMPARE(ends, (QStringList{"library.cancelled", "library.cancelled"}));
    std::ignore = gateway.start(this, untilStopped, note); // ends with the gateway
}

void TestLibraryGateway::aSecondWindowReadsOnly() {
    auto first = std::make_unique<LibraryGateway>();
    QVERIFY(first->open(m_file));
    QVERIFY(!first->readOnly() && first->otherWindow().isEmpty());
    LibraryGateway second;
    QVERIFY(second.open(m_file));
    QVERIFY(second.readOnly());
    QVERIFY(second.otherWindow().contains(QString::number(QCoreApplication::applicationPid())));
    std::optional<Status> outcome;
    second.edit(
        this, [&](RunStore& store) { return store.setNotes(m_runs.groupA.front(), "behind the first"); },
        [&](const Status& status) { outcome = status; });
    QTRY_VERIFY(outcome.has_value());
    QCOMPARE(outcome->error().code, std::string("library.write"));
    QVERIFY(first->open(m_file)); // its own again
    QVERIFY(!first->readOnly());
    first.reset();
    QVERIFY(second.open(m_file));
    QVERIFY(!second.readOnly() && second.otherWindow().isEmpty());
}

QTEST_MAIN(TestLibraryGateway)
} // namespace test_library_gateway
#include "test_library_gateway.moc"

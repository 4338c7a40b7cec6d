// SPDX-License-Identifier: GPL-3.0-or-later
// How ranks end that do not end well: one leaves, falls silent, is killed. A scene is played by this program itself,
// started by mpirun as `tests_unit_ranks rank_scene NAME`; each rank prints a line, "rank 0: ...".
#include "core/ranks/launch.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <map>
#include <thread>

namespace test_rank_ends {
using namespace accumulus;

namespace {

/// Of the scenes, in seconds; what must not be lost is busy for longer.
constexpr double lostAfter = 3.0;
constexpr double busyFor = 7.0;
constexpr int limitMilliseconds = 60'000;

void say(int rank, const std::string& words) {
    const std::string line = "rank " + std::to_string(rank) + ": " + words + "\n";
    std::fputs(line.c_str(), stdout);
    std::fflush(stdout);
}

void sleepFor(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// Work whose pieces take a hundredth of a second.
void computeFor(double seconds, Communicator& ranks) {
    ranks.watch(true);
    QElapsedTimer watch;
    for (watch.start(); static_cast<double>(watch.elapsed()) < seconds * 1000;) {
        sleepFor(0.01);
        ranks.alive();
    }
    ranks.watch(false);
}

/// A piece of work that never ends, after some that did.
void hang(Communicator& ranks) {
    computeFor(0.1, ranks);
    ranks.watch(true);
    sleepFor(30.0);
}

/// Every rank sends `bytes` to every other.
void exchangeAll(
    Communicator& ranks, std::size_t bytes, const std::function<void()>& taken = [] {}) {
    const std::vector<std::byte> part(bytes, std::byte{1});
    const std::vector<Communicator::Bytes> parts(static_cast<std::size_t>(ranks.size()), part);
    const std::vector<std::size_t> expected(parts.size(), bytes);
    ranks.exchange(parts, expected, [&](int, std::size_t, Communicator::Bytes) { taken(); });
}

void agree(Communicator& ranks) { (void)ranks.gather("ready"); }

const std::map<std::string, void (*)(Communicator&)>& scenes() {
    static const std::map<std::string, void (*)(Communicator&)> all{
        {"leave",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 return ranks.leave("the disk is full");
             agree(ranks);
         }},
        {"two leave",
         [](Communicator& ranks) {
             if (ranks.rank() == 0) {
                 sleepFor(0.5);
                 agree(ranks);
             }
             ranks.leave("reason of " + std::to_string(ranks.rank()));
         }},
        {"leave with a book",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 return ranks.leave(std::string(100'000, 'x'));
             agree(ranks);
         }},
        {"leave during an exchange",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 return ranks.leave("out of memory");
             exchangeAll(ranks, 5'000'000);
         }},
        // Rank 2 has learnt of it and gone before rank 0 comes, which must not take rank 2 for the cause.
        {"leave, and one is late",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 return ranks.leave("out of memory");
             if (ranks.rank() == 0)
                 sleepFor(1.0);
             exchangeAll(ranks, 100);
         }},
        {"leave before a large gather",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 return ranks.leave("out of memory");
             (void)ranks.gather(std::string(5'000'000, 'y'));
         }},
        {"throw in take",
         [](Communicator& ranks) {
             exchangeAll(ranks, 5'000'000, [&] {
                 if (ranks.rank() == 1)
                     throw std::runtime_error("the sum went wrong");
             });
         }},
        {"go without a word",
         [](Communicator& ranks) {
             if (ranks.rank() != 1)
                 agree(ranks);
         }},
        {"silent",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 hang(ranks);
             agree(ranks);
         }},
        {"silent in an exchange",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 hang(ranks);
             exchangeAll(ranks, 5'000'000);
         }},
        // What ranks exchange on a way of their own comes to no end without one of them.
        {"leave while it is awaited",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 return ranks.leave("out of memory");
             ranks.await([] { return false; });
         }},
        {"silent while it is awaited",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 hang(ranks);
             ranks.await([] { return false; });
         }},
        // Loading data, writing a checkpoint: nobody knows how long that may take.
        {"quiet",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 sleepFor(busyFor);
             agree(ranks);
         }},
        {"busy",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 computeFor(busyFor, ranks);
             agree(ranks);
         }},
        // Rank 0 waits for the busy rank 1, rank 2 for rank 0.
        {"chain",
         [](Communicator& ranks) {
             if (ranks.rank() == 1)
                 computeFor(busyFor, ranks);
             const std::vector<std::byte> bytes(10, std::byte{1});
             std::vector<Communicator::Bytes> parts(3);
             std::vector<std::size_t> expected(3, 0);
             if (ranks.rank() == 1)
                 parts[0] = bytes;
             if (ranks.rank() == 0)
                 expected[1] = bytes.size();
             ranks.exchange(parts, expected, [](int, std::size_t, Communicator::Bytes) {});
             agree(ranks);
         }},
        {"endless",
         [](Communicator& ranks) {
             say(ranks.rank(), "pid " + std::to_string(ranks.peers()[1].pid));
             for (;;)
                 agree(ranks);
         }},
    };
    return all;
}

int play(int argc, char** argv) {
    const auto launch = launched();
    if (!launch || argc < 2 || !scenes().contains(argv[1]))
        return 2;
    auto joined = joinRanks(*launch);
    if (!joined) {
        std::fprintf(stderr, "%s\n", describe(joined.error()).c_str());
        return 3;
    }
    Communicator& ranks = **joined;
    try {
        scenes().at(argv[1])(ranks);
        say(launch->rank, "done");
    } catch (const RankFailed& failed) {
        const std::string reason = failed.what();
        say(launch->rank, "failed " + std::to_string(failed.rank()) + " " +
                              (reason.size() < 100 ? reason : std::to_string(reason.size()) + " bytes"));
    } catch (const RankLost& lost) {
        say(launch->rank, "lost " + std::to_string(lost.rank()));
        sleepFor(1.0); // so that the other has seen it, too
        ranks.abort(7);
    } catch (const std::exception& other) {
        say(launch->rank, std::string("threw ") + other.what());
        ranks.leave(other.what());
    }
    joined->reset();
    say(launch->rank, "closed");
    return 0;
}

const test::Registration registeredScenes("rank_scene.cpp", play);

} // namespace

class TestRankEnds : public QObject {
    Q_OBJECT

private:
    struct Played {
        int exitCode = -1;
        QStringList lines; ///< sorted
        QString all;
    };

    static void prepare(QProcess& process, const QString& scene, int ranks) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("ACCUMULUS_RANK_TIMEOUT", QString::number(lostAfter));
        process.setProcessEnvironment(environment);
        process.setProgram(qEnvironmentVariable("ACCUMULUS_MPIRUN"));
        process.setArguments(
            {"-n", QString::number(ranks), QCoreApplication::applicationFilePath(), "rank_scene", scene});
    }

    static Played finish(QProcess& process) {
        Played played;
        if (process.waitForFinished(limitMilliseconds) && process.exitStatus() == QProcess::NormalExit)
            played.exitCode = process.exitCode();
        else
            process.kill();
        const QString output = QString::fromUtf8(process.readAllStandardOutput());
        played.lines = output.split('\n', Qt::SkipEmptyParts).filter(QRegularExpression("^rank "));
        played.lines.sort();
        played.all = QString("exit code %1\n%2\n%3")
                         .arg(played.exitCode)
                         .arg(output, QString::fromUtf8(process.readAllStandardError()));
        return played;
    }

private Q_SLOTS:
    void initTestCase() {
        if (qEnvironmentVariable("ACCUMULUS_MPIRUN").isEmpty())
            QSKIP("built without MPI, or there is no mpirun");
    }

    void everyRankLearnsOfAnEnd_data() {
        QTest::addColumn<QString>("scene");
        QTest::addColumn<int>("code");
        QTest::addColumn<QStringList>("said"); // by ranks 0, 1 and 2
        QTest::addColumn<bool>("inOrder");     // every rank gets to its end
        const auto row = [](const char* scene, int code, const QStringList& said, bool inOrder) {
            QTest::newRow(scene) << scene << code << said << inOrder;
        };
        const auto failed = [](const QString& reason) {
            return QStringList{"failed 1 " + reason, "done", "failed 1 " + reason};
        };
        row("leave", 0, failed("the disk is full"), true);
        row("two leave", 0, {"failed 1 reason of 1", "done", "done"}, true);
        row("leave with a book", 0, failed("3000 bytes"), true);
        row("leave during an exchange", 0, failed("out of memory"), true);
        row("leave, and one is late", 0, failed("out of memory"), true);
        row("leave before a large gather", 0, failed("out of memory"), true);
        row("throw in take", 0,
            {"failed 1 the sum went wrong", "threw the sum went wrong", "failed 1 the sum went wrong"}, true);
        row("go without a word", 0, failed(""), true);
        row("silent", 7, {"lost 1", "", "lost 1"}, false);
        row("silent in an exchange", 7, {"lost 1", "", "lost 1"}, false);
        row("leave while it is awaited", 0, failed("out of memory"), true);
        row("silent while it is awaited", 7, {"lost 1", "", "lost 1"}, false);
        row("quiet", 0, {"done", "done", "done"}, true);
        row("busy", 0, {"done", "done", "done"}, true);
        row("chain", 0, {"done", "done", "done"}, true);
    }
    void everyRankLearnsOfAnEnd() {
        QFETCH(QString, scene);
        QFETCH(int, code);
        QFETCH(QStringList, said);
        QFETCH(bool, inOrder);
        QProcess process;
        prepare(process, scene, 3);
        process.start();
        const Played played = finish(process);
        QStringList wanted;
        for (int rank = 0; rank < 3; ++rank) {
            if (!said[rank].isEmpty())
                wanted << QString("rank %1: %2").arg(rank).arg(said[rank]);
            if (inOrder)
                wanted << QString("rank %1: closed").arg(rank);
        }
        wanted.sort();
        QVERIFY2(played.lines == wanted, qPrintable(played.all));
        QVERIFY2(played.exitCode == code, qPrintable(played.all));
    }

    void aKilledRankEndsAll() {
        QProcess process;
        prepare(process, "endless", 2);
        process.start();
        static const QRegularExpression line("pid (\\d+)\\n");
        QByteArray output;
        while (!line.match(QString::fromUtf8(output)).hasMatch()) {
            QVERIFY(process.waitForReadyRead(limitMilliseconds));
            output += process.readAllStandardOutput();
        }
        const pid_t victim = line.match(QString::fromUtf8(output)).captured(1).toInt();
        QVERIFY(victim > 1);
        QCOMPARE(::kill(victim, SIGKILL), 0);
        const Played played = finish(process);
        QVERIFY2(played.exitCode > 0, qPrintable(played.all)); // -1: it had to be killed
    }
};

QTEST_GUILESS_MAIN(TestRankEnds)
} // namespace test_rank_ends
#include "test_rank_ends.moc"

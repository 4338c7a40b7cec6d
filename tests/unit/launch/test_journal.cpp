// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that a study trained elsewhere stands on: journals, lines that grow, wishes, words for another shell.
#include "core/base/clock.h"
#include "core/base/shell_word.h"
#include "core/launch/child_talk.h"
#include "core/launch/detached_study.h"
#include "core/launch/remote_command.h"
#include "tests/support/study_fixture.h"

#include <fstream>

namespace test_journal {
using namespace accumulus;
using namespace accumulus::test;

namespace {

void append(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::app) << text; }

} // namespace

class TestJournal : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Journal journal(const char* id) const {
        return Journal::of(fs::path(m_folder.path().toStdString()) / "library.sqlite", id).value();
    }

private Q_SLOTS:
    void namesBecomeFolders() {
        for (const char* bad : {"", "..", "a/b", "a b", "ä", "a\n"})
            QVERIFY2(!Journal::of("/tmp/x.sqlite", bad), bad);
        QVERIFY(!Journal::of("/tmp/x.sqlite", std::string(65, 'a')));
        QVERIFY(Journal::of("/tmp/x.sqlite", "0a-Z")->folder() == fs::path("/tmp/x.sqlite.journals/0a-Z"));
    }

    void whoTrainsIsKnown() {
        const Journal here = journal("trainer");
        QVERIFY(!here.trainer());
        REQUIRE(here.lock());
        REQUIRE(here.setTrainer(Journal::trainerHere(getpid())));
        QVERIFY(here.trainer()->process == processOf(getpid()));
        QVERIFY(!Journal::isGone(*here.trainer()));
        REQUIRE(here.setTrainer({{}, {}, "4711"}));
        QCOMPARE(here.trainer()->job, std::string("4711"));
        QCOMPARE(fs::status(here.folder()).permissions(), fs::perms::owner_all); // nobody else reads or commands
    }

    // After another start of the machine no process of before lives; of another machine nothing is known.
    void aRestartIsAnEnd() {
        Journal::Trainer trainer = Journal::trainerHere(getpid());
        if (trainer.machine.empty())
            QSKIP("there is no /etc/machine-id, by which machines are told apart");
        trainer.process.host = "boot:another pid:[1]";
        QVERIFY(Journal::isGone(trainer));
        trainer.machine = "another";
        QVERIFY(!Journal::isGone(trainer));
    }

    void linesComeWhole() {
        const fs::path file = fs::path(m_folder.path().toStdString()) / "lines";
        TailedFile tail(file);
        QVERIFY(tail.read().empty());
        append(file, "one\ntw");
        QCOMPARE(std::string(tail.read()), std::string("one\n"));
        QVERIFY(tail.read().empty());
        append(file, "o\nthree\n");
        tail.reopen();
        QCOMPARE(std::string(tail.read()), std::string("two\nthree\n"));
        TailedFile later(file, 4);
        QCOMPARE(std::string(later.read()), std::string("two\nthree\n"));
        const std::string longLine(3 << 20, 'x');
        append(file, longLine + "\nend\n");
        std::string all;
        for (std::string_view piece = later.read(); !piece.empty(); piece = later.read())
            all += piece;
        QVERIFY(all == longLine + "\nend\n");
    }

    void newsComeBack() {
        LaunchNews news;
        news.program = "Accumulus \"1.0\"";
        news.files = "/home/größe/l.sqlite.files";
        news.follows = news.paused = news.ended = true;
        news.job = "12";
        news.state = "TIMEOUT";
        news.reason = "Resources";
        news.nodes = "n[1-2]";
        news.exitCode = 137;
        news.remark = "line\nwith an end";
        const std::string line = launchLine(news);
        QCOMPARE(std::ranges::count(line, '\n'), 1);
        const auto back = launchNewsOf(line);
        QVERIFY(back);
        QCOMPARE(launchLine(*back), line);
        QVERIFY(!launchNewsOf("{\"event\":\"launch\"}"));
        QVERIFY(!launchNewsOf("{\"launch\":3}"));
        QVERIFY(!launchNewsOf("{\"launch\":"));
        QVERIFY(launchNewsOf("{\"launch\":{\"paused\":\"yes\",\"exit_code\":\"no\"}}")); // of another version
    }

    void wishesAreSaidOnce() {
        RunControl control;
        LaunchWishes wishes(control);
        using Verbs = std::vector<LaunchVerb>;
        QVERIFY(wishes.next().empty());
        control.pause();
        QVERIFY(wishes.next() == Verbs{LaunchVerb::Pause});
        QVERIFY(wishes.next().empty());
        // It says so later; until then what it said before means nothing.
        QVERIFY(!wishes.heard(false));
        QVERIFY(control.paused());
        QVERIFY(!wishes.heard(true));
        control.resume();
        QVERIFY(wishes.next() == Verbs{LaunchVerb::Resume});
        QVERIFY(!wishes.heard(false));
        // Somebody else pauses it.
        QVERIFY(wishes.heard(true));
        QVERIFY(control.paused());
        QVERIFY(wishes.next().empty());
        control.resume();
        QVERIFY(wishes.next() == Verbs{LaunchVerb::Resume});
        control.stop();
        QVERIFY(wishes.next() == Verbs{LaunchVerb::Stop});
        control.stopNow();
        QVERIFY(wishes.next() == Verbs{LaunchVerb::StopNow});
        QVERIFY(wishes.next().empty());
        control.stopNow();
        QVERIFY(wishes.next() == Verbs{LaunchVerb::StopNow}); // insisted
        for (const LaunchVerb verb : {LaunchVerb::Pause, LaunchVerb::End, LaunchVerb::Begin, LaunchVerb::Done})
            QVERIFY(launchVerbOf(launchVerbName(verb)) == verb);
        QVERIFY(!launchVerbOf("rm"));
    }

    // Read back by a real shell.
    void wordsSurviveAShell() {
        const std::vector<std::string> words{"plain",     "",      "two words", "it's", "$HOME `id` \"x\" \\",
                                             "a;b|c&d>e", "größe", "-n",        "*",    "~"};
        std::string line = "printf '%s|'";
        for (const std::string& word : words)
            line += " " + posixWord(word);
        const auto ran = runToEnd({{"/bin/sh", "-c", line}});
        REQUIRE(ran);
        std::string expected;
        for (const std::string& word : words)
            expected += word + "|";
        QCOMPARE(ran->output, expected + "\n");
    }

    void hostsAreNames() {
        for (const char* good : {"gpu-box", "user@host", "10.0.0.1", "ssh://user@host:22"})
            QVERIFY2(checkHost(good), good);
        for (const char* bad : {"", "-oProxyCommand=x", "a b", "a;b", "$(x)", "`x`", "a\nb", "'"})
            QVERIFY2(!checkHost(bad), bad);
        LaunchPlace place{"gpu box's", "~/my bin/accumulus-cli", "~/l.sqlite", "--time=1:00 --partition=x"};
        QCOMPARE(placeArguments(place), std::string(" --on 'gpu box'\\''s' --slurm='--time=1:00 --partition=x' "
                                                    "--remote-program '~/my bin/accumulus-cli' --remote-library "
                                                    "'~/l.sqlite'"));
        place.host = "far";
        const auto command = commandAt(place, {"run", "--library", "~/l.sqlite"});
        if (!command)
            QSKIP("there is no ssh");
        QCOMPARE(command->arguments.back(), std::string("~/'my bin/accumulus-cli' run --library ~/l.sqlite"));
        QCOMPARE(command->arguments[command->arguments.size() - 2], std::string("far"));
        QVERIFY(std::ranges::find(command->arguments, "BatchMode=yes") != command->arguments.end());
    }

    // Events that come faster than the connection takes them keep nobody from being heard.
    void whoFollowsIsHeardAmongEvents() {
        const Journal busy = journal("busy");
        REQUIRE(busy.lock());
        REQUIRE(busy.setTrainer(Journal::trainerHere(getpid())));
        append(busy.events(), "{}\n");
        constexpr double longEnough = 20.0;
        const Stopwatch stopwatch;
        bool heard = false;
        followJournal(
            busy, 0, "", "",
            [&](std::string_view) {
                append(busy.events(), "{}\n");
                return stopwatch.seconds() < longEnough;
            },
            [&]() -> std::optional<std::vector<LaunchVerb>> {
                heard = true;
                return std::nullopt;
            });
        QVERIFY(heard);
    }

    // What nobody came for goes a week after its end.
    void abandonedJournalsGo() {
        const Journal old = journal("old"), fresh = journal("fresh"), own = journal("own");
        const Journal killed = journal("killed"), alive = journal("alive");
        const auto longAgo = fs::file_time_type::clock::now() - std::chrono::hours(24 * 8);
        for (const Journal& one : {old, fresh, own}) {
            REQUIRE(one.lock());
            append(one.folder() / "exit-code", "0\n");
        }
        for (const Journal& one : {killed, alive}) {
            REQUIRE(one.lock());
            REQUIRE(one.setTrainer(Journal::trainerHere(getpid())));
            append(one.events(), "{}\n");
            fs::last_write_time(one.events(), longAgo);
        }
        Journal::Trainer gone = Journal::trainerHere(getpid());
        gone.process.started -= 1; // another process had that number
        REQUIRE(killed.setTrainer(gone));
        fs::last_write_time(old.folder() / "exit-code", longAgo);
        own.removeAbandoned();
        QVERIFY(!fs::exists(old.folder()) && !fs::exists(killed.folder()));
        QVERIFY(fs::exists(fresh.folder()) && fs::exists(own.folder()) && fs::exists(alive.folder()));
        fresh.remove();
        QVERIFY(!fs::exists(fresh.folder()));
    }
};

QTEST_APPLESS_MAIN(TestJournal)
} // namespace test_journal
#include "test_journal.moc"

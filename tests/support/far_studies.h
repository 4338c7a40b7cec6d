// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of studies that another process trains share: one experiment with known weights, a library here and one
// over there, and accumulus-cli between them.
#pragma once

#include "core/base/clock.h"
#include "core/launch/journal.h"
#include "core/store/run_reader.h"
#include "tests/support/cli_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <utility>
#include <vector>

namespace accumulus::test {

/// 1 000 samples by 16: 63 updates an epoch, of whose sums every number of ranks makes the same bits.
inline QString farExperimentOf(int epochs) {
    return QString(R"(
[data]
dataset = "digits-generated"
train_limit = 1000
test_limit = 100
[model]
name = "mlp"
hidden = [384, 256]
[batch]
effective = 16
micro = 4
[parallel]
order = "micro-steps"
[train]
length = "%1 epochs"
[evaluate]
every = "4 epochs"
[checkpoint]
every = "1 epoch"
[device]
lanes = 1
threads = 1
)")
        .arg(epochs);
}

/// As many as take this machine about five seconds, so that a study is still trained when somebody has seen its first
/// updates and meddles, twice. Measured once in a program, by its faster windows: the others had no core of their own.
inline int farEpochs() {
    static const int epochs = [] {
        const QTemporaryDir folder;
        if (!writeText(folder.path(), "far.toml", farExperimentOf(2)))
            qFatal("cannot write to %s", qPrintable(folder.path()));
        const QString library = folder.filePath("far.sqlite");
        const CliResult run = runCli({"run", "far.toml", "--library", library}, folder.path());
        if (run.exitCode != 0)
            qFatal("%s", qPrintable(run.all()));
        RunReader reader(Library::open(library.toStdString(), Library::Mode::Read).value());
        std::vector<double> seconds;
        const auto windows = reader.windows(reader.runs().value().front().id).value();
        for (const WindowRecord& window : windows)
            seconds.push_back(window.seconds);
        std::ranges::sort(seconds);
        return std::clamp(static_cast<int>(5.0 / (63 * seconds[seconds.size() / 4])), 12, 1000);
    }();
    return epochs;
}
inline int farUpdates() { return 63 * farEpochs(); }
inline QString farExperiment() { return farExperimentOf(farEpochs()); }
inline constexpr int pastCheckpoint = 70; // update; the first checkpoint follows the first epoch

/// The library here and the one over there.
struct Libraries {
    QTemporaryDir folder;
    [[nodiscard]] QString here() const { return folder.filePath("here.sqlite"); }
    [[nodiscard]] QString there() const { return folder.filePath("there/library.sqlite"); }
    /// `arguments` with the libraries, on a place that `where` names.
    [[nodiscard]] QStringList train(const QStringList& where, const QStringList& more = {}) const {
        return QStringList{"run",
                           "far.toml",
                           "--json",
                           "--library",
                           here(),
                           "--remote-library",
                           there(),
                           "--remote-program",
                           programPath("accumulus-cli")} +
               where + more;
    }
    [[nodiscard]] CliResult cli(const QStringList& arguments) const {
        return runCli(arguments + QStringList{"--library", here()}, folder.path());
    }

    Libraries() {
        if (!writeText(folder.path(), "far.toml", farExperiment()))
            qFatal("cannot write to %s", qPrintable(folder.path()));
    }
    /// What a failed test leaves behind would train on.
    ~Libraries() {
        const QDir journals(there() + ".journals");
        for (const QString& id : journals.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const auto journal = Journal::of(there().toStdString(), id.toStdString());
            const auto trainer = journal ? journal->trainer() : std::nullopt;
            if (trainer && trainer->process.pid > 1 && lifeOf(trainer->process) == OwnerLife::Alive)
                ::kill(-static_cast<pid_t>(trainer->process.pid), SIGKILL);
        }
    }
    [[nodiscard]] static RunReader reader(const QString& library) {
        return RunReader(Library::open(library.toStdString(), Library::Mode::Read).value());
    }
    [[nodiscard]] RunRecord run() const { return reader(here()).runs().value().front(); }
    [[nodiscard]] QString id() const { return QString::fromStdString(run().id); }
    [[nodiscard]] QString weights() const { return QString::fromStdString(run().summary.weightsHash); }
    [[nodiscard]] QStringList codes() const {
        const auto events = reader(here()).events(run().id).value();
        QStringList codes;
        for (const EventRecord& event : events)
            codes << QString::fromStdString(event.code);
        return codes;
    }
    /// Windows are numbered from 1: none is missing, none comes twice.
    [[nodiscard]] bool hasAllWindows(int updates = farUpdates()) const {
        const auto windows = reader(here()).windows(run().id).value();
        for (std::size_t i = 0; i < windows.size(); ++i)
            if (windows[i].window != static_cast<std::int64_t>(i) + 1)
                return false;
        return std::cmp_equal(windows.size(), updates);
    }
};

/// The only journal over there.
inline Journal journalOf(const Libraries& libraries) {
    const QStringList names = QDir(libraries.there() + ".journals").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return Journal::of(libraries.there().toStdString(), names.value(0, "none").toStdString()).value();
}

/// Whether it goes on over there, or waits there: what is done to one that has ended proves nothing.
inline bool isTrained(const Libraries& libraries) {
    const Journal journal = journalOf(libraries);
    return journal.trainer() && !journal.exitCode();
}

/// What ACCUMULUS_SSH names for as long as this lives: `script`, for a shell in the folder of the libraries, in which
/// "$last" is the command that is meant for the other side.
class FakeSsh {
public:
    FakeSsh(const Libraries& libraries, const QString& script) : m_before(qgetenv("ACCUMULUS_SSH")) {
        const QString file = libraries.folder.filePath("fake-ssh");
        if (!writeText(libraries.folder.path(), "fake-ssh",
                       "#!/bin/sh\nfor last; do :; done\ncd '" + libraries.folder.path() + "'\n" + script + "\n") ||
            !QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner))
            qFatal("cannot write %s", qPrintable(file));
        qputenv("ACCUMULUS_SSH", file.toUtf8());
    }
    ~FakeSsh() { qputenv("ACCUMULUS_SSH", m_before); }
    FakeSsh(const FakeSsh&) = delete;
    FakeSsh& operator=(const FakeSsh&) = delete;
    /// What a connection that works does.
    [[nodiscard]] static QString through() { return QStringLiteral("eval \"exec $last\""); }

private:
    QByteArray m_before;
};

template <class Reached>
bool eventually(Reached reached) {
    const Stopwatch stopwatch;
    while (!reached()) {
        if (stopwatch.seconds() > 120.0) // only ends a test that hangs
            return false;
        QTest::qSleep(50);
    }
    return true;
}

inline bool isPast(const QJsonObject& line, int update) {
    return line["event"] == "window" && line["update"].toInt() >= update;
}

} // namespace accumulus::test

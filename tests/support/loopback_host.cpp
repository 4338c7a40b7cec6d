// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/loopback_host.h"

#include "tests/support/cli_program.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <unistd.h>

namespace accumulus::test {
namespace {

constexpr int limitMilliseconds = 120'000;

struct Ran {
    bool done = false;
    QString output;  ///< its last line
    QString missing; ///< what is not installed, or not allowed
    QString failure; ///< all that it said
};

Ran runScript(const char* script, const QStringList& arguments) {
    constexpr int exitCodeOfSkip = 77;
    QProcess process;
    process.start(qEnvironmentVariable("ACCUMULUS_SOURCE") + "/tests/support/" + QString::fromUtf8(script), arguments);
    const bool ended = process.waitForFinished(limitMilliseconds) && process.exitStatus() == QProcess::NormalExit;
    const QString said = QString::fromUtf8(process.readAllStandardOutput()).trimmed();
    const QString last = said.section('\n', -1);
    if (ended && process.exitCode() == 0)
        return {.done = true, .output = last, .missing = {}, .failure = {}};
    if (ended && process.exitCode() == exitCodeOfSkip && last.startsWith("SKIP: "))
        return {.done = false, .output = {}, .missing = last.mid(6), .failure = {}};
    return {.done = false,
            .output = {},
            .missing = {},
            .failure = QString("%1 %2: %3, exit code %4\n%5\n%6")
                           .arg(QString::fromUtf8(script), arguments.value(0), process.errorString())
                           .arg(process.exitCode())
                           .arg(said, QString::fromUtf8(process.readAllStandardError()))};
}

/// What `start` printed. Fails the test that runs, where anything but a missing package kept it from starting.
QString started(const char* script, const QString& folder, QString& problem) {
    const Ran ran = runScript(script, {"start", folder, QString::number(getpid())});
    problem = ran.missing + ran.failure;
    if (!ran.failure.isEmpty())
        QTest::qFail(qPrintable(ran.failure), __FILE__, __LINE__);
    return ran.output;
}

} // namespace

LoopbackHost::LoopbackHost() {
    const QString config = started("loopback_sshd.sh", m_folder.path(), m_problem);
    if (!m_problem.isEmpty())
        return;
    const QString ssh = m_folder.filePath("ssh-to-it");
    if (!writeText(m_folder.path(), "ssh-to-it", "#!/bin/sh\nexec ssh -F '" + config + "' \"$@\"\n") ||
        !QFile::setPermissions(ssh, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner))
        m_problem = "cannot write " + ssh;
    qputenv("ACCUMULUS_SSH", ssh.toUtf8());
}

LoopbackHost::~LoopbackHost() { control("stop"); }

bool LoopbackHost::control(const QString& what) {
    const Ran ran = runScript("loopback_sshd.sh", {what, m_folder.path()});
    if (!ran.done)
        qWarning("%s", qPrintable(ran.missing + ran.failure));
    return ran.done;
}

OneNodeSlurm::OneNodeSlurm() {
    const QString config = started("one_node_slurm.sh", m_folder.path(), m_problem);
    if (m_problem.isEmpty())
        qputenv("SLURM_CONF", config.toUtf8());
}

OneNodeSlurm::~OneNodeSlurm() { (void)runScript("one_node_slurm.sh", {"stop", m_folder.path()}); }

} // namespace accumulus::test

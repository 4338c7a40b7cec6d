// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/loopback_host.h"

#include "tests/support/cli_program.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QProcess>

#include <unistd.h>

namespace accumulus::test {
namespace {

constexpr int limitMilliseconds = 120'000;

/// What the script prints at its end; `problem` where it did not do what it was to do.
QString runScript(const char* script, const QStringList& arguments, QString& problem) {
    QProcess process;
    process.start(qEnvironmentVariable("ACCUMULUS_SOURCE") + "/tests/support/" + QString::fromUtf8(script), arguments);
    const bool ended = process.waitForFinished(limitMilliseconds);
    const QString said = QString::fromUtf8(process.readAllStandardOutput()).trimmed();
    if (!ended || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        problem = said.startsWith("SKIP: ") ? said.mid(6) : said + QString::fromUtf8(process.readAllStandardError());
    if (!problem.isEmpty())
        return {};
    return said.section('\n', -1);
}

QString ownNumber() { return QString::number(getpid()); }

} // namespace

LoopbackHost::LoopbackHost() {
    const QString config = runScript("loopback_sshd.sh", {"start", m_folder.path(), ownNumber()}, m_problem);
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
    QString problem;
    (void)runScript("loopback_sshd.sh", {what, m_folder.path()}, problem);
    return problem.isEmpty();
}

OneNodeSlurm::OneNodeSlurm() {
    const QString config = runScript("one_node_slurm.sh", {"start", m_folder.path(), ownNumber()}, m_problem);
    if (m_problem.isEmpty())
        qputenv("SLURM_CONF", config.toUtf8());
}

OneNodeSlurm::~OneNodeSlurm() {
    QString problem;
    (void)runScript("one_node_slurm.sh", {"stop", m_folder.path()}, problem);
}

} // namespace accumulus::test

// SPDX-License-Identifier: GPL-3.0-or-later
// Places to train at that are not this process: a real sshd on the loopback address and a real Slurm of one node, as
// the scripts beside this file set them up. What keeps a script from that fails the test that makes the object; only
// what is not installed, or what this machine does not allow, is no failure: `problem` is a reason to skip then.
#pragma once

#include <QDir>
#include <QString>
#include <QTemporaryDir>

namespace accumulus::test {

/// `ssh accumulus-loopback`, for accumulus-cli too: sets ACCUMULUS_SSH. Ends with this object or process.
class LoopbackHost {
public:
    LoopbackHost();
    ~LoopbackHost();
    /// Why there is none; empty where there is.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    [[nodiscard]] static QString name() { return QStringLiteral("accumulus-loopback"); }
    /// "cut": every connection ends. "down", "up": nobody listens, and listens again.
    bool control(const QString& what);

private:
    QTemporaryDir m_folder{QDir::tempPath() + "/sshd-XXXXXX"};
    QString m_problem;
};

/// sbatch and its kin work: sets SLURM_CONF. Ends with this object or process.
class OneNodeSlurm {
public:
    OneNodeSlurm();
    ~OneNodeSlurm();
    [[nodiscard]] const QString& problem() const { return m_problem; }

private:
    QTemporaryDir m_folder{QDir::tempPath() + "/slurm-XXXXXX"}; // the paths of its sockets are to be short
    QString m_problem;
};

} // namespace accumulus::test

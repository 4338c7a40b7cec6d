// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs of Slurm, of whose programs scripts stand in for: what they are asked, and what is made of what they say.
#include "core/launch/slurm.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace test_slurm {
using namespace accumulus;

class TestSlurm : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QByteArray m_path;

    /// A program that notes what it is asked.
    void write(const char* name, const QByteArray& script) const {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("#!/bin/sh\necho \"$*\" >'" + m_folder.filePath(name).toUtf8() + ".asked'\n" + script + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    QString asked(const char* name) const {
        QFile file(m_folder.filePath(QString(name) + ".asked"));
        return file.open(QFile::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
    }
    static auto submit() { return slurm::submit("/tmp/start.sh", "/tmp/log", "name", 1, "--clusters=gpu"); }

private Q_SLOTS:
    void initTestCase() {
        m_path = qgetenv("PATH");
        qputenv("PATH", m_folder.path().toUtf8() + ":" + m_path);
    }
    void cleanupTestCase() { qputenv("PATH", m_path); }

    // A number is that of a job only on its own cluster.
    void jobsOfOtherClusters() {
        write("sbatch", "echo '123;gpu'");
        write("squeue", "case \"$*\" in *--clusters=gpu*) echo 'CLUSTER: gpu'; echo 'PENDING|Priority|';;"
                        " *) echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1;; esac");
        write("scancel", "");
        const auto job = submit();
        QVERIFY(job);
        QVERIFY(slurm::stateOf(*job) == (slurm::JobState{"PENDING", "Priority", ""}));
        QVERIFY(asked("squeue").contains("--jobs=123 "));
        slurm::cancel(*job);
        QCOMPARE(asked("scancel"), QString("--clusters=gpu 123"));
    }

    void jobsOfTheUsualCluster() {
        write("sbatch", "echo 7");
        write("squeue", "echo 'RUNNING|None|n1'");
        write("scancel", "");
        const auto job = submit();
        QVERIFY(job);
        QVERIFY(slurm::stateOf(*job) == (slurm::JobState{"RUNNING", "None", "n1"}));
        QVERIFY(!asked("squeue").contains("--clusters"));
        slurm::cancel(*job);
        QCOMPARE(asked("scancel"), QString("7"));
        write("squeue", "");
        QVERIFY(slurm::stateOf(*job).isOver()); // forgotten
    }

    // scancel takes much else than a number: a word there might end every job of the user.
    void whatIsNoNumberIsNoJob() {
        write("sbatch", "echo '--me;gpu'");
        write("scancel", "");
        QFile::remove(m_folder.filePath("scancel.asked"));
        const auto job = submit();
        QVERIFY(!job);
        QCOMPARE(job.error().code, std::string("slurm.refused"));
        QCOMPARE(job.error().argument("line"), std::string("--me;gpu"));
        slurm::cancel("--me");
        QVERIFY(asked("scancel").isEmpty());
        QVERIFY(slurm::stateOf("--me").state.empty());
    }
};

QTEST_APPLESS_MAIN(TestSlurm)
} // namespace test_slurm
#include "test_slurm.moc"

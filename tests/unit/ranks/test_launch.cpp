// SPDX-License-Identifier: GPL-3.0-or-later
// Who started this process, as its environment tells, and that a process started alone has nothing to do with MPI.
#include "core/ranks/launch.h"
#include "tests/support/cli_program.h"

#include <QFile>
#include <QProcess>
#include <QTest>

namespace test_launch {
using namespace accumulus;
using namespace accumulus::test;

class TestLaunch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Nothing of how the test itself was started.
    void init() {
        for (const QString& name : QProcessEnvironment::systemEnvironment().keys())
            if (name.startsWith("OMPI_") || name.startsWith("SLURM_") || name.startsWith("PMIX_"))
                qunsetenv(name.toUtf8());
        qunsetenv("ACCUMULUS_MPI_MODULE");
    }

    void theEnvironmentTells_data() {
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QString>("launch"); // by, rank, size; empty: alone
        QTest::newRow("alone") << QStringList{} << "";
        QTest::newRow("mpirun") << QStringList{"OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=4"} << "mpirun 3 4";
        QTest::newRow("mpirun of one") << QStringList{"OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=1"} << "";
        QTest::newRow("mpirun with no rank") << QStringList{"OMPI_COMM_WORLD_SIZE=2"} << "";
        QTest::newRow("rank beyond the size") << QStringList{"OMPI_COMM_WORLD_RANK=2", "OMPI_COMM_WORLD_SIZE=2"} << "";
        QTest::newRow("not a number") << QStringList{"OMPI_COMM_WORLD_RANK=0x", "OMPI_COMM_WORLD_SIZE=2"} << "";
        const QStringList job{"SLURM_JOB_ID=7", "SLURM_NTASKS=8", "SLURM_PROCID=0"};
        QTest::newRow("shell of sbatch") << job << "";
        QTest::newRow("shell of sbatch that says so") << job + QStringList{"SLURM_STEP_ID=4294967291"} << "";
        QTest::newRow("shell of salloc") << job + QStringList{"SLURM_STEP_ID=4294967290", "SLURM_STEP_NUM_TASKS=1"}
                                         << "";
        QTest::newRow("srun") << QStringList{"SLURM_NTASKS=8", "SLURM_PROCID=5", "SLURM_STEP_ID=0"} << "srun 5 8";
        QTest::newRow("srun of fewer than the job has")
            << QStringList{"SLURM_NTASKS=8", "SLURM_PROCID=1", "SLURM_STEP_ID=2", "SLURM_STEP_NUM_TASKS=2"}
            << "srun 1 2";
        QTest::newRow("srun by PMIx") << QStringList{"SLURM_NTASKS=2", "SLURM_PROCID=1", "PMIX_RANK=1"} << "srun 1 2";
        QTest::newRow("mpirun inside a job")
            << job + QStringList{"SLURM_STEP_ID=0", "OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_SIZE=2"} << "mpirun 1 2";
    }
    void theEnvironmentTells() {
        QFETCH(QStringList, variables);
        QFETCH(QString, launch);
        for (const QString& variable : variables)
            qputenv(variable.section('=', 0, 0).toUtf8(), variable.section('=', 1).toUtf8());
        const auto found = launched();
        QCOMPARE(found ? QString("%1 %2 %3").arg(found->by.c_str()).arg(found->rank).arg(found->size) : QString(),
                 launch);
    }

    void whereThereIsNoModuleTheErrorSaysSo() {
        qputenv("ACCUMULUS_MPI_MODULE", "nowhere/libaccumulus_mpi.so");
        const auto joined = joinRanks(Launch{0, 2, "mpirun"});
        QVERIFY(!joined);
        QCOMPARE(joined.error().code, std::string("ranks.no-mpi"));
        QCOMPARE(exitCode(joined.error()), 4);
        QVERIFY2(describe(joined.error()).find("2 ranks") != std::string::npos, describe(joined.error()).c_str());
    }

    void aModuleThatIsNoneIsNamed() {
        QTemporaryDir folder;
        QVERIFY(writeText(folder.path(), "libaccumulus_mpi.so", "not a library"));
        const QString path = folder.filePath("libaccumulus_mpi.so");
        qputenv("ACCUMULUS_MPI_MODULE", path.toUtf8());
        const auto joined = joinRanks(Launch{0, 2, "mpirun"});
        QVERIFY(!joined);
        QCOMPARE(joined.error().code, std::string("ranks.mpi"));
        QVERIFY2(describe(joined.error()).find(path.toStdString()) != std::string::npos,
                 describe(joined.error()).c_str());
    }

    void aProgramStartedAloneLoadsNoMpi() {
        QVERIFY(!launched());
        QFile maps("/proc/self/maps");
        QVERIFY(maps.open(QIODevice::ReadOnly));
        const QByteArray loaded = maps.readAll();
        QVERIFY(loaded.contains("libc.so"));
        QVERIFY(!loaded.contains("libmpi") && !loaded.contains("libaccumulus_mpi"));
    }

    void theProgramsAreNotLinkedWithMpi_data() {
        QTest::addColumn<QString>("program");
        QTest::newRow("accumulus-cli") << "accumulus-cli";
        QTest::newRow("accumulus") << "accumulus";
    }
    void theProgramsAreNotLinkedWithMpi() {
        QFETCH(QString, program);
        const QString path = programPath(program);
        if (path.isEmpty())
            QSKIP("ACCUMULUS_TEST_PROGRAMS names no folder with it: tests-core alone, as under sanitizers, builds no "
                  "program");
        QProcess ldd;
        ldd.start("ldd", {path});
        if (!ldd.waitForStarted())
            QSKIP("there is no ldd");
        QVERIFY(ldd.waitForFinished());
        const QByteArray libraries = ldd.readAllStandardOutput();
        QVERIFY2(libraries.contains("libc.so"), libraries.constData());
        QVERIFY2(!libraries.contains("libmpi"), libraries.constData());
    }
};

QTEST_GUILESS_MAIN(TestLaunch)
} // namespace test_launch
#include "test_launch.moc"

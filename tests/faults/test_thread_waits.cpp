// SPDX-License-Identifier: GPL-3.0-or-later
// Threads of the real programs spin for a short time only, so that they do not stand in each other's way beside other
// programs; and as the user wants, where he says so.
#include "tests/support/cli_program.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace test_thread_waits {
using namespace accumulus::test;

namespace {

constexpr int limitMilliseconds = 60'000;

/// OpenMP tells its settings when it is loaded, if this is asked for.
QProcessEnvironment tellingEnvironment() {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove("OMP_WAIT_POLICY");
    environment.remove("GOMP_SPINCOUNT");
    environment.insert("OMP_DISPLAY_ENV", "VERBOSE");
    return environment;
}

} // namespace

class TestThreadWaits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(!programPath("accumulus-cli").isEmpty(),
                 "accumulus-cli is not built, or ACCUMULUS_TEST_PROGRAMS is not set");
    }

    void spinsAreFewUnlessTheUserSaysOtherwise_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QByteArray>("wanted");
        const QString cli("accumulus-cli"), window("accumulus");
        const QStringList verb{"run", "missing.toml"}, library{"--library", "l.sqlite"};
        QTest::newRow("command line") << cli << verb << ""
                                      << "" << QByteArray("GOMP_SPINCOUNT = '1000'");
        QTest::newRow("command line, told") << cli << verb << "GOMP_SPINCOUNT"
                                            << "7" << QByteArray("COUNT = '7'");
        QTest::newRow("command line, active") << cli << verb << "OMP_WAIT_POLICY"
                                              << "ACTIVE" << QByteArray("GOMP_SPINCOUNT = '30000000000'");
        QTest::newRow("window") << window << library << ""
                                << "" << QByteArray("GOMP_SPINCOUNT = '1000'");
        QTest::newRow("window, told") << window << library << "GOMP_SPINCOUNT"
                                      << "7" << QByteArray("COUNT = '7'");
    }
    void spinsAreFewUnlessTheUserSaysOtherwise() {
        QFETCH(QString, program);
        QFETCH(QStringList, arguments);
        QFETCH(QString, variable);
        QFETCH(QString, value);
        QFETCH(QByteArray, wanted);
        const QString path = programPath(program);
        if (path.isEmpty())
            QSKIP("built without the workbench");
        QProcessEnvironment environment = tellingEnvironment();
        if (!variable.isEmpty())
            environment.insert(variable, value);
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(path, arguments);
        QVERIFY(process.waitForStarted());
        QByteArray said;
        QTRY_VERIFY2_WITH_TIMEOUT((said += process.readAll()).contains(wanted), said.constData(), limitMilliseconds);
        if (!variable.isEmpty())
            QVERIFY2(!said.contains("GOMP_SPINCOUNT = '1000'"), said.constData());
        process.kill();
        QVERIFY(process.waitForFinished(limitMilliseconds));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestThreadWaits)
} // namespace test_thread_waits
#include "test_thread_waits.moc"

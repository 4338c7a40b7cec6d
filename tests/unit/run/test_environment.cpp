// SPDX-License-Identifier: GPL-3.0-or-later
// What a run says that it was made with.
#include "core/run/program.h"
#include "core/run/study_runner.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTest>

namespace test_environment {
using namespace accumulus;

class TestEnvironment : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The commit as git says it. Whether files were changed may have changed since the build.
    void theProgramNamesItsCommit() {
        const QString program = QString::fromStdString(programName());
        QVERIFY2(program.startsWith("Accumulus "), qPrintable(program));
        QProcess git;
        git.start("git", {"-C", qEnvironmentVariable("ACCUMULUS_SOURCE"), "rev-parse", "--short=7", "HEAD"});
        if (!git.waitForFinished() || git.exitCode() != 0)
            QSKIP("the sources are no checkout, or there is no git");
        const QString commit = QString::fromUtf8(git.readAllStandardOutput()).trimmed();
        const QRegularExpression wanted(QStringLiteral(" \\(%1[0-9a-f]*(, dirty)?\\)$").arg(commit));
        QVERIFY2(wanted.match(program).hasMatch(), qPrintable(program + " at " + commit));
    }

    /// In the unit of all other amounts of memory.
    void theMemoryIsToldInPowersOfThousand() {
        const QString hardware = QString::fromStdString(currentEnvironment().hardware);
        const QRegularExpression wanted(QStringLiteral(", [0-9]+ cores, [0-9.]+ [MGT]B$"));
        QVERIFY2(wanted.match(hardware).hasMatch(), qPrintable(hardware));
    }
};

QTEST_APPLESS_MAIN(TestEnvironment)
} // namespace test_environment
#include "test_environment.moc"

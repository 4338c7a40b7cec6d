// SPDX-License-Identifier: GPL-3.0-or-later
// The first start of the real program: an empty home, no network. A window soon, Home with its three cards and a device
// line, no message to click away, and nothing that looks for a network.
#include "tests/workbench/remote_workbench.h"

#include <QFile>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace acceptance_a01 {
using namespace accumulus::test;

namespace {

constexpr qint64 budget = 2'000;         // milliseconds to the first window, as it is meant
constexpr qint64 hopeless = 10 * budget; // a busy machine is slower, a fault much slower
constexpr int foundWithin = 30'000;

/// Does the command end well here?
bool works(const QString& program, const QStringList& arguments) {
    const QString found = QStandardPaths::findExecutable(program);
    return !found.isEmpty() && QProcess::execute(found, arguments) == 0;
}

/// Nothing but the loopback of a new network namespace; empty where this process has no right to make one.
QStringList withoutNetwork() {
    for (const QStringList& options : {QStringList{"-n"}, QStringList{"-r", "-n"}})
        if (works("unshare", options + QStringList{"true"}))
            return QStringList{"unshare"} + options;
    return {};
}

/// Home as a person meets it.
void looksAtHome(RemoteWorkbench& window) {
    for (const char* card : {"homeDemoButton", "homeSetupButton", "homeOpenLibraryButton"}) {
        const QJsonObject button = window.look(card);
        QVERIFY2(button["visible"].toBool() && button["enabled"].toBool(), card);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!window.text("homeDevice").startsWith("Looking for devices"), foundWithin);
    QVERIFY(window.isVisible("homeDevice"));
    const QString device = window.text("homeDevice"); // what was found; of a CPU also why it is that
    QVERIFY2(device.contains("CPU") || device.contains("CUDA"), qPrintable(device));
    QVERIFY2(!device.contains("CPU") || !window.text("homeDeviceNote").isEmpty(), qPrintable(device));
    QCOMPARE(window.otherWindows(), QStringList());
    for (const char* notice : {"windowNotice", "readOnlyNotice", "interruptedBar", "elsewhereNotice", "finishedNotice"})
        QVERIFY2(!window.isVisible(notice), qPrintable(notice + (": " + window.text(notice))));
    QTRY_VERIFY(window.text("homeLibraryPath").contains("library.sqlite")); // made, and open
}

} // namespace

class AcceptanceA01 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY2(!programPath("accumulus").isEmpty(), "accumulus is not built"); }

    void theFirstWindowShowsHome() {
        QTemporaryDir home;
        RemoteWorkbench window(home.path());
        QVERIFY(window.start());
        qInfo("first window after %lld ms (budget %lld ms)", static_cast<long long>(window.firstWindow()),
              static_cast<long long>(budget));
        QVERIFY(window.firstWindow() < hopeless);
        looksAtHome(window);
        QCOMPARE(window.quit(), 0);
    }

    void itStartsWhereThereIsNoNetwork() {
        const QStringList wrapper = withoutNetwork();
        if (wrapper.isEmpty())
            QSKIP("there is no unshare, or no right to make a network namespace");
        QTemporaryDir home;
        RemoteWorkbench window(home.path());
        QVERIFY(window.start({}, wrapper));
        looksAtHome(window);
        QCOMPARE(window.quit(), 0);
    }

    void itDoesNotLookForANetwork() {
        QTemporaryDir home;
        const QString log = home.filePath("strace.log");
        if (!works("strace", {"-f", "-o", log, "true"}))
            QSKIP("there is no strace, or no right to trace");
        const QStringList tracer{"strace", "-f", "-e", "trace=network", "-o", log};
        static const QRegularExpression attempt("AF_INET6?|AF_PACKET|AF_NETLINK");
        const auto calls = [&log] {
            QFile file(log);
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        // An attempt that is made is seen.
        QVERIFY(works("strace", tracer.mid(1) + QStringList{"bash", "-c", "exec 3<>/dev/udp/127.0.0.1/9"}));
        QVERIFY2(attempt.match(calls()).hasMatch(), qPrintable(calls()));

        RemoteWorkbench window(home.path());
        QVERIFY(window.start({}, tracer));
        looksAtHome(window);
        QCOMPARE(window.quit(), 0);
        QVERIFY2(calls().contains("+++ exited with 0 +++"), qPrintable(calls())); // it was the program that was traced
        QVERIFY2(!attempt.match(calls()).hasMatch(), qPrintable(calls()));
    }
};

QTEST_GUILESS_MAIN(AcceptanceA01)
} // namespace acceptance_a01
#include "acceptance_a01.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The real program `accumulus` as a child process with a home of its own, driven through
// tests/workbench/remote_control.
#pragma once

#include "tests/support/cli_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <cmath>
#include <csignal>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace accumulus::test {

class RemoteWorkbench {
public:
    /// `home`: an empty folder, or the one of a former start.
    explicit RemoteWorkbench(const QString& home) : m_home(home) {}
    ~RemoteWorkbench() {
        if (m_process.state() == QProcess::NotRunning)
            return;
        m_process.kill();
        m_process.waitForFinished();
    }

    /// `wrapper`: a program and its arguments that start the workbench, such as strace. False, with all that was said,
    /// where no window came.
    [[nodiscard]] bool start(const QStringList& arguments = {}, QStringList wrapper = {}) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", m_home);
        for (const char* name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
            environment.remove(name);
        environment.insert("LC_ALL", "C.UTF-8"); // English
        environment.insert("QT_PLUGIN_PATH", QDir(QStringLiteral(ACCUMULUS_TEST_PLUGINS)).absolutePath());
        environment.insert("QT_QPA_GENERIC_PLUGINS", "remote-control");
        m_process.setProcessEnvironment(environment);
        m_process.setWorkingDirectory(m_home);
        wrapper << programPath("accumulus") << arguments;
        m_process.setProgram(wrapper.takeFirst());
        m_process.setArguments(wrapper);
        QElapsedTimer clock;
        clock.start();
        m_process.start();
        const bool came = answer([](const QJsonObject& said) { return said["event"] == "first-window"; }).has_value();
        m_firstWindow = clock.elapsed();
        if (!came)
            qWarning("no window: %s", m_process.readAllStandardError().constData());
        return came;
    }
    /// Milliseconds from the start of the process to its first drawn window.
    [[nodiscard]] qint64 firstWindow() const { return m_firstWindow; }

    [[nodiscard]] QJsonObject ask(const QString& request) {
        m_process.write(request.toUtf8() + '\n');
        return answer([](const QJsonObject& said) { return !said.contains("event"); }).value_or(QJsonObject());
    }
    [[nodiscard]] QJsonObject look(const char* name) { return ask(QStringLiteral("look ") + name); }
    [[nodiscard]] bool isVisible(const char* name) { return look(name)["visible"].toBool(); }
    [[nodiscard]] QString text(const char* name) { return look(name)["text"].toString(); }
    /// Presses it as soon as it is visible and enabled; false where it never is.
    [[nodiscard]] bool click(const char* name) {
        return QTest::qWaitFor([&] { return ask(QStringLiteral("click ") + name)["done"].toBool(); }, patience);
    }
    [[nodiscard]] bool press(const char* name, char key) {
        return ask(QStringLiteral("key %1 %2").arg(name).arg(key))["done"].toBool();
    }
    /// Numbers in a column of a table.
    [[nodiscard]] std::vector<double> column(const char* table, int number) {
        std::vector<double> values;
        const QJsonArray cells = ask(QStringLiteral("column %1 %2").arg(table).arg(number))["values"].toArray();
        for (const QJsonValue& cell : cells)
            values.push_back(cell.toDouble(std::nan("")));
        return values;
    }
    /// Dialogs, messages and menus that are open.
    [[nodiscard]] QStringList otherWindows() { return ask("windows")["windows"].toVariant().toStringList(); }

    /// kill -9: nothing of it is left to do anything.
    [[nodiscard]] bool killNow() {
        if (const auto pid = static_cast<pid_t>(m_process.processId()); pid > 0) // 0 would mean this very test
            ::kill(pid, SIGKILL);
        return m_process.waitForFinished(patience) && m_process.exitStatus() == QProcess::CrashExit;
    }
    /// Closes its window. -1: it did not end by itself.
    [[nodiscard]] int quit() {
        if (!ask("quit")["done"].toBool())
            return -1;
        const bool ended = m_process.waitForFinished(patience);
        return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }

    static constexpr int patience = 120'000; // milliseconds; only there to end a test that hangs

private:
    template <class Wanted>
    [[nodiscard]] std::optional<QJsonObject> answer(const Wanted& wanted) {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < patience) {
            while (m_process.canReadLine()) {
                const QJsonObject said = QJsonDocument::fromJson(m_process.readLine()).object();
                if (!said.isEmpty() && wanted(said))
                    return said;
            }
            if (!m_process.waitForReadyRead(1000) && m_process.state() == QProcess::NotRunning)
                return std::nullopt;
        }
        return std::nullopt;
    }

    QString m_home;
    QProcess m_process;
    qint64 m_firstWindow = 0;
};

} // namespace accumulus::test

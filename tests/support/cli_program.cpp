// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cli_program.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QJsonDocument>

#include <csignal>

namespace accumulus::test {
namespace {

/// Only there to end a test that hangs.
constexpr int limitMilliseconds = 300'000;

std::vector<QJsonObject> parseLines(const QByteArray& text) {
    std::vector<QJsonObject> objects;
    const QList<QByteArray> lines = text.split('\n');
    for (const QByteArray& line : lines) {
        if (line.isEmpty())
            continue;
        const QJsonDocument document = QJsonDocument::fromJson(line);
        if (!document.isObject())
            return {};
        objects.push_back(document.object());
    }
    return objects;
}

void prepare(QProcess& process, const QStringList& arguments, const QString& folder) {
    process.setProgram(programPath("accumulus-cli"));
    process.setArguments(arguments);
    process.setWorkingDirectory(folder);
}

} // namespace

QString programPath(const QString& name) {
    const QString folder = qEnvironmentVariable("ACCUMULUS_TEST_PROGRAMS");
    const QString path = QDir(folder).filePath(name);
    return !folder.isEmpty() && QFile::exists(path) ? path : QString();
}

std::vector<QJsonObject> CliResult::jsonLines() const { return parseLines(output.toUtf8()); }

std::vector<QJsonObject> CliResult::events(const QString& name) const {
    std::vector<QJsonObject> found;
    for (const QJsonObject& object : jsonLines()) {
        if (object["event"] == name)
            found.push_back(object);
    }
    return found;
}

QString CliResult::all() const { return QString("exit code %1\n%2\n%3").arg(exitCode).arg(output, errors); }

CliResult runCli(const QStringList& arguments, const QString& folder) { return RunningCli(arguments, folder).finish(); }

RunningCli::RunningCli(const QStringList& arguments, const QString& folder) {
    prepare(m_process, arguments, folder);
    m_process.start();
}

RunningCli::~RunningCli() {
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished();
    }
}

bool RunningCli::waitFor(const std::function<bool(const QJsonObject&)>& enough) {
    const QDeadlineTimer deadline(limitMilliseconds);
    qsizetype read = 0;
    while (!deadline.hasExpired()) {
        const bool alive = m_process.waitForReadyRead(1000) || m_process.state() != QProcess::NotRunning;
        m_output += m_process.readAllStandardOutput();
        for (qsizetype end = m_output.indexOf('\n', read); end >= 0; end = m_output.indexOf('\n', read)) {
            if (enough(QJsonDocument::fromJson(m_output.mid(read, end - read)).object()))
                return true;
            read = end + 1;
        }
        if (!alive)
            return false;
    }
    return false;
}

bool RunningCli::waitUntilItHandles(int number) {
    const QDeadlineTimer deadline(limitMilliseconds);
    while (!deadline.hasExpired() && !m_process.waitForFinished(20)) {
        QFile status(QStringLiteral("/proc/%1/status").arg(m_process.processId()));
        if (!status.open(QFile::ReadOnly))
            continue;
        for (const QByteArray& line : status.readAll().split('\n'))
            if (line.startsWith("SigBlk:") || line.startsWith("SigCgt:"))
                if (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (number - 1) & 1)
                    return true;
    }
    return false;
}

void RunningCli::signal(int number) {
    if (const auto pid = static_cast<pid_t>(m_process.processId()); pid > 0) // 0 would mean this very test
        ::kill(pid, number);
}

CliResult RunningCli::finish() {
    CliResult result;
    const bool ended = m_process.state() == QProcess::NotRunning || m_process.waitForFinished(limitMilliseconds);
    if (ended && m_process.error() != QProcess::FailedToStart && m_process.exitStatus() == QProcess::NormalExit)
        result.exitCode = m_process.exitCode();
    result.output = QString::fromUtf8(m_output + m_process.readAllStandardOutput());
    result.errors = QString::fromUtf8(m_process.readAllStandardError());
    return result;
}

bool writeText(const QString& folder, const QString& name, const QString& text) {
    QFile file(QDir(folder).filePath(name));
    const QByteArray bytes = text.toUtf8();
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace accumulus::test

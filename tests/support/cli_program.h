// SPDX-License-Identifier: GPL-3.0-or-later
// The real accumulus-cli as a child process, and small experiments for it.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace accumulus::test {

/// Path of a program built beside the tests (ACCUMULUS_TEST_PROGRAMS), empty where it is not.
[[nodiscard]] QString programPath(const QString& name);

struct CliResult {
    int exitCode = -1; ///< -1: did not start, was killed, or took longer than the limit
    QString output;
    QString errors;

    /// Every line of standard output as a JSON object; empty when one of them is none.
    [[nodiscard]] std::vector<QJsonObject> jsonLines() const;
    /// The objects whose "event" is `name`.
    [[nodiscard]] std::vector<QJsonObject> events(const QString& name) const;
    /// For a failed check: everything that was printed.
    [[nodiscard]] QString all() const;
};

[[nodiscard]] CliResult runCli(const QStringList& arguments, const QString& folder);

/// A child that is still at work; killed when it goes out of scope.
class RunningCli {
public:
    RunningCli(const QStringList& arguments, const QString& folder);
    ~RunningCli();

    /// Reads its JSON lines until `enough` says so of one of them. False when it ended or the limit passed before.
    [[nodiscard]] bool waitFor(const std::function<bool(const QJsonObject&)>& enough);
    /// False when it ended before it caught or waited for signals of this number.
    bool waitUntilItHandles(int number);
    void signal(int number);
    [[nodiscard]] CliResult finish();

private:
    QProcess m_process;
    QByteArray m_output;
};

/// Writes folder/name.
[[nodiscard]] bool writeText(const QString& folder, const QString& name, const QString& text);

} // namespace accumulus::test

// SPDX-License-Identifier: GPL-3.0-or-later
// A library that somebody sent: its names may hold anything, and accumulus-cli prints none of it raw.
#include "core/store/library.h"
#include "tests/support/cli_program.h"
#include "tests/support/synthetic_library.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

namespace test_cli_foreign_text {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Clears the terminal, feigns a line, aligns badly, turns the rest around.
const QByteArray foreignName = "evil\x1b[2J\nrun finished\twell\x7f\u202Ednarb \u6a21\u578b";
const QString shownName = QStringLiteral("evil\\u001b[2J\\nrun finished\\twell\\u007f\\u202ednarb 模型");

QString rawControls(const QString& text) {
    QString found;
    for (const QChar c : text)
        if ((c.unicode() < 0x20 && c != QLatin1Char('\n')) || c.unicode() == 0x7F || c.unicode() == 0x202E)
            found += QString::number(c.unicode(), 16) + QLatin1Char(' ');
    return found;
}

} // namespace

class TestCliForeignText : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    SyntheticRuns m_runs;

    [[nodiscard]] CliResult cli(const QStringList& arguments) const { return runCli(arguments, m_folder.path()); }

private Q_SLOTS:
    void initTestCase() {
        SyntheticStudy study = studyOf(equivalentCase());
        study.name = foreignName.toStdString();
        study.windows = 50;
        const auto runs = addSyntheticStudy(m_folder.filePath("library.sqlite").toStdString(), study);
        QVERIFY(runs.has_value());
        m_runs = *runs;
    }

    void theListIsATable() {
        const CliResult list = cli({"list", "--library", "library.sqlite"});
        QVERIFY2(list.exitCode == 0, qPrintable(list.all()));
        QCOMPARE(rawControls(list.output), QString());
        const QStringList lines = list.output.split('\n', Qt::SkipEmptyParts);
        QCOMPARE(static_cast<std::size_t>(lines.size()), 1 + m_runs.groupA.size() + m_runs.groupB.size());
        const qsizetype column = lines.front().indexOf("arm");
        for (const QString& line : lines.mid(1)) {
            QVERIFY2(line.contains(shownName), qPrintable(line));
            QVERIFY2(line.mid(column).startsWith("accumulated") || line.mid(column).startsWith("large-batch"),
                     qPrintable(line));
        }
    }

    void jsonKeepsTheNameItself() {
        const CliResult list = cli({"list", "--json", "--library", "library.sqlite"});
        QVERIFY2(list.exitCode == 0, qPrintable(list.all()));
        QCOMPARE(rawControls(list.output), QString());
        const QJsonArray rows = QJsonDocument::fromJson(list.output.toUtf8()).array();
        QCOMPARE(static_cast<std::size_t>(rows.size()), m_runs.groupA.size() + m_runs.groupB.size());
        bool kept = false;
        for (const QString& key : rows.first().toObject().keys())
            kept = kept || rows.first().toObject()[key].toString() == QString::fromUtf8(foreignName);
        QVERIFY2(kept, qPrintable(list.output.left(600)));
    }

    void errorsNameItInOneLine() {
        const CliResult list = cli({"list", "--study", "a\x1b[31m\nstudy", "--library", "library.sqlite"});
        QCOMPARE(list.exitCode, 5); // "library.no-study"
        QCOMPARE(rawControls(list.errors), QString());
        QCOMPARE(list.errors.count('\n'), 1);
        QVERIFY2(list.errors.contains("a\\u001b[31m\\nstudy"), qPrintable(list.errors));
    }
};

QTEST_APPLESS_MAIN(TestCliForeignText)
} // namespace test_cli_foreign_text
#include "test_cli_foreign_text.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// accumulus-cli on more than two groups: each against a reference, judged together, in text, JSON and reports; two
// groups as they were.
#include "tests/support/cli_program.h"
#include "tests/support/numeric.h"
#include "tests/support/synthetic_library.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace test_cli_groups {
using namespace accumulus;
using namespace accumulus::test;

class TestCliGroups : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QStringList m_a, m_b, m_c; ///< C: another micro-batch, 0.05 higher

    [[nodiscard]] static QStringList named(const std::vector<std::string>& runs) {
        QStringList names;
        for (const std::string& run : runs)
            names << QString::fromStdString(run);
        return names;
    }
    [[nodiscard]] CliResult cli(const QStringList& arguments) const {
        return runCli(arguments + QStringList{"--library", "library.sqlite"}, m_folder.path());
    }
    [[nodiscard]] QStringList three() const {
        return QStringList{"--a"} + m_a + QStringList{"--b"} + m_b + QStringList{"--c"} + m_c;
    }
    [[nodiscard]] static QJsonObject objectOf(const CliResult& result) {
        const auto lines = result.jsonLines();
        return lines.size() == 1 ? lines.front() : QJsonObject();
    }
    [[nodiscard]] QString content(const QString& name) const {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(!programPath("accumulus-cli").isEmpty(),
                 "accumulus-cli is not built, or ACCUMULUS_TEST_PROGRAMS is not set");
        const auto library = m_folder.filePath("library.sqlite").toStdString();
        const auto first = addSyntheticStudy(library, studyOf(equivalentCase()));
        SyntheticStudy other = studyOf(differentCase());
        other.name = "other";
        other.micro = 64;
        other.createdAt += 1000.0;
        const auto second = addSyntheticStudy(library, other);
        QVERIFY(first && second);
        m_a = named(first->groupA);
        m_b = named(first->groupB);
        m_c = named(second->groupA);
        QCOMPARE(m_c.size(), 5);
    }

    void eachGroupAgainstTheReference() {
        const CliResult result = cli(QStringList{"compare", "--json"} + three());
        QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
        const QJsonObject family = objectOf(result);
        QCOMPARE(family["reference"].toString(), QString("B"));
        QCOMPARE(family["metric"].toString(), QString("test_accuracy"));
        QCOMPARE(family["groups"].toArray().size(), 3);
        QCOMPARE(family["groups"].toArray()[2].toObject()["letter"].toString(), QString("C"));
        QCOMPARE(family["groups"].toArray()[2].toObject()["runs"].toArray().size(), 5);
        const QJsonArray comparisons = family["comparisons"].toArray();
        QCOMPARE(comparisons.size(), 2);
        const QJsonObject a = comparisons[0].toObject(), c = comparisons[1].toObject();
        QCOMPARE(a["group"].toString(), QString("A"));
        QCOMPARE(c["group"].toString(), QString("C"));
        QCOMPARE(a["verdict"].toString(), QString("equivalent"));
        QCOMPARE(c["verdict"].toString(), QString("different"));
        QCOMPARE(c["pairs"].toArray().size(), 5);
        QCOMPARE(c["pairs"].toArray()[0].toObject()["run_b"].toString(), m_b.first());
        QCOMPARE(c["holm"].toObject()["pairs_of_groups"].toInt(), 2);
        // The smaller p value of two counts twice; the other one is that of the pair alone.
        const QJsonObject alone =
            objectOf(cli(QStringList{"compare", "--json", "--a"} + m_a + QStringList{"--b"} + m_b));
        QVERIFY(compareBits(a["p_difference"].toDouble(), alone["p_difference"].toDouble()));
        QVERIFY(compareBits(alone["step"].toDouble(), 1e-4)); // one answer of 10 000
        QVERIFY(compareBits(c["step"].toDouble(), 1e-4));
        const QJsonObject loss = objectOf(
            cli(QStringList{"compare", "--json", "--metric", "test_loss", "--a"} + m_a + QStringList{"--b"} + m_b));
        QVERIFY(loss.contains("step") && loss["step"].isNull()); // of any size
        QVERIFY(c["p_difference"].toDouble() < a["p_difference"].toDouble());
        QVERIFY(compareRel(c["holm"].toObject()["p_difference"].toDouble(), 2.0 * c["p_difference"].toDouble(), 1e-12));
        QVERIFY(compareRel(a["holm"].toObject()["p_difference"].toDouble(), a["p_difference"].toDouble(), 1e-12));
    }

    void runsAreGroupsOfOne() {
        const CliResult result = cli({"compare", m_a.first(), m_b.first(), m_c.first(), "--json"});
        QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
        const QJsonArray comparisons = objectOf(result)["comparisons"].toArray();
        QCOMPARE(comparisons.size(), 2);
        QCOMPARE(comparisons[1].toObject()["pairs"].toArray().size(), 1);
        QCOMPARE(comparisons[1].toObject()["pairs"].toArray()[0].toObject()["run_a"].toString(), m_c.first());
    }

    void anotherReference() {
        for (const char* letter : {"C", "c"}) {
            const CliResult result = cli(QStringList{"compare", "--json", "--reference", letter} + three());
            QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
            const QJsonObject family = objectOf(result);
            QCOMPARE(family["reference"].toString(), QString("C"));
            const QJsonArray comparisons = family["comparisons"].toArray();
            QCOMPARE(comparisons.size(), 2);
            QCOMPARE(comparisons[1].toObject()["group"].toString(), QString("B"));
            QVERIFY(comparisons[1].toObject()["mean_difference"].toDouble() < -0.04);
        }
        // Of two groups it turns the signs.
        const QStringList two = QStringList{"compare", "--json", "--a"} + m_a + QStringList{"--b"} + m_c;
        const double usual = objectOf(cli(two))["mean_difference"].toDouble();
        const double turned = objectOf(cli(two + QStringList{"--reference", "A"}))["mean_difference"].toDouble();
        QVERIFY(usual < -0.04);
        QVERIFY(compareRel(turned, -usual, 1e-12));
    }

    void theTextHasATableAndEachPair() {
        const CliResult result = cli(QStringList{"compare"} + three());
        QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
        for (const char* part :
             {"A: 5 runs, B: 5 runs, C: 5 runs, reference B, metric test_accuracy", "A: accumulated 32 × 8",
              "C: accumulated 64 × 4", "Difference from B", "Holm", "A against B", "C against B", "C - B", "updates C"})
            QVERIFY2(result.output.contains(QString::fromUtf8(part)), part);
        QVERIFY(result.output.indexOf("A against B") < result.output.indexOf("C against B"));
    }

    void twoGroupsReadAsBefore() {
        const CliResult result = cli(QStringList{"compare", "--a"} + m_a + QStringList{"--b"} + m_b);
        QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
        const QStringList lines = result.output.split('\n');
        QCOMPARE(lines[0], QString("A: 5 runs, B: 5 runs, metric test_accuracy"));
        QCOMPARE(lines[1].simplified(), QString("seed A B A - B updates A updates B run A run B"));
        QVERIFY(!result.output.contains("Holm") && !result.output.contains("against B"));
        const QJsonObject json =
            objectOf(cli(QStringList{"compare", "--json", "--a"} + m_a + QStringList{"--b"} + m_b));
        QVERIFY(json.contains("verdict") && json.contains("pairs") && !json.contains("comparisons"));
    }

    void reportsHaveAllGroups_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("HTML") << "three.html";
        QTest::newRow("Markdown") << "three.md";
    }
    void reportsHaveAllGroups() {
        QFETCH(const QString, file);
        const CliResult result = cli(QStringList{"report", "--out", file, "--language", "en"} + three());
        QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
        const QString text = content(file);
        for (const char* part : {"3 groups of runs compared", "All groups against B", "C: accumulated 64 × 4",
                                 "A against B", "C against B"})
            QVERIFY2(text.contains(QString::fromUtf8(part)), part);
    }

    void whatIsMissingIsSaid() {
        const CliResult half = cli(QStringList{"compare", "--a"} + m_a + QStringList{"--c"} + m_c);
        QVERIFY2(half.exitCode == 2 && half.errors.contains("--b"), qPrintable(half.all()));
        const CliResult both = cli(QStringList{"compare", "equal", "--c"} + m_c);
        QVERIFY2(both.exitCode == 2, qPrintable(both.all()));
        const CliResult letter = cli(QStringList{"compare", "--reference", "Z"} + three());
        QVERIFY2(letter.exitCode == 2 && letter.errors.contains("--reference"), qPrintable(letter.all()));
        const CliResult empty = cli(QStringList{"compare", "--reference", "E"} + three());
        QVERIFY2(empty.exitCode != 0 && empty.errors.contains("E"), qPrintable(empty.all()));
        const CliResult help = cli({"compare", "--help"});
        QVERIFY2(help.output.contains("--h") && help.output.contains("Exit code 0"), qPrintable(help.all()));
        for (const char* verb : {"compare", "report"})
            QVERIFY2(cli({verb, "--help"}).output.contains("[OPTIONS] [STUDY | RUN...]\n"), verb);
    }
};

QTEST_GUILESS_MAIN(TestCliGroups)
} // namespace test_cli_groups
#include "test_cli_groups.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The five verdicts on made-up results, chosen in the window. The oracle is two one-sided t tests written out here; the
// card shows its numbers rounded, the command line on the same library gives them in full.
#include "tests/support/cli_program.h"
#include "tests/support/numeric.h"
#include "tests/support/synthetic_library.h"
#include "tests/workbench/hands.h"

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace acceptance_a10 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr double margin = 0.01; // 1 point
constexpr double alpha = 0.05;

/// Schuirmann's two one-sided tests and the two-sided t test on the differences of pairs.
struct Tost {
    std::size_t n = 0;
    double mean = 0.0, sd = 0.0, lower90 = 0.0, upper90 = 0.0;
    double pEquivalence = 1.0, pDifference = 1.0, smallestMargin = 0.0;
};
Tost tostOf(const test::VerdictCase& results) {
    Tost tost;
    tost.n = results.a.size();
    const auto n = static_cast<double>(tost.n);
    std::vector<double> differences;
    for (std::size_t pair = 0; pair < tost.n; ++pair)
        differences.push_back(results.a[pair] - results.b[pair]);
    tost.mean = std::accumulate(differences.begin(), differences.end(), 0.0) / n;
    double squares = 0.0;
    for (const double difference : differences)
        squares += (difference - tost.mean) * (difference - tost.mean);
    tost.sd = std::sqrt(squares / (n - 1.0));
    const double error = tost.sd / std::sqrt(n);
    const boost::math::students_t t(n - 1.0);
    const double half = boost::math::quantile(boost::math::complement(t, alpha)) * error;
    tost.lower90 = tost.mean - half;
    tost.upper90 = tost.mean + half;
    const double notBelow = boost::math::cdf(boost::math::complement(t, (tost.mean + margin) / error));
    const double notAbove = boost::math::cdf(t, (tost.mean - margin) / error);
    tost.pEquivalence = std::max(notBelow, notAbove);
    tost.pDifference = 2.0 * boost::math::cdf(boost::math::complement(t, std::abs(tost.mean) / error));
    tost.smallestMargin = std::max(std::abs(tost.lower90), std::abs(tost.upper90));
    return tost;
}

QString verdictOf(const Tost& tost) {
    if (tost.n < 3)
        return QStringLiteral("not-enough-seeds");
    const bool equivalent = tost.pEquivalence < alpha;
    const bool different = tost.pDifference < alpha;
    if (equivalent)
        return different ? QStringLiteral("different-within-margin") : QStringLiteral("equivalent");
    return different ? QStringLiteral("different") : QStringLiteral("inconclusive");
}

const QString aNumber = QStringLiteral("([+\u2212]?\\d+(?:\\.\\d+)?)");

/// The numbers of the sentence that `pattern` describes; "#" stands for a number.
QStringList numbersOf(const QString& text, QString pattern) {
    const auto match = QRegularExpression(pattern.replace(QLatin1Char('#'), aNumber)).match(text);
    return match.hasMatch() ? match.capturedTexts().mid(1) : QStringList();
}

/// The unit of the last digit that is shown.
double lastUnit(const QString& shown) {
    return std::pow(10.0, -static_cast<double>(shown.section(QLatin1Char('.'), 1).size()));
}

/// Is this the number, rounded to the digits that are shown? `slack`: units of the last one.
bool rounds(QString shown, double value, double slack = 0.5) {
    const double unit = lastUnit(shown);
    return std::abs(shown.replace(QChar(0x2212), QLatin1Char('-')).toDouble() - value) <= slack * unit * (1.0 + 1e-9);
}

struct Row {
    test::VerdictCase results;
    QString name, word;
};
const std::vector<Row>& rows() {
    static const std::vector<Row> all{
        {test::equivalentCase(), "equivalent", "Equivalent within ±1 points"},
        {test::differentCase(), "different", "Different"},
        {test::differentWithinCase(), "different-within-margin", "Different, but within ±1 points"},
        {test::notEnoughCase(), "not-enough-seeds", "Not enough seeds (2 of at least 3)"},
        {test::inconclusiveCase(), "inconclusive", "Inconclusive"},
    };
    return all;
}

} // namespace

class AcceptanceA10 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(!test::programPath("accumulus-cli").isEmpty(), "accumulus-cli is not built");
        m_fixture = std::make_unique<WorkbenchFixture>();
        for (const Row& row : rows()) {
            test::SyntheticStudy study = test::studyOf(row.results);
            study.margin = margin;
            const auto added = test::addSyntheticStudy(m_fixture->library(), study);
            QVERIFY2(added, added ? "" : describe(added.error()).c_str());
        }
        m_fixture->reopen();
        m_fixture->click("rail-compare");
    }
    void cleanupTestCase() { m_fixture.reset(); }

    void eachVerdictHasItsWordAndItsNumbers_data();
    void eachVerdictHasItsWordAndItsNumbers();
    void aMarginThatIsChangedAfterwardsIsNoted();

private:
    [[nodiscard]] QString text(const char* name) { return m_fixture->find<QLabel>(name)->text(); }
    /// Chooses the pairs of a study and waits for their verdict.
    void show(const Row& row) {
        auto* pairs = m_fixture->find<QComboBox>("compare.pairs");
        QTRY_COMPARE_WITH_TIMEOUT(pairs->count(), static_cast<int>(rows().size()), patience);
        QVERIFY(choose(*pairs, QString::fromStdString(row.results.name) + QLatin1Char(':')));
        const int expected = static_cast<int>(row.results.a.size()) + 1; // and their mean
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->find<QTableView>("compare.seedTable")->model()->rowCount(), expected,
                                  patience);
        QTRY_COMPARE_WITH_TIMEOUT(text("compare.verdictWord"), row.word, patience);
    }

    std::unique_ptr<WorkbenchFixture> m_fixture;
};

void AcceptanceA10::eachVerdictHasItsWordAndItsNumbers_data() {
    QTest::addColumn<int>("number");
    for (int at = 0; at < static_cast<int>(rows().size()); ++at)
        QTest::newRow(qPrintable(rows()[static_cast<std::size_t>(at)].name)) << at;
}

void AcceptanceA10::eachVerdictHasItsWordAndItsNumbers() {
    QFETCH(int, number);
    const Row& row = rows()[static_cast<std::size_t>(number)];
    const Tost tost = tostOf(row.results);
    QCOMPARE(verdictOf(tost), row.name); // the oracle's own verdict
    show(row);
    QVERIFY(m_fixture->find<QLabel>("compare.verdictWord")->isVisible());

    // The card, in points.
    const QString sentence = text("compare.verdictSentence");
    const QStringList finding =
        numbersOf(sentence, QStringLiteral("mean difference in \\D+ #\\D+\\(90.% interval # to #; # paired seeds\\)"));
    QVERIFY2(finding.size() == 4, qPrintable(sentence));
    const std::array differences{tost.mean, tost.lower90, tost.upper90};
    for (qsizetype at = 0; at < 3; ++at) {
        QVERIFY2(rounds(finding[at], 100.0 * differences[static_cast<std::size_t>(at)]), qPrintable(sentence));
        // At least two digits of the interval's half width.
        QVERIFY2(10.0 * lastUnit(finding[at]) <= 50.0 * (tost.upper90 - tost.lower90), qPrintable(sentence));
    }
    QCOMPARE(finding[3].toInt(), static_cast<int>(tost.n));
    if (row.name == "inconclusive") {
        const QStringList p =
            numbersOf(sentence, QStringLiteral("neither a difference \\(p = #\\) nor equivalence .* \\(p = #\\)"));
        QVERIFY2(p.size() == 2 && rounds(p[0], tost.pDifference) && rounds(p[1], tost.pEquivalence),
                 qPrintable(sentence));
        QVERIFY2(lastUnit(p[0]) <= 0.01 && lastUnit(p[1]) <= 0.01, qPrintable(sentence));
        QVERIFY2(sentence.contains(QStringLiteral("no evidence of equality")), qPrintable(sentence));
    }
    const QString scale = text("compare.verdictScale");
    if (row.name != "not-enough-seeds") { // rounded up, so that the number shown would pass
        const QStringList smallest = numbersOf(scale, QStringLiteral("would pass: #"));
        QVERIFY2(smallest.size() == 1 && rounds(smallest[0], 100.0 * tost.smallestMargin, 1.0), qPrintable(scale));
        QVERIFY2(10.0 * lastUnit(smallest[0]) <= 100.0 * tost.smallestMargin, qPrintable(scale));
    }
    QVERIFY(text("compare.marginNote").contains(QStringLiteral("before the first result")));

    // The same comparison in full.
    const test::CliResult full = test::runCli({"compare", QString::fromStdString(row.results.name), "--json",
                                               "--library", QString::fromStdString(m_fixture->library().string())},
                                              m_fixture->file({}));
    QCOMPARE(full.jsonLines().size(), std::size_t{1});
    const QJsonObject json = full.jsonLines().front();
    QCOMPARE(json["verdict"].toString(), row.name);
    QCOMPARE(json["n"].toInt(), static_cast<int>(tost.n));
    const auto agrees = [&json](const QJsonValue& value, double expected) {
        return test::compareAbs(value.toDouble(std::nan("")), expected, 1e-6);
    };
    QVERIFY(agrees(json["mean_difference"], tost.mean));
    QVERIFY(agrees(json["sd_difference"], tost.sd));
    QVERIFY(agrees(json["ci90"].toArray().at(0), tost.lower90));
    QVERIFY(agrees(json["ci90"].toArray().at(1), tost.upper90));
    QVERIFY(agrees(json["p_equivalence"], tost.pEquivalence));
    QVERIFY(agrees(json["p_difference"], tost.pDifference));
    QVERIFY(agrees(json["smallest_margin"], tost.smallestMargin));
}

void AcceptanceA10::aMarginThatIsChangedAfterwardsIsNoted() {
    show(rows().front());
    const auto* back = m_fixture->find<QPushButton>("compare.marginReset");
    QVERIFY(!back->isVisible());
    typeNumber(*m_fixture, "compare.margin", QStringLiteral("0.05")); // points: less than would pass
    QTest::keyClick(m_fixture->find<QWidget>("compare.margin"), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(text("compare.verdictWord"), QStringLiteral("Inconclusive"), patience);
    const QString note = text("compare.marginNote");
    QVERIFY2(note.startsWith(QStringLiteral("Margin changed after the results were seen")), qPrintable(note));
    QVERIFY(m_fixture->find<QLabel>("compare.marginNote")->isVisible());

    // The report says so, too.
    m_fixture->click("compare.report");
    QCOMPARE(m_fixture->window().currentPage(), QStringLiteral("reports"));
    auto* save = m_fixture->find<QPushButton>("reports.saveHtml");
    QTRY_VERIFY_WITH_TIMEOUT(save->isEnabled(), patience);
    const QString file = m_fixture->file(QStringLiteral("report.html"));
    answerFileDialog(file);
    QTest::mouseClick(save, Qt::LeftButton);
    QFile report(file);
    QTRY_VERIFY_WITH_TIMEOUT(report.exists(), patience);
    QVERIFY(report.open(QIODevice::ReadOnly));
    QVERIFY(QString::fromUtf8(report.readAll()).contains(QStringLiteral("set after the results were seen")));

    m_fixture->click("rail-compare");
    m_fixture->click("compare.marginReset");
    QTRY_COMPARE_WITH_TIMEOUT(text("compare.verdictWord"), rows().front().word, patience);
    QVERIFY(text("compare.marginNote").contains(QStringLiteral("before the first result")));
    QVERIFY(!back->isVisible());
}

QTEST_MAIN(AcceptanceA10)
} // namespace acceptance_a10
#include "acceptance_a10.moc"

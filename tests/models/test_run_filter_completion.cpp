// SPDX-License-Identifier: GPL-3.0-or-later
// What the filter line offers while a person types, and that every offer is a right query.
#include "widgets/models/run_filter_completion.h"

#include <QScopeGuard>
#include <QTest>

namespace test_run_filter_completion {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

std::vector<RunRow> someRows() {
    std::vector<RunRow> rows;
    for (int number = 0; number < 4; ++number) {
        RunRecord run;
        run.id = "id-" + std::to_string(number);
        run.name = "run " + std::to_string(number);
        run.config.model.name = number < 3 ? "mlp" : "lenet5";
        run.batch = resolveBatch(run.config.batch).value();
        run.tags = number == 0 ? std::vector<std::string>{"first try", "paper"} : std::vector<std::string>{"paper"};
        run.createdAt = 1'700'000'000.0;
        run.summary.testAccuracy = run.summary.bestTestAccuracy = 0.0512345678;
        run.summary.testLoss = run.lowestLoss = 0.1234567;
        run.summary.samplesPerSecond = 10299.7;
        run.summary.activeSeconds = 3659.0;
        run.summary.peakBytes = 5'870'123;
        run.summary.evaluationPeakBytes = 987;
        run.checkpointBytes = 10'460'000'000;
        run.notes = number == 1 ? "Tried twice" : "";
        rows.push_back(makeRunRow(run));
    }
    return rows;
}

QStringList wordsAt(const QString& text, int cursor = -1) {
    return completeQuery(text, cursor < 0 ? static_cast<int>(text.size()) : cursor, someRows()).words;
}

} // namespace

class TestRunFilterCompletion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keysComeWithTheirComparison() {
        QCOMPARE(wordsAt("sta"), QStringList("status:"));
        QCOMPARE(wordsAt("NOT mod"), QStringList("model:"));
        QCOMPARE(wordsAt("(see"), QStringList("seed>="));
        QCOMPARE(wordsAt("nothing-like-it"), QStringList());
        QCOMPARE(wordsAt(""), QStringList());
        QCOMPARE(wordsAt("model:mlp "), QStringList());
    }

    void valuesAreThoseOfTheRuns() {
        QCOMPARE(wordsAt("model:"), QStringList({"model:mlp", "model:lenet5"})); // the most frequent first
        QCOMPARE(wordsAt("model:l"), QStringList("model:lenet5"));
        QCOMPARE(wordsAt("tag:"), QStringList({"tag:paper", "tag:\"first try\""}));
        QCOMPARE(wordsAt("tag:\"first t"), QStringList("tag:\"first try\"")); // the quotation is open
        QCOMPARE(wordsAt("has:n"), QStringList("has:note"));
        QCOMPARE(wordsAt("model:mlp"), QStringList()); // complete
        QCOMPARE(wordsAt("lr<0"), QStringList());
    }

    void onlyWhatStandsBeforeTheCursorIsCompleted() {
        const auto completion = completeQuery("status:done mod tag:paper", 15, someRows());
        QCOMPARE(completion.start, 12);
        QCOMPARE(completion.words, QStringList("model:"));
    }

    void everyValueThatIsOfferedIsARightQueryThatFindsRuns() {
        const std::vector<RunRow> rows = someRows();
        int tried = 0;
        for (const QString& key : runQueryKeys())
            for (const QString& term : completeQuery(key + ":", static_cast<int>(key.size()) + 1, rows).words) {
                const auto parsed = RunQuery::parse(term);
                QVERIFY2(std::holds_alternative<RunQuery>(parsed), qPrintable(term));
                if (!term.startsWith("has:"))
                    QVERIFY2(std::ranges::any_of(
                                 rows, [&](const RunRow& row) { return std::get<RunQuery>(parsed).matches(row); }),
                             qPrintable(term));
                ++tried;
            }
        QVERIFY(tried > 10);
        for (std::size_t column = 0; column < runColumnCount; ++column)
            QVERIFY(!runQueryKey(static_cast<RunColumn>(column)).isEmpty()); // and so the menu of a column has terms
        for (std::size_t column = 0; column < runColumnCount; ++column) {
            const QString key = runQueryKey(static_cast<RunColumn>(column));
            const double number = rows.front().numbers[column];
            if (key.isEmpty() || !isNumeric(static_cast<RunColumn>(column)) || std::isnan(number))
                continue;
            for (const char* comparison : {"=", ">=", "<="}) {
                const QString term = queryTerm(
                    key, comparison, queryNumber(static_cast<RunColumn>(column), number, rows.front().record.config));
                const auto parsed = RunQuery::parse(term);
                QVERIFY2(std::holds_alternative<RunQuery>(parsed), qPrintable(term));
                QVERIFY2(std::get<RunQuery>(parsed).matches(rows.front()), qPrintable(term));
            }
        }
    }

    /// As a Chinese keyboard types them.
    void wideSignsAreSigns() {
        QCOMPARE(wordsAt(QString::fromUtf8("（sta")), QStringList("status:"));
        QCOMPARE(wordsAt(QString::fromUtf8("model：l")), QStringList("model:lenet5"));
        QCOMPARE(wordsAt(QString::fromUtf8("tag：“first t")), QStringList("tag:\"first try\""));
        QCOMPARE(wordsAt(QString::fromUtf8("lr＞")), QStringList());
    }

    /// A view may be kept in one language and opened in another.
    void numbersMeanTheSameInEveryLanguage() {
        const QLocale before;
        const auto back = qScopeGuard([&before] { QLocale::setDefault(before); });
        RunRecord run;
        run.summary.testLoss = 1.125;
        const RunRow row = makeRunRow(run);
        const QString term = QStringLiteral("loss=") + queryNumber(RunColumn::Loss, 1.125, run.config);
        for (const auto country : {QLocale::UnitedStates, QLocale::Germany}) {
            QLocale::setDefault(QLocale(QLocale::English, country));
            const auto parsed = RunQuery::parse(term);
            QVERIFY2(std::holds_alternative<RunQuery>(parsed) && std::get<RunQuery>(parsed).matches(row),
                     qPrintable(term));
        }
    }
};

QTEST_MAIN(TestRunFilterCompletion)
} // namespace test_run_filter_completion
#include "test_run_filter_completion.moc"

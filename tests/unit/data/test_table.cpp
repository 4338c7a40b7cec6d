// SPDX-License-Identifier: GPL-3.0-or-later
// Tables: how a file is read (separators, quotes, line ends, missing values), what becomes an input and what a class,
// and whose statistics are used.
#include "core/data/dataset_hash.h"
#include "core/data/table_columns.h"
#include "tests/support/numeric.h"
#include "tests/unit/data/idx_files.h"
#include "tests/unit/data/table_files.h"

#include <QTest>

namespace test_table {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::test::tables;

namespace {

double numberOfRow(const TensorSet& set, std::int64_t row) {
    const void* value = set.targets.sample(row);
    return *static_cast<const double*>(value);
}

} // namespace

class TestTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // By hand: training rows 1, 2, 3 and 6 of x have mean 3 and deviation sqrt((4 + 1 + 0 + 9) / 4).
    void numbersAreStandardisedWithTheTrainingRows() {
        const DataFolder folder;
        const auto file = folder.write("a.csv", "x,c,y\n1,b,0.5\n2,a,1.5\n3,b,2.5\n6,b,-1\n9,c,7\n1e2,,8\n");
        const auto data = loaded(configOf(file, "y"));
        QCOMPARE(data->trainTensors.count, 4);
        QCOMPARE(data->validationTensors.count, 2);
        QCOMPARE(data->testTensors.count, 2);
        QCOMPARE(data->trainTensors.inputs.shape, std::vector<std::int64_t>{3}); // x; a, b
        QVERIFY(data->trainTensors.targets.shape.empty());
        QCOMPARE(data->classes, 0);
        const double deviation = std::sqrt(14.0 / 4.0);
        const double x[] = {1, 2, 3, 6};
        for (std::int64_t row = 0; row < 4; ++row) {
            QVERIFY(compareRel(inputOf(data->trainTensors, row, 0), (x[row] - 3.0) / deviation, 1e-15));
            QCOMPARE(inputOf(data->trainTensors, row, 1), row == 1 ? 1.0 : 0.0);
            QCOMPARE(inputOf(data->trainTensors, row, 2), row == 1 ? 0.0 : 1.0);
        }
        QCOMPARE(numberOfRow(data->trainTensors, 3), -1.0);
        // Validation rows take the same statistics; "c" and the missing value are unknown: zeros, and counted.
        QVERIFY(compareRel(inputOf(data->validationTensors, 1, 0), (100.0 - 3.0) / deviation, 1e-15));
        for (std::int64_t row = 0; row < 2; ++row)
            for (std::int64_t column = 1; column < 3; ++column)
                QCOMPARE(inputOf(data->testTensors, row, column), 0.0);
        const std::string facts = messagesText(data->facts, ", ");
        QVERIFY2(facts.find("2 values of categories without training rows") != std::string::npos, facts.c_str());
        QVERIFY2(facts.find("1 missing values") != std::string::npos, facts.c_str());
        QCOMPARE(data->preparation, std::string(R"({"inputs":[{"name":"x","mean":3.0,"deviation":1.8708286933869707},)"
                                                R"({"name":"c","categories":["a","b"],"missing":false}],)"
                                                R"("target":{"name":"y","classes":0}})"));
    }

    // It is too near to 0 for fp64, which makes it 0; beyond its largest number is another matter
    // (test_table_refusals).
    void aNumberThatIsTooSmallIsZero() {
        const DataFolder folder;
        const auto file = folder.write("a.csv", "x,y\n1e-400,1.5\n2,-1e-999\n-2,2\n1,1\n1,1\n1,1\n");
        const auto data = loaded(configOf(file, "y"));
        QCOMPARE(numberOfRow(data->trainTensors, 0), 1.5);
        QCOMPARE(numberOfRow(data->trainTensors, 1), 0.0);
        QVERIFY(compareRel(inputOf(data->trainTensors, 1, 0) - inputOf(data->trainTensors, 0, 0),
                           inputOf(data->trainTensors, 0, 0) - inputOf(data->trainTensors, 2, 0), 1e-15));
    }

    void missingValuesAreTheMeanOrACategory() {
        const DataFolder folder;
        const auto file =
            folder.write("a.csv", "x,c,y\n1,b,0\nNA,nan,1\n3,,0\n nan ,N/A,1\n,b,1\n2,b,1\n4,b,1\nNULL,b,0\n");
        const auto data = loaded(configOf(file, "y"));
        QCOMPARE(data->trainTensors.inputs.shape, std::vector<std::int64_t>{3});
        for (const std::int64_t row : {1, 3, 4})
            QCOMPARE(inputOf(data->trainTensors, row, 0), 0.0); // the mean
        for (std::int64_t row = 0; row < 6; ++row) {
            const bool missing = row >= 1 && row <= 3;
            QCOMPARE(inputOf(data->trainTensors, row, 1), missing ? 0.0 : 1.0);
            QCOMPARE(inputOf(data->trainTensors, row, 2), missing ? 1.0 : 0.0);
        }
        QVERIFY(data->preparation.find("\"missing\":true") != std::string::npos);
    }

    void aConstantColumnDoesNotDivideByZero() {
        const DataFolder folder;
        const auto file = folder.write("a.csv", "x,e,y\n7.1,,1\n7.1,,2\n7.1,,3\n7.1,,4\n9,5,5\n");
        const auto data = loaded(configOf(file, "y"));
        for (std::int64_t row = 0; row < 3; ++row)
            for (std::int64_t column = 0; column < 2; ++column)
                QCOMPARE(inputOf(data->trainTensors, row, column), 0.0);
        QVERIFY(compareRel(inputOf(data->validationTensors, 1, 0), 9 - 7.1, 1e-14));
        QCOMPARE(inputOf(data->validationTensors, 1, 1), 5.0);
    }

    // The target decides by what stands in it; the loss then takes whole numbers for classes or for numbers.
    void targets_data() {
        QTest::addColumn<QString>("values");
        QTest::addColumn<qint64>("classes");
        QTest::addColumn<QString>("stored");
        QTest::newRow("classes") << "0 1 2 1 0" << qint64{3} << "0 1 2 1 0";
        QTest::newRow("classes from 1") << "1 2 3 1 2" << qint64{4} << "1 2 3 1 2";
        QTest::newRow("0 and 1") << "0 1 1 1 0" << qint64{2} << "0 1 1 1 0";
        QTest::newRow("words") << "yes no no perhaps yes" << qint64{3} << "2 0 0 1 2";
        QTest::newRow("numbers") << "0.5 1 2 3 4" << qint64{0} << "0.5 1 2 3 4";
        QTest::newRow("negative") << "-1 1 2 3 4" << qint64{0} << "-1 1 2 3 4";
        QTest::newRow("large") << "1 10000 2 3 4" << qint64{0} << "1 10000 2 3 4";
        QTest::newRow("9999") << "1 9999 2 3 4" << qint64{10'000} << "1 9999 2 3 4";
    }
    void targets() {
        QFETCH(QString, values);
        QFETCH(qint64, classes);
        QFETCH(QString, stored);
        const DataFolder folder;
        std::string text = "x;y\n";
        const auto list = values.split(' ');
        for (const QString& value : list)
            text += "1;" + value.toStdString() + "\n";
        const auto data = loaded(configOf(folder.write("a.csv", text), "y"));
        QCOMPARE(data->classes, classes);
        QCOMPARE(data->trainTensors.targets.type, classes > 0 ? ElementType::Int64 : ElementType::Float64);
        for (qsizetype i = 0; i < list.size(); ++i) {
            const TensorSet& set = i < 3 ? data->trainTensors : data->validationTensors;
            const qint64 row = i < 3 ? i : i - 3;
            const double got = classes > 0 ? static_cast<double>(classOfRow(set, row)) : numberOfRow(set, row);
            QCOMPARE(got, stored.split(' ')[i].toDouble());
        }
    }

    // The end of the file is held out: of a sorted one a single class.
    void aSortedTableIsToldOf() {
        const DataFolder folder;
        const auto facts = [&](const char* rows, std::int64_t validation) {
            DataConfig config = configOf(folder.write("s.csv", std::string("x,kind\n") + rows), "kind");
            config.validation = validation;
            return messagesText(inspectDataset(config, {}).value().facts, ", ");
        };
        const auto said = [](const std::string& text) { return text.find("held-out samples") != std::string::npos; };
        const char* sorted = "1,a\n2,a\n3,b\n4,b\n5,b\n";
        QVERIFY2(facts(sorted, 2).find("all held-out samples of class b") != std::string::npos,
                 facts(sorted, 2).c_str());
        QVERIFY(said(facts(sorted, 3)));
        QVERIFY(!said(facts(sorted, 4)));                         // one of each
        QVERIFY(!said(facts("1,a\n2,b\n3,a\n4,b\n5,a\n", 2)));    // mixed
        QVERIFY(!said(facts("1,0.5\n2,1.5\n3,2.5\n4,2.5\n", 1))); // no classes
    }

    // The same rows in every dialect are the same data.
    void separatorsAndLineEnds() {
        const DataFolder folder;
        const auto plain = loaded(configOf(folder.write("a.csv", people(30)), "group"));
        QCOMPARE(plain->classes, 4);
        QCOMPARE(plain->trainTensors.inputs.shape, std::vector<std::int64_t>{6}); // age, 3 towns and none, height
        const std::string hash = datasetHash(*plain);
        std::string noEnd = people(30);
        noEnd.pop_back();
        std::string quoted = "\"age\",\"town\",\"height\",\"group\"\r\n";
        for (const QString& line : QString::fromStdString(people(30)).split('\n', Qt::SkipEmptyParts).mid(1))
            quoted += "\"" + line.split(',').join("\",\"").toStdString() + "\"\r\n";
        for (const std::string& text :
             {people(30, ";"), people(30, "\t"), people(30, ",", "\r\n"), people(30, ",", "\r"),
              people(30, ",", "\n\n"), "\xEF\xBB\xBF" + people(30), people(30, " , "), noEnd, quoted})
            QCOMPARE(datasetHash(*loaded(configOf(folder.write("b.csv", text), "group"))), hash);
    }

    void fieldsMayHoldSeparatorsQuotesAndLineEnds() {
        const DataFolder folder;
        const auto file = folder.write("a.csv", "\"a,\"\"b\"\"\",y\n\"1\n2\",u\n\"x,y\",v\n\"1\n2\",u\nz,v\n z ,u\n");
        const auto data = loaded(configOf(file, "y"));
        const std::string column = "{\"name\":\"a,\\\"b\\\"\",\"categories\":[\"1\\n2\",\"x,y\"],\"missing\":false}";
        QVERIFY2(data->preparation.find(column) != std::string::npos, data->preparation.c_str());
        QCOMPARE(data->trainTensors.count, 3);
    }

    // Columns are found by their names; statistics and categories are those of the training file.
    void aTestFileInAnotherOrder() {
        const DataFolder folder;
        DataConfig config = configOf(folder.write("a.csv", "x,c,y\n1,a,0\n3,b,1\n"), "y");
        config.validation = 0;
        config.testPath = folder.write("b.csv", "y\textra\tc\tx\n1\tq\ta\t5\n0\tq\tz\t2\n3\tq\t\t\n").string();
        const auto data = loaded(config);
        QCOMPARE(data->testTensors.count, 3);
        QCOMPARE(data->classes, 4); // 3 occurs in the test rows
        const double expected[3][3] = {{3, 1, 0}, {0, 0, 0}, {0, 0, 0}};
        for (std::int64_t row = 0; row < 3; ++row)
            for (std::int64_t column = 0; column < 3; ++column)
                QCOMPARE(inputOf(data->testTensors, row, column), expected[row][column]);
        QCOMPARE(classOfRow(data->testTensors, 2), 3);
        const std::string facts = messagesText(data->facts, ", ");
        QVERIFY2(facts.find("2 values of categories without") != std::string::npos, facts.c_str());
    }

    void inspectingAgreesWithLoading() {
        const DataFolder folder;
        DataConfig config = configOf(folder.write("a.csv", people(40)), "group");
        for (int round = 0; round < 3; ++round) {
            const auto sizes = inspectDataset(config, {}).value();
            const auto data = loaded(config);
            QVERIFY(sizes.tensors);
            QCOMPARE(sizes.train, data->trainTensors.count);
            QCOMPARE(sizes.test, data->testTensors.count);
            QCOMPARE(sizes.inputs.shape, data->trainTensors.inputs.shape);
            QCOMPARE(sizes.inputs.type, data->trainTensors.inputs.type);
            QCOMPARE(sizes.targets.shape, data->trainTensors.targets.shape);
            QCOMPARE(sizes.targets.type, data->trainTensors.targets.type);
            QCOMPARE(sizes.classes, data->classes);
            QCOMPARE(sizes.facts, data->facts);
            config.trainLimit = 20;
            config.testLimit = 1;
            if (round == 1)
                config.testPath = folder.write("b.csv", people(9)).string();
        }
    }

    void limitsCountRows() {
        const DataFolder folder;
        std::string text = people(40);
        text += "broken"; // beyond the limit: not looked at
        DataConfig config = configOf(folder.write("a.csv", text), "group");
        QVERIFY(!loadDataset(config, {}).has_value());
        config.trainLimit = 40;
        QCOMPARE(loaded(config)->trainTensors.count, 38);
        config.validation = 40;
        QCOMPARE(loadDataset(config, {}).error().code, std::string("data.too-small"));
        config.validation = 0;
        QCOMPARE(loadDataset(config, {}).error().code, std::string("data.no-test"));
        QCOMPARE(exitCode(loadDataset(config, {}).error()), 3);
    }

    // A name that could be a number that is not finite is a name where there are others.
    void infinityMayBeAName() {
        const DataFolder folder;
        const auto data = loaded(configOf(
            folder.write("a.csv", "car,y\nInfinity,0\nUlm,1\nINF,0\n1e999,1\nInfinity,1\nUlm,0\nUlm,1\n"), "y"));
        QCOMPARE(data->trainTensors.inputs.elements(), 4);
        const auto wrong = loadDataset(configOf(folder.write("b.csv", "x,y\n1,0\n2,1\nInf,0\n4,1\n5,1\n"), "y"), {});
        QVERIFY(!wrong.has_value());
        QVERIFY2(wordsOf(wrong.error()).find("not finite") != std::string::npos, wordsOf(wrong.error()).c_str());
    }

    // Sizes that are known before are those of what is loaded.
    void sizesCountTheInputs() {
        const DataFolder folder;
        const DataConfig config = configOf(folder.write("a.csv", people(30)), "group");
        const DatasetSizes sizes = inspectDataset(config, {}).value();
        QCOMPARE(sizes.channels * sizes.height * sizes.width, loaded(config)->trainTensors.inputs.elements());
        QCOMPARE(sizes.targetValues.largest, 3.0);
    }

    void theFactsSayWhatIsTestedOn() {
        const DataFolder folder;
        DataConfig config = configOf(folder.write("a.csv", people(30)), "group");
        QVERIFY(messagesText(loaded(config)->facts, ", ").find("2 validation samples take their place") !=
                std::string::npos);
        QVERIFY(loaded(config)->testsOnValidation());
        config.testPath = folder.write("b.csv", people(9)).string();
        QVERIFY(messagesText(loaded(config)->facts, ", ").find("take their place") == std::string::npos);
        QVERIFY(!loaded(config)->testsOnValidation());
    }
};

QTEST_APPLESS_MAIN(TestTable)
} // namespace test_table
#include "test_table.moc"

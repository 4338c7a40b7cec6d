// SPDX-License-Identifier: GPL-3.0-or-later
// Tables: how a file is read (separators, quotes, line ends, missing values), what becomes an input and what a class,
// whose statistics are used, and the words for everything that is no table.
#include "core/data/dataset_hash.h"
#include "core/data/table.h"
#include "core/data/table_columns.h"
#include "tests/support/numeric.h"
#include "tests/unit/data/damage.h"
#include "tests/unit/data/idx_files.h"

#include <QTest>

using namespace accumulus;
using namespace accumulus::test;

namespace {

DataConfig configOf(const std::filesystem::path& path, const std::string& target) {
    DataConfig config;
    config.dataset = "table";
    config.path = path.string();
    config.target = target;
    config.validation = 2;
    return config;
}

double inputOf(const TensorSet& set, std::int64_t row, std::int64_t column) {
    const void* values = set.inputs.sample(row);
    return static_cast<const double*>(values)[column];
}
double numberOfRow(const TensorSet& set, std::int64_t row) {
    const void* value = set.targets.sample(row);
    return *static_cast<const double*>(value);
}
std::int64_t classOfRow(const TensorSet& set, std::int64_t row) {
    const void* value = set.targets.sample(row);
    return *static_cast<const std::int64_t*>(value);
}

std::string wordsOf(const Error& error) { return error.code + ": " + describe(error); }

std::shared_ptr<const Dataset> loaded(const DataConfig& config) {
    const auto data = loadDataset(config, {});
    if (!data)
        qFatal("%s", wordsOf(data.error()).c_str());
    return *data;
}

/// Rows of age (18 + i), town (three names, missing in every seventh row), height and the target.
std::string people(int rows, const char* separator = ",", const char* lineEnd = "\n") {
    std::string text = std::string("age") + separator + "town" + separator + "height" + separator + "group" + lineEnd;
    const char* towns[] = {"Ulm", "Bonn", "Jena"};
    for (int i = 0; i < rows; ++i)
        text += std::to_string(18 + i) + separator + (i % 7 == 6 ? "" : towns[i % 3]) + separator +
                std::to_string(150 + i * 7 % 40) + ".5" + separator + std::to_string(i % 4) + lineEnd;
    return text;
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

    void whatDoesNotFitIsNotRead() {
        const DataFolder folder;
        DataConfig config = configOf(folder.write("a.csv", people(50)), "group");
        config.testPath = folder.write("b.csv", people(10)).string();
        constexpr std::int64_t needed = 60 * (6 + 1) * 8;
        QVERIFY(loadWithin(config, {}, needed).has_value());
        const auto refused = loadWithin(config, {}, needed - 1);
        QCOMPARE(refused.error().code, std::string("data.no-room"));
    }

    void whatIsNoTableHasItsOwnWords_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char* tag, const std::string& text, const char* target, const char* code,
                            const QStringList& words) {
            QTest::newRow(tag) << QByteArray::fromStdString(text) << QString(target) << QString(code) << words;
        };
        const std::string head = "a,b,y\n";
        std::string manyColumns = "y";
        for (int i = 0; i < 10'000; ++i)
            manyColumns += ",c" + std::to_string(i);
        std::string manyNames = "name,y\n";
        for (int i = 0; i < 1200; ++i)
            manyNames += "person " + std::to_string(i) + "," + std::to_string(i % 2) + "\n";
        row("empty", "", "y", "data.table.header", {"empty"});
        row("header alone", head, "y", "data.table.header", {"no row"});
        row("one column", "y\n1\n2\n", "y", "data.table.header", {"one column"});
        row("pipes", "a|b|y\n1|2|3\n", "y", "data.table.header", {"one column", "comma"});
        row("10001 columns", manyColumns + "\n", "y", "data.table.header", {"more than 10000"});
        row("a name twice", "a,b,a\n1,2,3\n", "b", "data.table.header", {"1 and 3", "same name, a"});
        row("no name", ",b,y\n1,2,3\n", "y", "data.table.header", {"column 1"});
        row("ragged", head + "1,2,3\n1,2\n", "y", "data.table.form", {"line 3", "2 fields", "3 columns"});
        row("ragged behind a field of two lines", head + "1,\"2\n3\",3\n1,2,3,4\n", "y", "data.table.form",
            {"line 4", "4 fields"});
        row("stray quote", head + "1,2\"x,3\n", "y", "data.table.form", {"line 2", "quote inside a field"});
        row("open quote", head + "1,2,3\n1,\"2,3\n4,5,6\n", "y", "data.table.form", {"line 3", "not closed"});
        row("a row of 17 MiB", head + "1,\"" + std::string(17 << 20, 'x'), "y", "data.table.form",
            {"line 2", "16 MiB"});
        row("zero byte", head + std::string("1,\0,3\n", 6), "y", "data.table.form", {"line 2", "zero byte"});
        row("Latin-1", head + "1,\xE9t\xE9,3\n", "y", "data.table.form", {"line 2", "UTF-8"});
        row("compressed", gzipped(people(100)), "y", "data.table.form", {"line 1"});
        row("no target", head + "1,2,3\n4,5,6\n", "", "data.table.target", {"data.target is empty", "\"y\""});
        row("misspelt target", "age,income,town\n1,2,3\n4,5,6\n", "imcome", "data.table.target",
            {"no column imcome", "data.target = \"income\""});
        row("one class", head + "1,2,7\n4,5,7\n6,7,7\n", "y", "data.table.column",
            {"column y", "it is 7 in every row"});
        row("missing target", head + "1,2,7\n4,5,\n6,7,8\n", "y", "data.table.column", {"line 3", "no value"});
        row("decimal comma", "a;y\n1,5;0\n2;1\n3,25;1\n", "y", "data.table.column",
            {"column a", "line 2", "1,5", "decimal point"});
        row("names", manyNames, "y", "data.table.column",
            {"column name", "line 2 has person 0, which", "more than 1000"});
        row("free text", head + "1,2,3\n1," + QString::fromUtf8("über ").repeated(60).toStdString() + ",4\n5,6,7\n",
            "y", "data.table.column", {"column b", "line 3 has über über", "...,", "free text"});
        std::string wide = "y";
        std::string wideRows[1000];
        for (int column = 0; column < 101; ++column) {
            wide += ",c" + std::to_string(column);
            for (int i = 0; i < 1000; ++i)
                wideRows[i] += ",v" + std::to_string(i);
        }
        wide += "\n";
        for (int i = 0; i < 1000; ++i)
            wide += std::to_string(i % 2) + wideRows[i] + "\n";
        row("too many inputs", wide, "y", "data.table.header", {"100798 inputs", "100000"});
        row("infinite", head + "1,2,3\n1,-inf,4\n5,6,7\n", "y", "data.table.column", {"column b", "line 3", "finite"});
        row("beyond fp64", head + "1,2,3\n1,1e999,4\n5,6,7\n", "y", "data.table.column", {"line 3", "finite"});
    }
    void whatIsNoTableHasItsOwnWords() {
        QFETCH(QByteArray, text);
        QFETCH(QString, target);
        QFETCH(QString, code);
        QFETCH(QStringList, words);
        const DataFolder folder;
        const auto file = folder.write("a.csv", text.toStdString());
        const DataConfig config = configOf(file, target.toStdString());
        const std::int64_t before = peakBytes();
        const auto data = loadDataset(config, {});
        QVERIFY(!data.has_value());
        QVERIFY(peakBytes() - before < 128 << 20);
        const QString said = QString::fromStdString(describe(data.error()));
        QCOMPARE(QString::fromStdString(data.error().code), code);
        for (const QString& word : words)
            QVERIFY2(said.contains(word, Qt::CaseInsensitive), qPrintable(said));
        QVERIFY2(said.contains(QString::fromStdString(file.string())) && !said.contains('{'), qPrintable(said));
        QCOMPARE(exitCode(data.error()), code == "data.table.target" ? 2 : 3);
        QCOMPARE(inspectDataset(config, {}).error(), data.error());
    }

    void aWrongTestFileIsNamed() {
        const DataFolder folder;
        DataConfig config = configOf(folder.write("a.csv", people(20)), "group");
        for (const auto& [text, words] :
             {std::pair{std::string("age,town,group\n1,Ulm,2\n"), "no column height"},
              {std::string("age,town,height,group\n1,Ulm,tall,2\n"), "ine 2 has tall, which"},
              {std::string("age,town,height,group\n1,Ulm,3,old\n"), "ine 2 has old, which"},
              {std::string("age,town,height,group\n1,Ulm,3,\n"), "ine 2 has no value"}}) {
            config.testPath = folder.write("b.csv", text).string();
            const auto data = loadDataset(config, {});
            QVERIFY(!data.has_value());
            const std::string said = describe(data.error());
            QVERIFY2(said.find(words) != std::string::npos && said.find("b.csv") != std::string::npos, said.c_str());
        }
        for (const std::string& path :
             {std::string(), (folder.path() / "absent.csv").string(), folder.path().string()}) {
            config.path = path;
            QCOMPARE(loadDataset(config, {}).error().code, std::string("data.table.missing"));
        }
    }

    // A million different numbers are no categories: only counts are kept while a table is looked through.
    void manyRowsTakeTheMemoryOfTheirInputs() {
        const DataFolder folder;
        std::string text = "a,b,y\n";
        for (int i = 0; i < 300'000; ++i)
            text += std::to_string(i * 0.37) + "," + std::to_string(i) + "," + std::to_string(i % 2) + "\n";
        const auto file = folder.write("a.csv", text);
        const std::int64_t before = peakBytes();
        const auto data = loaded(configOf(file, "y"));
        QCOMPARE(data->trainTensors.count, 299'998);
        // 3 numbers of 8 bytes a row, the mapped file, and what a process takes anyway.
        QVERIFY(peakBytes() - before < 300'000 * 24 + std::ssize(text) + (16 << 20));
    }

    void thousandsOfDamagedFiles() {
        const DataFolder folder;
        std::mt19937_64 engine(20261122);
        const std::int64_t before = peakBytes();
        int refused = 0;
        for (int round = 0; round < 1500; ++round) {
            const auto file = folder.write("a.csv", round % 5 == 0 ? randomBytes(engine() % 300, engine)
                                                                   : damaged(people(40), engine));
            DataConfig config = configOf(file, "group");
            const auto data = loadDataset(config, {});
            if (!data) {
                ++refused;
                QVERIFY2(data.error().code.starts_with("data.table.") || data.error().code == "data.too-small",
                         data.error().code.c_str());
                QVERIFY(exitCode(data.error()) == 2 || exitCode(data.error()) == 3);
                continue;
            }
            const TensorSet& set = (*data)->trainTensors;
            for (std::int64_t row = 0; row < set.count; ++row) {
                for (std::int64_t i = 0; i < set.inputs.elements(); ++i)
                    QVERIFY(std::isfinite(inputOf(set, row, i)));
                if ((*data)->classes > 0)
                    QVERIFY(classOfRow(set, row) >= 0 && classOfRow(set, row) < (*data)->classes);
            }
        }
        QVERIFY(peakBytes() - before < 256 << 20);
        QVERIFY2(refused > 300 && refused < 1490, qPrintable(QString::number(refused)));
        qInfo("%d of 1500 refused", refused);
    }

    // Numbers are kept in case the column turns out to hold words: not without end, however many columns there are.
    void manyColumnsOfNumbersAreFewValues() {
        constexpr int columns = 2500, rows = 100;
        std::string text;
        for (int column = 0; column < columns; ++column)
            text += "c" + std::to_string(column) + (column + 1 < columns ? "," : "\n");
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                text += (column == 7 ? (row % 3 == 0 ? "Ulm" : "Bonn") : std::to_string(row * 31 + column)) +
                        (column + 1 < columns ? "," : "\n");
        const DataFolder folder;
        const auto file = folder.write("wide.csv", text);
        const auto table = scanTable(file, 0);
        QVERIFY(table.has_value());
        std::size_t kept = 0;
        for (const ScannedColumn& column : table->columns)
            kept += column.values.size();
        QVERIFY2(kept <= largestValueCount, std::to_string(kept).c_str());
        const auto data = loaded(configOf(file, "c0"));
        QCOMPARE(data->trainTensors.inputs.elements(), columns - 2 + 2);
        QCOMPARE(inputOf(data->trainTensors, 0, 6), 0.0); // Bonn, Ulm
        QCOMPARE(inputOf(data->trainTensors, 0, 7), 1.0);
    }

    void tooManyWordsAreRefused() {
        constexpr int columns = 600, rows = 400;
        std::string text;
        for (int row = -1; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                text += (row < 0 ? "c" + std::to_string(column) : "w" + std::to_string(row)) +
                        (column + 1 < columns ? "," : "\n");
        const DataFolder folder;
        const auto table = scanTable(folder.write("words.csv", text), 0);
        QVERIFY(!table.has_value());
        QVERIFY2(wordsOf(table.error()).find("200\u00a0000 different words") != std::string::npos,
                 wordsOf(table.error()).c_str());
    }

    // A table that has lain there for a while is looked through once for each limit.
    void aTableIsLookedThroughOnce() {
        const DataFolder folder;
        const auto file = folder.write("a.csv", "x,y\n1,0\n2,1\n3,0\n4,1\n");
        const auto largest = [&](std::int64_t limit) { return scanTable(file, limit)->columns[0].largest; };
        QCOMPARE(largest(0), 4.0);
        writeOver(file, "x,y\n1,0\n2,1\n3,0\n5,1\n");
        QCOMPARE(largest(0), 5.0);
        std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - std::chrono::hours(1));
        QCOMPARE(largest(0), 5.0);
        QCOMPARE(scanTable(file, 3)->rows, 3);
        writeOver(file, "x,y\n1,0\n2,1\n3,0\n6,1\n");
        QCOMPARE(largest(0), 5.0); // it was not read
        QCOMPARE(largest(3), 3.0);
        std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - std::chrono::hours(1));
        QCOMPARE(largest(0), 6.0);
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
#include "test_table.moc"

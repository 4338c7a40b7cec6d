// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that cannot be used: what is wrong is said in the file's own words, before memory is taken for it, and no
// damage does harm.
#include "core/data/dataset_hash.h"
#include "core/data/table.h"
#include "core/data/table_columns.h"
#include "tests/unit/data/damage.h"
#include "tests/unit/data/idx_files.h"
#include "tests/unit/data/table_files.h"

#include <QTest>

namespace test_table_refusals {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::test::tables;

class TestTableRefusals : public QObject {
    Q_OBJECT
private Q_SLOTS:
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
};

QTEST_APPLESS_MAIN(TestTableRefusals)
} // namespace test_table_refusals
#include "test_table_refusals.moc"

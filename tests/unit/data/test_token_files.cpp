// SPDX-License-Identifier: GPL-3.0-or-later
// data.dataset = "text": characters of UTF-8 texts and tokens of .bin files, their width, places and vocabulary, and
// what is neither.
#include "core/base/error_thrown.h"
#include "core/data/any_text.h"
#include "core/data/dataset_hash.h"
#include "core/data/file_limits.h"
#include "tests/unit/data/damage.h"
#include "tests/unit/data/idx_files.h"

#include <QTest>

#include <set>

namespace test_token_files {
using namespace accumulus;
using namespace accumulus::test;

namespace {
DataConfig configOf(const std::filesystem::path& path, std::int64_t block = 8) {
    DataConfig config;
    config.dataset = "text";
    config.path = path.string();
    config.block = block;
    return config;
}

using Ids = std::vector<std::int64_t>;
Ids idsOf(const TokenColumn& tokens) {
    Ids ids;
    for (std::int64_t i = 0; i < tokens.size(); ++i)
        ids.push_back(tokens[i]);
    return ids;
}

/// Little-endian, `width` bytes each.
std::string binOf(const Ids& tokens, int width) {
    std::string bytes;
    for (const std::int64_t token : tokens)
        for (int i = 0; i < width; ++i)
            bytes += static_cast<char>(token >> (8 * i) & 0xFF);
    return bytes;
}

/// `count` tokens below `vocabulary`, which the last of them is next to.
Ids someTokens(std::size_t count, std::int64_t vocabulary) {
    Ids tokens(count);
    for (std::size_t i = 0; i < count; ++i)
        tokens[i] = static_cast<std::int64_t>(i * 7919 + i * i) % vocabulary;
    tokens[count / 2] = vocabulary - 1;
    return tokens;
}

std::shared_ptr<const Dataset> loaded(const DataConfig& config) {
    const auto data = loadDataset(config, {});
    if (!data)
        qFatal("%s: %s", data.error().code.c_str(), describe(data.error()).c_str());
    return *data;
}

/// n different characters, each twice.
std::string characters(char32_t count, char32_t first) {
    std::u32string text;
    for (int round = 0; round < 2; ++round)
        for (char32_t i = 0; i < count; ++i)
            text += first + i;
    return QString::fromUcs4(text.data(), static_cast<qsizetype>(text.size())).toStdString();
}
} // namespace

class TestTokenFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTokenIsACharacter() {
        const DataFolder folder;
        const QString text = QString::fromUtf8("床前明月光，疑是地上霜。a𝄞é\n").repeated(4);
        const auto data = loaded(configOf(folder.write("a.txt", text.toStdString()), 2));
        const auto points = text.toUcs4();
        QCOMPARE(data->classes, std::ssize(std::set(points.begin(), points.end())));
        const auto vocabulary = QString::fromStdString(data->vocabulary).toUcs4();
        QVERIFY(std::ranges::is_sorted(vocabulary));
        const Ids ids = idsOf(data->trainText.tokens);
        QVERIFY(ids.size() > 40);
        for (std::size_t i = 0; i < ids.size(); ++i)
            QCOMPARE(vocabulary[ids[i]], points[static_cast<qsizetype>(i)]);
        QCOMPARE(data->trainText.tokens.type, ElementType::UInt8);
        const std::string facts = messagesText(data->facts, ", ");
        QVERIFY2(facts.starts_with("Text, 64 characters, 16 different characters, in samples of 2, "), facts.c_str());
    }

    // An ASCII text is what the set of bytes makes of it, apart from the name.
    void plainTextIsTheSameAsBytes() {
        const DataFolder folder;
        std::string text;
        for (int i = 0; i < 900; ++i)
            text += "to be or not to be\n"[i * 7 % 19];
        const auto file = folder.write("a.txt", text);
        DataConfig bytes = configOf(file);
        bytes.dataset = "tinyshakespeare";
        QCOMPARE(datasetHash(*loaded(configOf(file))), datasetHash(*loaded(bytes)));
        QCOMPARE(loaded(configOf(file))->checksum, loaded(bytes)->checksum);
        // A byte order mark is no character.
        QCOMPARE(datasetHash(*loaded(configOf(folder.write("b.txt", "\xEF\xBB\xBF" + text)))),
                 datasetHash(*loaded(bytes)));
    }

    void theWidthFollowsTheVocabulary_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("bytes");
        QTest::newRow("256") << 256 << 1;
        QTest::newRow("257") << 257 << 2;
        QTest::newRow("65536") << 65'536 << 2;
        QTest::newRow("65537") << 65'537 << 4;
    }
    void theWidthFollowsTheVocabulary() {
        QFETCH(int, count);
        QFETCH(int, bytes);
        const DataFolder folder;
        const auto data = loaded(configOf(folder.write("a.txt", characters(static_cast<char32_t>(count), 0x10000)), 8));
        QCOMPARE(data->classes, count);
        QCOMPARE(elementBytes(data->trainText.tokens.type), bytes);
        for (std::int64_t i = 0; i < data->trainText.tokens.size(); ++i)
            QCOMPARE(data->trainText.tokens[i], i % count);
    }

    void aSecondFileIsTheTestPart() {
        const DataFolder folder;
        DataConfig config = configOf(folder.write("a.txt", "abcabcabcabcabc"), 2);
        config.testPath = folder.write("b.txt", "abzabzabz").string();
        const auto data = loaded(config);
        QCOMPARE(data->classes, 4); // z is known
        QCOMPARE(idsOf(data->trainText.tokens), (Ids{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
        QCOMPARE(idsOf(data->testText.tokens), (Ids{0, 1, 3, 0, 1, 3, 0, 1, 3}));
        config.testPath = folder.write("c.txt", "ab").string();
        const auto refused = loadDataset(config, {});
        QCOMPARE(refused.error().code, std::string("data.text.short"));
        QVERIFY2(describe(refused.error()).find("c.txt") != std::string::npos, describe(refused.error()).c_str());
    }

    void tokensOfNanoGpt() {
        const DataFolder folder;
        const Ids train = someTokens(5000, 50'257);
        const Ids val = someTokens(600, 50'000);
        folder.write("train.bin", binOf(train, 2));
        folder.write("val.bin", binOf(val, 2));
        folder.write("input.txt", "not this one");
        DataConfig config = configOf(folder.path(), 16);
        config.validation = 10;
        const auto data = loaded(config);
        QCOMPARE(data->classes, 50'257);
        QCOMPARE(data->trainText.tokens.type, ElementType::UInt16);
        QCOMPARE(data->trainText.count, 4999 / 16 - 10);
        QCOMPARE(data->validationText.count, 10);
        QCOMPARE(data->testText.count, 599 / 16);
        QCOMPARE(idsOf(data->trainText.tokens), Ids(train.begin(), train.begin() + data->trainText.count * 16 + 1));
        QCOMPARE(data->validationText.tokens[0], train[static_cast<std::size_t>(data->trainText.count * 16)]);
        QCOMPARE(data->testText.tokens[37], val[37]);
        QVERIFY(data->vocabulary.empty());
        const auto sizes = inspectDataset(config, {}).value();
        QCOMPARE(sizes.train, data->trainText.count);
        QCOMPARE(sizes.classes, data->classes);
        QCOMPARE(sizes.facts, data->facts);
        const std::string facts = messagesText(data->facts, ", ");
        QVERIFY2(facts.starts_with("Token file, 5\u00a0600 tokens of 16 bits, vocabulary of 50\u00a0257, "),
                 facts.c_str());
    }

    // A single file ends with its held-out tenth.
    void oneTokenFile() {
        const DataFolder folder;
        const Ids tokens = someTokens(1000, 300);
        const auto data = loaded(configOf(folder.write("all.bin", binOf(tokens, 2))));
        QCOMPARE(data->trainText.count, 899 / 8);
        QCOMPARE(data->testText.count, 99 / 8);
        QCOMPARE(data->testText.tokens[0], tokens[900]);
    }

    void theWidthOfTokens_data() {
        QTest::addColumn<qint64>("vocabulary"); // of the tokens
        QTest::addColumn<int>("written");       // bytes
        QTest::addColumn<qint64>("given");      // data.vocabulary
        QTest::newRow("few, 16 bits") << qint64{4} << 2 << qint64{0};
        QTest::newRow("few, 32 bits") << qint64{4} << 4 << qint64{0};
        QTest::newRow("GPT-2, 16 bits") << qint64{50'257} << 2 << qint64{0};
        QTest::newRow("GPT-2, 32 bits") << qint64{50'257} << 4 << qint64{0};
        QTest::newRow("GPT-2, rounded up") << qint64{50'257} << 2 << qint64{50'304};
        QTest::newRow("65536, 16 bits") << qint64{65'536} << 2 << qint64{65'536};
        QTest::newRow("Llama 3") << qint64{128'256} << 4 << qint64{0};
        QTest::newRow("Llama 3, given") << qint64{128'256} << 4 << qint64{128'256};
        QTest::newRow("a large vocabulary") << qint64{3'000'000} << 4 << qint64{3'000'000};
    }
    void theWidthOfTokens() {
        QFETCH(qint64, vocabulary);
        QFETCH(int, written);
        QFETCH(qint64, given);
        const DataFolder folder;
        const Ids tokens = someTokens(2000, vocabulary);
        DataConfig config = configOf(folder.write("a.bin", binOf(tokens, written)));
        config.vocabulary = given;
        const auto data = loaded(config);
        QCOMPARE(elementBytes(data->trainText.tokens.type), written);
        QCOMPARE(data->classes, given > 0 ? given : vocabulary);
        QCOMPARE(idsOf(data->trainText.tokens), Ids(tokens.begin(), tokens.begin() + 1793));
        const bool found = written == 4 && given <= 65'536;
        QCOMPARE(messagesText(data->facts, ", ").find("apparently") != std::string::npos, found);
    }

    void aFileThatChangesIsNotReadOn() {
        const DataFolder folder;
        const auto file = folder.write("a.bin", binOf(someTokens(1000, 300), 2));
        const auto data = loaded(configOf(file));
        const Ids ids{3, 0};
        Ids tokens(16), next(16);
        gatherTexts(data->trainText, ids, tokens.data(), next.data());
        QCOMPARE(tokens[1], data->trainText.tokens[25]);
        QCOMPARE(next[15], data->trainText.tokens[8]);
        std::filesystem::resize_file(file, 10); // touching what is gone would end the process
        QVERIFY_EXCEPTION_THROWN(gatherTexts(data->trainText, ids, tokens.data(), next.data()), ErrorThrown);
    }

    // A file that has lain there for a while is looked through once; one that was just written every time, for it could
    // be written again within what the clock tells.
    void aFileIsLookedThroughOnce() {
        const DataFolder folder;
        const auto file = folder.write("a.bin", binOf(someTokens(1000, 300), 2));
        const auto classes = [&](std::int64_t block) { return inspectDataset(configOf(file, block), {})->classes; };
        QCOMPARE(classes(8), 300);
        writeOver(file, binOf(someTokens(1000, 400), 2));
        QCOMPARE(classes(8), 400);
        std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - std::chrono::hours(1));
        QCOMPARE(classes(8), 400);
        writeOver(file, binOf(someTokens(1000, 500), 2));
        QCOMPARE(classes(16), 400); // it was not read
        std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - std::chrono::hours(1));
        QCOMPARE(classes(16), 500);
        std::filesystem::resize_file(file, 1998);
        QCOMPARE(inspectDataset(configOf(file), {})->train, 899 / 8);
    }

    // Read instead of touched, with every width: the same tokens.
    void aLargeFileIsTheSame() {
        const DataFolder folder;
        for (const int width : {2, 4}) {
            const auto data = loaded(configOf(folder.write("a.bin", binOf(someTokens(1000, 300), width))));
            const Ids ids{3, 0, 99, 99, 111};
            Ids tokens(40), next(40), tokensRead(40), nextRead(40);
            gatherTexts(data->trainText, ids, tokens.data(), next.data());
            const OtherFileLimits limits({.touched = 1, .scanned = 1, .ahead = 1});
            gatherTexts(data->trainText, ids, tokensRead.data(), nextRead.data());
            QCOMPARE(tokensRead, tokens);
            QCOMPARE(nextRead, next);
        }
    }

    // The same tokens in another order, or one that changed, are other data.
    void theHashSeesEveryToken() {
        const DataFolder folder;
        Ids tokens = someTokens(1000, 500);
        std::set<std::string> hashes;
        for (const std::size_t place : {std::size_t{0}, std::size_t{500}, std::size_t{950}}) {
            hashes.insert(datasetHash(*loaded(configOf(folder.write("a.bin", binOf(tokens, 2))))));
            tokens[place] ^= 1;
        }
        QCOMPARE(hashes.size(), std::size_t{3});
    }

    void whatIsNeitherHasItsOwnWords_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<qint64>("vocabulary");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char* tag, const char* name, const std::string& bytes, qint64 vocabulary,
                            const char* code, const QStringList& words) {
            QTest::newRow(tag) << QString(name) << QByteArray::fromStdString(bytes) << vocabulary << QString(code)
                               << words;
        };
        const std::string tokens = binOf(someTokens(500, 1000), 2);
        Ids wild = someTokens(500, 40'000);
        wild[77] = 3'000'000'000;
        Ids huge = someTokens(500, 3);
        huge[9] = 16'777'216;
        row("Latin-1", "a.txt", std::string(100, 'a') + "\xE9" + std::string(100, 'b'), 0, "data.text.encoding",
            {"byte at 100", "iconv"});
        row("overlong", "a.txt", "ab\xC0\x80", 0, "data.text.encoding", {"byte at 2"});
        row("cut off", "a.txt", "ab\xE5\xBA", 0, "data.text.encoding", {"byte at 2"});
        row("a zero", "a.txt", std::string("ab\0c", 4), 0, "data.text.binary", {"byte 2"});
        row("empty", "a.txt", "", 0, "data.text.short", {"empty"});
        row("one character", "a.txt", "aaaaaaaaaaa", 0, "data.text.short", {"characters are the same"});
        row("short", "a.txt", "abcabcabcabc", 0, "data.text.short", {"data.block = 8"});
        row("more than given", "a.txt", characters(100, 'A'), 99, "data.text.vocabulary", {"100 different", "= 99"});
        row("empty tokens", "a.bin", "", 0, "data.text.short", {"Use a longer text"});
        row("odd size", "a.bin", tokens + 'x', 0, "data.tokens.size", {"1\u00a0001 bytes", "16-bit tokens", "uint16"});
        row("64 bits", "a.bin", binOf(someTokens(500, 1000), 8), 0, "data.tokens.form", {"64-bit", "uint16"});
        row("an array file", "a.bin", "\x93NUMPY\x01" + tokens, 0, "data.tokens.form", {".npy"});
        row("beyond", "a.bin", tokens, 999, "data.tokens.vocabulary", {": 999 (16 bits, at index 250, byte 500)"});
        row("16 bits read as 32", "a.bin", tokens, 70'000, "data.tokens.vocabulary", {"32 bits", "index 0,"});
        row("wild", "a.bin", binOf(wild, 4), 65'537, "data.tokens.vocabulary", {"3000000000 (32 bits, at index 77,"});
        row("a huge token", "a.bin", binOf(huge, 4), 65'537, "data.tokens.vocabulary", {"16777216", "index 9,"});
    }
    void whatIsNeitherHasItsOwnWords() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(qint64, vocabulary);
        QFETCH(QString, code);
        QFETCH(QStringList, words);
        const DataFolder folder;
        const auto file = folder.write(name.toStdString(), bytes.toStdString());
        DataConfig config = configOf(file);
        config.vocabulary = vocabulary;
        const auto data = loadDataset(config, {});
        QVERIFY(!data.has_value());
        const QString said = QString::fromStdString(describe(data.error()));
        QVERIFY2(QString::fromStdString(data.error().code) == code, qPrintable(said));
        for (const QString& word : words)
            QVERIFY2(said.contains(word), qPrintable(said));
        QVERIFY2(said.contains(QString::fromStdString(file.string())) && !said.contains('{'), qPrintable(said));
        QCOMPARE(exitCode(data.error()), 3);
        QCOMPARE(inspectDataset(config, {}).error(), data.error());
    }

    /// Judged by itself, the test part would be read as numbers of which every second one is 0, or the other way round.
    void bothPartsHaveOneWidth() {
        for (const auto& [width, other] : {std::pair{2, 2}, {2, 4}, {4, 2}, {4, 4}}) {
            const DataFolder folder;
            DataConfig config = configOf(folder.write("a.bin", binOf(someTokens(500, 1000), width)));
            config.testPath = folder.write("b.bin", binOf(someTokens(300, 1000), other)).string();
            const auto data = loadDataset(config, {});
            QCOMPARE(data ? std::string() : data.error().code, std::string(width == other ? "" : "data.tokens.form"));
        }
    }

    void filesAreFoundAndMissed() {
        const DataFolder folder;
        const auto said = [&](const DataConfig& config) {
            const auto data = loadDataset(config, {});
            return data ? std::string() : data.error().code + ": " + describe(data.error());
        };
        const auto holds = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        QVERIFY(holds(said(configOf({})), "data.path is empty"));
        QVERIFY(holds(said(configOf(folder.path() / "absent")), "no such file or folder"));
        QVERIFY2(holds(said(configOf(folder.path())), "no train.bin"), said(configOf(folder.path())).c_str());
        folder.write("a.txt",
                     "abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc");
        QCOMPARE(said(configOf(folder.path(), 4)), std::string());
        folder.write("b.txt", "abc");
        QVERIFY2(holds(said(configOf(folder.path())), "2 .txt files"), said(configOf(folder.path())).c_str());
        DataConfig config = configOf(folder.path() / "a.txt", 4);
        config.testPath = folder.write("t.bin", binOf(someTokens(100, 50), 2)).string();
        QVERIFY2(holds(said(config), "token file"), said(config).c_str());
        config.testPath = (folder.path() / "t.txt").string();
        QVERIFY(holds(said(config), "here is no such file"));
        folder.write("train.txt", "abcabcabcabcabc");
        folder.write("val.txt", "cbacba");
        QCOMPARE(loaded(configOf(folder.path(), 2))->testText.count, 2);
        folder.write("test.txt", "cbacbacba");
        QCOMPARE(loaded(configOf(folder.path(), 2))->testText.count, 4);
    }

    void thousandsOfDamagedFiles_data() {
        QTest::addColumn<bool>("tokens");
        QTest::newRow("text") << false;
        QTest::newRow("tokens") << true;
    }
    void thousandsOfDamagedFiles() {
        QFETCH(bool, tokens);
        const DataFolder folder;
        std::mt19937_64 engine(20261123);
        const std::string good =
            tokens ? binOf(someTokens(400, 3000), 4) : QString::fromUtf8("月光é, abc").repeated(30).toStdString();
        const std::int64_t before = peakBytes();
        int refused = 0;
        for (int round = 0; round < 1000; ++round) {
            const auto file =
                folder.write(tokens ? "a.bin" : "a.txt",
                             round % 10 == 0 ? randomBytes(engine() % 600, engine) : damaged(good, engine));
            const auto data = loadDataset(configOf(file), {});
            if (!data) {
                ++refused;
                QVERIFY(data.error().code.starts_with("data.text.") || data.error().code.starts_with("data.tokens."));
                QCOMPARE(exitCode(data.error()), 3);
                continue;
            }
            for (const TextSet* set : {&(*data)->trainText, &(*data)->testText}) {
                QCOMPARE(set->tokens.size(), set->count * 8 + 1);
                QVERIFY(std::ranges::all_of(
                    idsOf(set->tokens), [&](std::int64_t token) { return token >= 0 && token < (*data)->classes; }));
            }
        }
        QVERIFY(peakBytes() - before < (128 << 20) + freedButKept);
        QVERIFY2(refused > 100 && refused < 990, qPrintable(QString::number(refused)));
        qInfo("%d of 1000 refused", refused);
    }
};

QTEST_APPLESS_MAIN(TestTokenFiles)
} // namespace test_token_files
#include "test_token_files.moc"

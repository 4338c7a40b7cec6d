// SPDX-License-Identifier: GPL-3.0-or-later
// Text as tokens: the bundled plays, any other file, the held-out end, blocks and their targets, limits, and what is no
// text.
#include "core/data/text.h"
#include "tests/unit/data/damage.h"
#include "tests/unit/data/idx_files.h"

#include <QTest>

namespace test_text {
using namespace accumulus;
using namespace accumulus::test;

namespace {

std::filesystem::path resources() {
    return std::filesystem::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) / "resources";
}

DataConfig configOf(const std::filesystem::path& path, std::int64_t block) {
    DataConfig config;
    config.dataset = "tinyshakespeare";
    config.path = path.string();
    config.block = block;
    return config;
}

/// What the tokens of a set stand for.
std::string spelled(const TextSet& set, const std::string& vocabulary) {
    std::string text;
    for (std::int64_t i = 0; i < set.tokens.size(); ++i)
        text += vocabulary[static_cast<std::size_t>(set.tokens[i])];
    return text;
}

using Ids = std::vector<std::int64_t>;
Ids idsOf(const TokenColumn& tokens) {
    Ids ids;
    for (std::int64_t i = 0; i < tokens.size(); ++i)
        ids.push_back(tokens[i]);
    return ids;
}

/// "abc...z" of 26 letters again and again.
std::string alphabet(std::size_t size) {
    std::string text(size, ' ');
    for (std::size_t i = 0; i < size; ++i)
        text[i] = static_cast<char>('a' + i % 26);
    return text;
}

} // namespace

class TestText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // 1 115 394 characters, 65 different ones, 1 003 854 and 111 540 of them in the two parts: the numbers every
    // character model prints.
    void theBundledPlaysAreTheUsualOnes() {
        const auto data = loadDataset(configOf({}, 64), resources());
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        const Dataset& set = **data;
        QVERIFY(set.isText());
        QCOMPARE(set.classes, 65);
        QCOMPARE(set.vocabulary, std::string("\n !$&',-.3:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"));
        QCOMPARE(set.trainText.count, 1'003'853 / 64);
        QCOMPARE(set.testText.count, 111'539 / 64);
        QCOMPARE(set.trainCount(), set.trainText.count);
        QVERIFY(spelled(set.trainText, set.vocabulary).starts_with("First Citizen:\nBefore we proceed"));
        QVERIFY(spelled(set.testText, set.vocabulary).starts_with("?\n\nGREMIO:\nGood morrow"));
        QCOMPARE(
            messagesText(set.facts, ", "),
            std::string(
                "Tiny Shakespeare, 1\u00a0115\u00a0394 bytes, 65 different bytes, in samples of 64, bundled copy"));
        QCOMPARE(set.train.count + set.test.count + set.validation.count, 0);
    }

    void tokensAreRanksAmongTheBytesOfTheWholeFile() {
        const DataFolder folder;
        // "!" occurs in the held-out tenth only and is known all the same; "\xC3\xA4" (a with two dots) is two tokens.
        const std::string text = "zb\xC3\xA4 zb\xC3\xA4 zb\xC3\xA4 zbab!!";
        const auto file = folder.write("some.txt", text);
        const auto data = loadDataset(configOf(file, 1), {}).value();
        QCOMPARE(data->vocabulary, std::string(" !abz\xA4\xC3"));
        QCOMPARE(data->classes, 7);
        QCOMPARE(text.size(), std::size_t{21});
        // 18 bytes for training, 3 held out; block 1: 17 and 2 samples.
        QCOMPARE(data->trainText.count, 17);
        QCOMPARE(spelled(data->trainText, data->vocabulary), text.substr(0, 18));
        QCOMPARE(data->testText.count, 2);
        QCOMPARE(spelled(data->testText, data->vocabulary), text.substr(18));
    }

    // Sample i is tokens [i block, (i + 1) block); targets are the same one further, so the last target is token count
    // x block.
    void samplesAndTheirTargets() {
        const DataFolder folder;
        const std::string text = alphabet(1000);
        const auto data = loadDataset(configOf(folder.write("a.txt", text), 7), {}).value();
        QCOMPARE(data->trainText.count, 899 / 7);
        QCOMPARE(data->testText.count, 99 / 7);
        for (const auto& [set, begin] : {std::pair{&data->trainText, 0}, {&data->testText, 900}}) {
            QCOMPARE(set->block, 7);
            QCOMPARE(set->tokens.size(), set->count * 7 + 1);
            for (std::int64_t i = 0; i < set->count; ++i)
                for (std::int64_t j = 0; j < 7; ++j) {
                    const std::int64_t at = i * 7 + j;
                    QCOMPARE(int(set->tokens[at]), int(begin + i * 7 + j) % 26);
                    QCOMPARE(int(set->tokens[at + 1]), int(begin + i * 7 + j + 1) % 26);
                }
        }
        // Nothing of the held-out part is a target of training.
        QVERIFY(data->trainText.count * 7 + 1 <= 900);
    }

    void aPartThatJustHoldsABlock() {
        const TokenColumn tokens = ownedTokens(std::vector<std::uint8_t>{4, 3, 2, 1, 0});
        QCOMPARE(cutText(tokens, 4, 0).count, 1); // 4 and the one behind
        QCOMPARE(cutText(tokens, 5, 0).count, 0);
        QCOMPARE(cutText(tokens, 5, 0).tokens.size(), 0);
        QCOMPARE(cutText(tokens, 2, 0).count, 2);
        QCOMPARE(idsOf(cutText(tokens, 2, 1).tokens), (Ids{4, 3, 2}));
        QCOMPARE(cutText({}, 2, 0).count, 0);
        const TextSet last = sliceText(cutText(tokens, 2, 0), 1, 1);
        QCOMPARE(idsOf(last.tokens), (Ids{2, 1, 0}));
        QCOMPARE(last.count, 1);
        QCOMPARE(last.block, 2);
    }

    void limitsAndValidationCountSamples() {
        const DataFolder folder;
        const std::string text = alphabet(1000);
        DataConfig config = configOf(folder.write("a.txt", text), 8);
        const auto whole = loadDataset(config, {}).value();
        config.trainLimit = 50;
        config.testLimit = 3;
        config.validation = 10;
        const auto part = loadDataset(config, {}).value();
        QCOMPARE(part->trainText.count, 40);
        QCOMPARE(part->validationText.count, 10);
        QCOMPARE(part->testText.count, 3);
        QCOMPARE(spelled(part->trainText, part->vocabulary), text.substr(0, 321));
        QCOMPARE(spelled(part->validationText, part->vocabulary), text.substr(320, 81));
        QCOMPARE(spelled(part->testText, part->vocabulary), text.substr(900, 25));
        QVERIFY(part->checksum != whole->checksum);
        QCOMPARE(loadDataset(config, {}).value()->checksum, part->checksum);
        config.validation = 50;
        const auto nothingLeft = loadDataset(config, {});
        QVERIFY(!nothingLeft.has_value());
        QCOMPARE(nothingLeft.error().code, std::string("data.too-small"));
    }

    // The same ranks of other letters are other data.
    void theChecksumKnowsTheLetters() {
        const DataFolder folder;
        const auto one = folder.write("one.txt", "abababababababababababab");
        const auto two = folder.write("two.txt", "xyxyxyxyxyxyxyxyxyxyxyxy");
        const auto first = loadDataset(configOf(one, 2), {}).value();
        const auto second = loadDataset(configOf(two, 2), {}).value();
        QCOMPARE(idsOf(first->trainText.tokens), idsOf(second->trainText.tokens));
        QVERIFY(first->checksum != second->checksum);
    }

    void inspectingAgreesWithLoading() {
        const DataFolder folder;
        DataConfig config = configOf(folder.write("a.txt", alphabet(3000)), 16);
        for (int round = 0; round < 2; ++round) {
            const auto sizes = inspectDataset(config, {}).value();
            const auto data = loadDataset(config, {}).value();
            QCOMPARE(sizes.train, data->trainText.count);
            QCOMPARE(sizes.test, data->testText.count);
            QCOMPARE(sizes.classes, data->classes);
            QCOMPARE(sizes.block, 16);
            QCOMPARE(sizes.height, 0);
            QCOMPARE(sizes.facts, data->facts);
            config.trainLimit = 20;
            config.validation = 4;
        }
    }

    void aFolderWithOneTextWillDo() {
        const DataFolder folder;
        folder.write("notes.md", "not this one");
        const std::string text = alphabet(400);
        const auto file = folder.write("book.txt", text);
        const auto data = loadDataset(configOf(folder.path(), 8), {});
        QVERIFY2(data.has_value(), data ? "" : describe(data.error()).c_str());
        QVERIFY(messagesText((*data)->facts, ", ").find(file.string()) != std::string::npos);
        QCOMPARE((*data)->trainText.count, 359 / 8);
    }

    // 255 different bytes: the most there can be without byte 0. Ids 0 to 254, which leaves 255 for the mask.
    void everyByteButZero() {
        const DataFolder folder;
        std::string text;
        for (int i = 0; i < 2000; ++i)
            text += static_cast<char>(1 + i % 255);
        const auto data = loadDataset(configOf(folder.write("a.txt", text), 4), {}).value();
        QCOMPARE(data->classes, 255);
        QCOMPARE(std::ranges::max(idsOf(data->trainText.tokens)), 254);
    }

    void whatIsNoTextHasItsOwnWords_data() {
        QTest::addColumn<QString>("name"); // of the file; empty: data.path is the folder
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("block");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* tag, const char* name, const std::string& bytes, int block, const char* code,
                            const char* word) {
            QTest::newRow(tag) << QString(name) << QByteArray::fromStdString(bytes) << block << QString(code)
                               << QString(word);
        };
        row("no folder", "absent", "", 8, "data.text.missing", "no such file");
        row("empty", "a.txt", "", 8, "data.text.short", "is empty");
        row("one letter", "a.txt", std::string(1000, 'a'), 8, "data.text.short", "are the same");
        row("a zero", "a.txt", alphabet(500) + std::string(1, '\0') + alphabet(500), 8, "data.text.binary", "byte 500");
        row("UTF-16", "a.txt", std::string("a\0b\0c\0", 6), 2, "data.text.binary", "UTF-8");
        row("compressed", "a.txt", gzipped(alphabet(4000)), 8, "data.text.binary", "zero byte");
        row("block of 100 in 1000", "a.txt", alphabet(1000), 100, "data.text.short", "at most 99");
        row("block of 64 in 30", "a.txt", alphabet(30), 64, "data.text.short", "at most 2,");
        row("two letters", "a.txt", "ab", 2, "data.text.short", "Use a longer text");
    }
    void whatIsNoTextHasItsOwnWords() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(int, block);
        QFETCH(QString, code);
        QFETCH(QString, word);
        const DataFolder folder;
        const auto file = folder.path() / name.toStdString();
        if (name != "absent")
            folder.write(name.toStdString(), bytes.toStdString());
        for (const bool inspecting : {false, true}) {
            const DataConfig config = configOf(file, block);
            Error error;
            if (inspecting)
                error = inspectDataset(config, {}).error();
            else
                error = loadDataset(config, {}).error();
            QCOMPARE(QString::fromStdString(error.code), code);
            const std::string words = describe(error);
            QVERIFY2(words.find(word.toStdString()) != std::string::npos, words.c_str());
            QVERIFY2(words.find(file.string()) != std::string::npos, words.c_str());
            QVERIFY2(words.find('{') == std::string::npos, words.c_str());
            QCOMPARE(exitCode(error), 3);
        }
    }

    // What the error proposes works, and one more does not.
    void theProposedBlockIsTheLargest() {
        const DataFolder folder;
        for (const std::size_t size : {30U, 57U, 1000U, 1003U}) {
            const auto file = folder.write("a.txt", alphabet(size));
            const auto refused = loadDataset(configOf(file, 4096), {});
            const std::string cure = describe(refused.error());
            const int largest = std::stoi(cure.substr(cure.find("at most ") + 8));
            QVERIFY(loadDataset(configOf(file, largest), {}).has_value());
            QVERIFY(!loadDataset(configOf(file, largest + 1), {}).has_value());
        }
    }

    void oneTextAmongSeveralMustBeNamed() {
        const DataFolder folder;
        const auto empty = loadDataset(configOf(folder.path(), 8), {});
        QCOMPARE(empty.error().code, std::string("data.text.missing"));
        folder.write("a.txt", alphabet(400));
        folder.write("b.txt", alphabet(400));
        const auto two = loadDataset(configOf(folder.path(), 8), {});
        QVERIFY2(describe(two.error()).find("2 .txt files") != std::string::npos, describe(two.error()).c_str());
        QVERIFY(loadDataset(configOf(folder.path() / "b.txt", 8), {}).has_value());
    }

    void thousandsOfDamagedFiles() {
        const DataFolder folder;
        std::mt19937_64 engine(20260107);
        int refused = 0;
        for (int round = 0; round < 1000; ++round) {
            const auto file =
                folder.write("a.txt", round % 2 ? randomBytes(engine() % 300, engine) : damaged(alphabet(300), engine));
            const auto data = loadDataset(configOf(file, 8), {});
            if (!data) {
                ++refused;
                QVERIFY(data.error().code.starts_with("data.text."));
                continue;
            }
            for (const TextSet* set : {&(*data)->trainText, &(*data)->testText}) {
                QCOMPARE(set->tokens.size(), set->count * 8 + 1);
                QVERIFY(std::ranges::all_of(idsOf(set->tokens),
                                            [&](std::int64_t token) { return token < (*data)->classes; }));
            }
        }
        QVERIFY2(refused > 100 && refused < 900, qPrintable(QString::number(refused)));
    }
};

QTEST_APPLESS_MAIN(TestText)
} // namespace test_text
#include "test_text.moc"

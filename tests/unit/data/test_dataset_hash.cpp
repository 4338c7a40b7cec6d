// SPDX-License-Identifier: GPL-3.0-or-later
// The hash of a data set sees everything that training reads, and nothing else.
#include "core/data/dataset_hash.h"
#include "core/data/generated.h"

#include <QTest>

#include <functional>
#include <set>

namespace test_dataset_hash {
using namespace accumulus;

namespace {

Dataset images() {
    Dataset data;
    data.train = generateDigits(20, 1);
    data.validation = generateDigits(5, 2);
    data.test = generateDigits(7, 3);
    return data;
}

TextSet textPart(std::int64_t count, std::int64_t block, std::uint8_t first) {
    TextSet text;
    text.count = count;
    text.block = block;
    std::vector<std::uint8_t> tokens;
    for (std::int64_t i = 0; i <= count * block; ++i)
        tokens.push_back(static_cast<std::uint8_t>((first + i) % 3));
    text.tokens = ownedTokens(std::move(tokens));
    return text;
}

/// The token at `place` becomes another.
void changeToken(TextSet& text, std::int64_t place) {
    std::vector<std::uint8_t> tokens;
    for (std::int64_t i = 0; i < text.tokens.size(); ++i)
        tokens.push_back(static_cast<std::uint8_t>(text.tokens[i] ^ (i == place ? 1 : 0)));
    text.tokens = ownedTokens(std::move(tokens));
}

Dataset text() {
    Dataset data;
    data.vocabulary = "abc";
    data.classes = 3;
    data.trainText = textPart(6, 4, 0);
    data.validationText = textPart(2, 4, 1);
    data.testText = textPart(3, 4, 2);
    return data;
}

using Change = std::function<void(Dataset&)>;

} // namespace

class TestDatasetHash : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Every change gives a hash of its own.
    void everyReadByteCounts_data() {
        QTest::addColumn<bool>("isText");
        QTest::newRow("images") << false;
        QTest::newRow("text") << true;
    }
    void everyReadByteCounts() {
        QFETCH(bool, isText);
        const std::vector<Change> ofImages{
            [](Dataset&) {},
            [](Dataset& data) { data.train.pixels.back() ^= 1; },
            [](Dataset& data) { data.train.labels.front() ^= 1; },
            [](Dataset& data) { data.validation.pixels.front() ^= 1; },
            [](Dataset& data) { data.validation.labels.back() ^= 1; },
            [](Dataset& data) { data.test.pixels.front() ^= 1; },
            [](Dataset& data) { data.test.labels.back() ^= 1; },
            [](Dataset& data) { data.mean = {0.5}; },
            [](Dataset& data) { data.deviation = {0.5}; },
            [](Dataset& data) {
                data.mean = {0.0, 0.0};
            },
            [](Dataset& data) { data.classes = 11; },
            // The same bytes in another shape, and cut at another place.
            [](Dataset& data) { data.train.height = 14, data.train.width = 56; },
            [](Dataset& data) { data.train.height = 14, data.train.channels = 2; },
            [](Dataset& data) { std::swap(data.train, data.test); },
            [](Dataset& data) {
                auto& from = data.validation;
                data.train.pixels.insert(data.train.pixels.end(), from.pixels.begin(), from.pixels.end());
                data.train.labels.insert(data.train.labels.end(), from.labels.begin(), from.labels.end());
                data.train.count += from.count;
                from = {};
            },
        };
        const std::vector<Change> ofText{
            [](Dataset&) {},
            [](Dataset& data) { changeToken(data.trainText, 24); },
            [](Dataset& data) { changeToken(data.validationText, 8); },
            [](Dataset& data) { changeToken(data.testText, 0); },
            [](Dataset& data) { data.vocabulary = "abd"; },
            [](Dataset& data) { data.classes = 4; },
            [](Dataset& data) { data.trainText.block = 8, data.trainText.count = 3; },
        };
        const auto& changes = isText ? ofText : ofImages;
        std::set<std::string> hashes;
        for (const Change& change : changes) {
            Dataset data = isText ? text() : images();
            change(data);
            hashes.insert(datasetHash(data));
        }
        QCOMPARE(hashes.size(), changes.size());
        for (const std::string& hash : hashes)
            QCOMPARE(hash.size(), std::size_t{32});
    }

    void whereTheDataLieDoesNotCount() {
        Dataset moved = images();
        moved.name = "mnist";
        moved.facts = {{"fact.place", {{"path", "/somewhere/else"}}}};
        moved.checksum = "1";
        QCOMPARE(datasetHash(moved), datasetHash(images()));
    }

    /// Fixed, since libraries hold it: the same on every machine and in every later version. The values were computed
    /// by another program from the same fields.
    void theHashIsStable() {
        QCOMPARE(datasetHash(text()), std::string("fae8c991d9623bf2e9ed56ef803bf668"));
        Dataset small;
        small.train.count = 1;
        small.train.height = 1;
        small.train.width = 2;
        small.train.pixels = {7, 8};
        small.train.labels = {1};
        QCOMPARE(datasetHash(small), std::string("74d15bd4c85ae21d6e2d9397f8ae03e8"));
    }

    // Of 1000 bytes blocks of 10 from 0, 198, 396, 594, 792 and 990 on: a change shows where it lies in one of them.
    void largeColumnsAreHashedInBlocks() {
        std::vector<std::byte> bytes(1000);
        const TensorColumn column{ElementType::UInt8, {10}, bytes.data(), nullptr, nullptr};
        const auto hash = [&](std::int64_t largest) {
            Hasher hasher;
            addColumn(hasher, column, 100, {.largest = largest, .between = 4, .bytes = 10});
            return hasher.hex();
        };
        const std::string blocks = hash(999);
        const std::string whole = hash(1000);
        QVERIFY(blocks != whole);
        const std::array<std::int64_t, 6> starts{0, 198, 396, 594, 792, 990};
        for (std::int64_t i = 0; i < 1000; ++i) {
            bytes[static_cast<std::size_t>(i)] = std::byte{1};
            const bool seen =
                std::ranges::any_of(starts, [i](std::int64_t start) { return i >= start && i < start + 10; });
            QCOMPARE(hash(999) != blocks, seen);
            QVERIFY(hash(1000) != whole);
            bytes[static_cast<std::size_t>(i)] = std::byte{0};
        }
    }
};

QTEST_APPLESS_MAIN(TestDatasetHash)
} // namespace test_dataset_hash
#include "test_dataset_hash.moc"

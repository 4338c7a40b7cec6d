// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <QRegularExpression>
#include <QtTest>
#include <array>
#include <bit>
#include <set>

namespace test_hash {
using namespace accumulus;

class TestHash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hashesAreThePublishedOnes() {
        // XXH3-128 of nothing, seed 0, in canonical (big-endian) form, from the specification's reference
        // implementation.
        QCOMPARE(hashOf(""), std::string("99aa06d3014798d86001c324468d497f"));
    }

    void piecesHashAsTheWhole() {
        std::string text;
        for (int i = 0; i < 5000; ++i)
            text += static_cast<char>(i * 31);
        for (const std::size_t piece : {1U, 7U, 256U, 4096U}) {
            Hasher hasher;
            for (std::size_t at = 0; at < text.size(); at += piece)
                hasher.add(std::string_view(text).substr(at, piece));
            QCOMPARE(hasher.hex(), hashOf(text));
        }
    }

    void hexDoesNotEndTheStream() {
        Hasher hasher;
        hasher.add("ab");
        QCOMPARE(hasher.hex(), hashOf("ab"));
        hasher.add("c");
        QCOMPARE(hasher.hex(), hashOf("abc"));
        Hasher moved = std::move(hasher);
        QCOMPARE(moved.add("d").hex(), hashOf("abcd"));
    }

    void everyBitMatters() {
        std::set<std::string> hashes;
        for (std::size_t byte = 0; byte < 40; ++byte)
            for (int bit = 0; bit < 8; ++bit) {
                std::string text(40, 'x');
                text[byte] = static_cast<char>(text[byte] ^ (1 << bit));
                hashes.insert(hashOf(text));
            }
        QCOMPARE(hashes.size(), std::size_t{320});
    }

    void uuidsAreRandomAndWellFormed() {
        static const QRegularExpression form(
            QStringLiteral("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"));
        std::set<std::string> seen;
        for (int i = 0; i < 1000; ++i) {
            const std::string uuid = newUuid();
            QVERIFY2(form.match(QString::fromStdString(uuid)).hasMatch(), uuid.c_str());
            QVERIFY(seen.insert(uuid).second);
        }
    }

    void keysAreMixedAndOrdered() {
        static_assert(mixKey(0, 0, 0) != mixKey(0, 0, 1));
        std::set<unsigned long long> keys;
        for (unsigned a = 0; a < 20; ++a)
            for (unsigned b = 0; b < 20; ++b)
                for (unsigned c = 0; c < 20; ++c)
                    keys.insert(mixKey(a, b, c));
        QCOMPARE(keys.size(), std::size_t{8000}); // (1, 2, 3) and (3, 2, 1) differ too
        // One input bit flips about half of the 64 output bits: 32 +- 4 per key, so the mean over 192 keys is within 32
        // +- 2 (7 sigma).
        int flipped = 0;
        for (int bit = 0; bit < 64; ++bit) {
            const unsigned long long mask = 1ULL << bit;
            flipped += std::popcount(mixKey(5, 6, 7) ^ mixKey(5 ^ mask, 6, 7));
            flipped += std::popcount(mixKey(5, 6, 7) ^ mixKey(5, 6 ^ mask, 7));
            flipped += std::popcount(mixKey(5, 6, 7) ^ mixKey(5, 6, 7 ^ mask));
        }
        QVERIFY2(flipped > 192 * 30 && flipped < 192 * 34, qPrintable(QString::number(flipped)));
    }
};

QTEST_APPLESS_MAIN(TestHash)
} // namespace test_hash
#include "test_hash.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Files that another program cuts short while they are looked through: an error, and not the end of the program
// (SIGBUS), which touching pages that are gone would be.
#include "core/base/error_thrown.h"
#include "core/data/csv_file.h"
#include "core/data/dataset_hash.h"
#include "core/data/text_window.h"
#include "core/data/token_column.h"
#include "tests/unit/data/idx_files.h"

#include <QTest>

namespace test_changing_files {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr std::int64_t count = 1 << 18; // of floats: 1 MiB

std::shared_ptr<const MappedFile> opened(const std::filesystem::path& file) { return MappedFile::open(file).value(); }

TensorColumn columnOf(const std::shared_ptr<const MappedFile>& file, ElementType type) {
    return {type, {}, file->bytes().data(), file, file};
}

std::string codeOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const ErrorThrown& problem) {
        return problem.error().code;
    }
    return "nothing";
}

/// Each scan of a column whose file was cut to two of its pages.
std::vector<std::pair<const char*, std::function<void(const TensorColumn&)>>> scans() {
    return {{"hash",
             [](const TensorColumn& column) {
                 Hasher hasher;
                 addColumn(hasher, column, count);
             }},
            {"blocks",
             [](const TensorColumn& column) {
                 Hasher hasher;
                 addColumn(hasher, column, count, {.largest = 4096, .between = 4, .bytes = 4096});
             }},
            {"finite", [](const TensorColumn& column) { (void)firstNonfinite(column, count); }},
            {"range", [](const TensorColumn& column) { (void)wholeRange(column, count); }},
            {"values", [](const TensorColumn& column) { (void)targetValues(column, count); }},
            {"first",
             [](const TensorColumn& column) {
                 (void)firstWhole(column, 0, count, [](std::int64_t value) { return value != 0; });
             }},
            {"number", [](const TensorColumn& column) { (void)wholeNumberAt(column, count - 1); }},
            {"numbers",
             [](const TensorColumn& column) {
                 double last = 0.0;
                 readNumbers(column, count - 1, std::span(&last, 1));
             }},
            {"whole number", [](const TensorColumn& column) { (void)wholeNumberAt(column, count - 1); }}};
}

} // namespace

class TestChangingFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFileCutShortIsAnError_data() {
        QTest::addColumn<int>("scan");
        for (int i = 0; i < std::ssize(scans()); ++i)
            QTest::newRow(scans()[static_cast<std::size_t>(i)].first) << i;
    }
    void aFileCutShortIsAnError() {
        QFETCH(const int, scan);
        const auto work = scans()[static_cast<std::size_t>(scan)].second;
        for (const ElementType type : {ElementType::Float32, ElementType::Int32}) {
            const DataFolder folder;
            const auto path = folder.write("column", std::string(4 * count, '\0'));
            const auto file = opened(path);
            const TensorColumn column = columnOf(file, type);
            QCOMPARE(codeOf([&] { work(column); }), std::string("nothing"));
            std::filesystem::resize_file(path, 8192);
            const bool looksAtNone = type == ElementType::Int32 && scan == 2; // whole numbers are finite
            QCOMPARE(codeOf([&] { work(column); }), std::string(looksAtNone ? "nothing" : "data.changed"));
        }
    }

    void aTableCutShortIsAnError() {
        const DataFolder folder;
        std::string text = "a,b\n";
        while (text.size() < 100'000)
            text += "1.5,2.5\n";
        const auto path = folder.write("table.csv", text);
        const CsvFile file = openCsv(path).value();
        std::filesystem::resize_file(path, 100);
        const auto read = readCsv(file, [](const CsvRecord&) -> Result<bool> { return true; });
        QVERIFY(!read);
        QCOMPARE(read.error().code, std::string("data.changed"));
    }

    // Piece by piece, wherever a character lies across their border: all of the text, and whole characters.
    void aTextIsReadInPieces() {
        const DataFolder folder;
        for (const std::string shift : {"", "x", "xx", "xxx"}) {
            std::string text = "\xEF\xBB\xBF" + shift;
            while (text.size() < std::size_t{5} << 20)
                text += "aä€😀";
            const auto path = folder.write("text.txt", text);
            const auto file = opened(path);
            std::string all;
            int pieces = 0;
            bool whole = true;
            forEachPiece(*file, [&](std::string_view piece, std::size_t offset) {
                whole =
                    whole && offset == all.size() &&
                    !QString::fromUtf8(piece.data(), std::ssize(piece)).contains(QChar(QChar::ReplacementCharacter));
                all += piece;
                ++pieces;
                return true;
            });
            QVERIFY(whole && pieces > 2);
            QVERIFY(all == text);
            std::filesystem::resize_file(path, 100);
            QCOMPARE(codeOf([&] { forEachPiece(*file, [](auto, auto) { return true; }); }),
                     std::string("data.changed"));
        }
        const auto nothing = opened(folder.write("empty.txt", ""));
        bool called = false;
        forEachPiece(*nothing, [&](auto, auto) { return called = true; });
        QVERIFY(!called);
    }

    void bytesThatAreNoTextComeToAnEnd() {
        const DataFolder folder;
        const auto file = opened(folder.write("bytes.txt", std::string(std::size_t{3} << 20, '\x80')));
        std::size_t seen = 0;
        forEachPiece(*file, [&](std::string_view piece, std::size_t) {
            seen += piece.size();
            return true;
        });
        QCOMPARE(seen, file->bytes().size());
    }

    // The content, and not the age, says whether a file is what it was; so it does until it is old.
    void aYoungerFileOfTheSameContentIsUnchanged() {
        const DataFolder folder;
        const auto path = folder.write("data", std::string(100'000, 'a'));
        const auto file = opened(path);
        const auto age = [&](int hours) {
            std::filesystem::last_write_time(path,
                                             std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
        };
        age(1);
        QVERIFY(!file->isUnchanged()); // nothing was remembered
        const auto known = opened(path);
        known->rememberContent();
        for (const int hours : {2, 0, 3})
            for (int again = 0; again < 2; ++again) {
                age(hours);
                QVERIFY(known->isUnchanged());
            }
        std::fstream(path, std::ios::in | std::ios::out) << 'b';
        QVERIFY(!known->isUnchanged());
        age(4);
        QVERIFY(!known->isUnchanged());
        std::fstream(path, std::ios::in | std::ios::out) << 'a';
        QVERIFY(known->isUnchanged());
        std::filesystem::resize_file(path, 99'999);
        QVERIFY(!known->isUnchanged());
    }
};

QTEST_APPLESS_MAIN(TestChangingFiles)
} // namespace test_changing_files
#include "test_changing_files.moc"

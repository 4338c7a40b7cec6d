// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"

#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <atomic>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace accumulus;
namespace fs = std::filesystem;

namespace {

std::size_t filesIn(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

} // namespace

class TestAtomicFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    void whatIsWrittenIsRead() {
        const std::string content("a\0b\r\n\xFF", 6);
        QVERIFY(writeFileAtomically(path("file"), content));
        QCOMPARE(*readFile(path("file")), content);
        QVERIFY(writeFileAtomically(path("file"), std::string_view()));
        QCOMPARE(readFile(path("file"))->size(), std::size_t{0});
        QCOMPARE(filesIn(path("")), std::size_t{1}); // no temporary file left
    }

    void piecesAreJoined() {
        const std::array<std::byte, 2> first = {std::byte{1}, std::byte{2}};
        const std::array<std::byte, 1> last = {std::byte{3}};
        const std::array<std::span<const std::byte>, 3> pieces = {
            std::span<const std::byte>(first), {}, std::span<const std::byte>(last)};
        QVERIFY(writeFileAtomically(path("file"), std::span<const std::span<const std::byte>>(pieces)));
        QCOMPARE(*readFile(path("file")), std::string("\1\2\3"));
    }

    void missingFoldersAreMade() {
        QVERIFY(writeFileAtomically(path("a/b/c"), "x"));
        QCOMPARE(*readFile(path("a/b/c")), std::string("x"));
    }

    void othersMayReadAsTheUmaskSays() {
        const mode_t before = ::umask(022);
        QVERIFY(writeFileAtomically(path("file"), "x"));
        ::umask(before);
        struct stat status {};
        QCOMPARE(::stat(path("file").c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0644U);
    }

    void aFailedWriteLeavesTheOldFile() {
        QVERIFY(writeFileAtomically(path("file"), "old"));
        // A limit on the size of files stands for a full disk.
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit tight{1000, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &tight), 0);
        const Status status = writeFileAtomically(path("file"), std::string(5000, 'n'));
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        QVERIFY(!status);
        QCOMPARE(status.error().code, std::string("file.write"));
        QCOMPARE(*readFile(path("file")), std::string("old"));
        QCOMPARE(filesIn(path("")), std::size_t{1});
    }

    void whereNothingCanBeWrittenTheReasonIsGiven() {
        QVERIFY(writeFileAtomically(path("file"), "x"));
        for (const fs::path& target : {path("file/below"), path("")}) { // a file as folder; a folder as file
            const Status status = writeFileAtomically(target, "x");
            QVERIFY(!status);
            QCOMPARE(status.error().code, std::string("file.write"));
            QVERIFY(!status.error().argument("reason").empty());
        }
        QCOMPARE(filesIn(path("")), std::size_t{1});
    }

    void readersNeverSeeHalfAFile() {
        constexpr std::size_t size = 100000;
        QVERIFY(writeFileAtomically(path("file"), std::string(size, 'a')));
        std::atomic<bool> done = false;
        std::thread writer([&] {
            for (int i = 0; i < 50; ++i)
                if (!writeFileAtomically(path("file"), std::string(size, static_cast<char>('a' + i % 26))))
                    break;
            done = true;
        });
        int wrong = 0;
        do {
            // Through a stream and not readFile, which looks at the size first and so would notice.
            std::ifstream stream(path("file"), std::ios::binary);
            const std::string content((std::istreambuf_iterator<char>(stream)), {});
            if (content.size() != size || content.find_first_not_of(content[0]) != std::string::npos)
                ++wrong;
        } while (!done);
        writer.join();
        QCOMPARE(wrong, 0);
    }

    void unreadableFilesAreErrors() {
        QCOMPARE(readFile(path("absent")).error().code, std::string("file.open"));
        QCOMPARE(readFile(path("")).error().code, std::string("file.open"));
        QVERIFY(writeFileAtomically(path("file"), "12345"));
        QVERIFY(!readFile(path("file"), 4));
        QCOMPARE(*readFile(path("file"), 5), std::string("12345"));
    }

private:
    [[nodiscard]] fs::path path(const std::string& name) const {
        return fs::path(m_folder->path().toStdString()) / name;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "test_atomic_file.moc"

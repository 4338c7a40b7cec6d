// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"

#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {
int umaskCalls = 0;
}

/// In the place of the C library's: whoever calls it is counted.
extern "C" mode_t umask(mode_t mask) noexcept {
    ++umaskCalls;
    return static_cast<mode_t>(::syscall(SYS_umask, mask));
}

namespace test_atomic_file {
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

    /// The umask belongs to the process: a file that another thread makes meanwhile would get the wrong permissions.
    void theUmaskIsNeverTouched() {
        const int before = umaskCalls;
        QVERIFY(writeFileAtomically(path("file"), "x"));
        QCOMPARE(umaskCalls, before);
    }

    void anExistingFileKeepsItsPermissions() {
        for (const fs::perms permissions : {fs::perms(0600), fs::perms(0640), fs::perms(0755)}) {
            QVERIFY(writeFileAtomically(path("file"), "old"));
            fs::permissions(path("file"), permissions);
            QVERIFY(writeFileAtomically(path("file"), "new"));
            QCOMPARE(static_cast<unsigned>(fs::status(path("file")).permissions()), static_cast<unsigned>(permissions));
            QCOMPARE(*readFile(path("file")), std::string("new"));
        }
    }

    void symbolicLinksAreFollowed() {
        fs::create_directory(path("store"));
        QVERIFY(writeFileAtomically(path("store/file"), "old"));
        fs::create_symlink("store/file", path("relative"));
        fs::create_symlink(path("relative"), path("chain"));
        fs::create_symlink("store/later", path("dangling"));
        fs::create_symlink("circle", path("circle"));
        QVERIFY(writeFileAtomically(path("chain"), "new"));
        QVERIFY(fs::is_symlink(path("chain")) && fs::is_symlink(path("relative")));
        QVERIFY(!fs::is_symlink(path("store/file")));
        QCOMPARE(*readFile(path("store/file")), std::string("new"));
        QVERIFY(writeFileAtomically(path("dangling"), "first"));
        QVERIFY(fs::is_symlink(path("dangling")));
        QCOMPARE(*readFile(path("store/later")), std::string("first"));
        const Status circle = writeFileAtomically(path("circle"), "x");
        QVERIFY(!circle && circle.error().code == "file.write");
        QVERIFY(fs::is_symlink(path("circle")));
    }

    void aNamedPipeStaysAndGetsTheContent() {
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
        QVERIFY(reader >= 0);
        QVERIFY(writeFileAtomically(path("pipe"), "through"));
        QVERIFY(fs::is_fifo(path("pipe")));
        std::array<char, 100> got{};
        const auto size = ::read(reader, got.data(), got.size());
        ::close(reader);
        QCOMPARE(std::string(got.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))), std::string("through"));
        QCOMPARE(filesIn(path("")), std::size_t{1});
    }

    /// As /dev/stdout, which is a link to /proc/self/fd/1: whatever stands behind the descriptor gets the content, at
    /// the place where the descriptor is.
    void aDescriptorGetsTheContent() {
        std::array<int, 2> ends{};
        QCOMPARE(::pipe(ends.data()), 0);
        fs::create_symlink("/proc/self/fd/" + std::to_string(ends[1]), path("out"));
        QVERIFY(writeFileAtomically(path("out"), "piped"));
        QVERIFY(fs::is_symlink(path("out")));
        std::array<char, 100> got{};
        ::close(ends[1]);
        QCOMPARE(::read(ends[0], got.data(), got.size()), ssize_t{5});
        ::close(ends[0]);

        const int file = ::open(path("file").c_str(), O_WRONLY | O_CREAT, 0600);
        QCOMPARE(::write(file, "before ", 7), ssize_t{7});
        fs::remove(path("out"));
        fs::create_symlink("/proc/self/fd/" + std::to_string(file), path("out"));
        QVERIFY(writeFileAtomically(path("out"), "after"));
        ::close(file);
        QCOMPARE(*readFile(path("file")), std::string("before after"));
    }

    void theNullDeviceSwallowsTheContent() {
        fs::create_symlink("/dev/null", path("nowhere")); // never the device itself: a mistake would replace it
        QVERIFY(writeFileAtomically(path("nowhere"), "x"));
        QVERIFY(fs::is_symlink(path("nowhere")));
        QVERIFY(fs::is_character_file("/dev/null"));
        QCOMPARE(filesIn(path("")), std::size_t{1});
    }

    /// A child is killed by the signal for files that grow too large, in the middle of its write.
    void whatADeadProcessLeftIsRemoved() {
        const pid_t child = ::fork();
        if (child == 0) {
            const rlimit tight{1000, 1000};
            const rlimit noCore{0, 0};
            ::setrlimit(RLIMIT_CORE, &noCore);
            ::setrlimit(RLIMIT_FSIZE, &tight);
            std::signal(SIGXFSZ, SIG_DFL);
            ::_exit(writeFileAtomically(path("file"), std::string(5000, 'n')) ? 0 : 1);
        }
        int result = 0;
        QCOMPARE(::waitpid(child, &result, 0), child);
        QVERIFY(WIFSIGNALED(result));
        QCOMPARE(filesIn(path("")), std::size_t{1}); // what it began
        QVERIFY(writeFileAtomically(path("other"), "x"));
        QCOMPARE(filesIn(path("")), std::size_t{1});
        QVERIFY(fs::exists(path("other")));
    }

    void onlyAbandonedFilesAreRemoved() {
        std::string boot;
        std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
        const std::string own = ".f." + boot.substr(0, 8) + "-1-1.accumulus-tmp";
        const std::string young = ".f.01234567-1-1.accumulus-tmp";
        const std::string old = ".f.01234567-1-2.accumulus-tmp";
        const std::string locked = ".f." + boot.substr(0, 8) + "-1-3.accumulus-tmp";
        const std::vector<std::string> others = {"f.accumulus-tmp", ".accumulus-tmp", ".f.accumulus-tmp",
                                                 ".f.x-y.accumulus-tmp", "f.XXXXXX"};
        for (const std::string& name : others)
            std::ofstream(path(name)) << "x";
        for (const std::string& name : {own, young, old, locked})
            std::ofstream(path(name)) << "x";
        fs::create_directory(path(".f.01234567-1-4.accumulus-tmp"));
        fs::last_write_time(path(old), fs::file_time_type::clock::now() - std::chrono::hours(25));
        const int file = ::open(path(locked).c_str(), O_WRONLY);
        QCOMPARE(::flock(file, LOCK_EX), 0);
        QCOMPARE(removeAbandonedFiles(path("")), std::size_t{2});
        QVERIFY(!fs::exists(path(own)) && !fs::exists(path(old)));
        QVERIFY(fs::exists(path(young)) && fs::exists(path(locked)));
        for (const std::string& name : others)
            QVERIFY2(fs::exists(path(name)), name.c_str());
        ::close(file);
        QCOMPARE(removeAbandonedFiles(path("")), std::size_t{1});
        QCOMPARE(removeAbandonedFiles(path("absent")), std::size_t{0});
    }

    void whoIsAliveIsLeftAlone() {
        std::atomic<bool> done = false;
        std::thread cleaner([&] {
            while (!done)
                (void)removeAbandonedFiles(path(""));
        });
        int failed = 0;
        for (int i = 0; i < 200; ++i)
            failed += writeFileAtomically(path("file"), std::string(10000, 'a')) ? 0 : 1;
        done = true;
        cleaner.join();
        QCOMPARE(failed, 0);
        QCOMPARE(filesIn(path("")), std::size_t{1});
    }

    void aLongNameIsNoProblem() {
        const std::string name(255, 'n');
        QVERIFY(writeFileAtomically(path(name), "x"));
        QCOMPARE(*readFile(path(name)), std::string("x"));
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
} // namespace test_atomic_file
#include "test_atomic_file.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A library that another program holds, or that has to be brought to this version, opens later: the GUI thread goes on.
#include "core/store/migrations.h"
#include "tests/support/synthetic_library.h"
#include "widgets/bridge/library_gateway.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <SQLiteCpp/SQLiteCpp.h>

namespace test_library_awaited {
using namespace accumulus;
using namespace accumulus::ui;

class TestLibraryAwaited : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(QStringLiteral("library.sqlite")).toStdString();
        test::SyntheticStudy study;
        study.seedsA = study.seedsB = {0};
        study.finalA = study.finalB = {0.9};
        QVERIFY(test::addSyntheticStudy(m_file, study));
        m_holder.reset();
    }

    /// The lock goes only after open() has come back and the loop has turned: whoever waits in open() gets no library.
    void aLockOfAnotherProgramHoldsUpNoTurnOfTheLoop() {
        LibraryGateway gateway;
        QSignalSpy awaiting(&gateway, &LibraryGateway::awaiting), opened(&gateway, &LibraryGateway::opened);
        holdAlone();
        QVERIFY(gateway.open(m_file));
        QVERIFY(!gateway.isOpen());
        QCOMPARE(gateway.awaited(), m_file);
        QCOMPARE(awaiting.count(), 1);
        QTimer clock;
        int turns = 0;
        connect(&clock, &QTimer::timeout, &gateway, [&turns] { ++turns; });
        clock.start(10);
        QTRY_VERIFY(turns > 20);
        QVERIFY(!gateway.isOpen() && opened.isEmpty());
        m_holder.reset();
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(gateway.isOpen() && !gateway.readOnly() && gateway.awaited().empty());
        QCOMPARE(gateway.reader().runs().value().size(), std::size_t{2});
        QTRY_VERIFY(gateway.idle());
    }

    void whatIsOpenStaysOpenUntilThen() {
        const std::filesystem::path other = m_folder->filePath(QStringLiteral("other.sqlite")).toStdString();
        LibraryGateway gateway;
        QVERIFY(gateway.open(other));
        holdAlone();
        QVERIFY(gateway.open(m_file));
        QCOMPARE(gateway.path(), other);
        QVERIFY(gateway.isOpen() && gateway.reader().runs().value().empty());
        // Whoever asks for another one meanwhile gets that one, and only that.
        QSignalSpy opened(&gateway, &LibraryGateway::opened);
        QVERIFY(gateway.open(other));
        QVERIFY(gateway.awaited().empty());
        QCOMPARE(opened.count(), 1);
        m_holder.reset();
        QTRY_VERIFY(gateway.idle());
        QCOMPARE(opened.count(), 1);
        QCOMPARE(gateway.path(), other);
        QVERIFY(gateway.open(m_file)); // nobody holds it any more, this window neither
        QCOMPARE(gateway.path(), m_file);
        QVERIFY(!gateway.readOnly());
    }

    void theEndDoesNotWaitForTheOther() {
        auto gateway = std::make_unique<LibraryGateway>();
        holdAlone();
        QVERIFY(gateway->open(m_file));
        QElapsedTimer clock;
        clock.start();
        gateway.reset();
        QVERIFY(clock.elapsed() < Library::usualPatience.count()); // after twice that it would have given up by itself
    }

    void anOlderLibraryIsBroughtToThisVersionOnTheOtherThread() {
        const std::filesystem::path old = m_folder->filePath(QStringLiteral("old.sqlite")).toStdString();
        {
            SQLite::Database file(old.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            file.exec(migrations().front());
            file.exec("PRAGMA application_id = " + std::to_string(libraryApplicationId) + "; PRAGMA user_version = 1");
        }
        LibraryGateway gateway;
        QSignalSpy opened(&gateway, &LibraryGateway::opened);
        QVERIFY(gateway.open(old));
        QCOMPARE(gateway.awaited(), old); // nothing was done on this thread
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(!gateway.readOnly());
        QVERIFY(Library::open(old, Library::Mode::Read));
    }

    void whatWasAwaitedMayFail() {
        LibraryGateway gateway;
        QSignalSpy failed(&gateway, &LibraryGateway::openFailed);
        holdAlone();
        QVERIFY(gateway.open(m_file));
        m_holder->exec("PRAGMA application_id = 7");
        m_holder->exec("COMMIT");
        m_holder.reset();
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.front().front().value<Error>().code, std::string("library.not-ours"));
        QVERIFY(!gateway.isOpen() && gateway.awaited().empty());
    }

private:
    /// Nobody else can even read the file, as some programs hold it.
    void holdAlone() {
        m_holder.emplace(m_file.string(), SQLite::OPEN_READWRITE, 5000);
        m_holder->exec("PRAGMA journal_mode = DELETE");
        m_holder->exec("BEGIN EXCLUSIVE");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_file;
    std::optional<SQLite::Database> m_holder;
};

QTEST_MAIN(TestLibraryAwaited)
} // namespace test_library_awaited
#include "test_library_awaited.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What keeps long computations and long files off the GUI thread: where they run, what is delivered, what is dropped,
// and that a file becomes whole or none.
#include "widgets/bridge/file_writer.h"
#include "widgets/bridge/newest_work.h"
#include "widgets/models/shared_column.h"
#include "widgets/plots/plot_csv.h"

#include <QDir>
#include <QFile>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QThreadPool>
#include <stdexcept>

namespace test_newest_work {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// Longer than a piece that is written at once.
std::vector<CsvCurve> longCurve() {
    Series series;
    for (int i = 0; i < 60'000; ++i) {
        series.x.push_back(i);
        series.y.push_back(1.0 / (i + 1));
    }
    CsvCurve curve;
    curve.name = QStringLiteral("a");
    curve.data.assign(series);
    return {curve};
}

QByteArray contentOf(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

} // namespace

class TestNewestWork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itRunsElsewhereAndIsDeliveredHere() {
        NewestWork work;
        QSignalSpy idle(&work, &NewestWork::idle);
        QThread* computed = nullptr;
        QThread* delivered = nullptr;
        work.start([&](const std::stop_token&) -> NewestWork::Deliver {
            computed = QThread::currentThread();
            return [&] { delivered = QThread::currentThread(); };
        });
        QVERIFY(work.busy());
        QTRY_COMPARE(idle.count(), 1);
        QVERIFY(!work.busy());
        QCOMPARE(delivered, QThread::currentThread());
        QVERIFY(computed && computed != delivered);
    }

    void onlyTheNewestIsDelivered() {
        QSemaphore begun, gate;
        QStringList delivered;
        NewestWork work;
        const auto order = [&](const QString& name) {
            work.start([&, name](const std::stop_token& stop) -> NewestWork::Deliver {
                begun.release();
                gate.acquire();
                if (name == QStringLiteral("first") && !stop.stop_requested())
                    qWarning("the first was not asked to stop");
                return [&delivered, name] { delivered << name; };
            });
        };
        order(QStringLiteral("first"));
        begun.acquire(); // it cannot be taken back any more
        order(QStringLiteral("second"));
        order(QStringLiteral("third"));
        gate.release(3);
        QTRY_VERIFY(!work.busy());
        QCOMPARE(delivered, QStringList{QStringLiteral("third")});
    }

    void whatIsCancelledOrThrownIsNotDelivered() {
        NewestWork work;
        bool delivered = false;
        work.start([&](const std::stop_token&) -> NewestWork::Deliver { return [&] { delivered = true; }; });
        work.cancel();
        QVERIFY(!work.busy());
        work.finish();
        QCoreApplication::processEvents();
        QVERIFY(!delivered);
        QSignalSpy idle(&work, &NewestWork::idle);
        work.start([](const std::stop_token&) -> NewestWork::Deliver { throw std::runtime_error("no memory"); });
        QTRY_COMPARE(idle.count(), 1);
        // Whoever cannot wait gets it in place.
        work.start([&](const std::stop_token&) -> NewestWork::Deliver { return [&] { delivered = true; }; });
        work.finish();
        QVERIFY(delivered && !work.busy());
    }

    void itsEndWaitsAndDeliversNothing() {
        bool ran = false, delivered = false;
        {
            QSemaphore begun;
            NewestWork work;
            work.start([&](const std::stop_token&) -> NewestWork::Deliver {
                begun.release();
                QThread::msleep(20);
                ran = true;
                return [&] { delivered = true; };
            });
            begun.acquire();
        }
        QVERIFY(ran);
        QCoreApplication::processEvents();
        QVERIFY(!delivered);
    }

    void aFileIsWrittenElsewhereAndTold() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plot.csv"));
        FileWriter writer;
        QSignalSpy written(&writer, &FileWriter::written);
        QThread* thread = nullptr;
        writer.start(file, [&thread, file](const FileWriter::Cancelled& cancelled) {
            thread = QThread::currentThread();
            return writePlotCsv(file.toStdString(), longCurve(), {}, cancelled);
        });
        QCOMPARE(writer.files(), QStringList{file});
        QTRY_COMPARE(written.count(), 1);
        QCOMPARE(written.at(0).at(0).toString(), file);
        QVERIFY(writer.files().isEmpty());
        QVERIFY(thread && thread != QThread::currentThread());
        QCOMPARE(contentOf(file).count('\n'), 60'001);
    }

    void aFileThatFailsIsTold() {
        const QTemporaryDir folder;
        const QString plain = folder.filePath(QStringLiteral("plain"));
        QFile made(plain);
        QVERIFY(made.open(QIODevice::WriteOnly));
        made.close();
        FileWriter writer;
        QSignalSpy failed(&writer, &FileWriter::failed);
        writer.start(plain, [plain](const FileWriter::Cancelled& cancelled) {
            return writePlotCsv((plain + QStringLiteral("/plot.csv")).toStdString(), longCurve(), {}, cancelled);
        });
        QTRY_COMPARE(failed.count(), 1);
        writer.start(plain, [](const FileWriter::Cancelled&) -> Status { throw std::runtime_error("no memory"); });
        QTRY_COMPARE(failed.count(), 2);
    }

    void aCancelledFileLeavesWhatWasThere() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plot.csv"));
        QFile made(file);
        QVERIFY(made.open(QIODevice::WriteOnly));
        made.write("before");
        made.close();
        FileWriter writer;
        QSignalSpy written(&writer, &FileWriter::written);
        QSignalSpy failed(&writer, &FileWriter::failed);
        QSemaphore gate;
        writer.start(file, [&gate, file](const FileWriter::Cancelled& cancelled) {
            gate.acquire();
            return writePlotCsv(file.toStdString(), longCurve(), {}, cancelled);
        });
        writer.cancel();
        gate.release();
        QTRY_VERIFY(writer.files().isEmpty());
        QCOMPARE(written.count() + failed.count(), 0);
        QThreadPool::globalInstance()->waitForDone();
        QCOMPARE(contentOf(file), QByteArray("before"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("plot.csv")});
    }

    void aFileBecomesWholeWhenItsWriterHasGone() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plot.csv"));
        QSemaphore begun, gate;
        auto writer = std::make_unique<FileWriter>();
        writer->start(file, [&begun, &gate, file](const FileWriter::Cancelled& cancelled) {
            begun.release();
            gate.acquire();
            return writePlotCsv(file.toStdString(), longCurve(), {}, cancelled);
        });
        begun.acquire();
        writer.reset();
        gate.release();
        QThreadPool::globalInstance()->waitForDone();
        QCOMPARE(contentOf(file).count('\n'), 60'001);
    }

    void aCopyOfAColumnKeepsWhatItHad() {
        SharedColumn column(std::vector<double>{1.0, 2.0});
        const SharedColumn copy = column;
        QCOMPARE(copy.values().data(), column.values().data()); // not copied yet
        column.push_back(3.0);
        column.append(std::vector<double>{4.0, 5.0});
        QVERIFY(copy == (std::vector<double>{1.0, 2.0}));
        QVERIFY(column == (std::vector<double>{1.0, 2.0, 3.0, 4.0, 5.0}));
        column.truncate(1);
        QVERIFY(column == (std::vector<double>{1.0}));
    }
};

QTEST_GUILESS_MAIN(TestNewestWork)
} // namespace test_newest_work
#include "test_newest_work.moc"

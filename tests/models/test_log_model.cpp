// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/log_model.h"

#include <QAbstractItemModelTester>
#include <QTest>
#include <thread>

namespace test_log_model {
using namespace accumulus;
using namespace accumulus::ui;

class TestLogModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesOfAnyThreadArriveInOrder();
    void keepsTheNewestLines();
    void filterByLevelAndText();
    void theDayStandsBehindTheTime();
};

void TestLogModel::linesOfAnyThreadArriveInOrder() {
    LogModel log;
    QAbstractItemModelTester tester(&log, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::thread writer([&] {
        for (int i = 0; i < 500; ++i)
            log.append(LogLevel::Info, QString::number(i));
    });
    writer.join();
    QTRY_COMPARE(log.rowCount(), 500);
    for (int i = 0; i < 500; ++i)
        QCOMPARE(log.index(i, LogModel::MessageColumn).data().toString(), QString::number(i));
    log.clear();
    QCOMPARE(log.rowCount(), 0);
}

void TestLogModel::keepsTheNewestLines() {
    LogModel log;
    QAbstractItemModelTester tester(&log, QAbstractItemModelTester::FailureReportingMode::QtTest);
    for (int part = 0; part < 3; ++part) {
        for (int i = 0; i < 4000; ++i)
            log.append(LogLevel::Info, QString::number(part * 4000 + i));
        QTRY_COMPARE(log.index(log.rowCount() - 1, LogModel::MessageColumn).data().toString(),
                     QString::number(part * 4000 + 3999));
    }
    QCOMPARE(log.rowCount(), LogModel::capacity);
    QCOMPARE(log.index(0, LogModel::MessageColumn).data().toString(), QStringLiteral("2000"));
}

void TestLogModel::filterByLevelAndText() {
    LogModel log;
    LogFilterModel shown;
    shown.setSourceModel(&log);
    QAbstractItemModelTester tester(&shown, QAbstractItemModelTester::FailureReportingMode::QtTest);
    log.append(LogLevel::Info, QStringLiteral("run started"));
    log.append(LogLevel::Warning, QStringLiteral("the Recorder was late"));
    log.append(LogLevel::Error, QStringLiteral("run failed"));
    QTRY_COMPARE(shown.rowCount(), 3);
    shown.setLevel(LogLevel::Warning);
    QCOMPARE(shown.rowCount(), 2);
    shown.setText(QStringLiteral("recorder"));
    QCOMPARE(shown.rowCount(), 1);
    shown.setLevel(LogLevel::Error);
    QCOMPARE(shown.rowCount(), 0);
}

/// A study may train for days.
void TestLogModel::theDayStandsBehindTheTime() {
    LogModel log;
    const QDate before = QDate::currentDate();
    log.append(LogLevel::Info, QStringLiteral("run started"));
    QTRY_COMPARE(log.rowCount(), 1);
    const QString tip = log.index(0, LogModel::TimeColumn).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.startsWith(before.toString(Qt::ISODate)) || before != QDate::currentDate(), qPrintable(tip));
    QVERIFY(tip.endsWith(log.index(0, LogModel::TimeColumn).data().toString()));
}

QTEST_MAIN(TestLogModel)
} // namespace test_log_model
#include "test_log_model.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/background_thread.h"

#include <QtTest>

#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace test_background_thread {
using namespace accumulus::ui;

namespace {

int niceOfThisThread() { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); }

struct Computing : QThread {
    int own = niceOfThisThread(), lane = own;

protected:
    void run() override {
        own = niceOfThisThread();
        std::thread([this] { lane = niceOfThisThread(); }).join();
    }
};

} // namespace

class TestBackgroundThread : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itsLanesYieldAndTheWindowDoesNot() {
        const int before = niceOfThisThread();
        Computing thread;
        startInBackground(thread);
        QVERIFY(thread.wait(10'000));
        QCOMPARE(niceOfThisThread(), before);
        QVERIFY2(before >= 19 || thread.own > before, qPrintable(QString::number(thread.own)));
        QCOMPARE(thread.lane, thread.own);
    }
};

QTEST_GUILESS_MAIN(TestBackgroundThread)
} // namespace test_background_thread
#include "test_background_thread.moc"

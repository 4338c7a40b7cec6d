// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/open_window.h"

#include <QTest>

namespace test_open_window {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

WindowProgress look(std::int64_t window, std::int64_t committed, double data, double forward) {
    WindowProgress progress{window, window, 64, 8, committed};
    progress.dataSeconds = data;
    progress.forwardSeconds = forward;
    return progress;
}

} // namespace

class TestOpenWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Sums of powers of two: the shares are exact.
    void whatPassedBetweenTwoLooksIsShared() {
        OpenWindow open;
        QVERIFY(!open.isTold());
        open.take(look(1, 1, 0.25, 1.0));
        open.take(look(1, 3, 0.75, 2.0));
        open.take(look(1, 3, 0.75, 2.0)); // nothing new
        QVERIFY(open.isTold());
        QCOMPARE(open.parts().size(), 3U);
        QVERIFY((open.parts()[0] == MicroStepParts{0.25, 1.0, 0.0, 0.0}));
        QVERIFY((open.parts()[1] == MicroStepParts{0.25, 0.5, 0.0, 0.0}));
        QVERIFY(open.parts()[2] == open.parts()[1]);
    }

    void anotherWindowOrTheSameBegunAnewStartsEmpty() {
        OpenWindow open;
        open.take(look(1, 8, 8.0, 8.0));
        open.take(look(2, 2, 0.5, 1.0));
        QCOMPARE(open.parts().size(), 2U);
        QVERIFY((open.parts()[0] == MicroStepParts{0.25, 0.5, 0.0, 0.0}));
        open.take(look(2, 0, 0.0, 0.0));
        QVERIFY(open.parts().empty());
        QCOMPARE(open.progress().committed, std::int64_t{0});
    }

    void blocksTooManyToBeSeenHaveNoParts() {
        OpenWindow open;
        WindowProgress progress = look(1, 70'000, 1.0, 1.0);
        progress.microSteps = 100'000;
        open.take(progress);
        QVERIFY(open.parts().empty());
        QCOMPARE(open.progress().committed, std::int64_t{70'000});
    }
};

QTEST_APPLESS_MAIN(TestOpenWindow)
} // namespace test_open_window
#include "test_open_window.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A window that breaks down and cannot even be told: the last checkpoint stands before it, and a run that goes on takes
// it again.
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <QTest>

#include <memory>

namespace test_refused_window {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Cannot keep a window that is not finite.
struct Refusing final : RecordingObserver {
    Status windowClosed(const WindowRecord& window) override {
        if (window.nonfinite)
            return failure("run.taken-over", {{"run", "1"}});
        return RecordingObserver::windowClosed(window);
    }
};

} // namespace

class TestRefusedWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theRunGoesOnBeforeIt() {
        RunConfig config = smallConfig(36, 12, 4);
        config.data.shuffle = false;
        config.numerics.nonfinite = NonfinitePolicy::Stop;
        const QTemporaryDir folder;
        TrainerSetup setup = makeSetup(config, folder);
        setup.data = smallImages(36);
        const auto model = std::make_shared<SmallConvNet>(true, 0.3);
        setup.model = model;
        RecordingObserver whole;
        const std::string hash = Trainer::create(setup).value()->train(whole).summary.weightsHash;

        setup.model = std::make_shared<WithSpoiltSample>(model, 12 + 5);
        Refusing refusing;
        const TrainingEnd broken = Trainer::create(setup).value()->train(refusing);
        QVERIFY(broken.error);
        QCOMPARE(broken.error->code, std::string("run.taken-over"));
        QCOMPARE(refusing.windows.size(), std::size_t{1});
        QCOMPARE(refusing.checkpoints.size(), std::size_t{1});

        setup.model = model;
        const auto trainer = Trainer::create(setup).value();
        QVERIFY(trainer->restore(refusing.checkpoints.back().bundlePath));
        QCOMPARE(trainer->windowsDone(), std::int64_t{1});
        RecordingObserver rest;
        const TrainingEnd end = trainer->train(rest);
        QVERIFY(!end.error);
        QCOMPARE(rest.windows.front().window, std::int64_t{2});
        QCOMPARE(rest.windows.front().samples, std::int64_t{24});
        QCOMPARE(end.summary.weightsHash, hash);
    }
};

QTEST_APPLESS_MAIN(TestRefusedWindow)
} // namespace test_refused_window
#include "test_refused_window.moc"

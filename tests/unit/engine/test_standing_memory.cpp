// SPDX-License-Identifier: GPL-3.0-or-later
// A model that is larger than memory is refused before any of it is allocated.
#include "core/engine/standing_memory.h"

#include "core/engine/engine_trial.h"
#include "core/engine/memory_counter.h"
#include "core/model/parameter_arena.h"
#include "tests/unit/train/tensor_training_fixture.h"

#include <QTest>

namespace test_standing_memory {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Samples [48] of two classes, but for one label that makes so many.
RunConfig strayLabel(const QTemporaryDir& folder, std::int64_t classes) {
    Made made = makeSamples(madeSamples, 48);
    made.targets[11] = classes - 1;
    RunConfig config = configOf(folder, plainNpz(made));
    config.numerics.precision = Precision::Fp32;
    config.model.hidden = {512};
    config.data.validation = 8;
    return config;
}

} // namespace

class TestStandingMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // 16 million labels x 512 inputs x 4 bytes x 3 copies: 98 GB. Trainer, audit and plan begin alike.
    void aStrayLabelIsNamedBeforeAnythingIsAllocated() {
        const QTemporaryDir folder;
        RunConfig config = strayLabel(folder, 16'000'001);
        config.optimizer.momentum = 0.0;
        config.device.memoryLimit = "1 GB";
        const TrainerSetup setup = makeSetup(config, folder, {1, 1});
        MemoryCounter::resetPeak();
        const std::int64_t before = MemoryCounter::peak();
        const auto trainer = Trainer::create(setup);
        const auto trial = EngineTrial::create(setup, {.micro = 4, .lanes = {1, 1}});
        QVERIFY(!trainer && !trial);
        QVERIFY(MemoryCounter::peak() - before < 1'000'000);
        for (const Error& error : {trainer.error(), trial.error()}) {
            QCOMPARE(error.code, std::string("model.memory"));
            const QString text = QString::fromStdString(describe(error)).replace(QChar(0xa0), ' ');
            for (const char* said : {"8 208 025 601 parameters", "98.5 GB", "the memory limit is 1 GB",
                                     "16 000 001 classes", "the largest is 16 000 000"})
                QVERIFY2(text.contains(said), qPrintable(text));
        }
        MemoryCounter::setLimit(0);
    }

    // To the byte, against what is available. More lanes than have room are another error: fewer of them fit.
    void whatStaysIsHeldAgainstTheRoom() {
        const ParameterLayout layout({{"weight", {16, 16}, 16, false}});
        EngineSetup setup;
        setup.data = std::make_shared<const Dataset>();
        setup.config.optimizer.momentum = 0.0;
        constexpr std::int64_t copy = 16 * 16 * 4; // fp32
        const auto code = [&](std::int64_t lanes, std::int64_t room) {
            const Status status = checkStandingMemory(setup, layout, lanes, {room, false});
            return status ? std::string("fits") : status.error().code;
        };
        QCOMPARE(code(1, 3 * copy), std::string("fits")); // weights, their sum, one micro-gradient
        QCOMPARE(code(1, 3 * copy - 1), std::string("model.memory"));
        QCOMPARE(code(2, 4 * copy), std::string("fits"));
        QCOMPARE(code(2, 4 * copy - 1), std::string("training.memory"));
        QCOMPARE(code(2, 3 * copy - 1), std::string("model.memory"));
        QCOMPARE(code(8, 0), std::string("fits")); // nothing is known
        setup.config.optimizer.name = OptimizerKind::Adam;
        QCOMPARE(code(1, 5 * copy - 1), std::string("model.memory"));
        setup.config.batch.lean = true;
        QCOMPARE(code(1, 4 * copy), std::string("fits"));
        setup.config.numerics.precision = Precision::Fp64;
        QCOMPARE(code(1, 8 * copy - 1), std::string("model.memory"));
    }

    void theWordsFitTheModel() {
        EngineSetup setup;
        auto data = std::make_shared<Dataset>();
        data->classes = 10;
        setup.data = data;
        const auto cureOf = [&](const ParameterLayout& layout) {
            return checkStandingMemory(setup, layout, 1, {1000, false}).error().argument("cure");
        };
        QCOMPARE(cureOf(ParameterLayout({{"a", {100, 100}, 1, false}, {"b", {10, 100}, 1, false}})),
                 std::string("cure.smaller-network"));
        QCOMPARE(cureOf(ParameterLayout({{"a", {9, 100}, 1, false}, {"b", {10, 100}, 1, false}})),
                 std::string("cure.fewer-classes"));
    }
};

QTEST_GUILESS_MAIN(TestStandingMemory)
} // namespace test_standing_memory
#include "test_standing_memory.moc"

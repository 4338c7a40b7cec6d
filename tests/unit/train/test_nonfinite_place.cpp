// SPDX-License-Identifier: GPL-3.0-or-later
// A window that is not finite names the micro-step and the layer where that began: in every executor, under every
// policy, in the forward and in the backward pass.
#include "core/engine/layer_watch.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>
#include <cmath>
#include <limits>

namespace test_nonfinite_place {
using namespace accumulus;
using namespace accumulus::test;

namespace {

enum class Trouble { None, Before, Overflow, Weight, Frozen, Backward, Mask };

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Three layers with a sigmoid between them; one sample meets the trouble, at the second layer as a rule.
class Troubled final : public Model {
public:
    Troubled(Trouble trouble, std::int64_t sample)
        : Model({{"in.weight", {8, 784}, 784, false},
                 {"mid.weight", {8, 8}, 8, false, InitialValue::constant(trouble == Trouble::Weight ? infinity : 1.0)},
                 {"mid.bias", {8}, 8, true},
                 {"out.weight", {10, 8}, 8, false}}),
          m_trouble(trouble), m_sample(sample) {}

    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        at::Tensor x = input.flatten(1);
        if (m_trouble == Trouble::Before)
            x = x * rows(input, context, std::nan(""));
        x = at::sigmoid(at::linear(x, p[0]));
        if (m_trouble == Trouble::Mask) // as in attention: no finding, and the loss breaks later
            x = at::softmax(at::cat({x, at::full_like(x, -infinity)}, 1), 1).narrow(1, 0, 8);
        const bool steep = m_trouble == Trouble::Overflow || m_trouble == Trouble::Frozen;
        if (steep) // each below 1.8e308, and not their weighted sum
            x = x + (rows(input, context, 1e308) - 1.0);
        if (m_trouble == Trouble::Mask)
            x = x * rows(input, context, 1e308);
        x = at::linear(x, steep ? p[1] * 40.0 : p[1], p[2]);
        if (m_trouble == Trouble::Mask) // eight shares of a softmax sum to one
            x = x * rows(input, context, 1e10);
        if (m_trouble == Trouble::Backward) // the root of zero has no finite slope
            x = at::sqrt(at::square(x * rows(input, context, 0.0)));
        return at::linear(x, p[3]);
    }

private:
    [[nodiscard]] at::Tensor rows(const at::Tensor& input, const ForwardContext& context, double value) const {
        at::Tensor factor = at::ones({input.size(0), 1}, input.scalar_type());
        for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
            if (context.keys.ids[row] == m_sample)
                factor[static_cast<std::int64_t>(row)] = value;
        return factor;
    }

    Trouble m_trouble;
    std::int64_t m_sample;
};

struct Told final : RecordingObserver {
    [[nodiscard]] const Message* find(const std::string& code) const {
        const auto found = std::ranges::find(messages, code, &Message::code);
        return found == messages.end() ? nullptr : &*found;
    }
};

struct Outcome {
    TrainingEnd end;
    Told observer;
};

/// Three windows in the order of the samples. The micro-batches of the second one are 8, 8, 8 and `last` samples.
RunConfig threeWindows(std::int64_t last, NonfinitePolicy policy) {
    RunConfig config = smallConfig(3 * (24 + last), 24 + last, 8);
    config.data.testLimit = 10;
    config.data.shuffle = false;
    config.numerics.nonfinite = policy;
    return config;
}

Outcome train(const RunConfig& config, std::shared_ptr<Model> model, int lanes = 1, bool deferred = false) {
    const QTemporaryDir folder;
    TrainerSetup setup = makeSetup(config, folder, {lanes, 1});
    setup.model = std::move(model);
    setup.deferred = deferred;
    Outcome outcome;
    outcome.end = Trainer::create(std::move(setup)).value()->train(outcome.observer);
    return outcome;
}

/// What the policy says of the window that broke: an error or a note.
QString wordsOf(const Outcome& outcome, NonfinitePolicy policy) {
    if (policy == NonfinitePolicy::Stop)
        return QString::fromStdString(outcome.end.error ? describe(*outcome.end.error) : "no error");
    const Message* note =
        outcome.observer.find(policy == NonfinitePolicy::SkipUpdate ? "training.skipped" : "training.left-out");
    return QString::fromStdString(note ? messageText(*note) : "no note");
}

} // namespace

class TestNonfinitePlace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPolicyNamesMicroStepAndLayer_data() {
        QTest::addColumn<int>("trouble");
        QTest::addColumn<int>("policy");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<int>("executor"); ///< 0: lanes, 1: lean, 2: as on a device
        QTest::addColumn<int>("last");
        QTest::addColumn<QString>("where");
        const std::pair<Trouble, const char*> troubles[] = {{Trouble::Before, "before the first layer"},
                                                            {Trouble::Overflow, "layer mid"},
                                                            {Trouble::Mask, "layer mid"},
                                                            {Trouble::Backward, "gradient of layer mid"}};
        for (const auto& [trouble, where] : troubles)
            for (const auto policy : {NonfinitePolicy::Stop, NonfinitePolicy::SkipUpdate, NonfinitePolicy::SkipMicro})
                for (const auto& [lanes, executor] :
                     {std::pair(1, 0), std::pair(3, 0), std::pair(1, 1), std::pair(1, 2)})
                    for (const int last : {8, 5})
                        QTest::addRow("trouble %d, policy %d, lanes %d, executor %d, last %d", int(trouble),
                                      int(policy), lanes, executor, last)
                            << int(trouble) << int(policy) << lanes << executor << last << QString(where);
    }
    void everyPolicyNamesMicroStepAndLayer() {
        QFETCH(int, trouble);
        QFETCH(int, policy);
        QFETCH(int, lanes);
        QFETCH(int, executor);
        QFETCH(int, last);
        QFETCH(QString, where);
        const auto kept = static_cast<NonfinitePolicy>(policy);
        for (const std::int64_t step : {2, 4}) { // the last micro-batch may be the short one
            RunConfig config = threeWindows(last, kept);
            config.batch.lean = executor == 1;
            const std::int64_t sample = 24 + last + 8 * (step - 1) + 1; // of the second window
            const Outcome outcome =
                train(config, std::make_shared<Troubled>(static_cast<Trouble>(trouble), sample), lanes, executor == 2);
            const QString words = wordsOf(outcome, kept);
            QVERIFY2(words.contains(QStringLiteral("micro-step %1 of 4, %2").arg(step).arg(where)), qPrintable(words));
            QCOMPARE(outcome.end.error.has_value(), kept == NonfinitePolicy::Stop);
            if (kept == NonfinitePolicy::Stop)
                QCOMPARE(outcome.end.error->argument("update"), std::string("2"));
            else
                QCOMPARE(outcome.end.summary.updates, kept == NonfinitePolicy::SkipUpdate ? 2 : 3);
        }
    }

    void aWeightThatIsInfiniteIsItsLayers() {
        const Outcome outcome =
            train(threeWindows(8, NonfinitePolicy::Stop), std::make_shared<Troubled>(Trouble::Weight, -1));
        QVERIFY(outcome.end.error);
        QCOMPARE(outcome.end.error->argument("layer"), std::string("mid"));
        QCOMPARE(outcome.end.error->argument("microStep"), std::string("1"));
    }

    // A layer that is not trained has no gradient to tell by.
    void aFrozenLayerIsNamed() {
        auto model = std::make_shared<Troubled>(Trouble::Frozen, 41);
        const std::vector<std::string> frozen{"in.*", "mid.*"};
        QVERIFY(model->freeze(frozen));
        const Outcome outcome = train(threeWindows(8, NonfinitePolicy::Stop), model, 3);
        QVERIFY(outcome.end.error);
        QCOMPARE(outcome.end.error->argument("layer"), std::string("mid"));
    }

    // Memory that has run out before leaves parts: they are one micro-step.
    void leanPartsCountAsOneMicroStep() {
        RunConfig config = threeWindows(8, NonfinitePolicy::Stop);
        config.batch.lean = true;
        const QTemporaryDir folder;
        TrainerSetup setup = makeSetup(config, folder);
        setup.model = std::make_shared<Troubled>(Trouble::Overflow, 32 + 8 * 2 + 1);
        bool failed = false;
        setup.fault = [&](FaultPoint point, std::int64_t window, std::int64_t) {
            if (window == 1 && point == FaultPoint::Forward && !std::exchange(failed, true))
                throw std::bad_alloc();
        };
        Told observer;
        const TrainingEnd end = Trainer::create(std::move(setup)).value()->train(observer);
        QVERIFY(observer.find("memory.resplit"));
        QVERIFY(end.error);
        QCOMPARE(end.error->argument("microStep"), std::string("3"));
        QCOMPARE(end.error->argument("layer"), std::string("mid"));
    }

    // What was not finite by chance is told without a layer, not with a wrong one.
    void whatDoesNotComeAgainHasNoLayer() {
        class Once final : public Model {
        public:
            Once() : Model({{"w", {10, 784}, 784, false}}) {}
            at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                               ForwardContext& context) const override {
                const at::Tensor output = at::linear(input.flatten(1), p[0]);
                return context.training && m_calls++ == 5 ? output * std::nan("") : output;
            }

        private:
            mutable int m_calls = 0;
        };
        const Outcome outcome = train(threeWindows(8, NonfinitePolicy::Stop), std::make_shared<Once>());
        const QString words = wordsOf(outcome, NonfinitePolicy::Stop);
        QVERIFY2(words.contains("(micro-step 2 of 4)"), qPrintable(words));
    }

    // An overflow that a lower loss scale mends is no fault and is not looked for.
    void anOverflowThatIsMendedNamesNothing() {
        class Steep final : public Model {
        public:
            Steep() : Model({{"w", {10, 784}, 784, false}}) {}
            at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext&) const override {
                return at::linear(input.flatten(1).to(at::kHalf), p[0].to(at::kHalf)).to(at::kFloat);
            }
        };
        for (const bool lean : {false, true}) {
            RunConfig config = threeWindows(8, NonfinitePolicy::Stop);
            config.numerics.precision = Precision::Fp16;
            config.batch.lean = lean;
            const Outcome outcome = train(config, std::make_shared<Steep>());
            QVERIFY(!outcome.end.error);
            QVERIFY(outcome.observer.find("training.overflow"));
            QVERIFY(!outcome.observer.find("training.skipped") && !outcome.observer.find("training.left-out"));
        }
    }

    // A run that breaks in every window does not fill the log: ten notes, and one that says so.
    void aRunThatBreaksInEveryWindowIsNotedTenTimes() {
        class Broken final : public Model {
        public:
            Broken() : Model({{"w", {10, 784}, 784, false}}) {}
            at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                               ForwardContext& context) const override {
                at::Tensor factor = at::ones({input.size(0), 1}, input.scalar_type());
                for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
                    if (context.keys.ids[row] % 16 == 0)
                        factor[static_cast<std::int64_t>(row)] = std::nan("");
                return at::linear(input.flatten(1) * factor, p[0]);
            }
        };
        RunConfig config = smallConfig(14 * 16, 16, 8); // micro-steps of 8; the first of each window breaks
        config.data.testLimit = 10;
        config.data.shuffle = false;
        config.numerics.nonfinite = NonfinitePolicy::SkipMicro;
        const Outcome outcome = train(config, std::make_shared<Broken>());
        QVERIFY(!outcome.end.error);
        const auto noted = [&outcome](const char* code) {
            return std::ranges::count(outcome.observer.messages, code, &Message::code);
        };
        QCOMPARE(noted("training.left-out"), 10);
        QCOMPARE(noted("training.left-out-more"), 1);
        QVERIFY(messageText(*outcome.observer.find("training.left-out-more")).find("the first 10") !=
                std::string::npos);
    }

    // An event of an older program has neither place nor layer.
    void wordsWithoutAPlaceAreWhole() {
        QCOMPARE(messageText({"training.skipped", {{"window", "7"}}}),
                 std::string("The loss or gradient of window 7 was not finite; no update was made."));
        const Error old{"training.nonfinite", {{"update", "3"}, {"microStep", "5"}, {"microSteps", "8"}}};
        QVERIFY(describe(old).find("(micro-step 5 of 8).") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestNonfinitePlace)
} // namespace test_nonfinite_place
#include "test_nonfinite_place.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of one window on hand-made gradients, against numbers worked out by hand. Each trap's planted bug
// must give another number.
#include "core/window/gradient_window.h"

#include "tests/support/numeric.h"
#include "tests/support/windows.h"

#include <ATen/ATen.h>
#include <QTest>
#include <vector>

namespace test_gradient_window {
using namespace accumulus;
using accumulus::test::compareAbs;
using accumulus::test::compareRel;

namespace {

// Additions and one division of numbers that fp64 holds exactly: a few roundings at most.
constexpr double exact = 1e-15;

ParameterLayout layoutOf(std::int64_t count) { return ParameterLayout({{"w", {count}, 1, false}}); }

/// Micro-batch of n units with mean gradient `mean` and mean loss `loss`.
MicroGradient micro(std::int64_t n, const std::vector<double>& mean, double loss) {
    MicroGradient result;
    result.gradients = {at::tensor(mean, at::kDouble) * static_cast<double>(n)};
    result.units = static_cast<double>(n);
    result.lossSum = loss * static_cast<double>(n);
    return result;
}

struct Outcome {
    WindowGradient window;
    std::vector<double> gradient;
};

Outcome run(const std::vector<MicroGradient>& micros, Normalise normalise = Normalise::Samples, double clip = 0.0,
            PlantedBug bug = PlantedBug::None, std::int64_t nominal = 0) {
    const std::int64_t count = micros.front().gradients[0].numel();
    const ParameterLayout layout = layoutOf(count);
    GradientWindow window =
        test::hostWindow(layout, at::kDouble, {.normalise = normalise, .clipNorm = clip, .bug = bug});
    window.setNominal(nominal, 4);
    for (std::size_t k = 0; k < micros.size(); ++k) {
        MicroGradient one = micros[k];
        one.microStep = static_cast<std::int64_t>(k);
        window.commit(one);
    }
    Outcome outcome{window.close(), {}};
    const double* data = window.gradient().const_data_ptr<double>();
    outcome.gradient.assign(data, data + count);
    return outcome;
}

} // namespace

class TestGradientWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // T1: n = (1, 9), losses and gradients (4, 1): the mean over units is 1.3, the mean of means 2.5.
    void unequalMicroBatchesAreWeightedByWhatTheyHold() {
        const std::vector<MicroGradient> micros{micro(1, {4.0}, 4.0), micro(9, {1.0}, 1.0)};
        const Outcome right = run(micros);
        QVERIFY(compareRel(right.window.loss, 1.3, exact));
        QVERIFY(compareRel(right.gradient[0], 1.3, exact));
        const Outcome wrong = run(micros, Normalise::MeanOfMeans);
        QVERIFY(compareRel(wrong.gradient[0], 2.5, exact));
    }

    // The tutorials' own arithmetic: each micro-batch's mean loss is divided by the nominal K = 4, so a window of two
    // micro-batches gets half of its mean. It equals the mean of means where the window is full.
    void theNominalKScalesAShortWindowDown() {
        const std::vector<MicroGradient> two{micro(8, {4.0}, 4.0), micro(8, {2.0}, 2.0)};
        QVERIFY(compareRel(run(two, Normalise::NominalSteps).gradient[0], 1.5, exact));
        QVERIFY(compareRel(run(two).gradient[0], 3.0, exact));
        std::vector<MicroGradient> four = two;
        four.insert(four.end(), two.begin(), two.end());
        QVERIFY(compareRel(run(four, Normalise::NominalSteps).gradient[0],
                           run(four, Normalise::MeanOfMeans).gradient[0], exact));
    }

    // T2: the same batch of 8 units as K = 1, 2, 8 gives one norm; undivided or divided twice it does not.
    void theNormDoesNotDependOnTheSplit() {
        const auto norm = [](std::int64_t steps, PlantedBug bug) {
            std::vector<MicroGradient> micros;
            for (std::int64_t k = 0; k < steps; ++k)
                micros.push_back(micro(8 / steps, {3.0, 4.0}, 1.0));
            return run(micros, Normalise::Samples, 0.0, bug).window.norm;
        };
        for (const std::int64_t steps : {1, 2, 8})
            QVERIFY(compareRel(norm(steps, PlantedBug::None), 5.0, exact));
        QVERIFY(!compareRel(norm(8, PlantedBug::NotDivided), 5.0, 1e-3));
        QVERIFY(!compareRel(norm(8, PlantedBug::DividedTwice), norm(1, PlantedBug::DividedTwice), 1e-3));
    }

    // T3: a window of 3 x 4 units of a nominal 16 divides by 12.
    void aShortWindowIsDividedByWhatItHolds() {
        const std::vector<MicroGradient> micros(3, micro(4, {2.0}, 1.0));
        QVERIFY(compareRel(run(micros, Normalise::Samples, 0.0, PlantedBug::None, 16).gradient[0], 2.0, exact));
        QVERIFY(compareRel(run(micros, Normalise::Samples, 0.0, PlantedBug::NominalDivisor, 16).gradient[0], 1.5,
                           exact)); // N_tail / B
    }

    // T6, in three ways: per micro-batch, raw sum, clip before division.
    void clippingActsOnceOnTheMean() {
        const double tau = 1.0;
        const std::vector<MicroGradient> orthogonal{micro(1, {2.0, 0.0}, 1.0), micro(1, {0.0, 2.0}, 1.0)};
        const Outcome diagonal = run(orthogonal, Normalise::Samples, tau);
        QVERIFY(diagonal.window.clipped);
        QVERIFY(compareRel(diagonal.gradient[0], std::sqrt(0.5), exact));
        QVERIFY(compareRel(diagonal.gradient[1], std::sqrt(0.5), exact));
        QVERIFY(compareRel(run(orthogonal, Normalise::Samples, tau, PlantedBug::ClipEachMicroBatch).gradient[0], 0.5,
                           exact));

        const std::vector<MicroGradient> opposite{micro(1, {10.0}, 1.0), micro(1, {-9.0}, 1.0)};
        QVERIFY(compareRel(run(opposite, Normalise::Samples, tau).gradient[0], 0.5, exact));
        QVERIFY(compareRel(run(opposite, Normalise::Samples, tau, PlantedBug::ClipRawSum).gradient[0], 1.0, exact));

        const std::vector<MicroGradient> partly{micro(1, {10.0}, 1.0), micro(1, {-6.0}, 1.0)};
        QVERIFY(compareRel(run(partly, Normalise::Samples, tau).gradient[0], 1.0, exact));
        QVERIFY(compareRel(run(partly, Normalise::Samples, tau, PlantedBug::ClipThenDivide).gradient[0], 0.5, exact));
    }

    // T17: a constant loss is reported as that constant for unequal sizes too; the last micro-batch's loss is not the
    // window's.
    void theLossIsTheMeanOverUnits() {
        const std::vector<MicroGradient> constant{micro(7, {1.0}, 2.5), micro(2, {1.0}, 2.5)};
        QVERIFY(compareRel(run(constant).window.loss, 2.5, exact));
        const std::vector<MicroGradient> varying{micro(3, {1.0}, 1.0), micro(1, {1.0}, 5.0)};
        QVERIFY(compareRel(run(varying).window.loss, 2.0, exact));
        QVERIFY(compareRel(run(varying, Normalise::Samples, 0.0, PlantedBug::LossOfLastMicroBatch).window.loss, 5.0,
                           exact));
    }

    void aMicroBatchWithoutUnitsAddsNothing() {
        const Outcome outcome =
            run({micro(2, {3.0}, 1.0), {{at::full({1}, std::nan(""), at::kDouble)}, 0, std::nan("")}});
        QCOMPARE(outcome.window.microSteps, 1);
        QVERIFY(outcome.window.finite);
        QVERIFY(compareRel(outcome.gradient[0], 3.0, exact));
    }

    // T4: after clear() nothing of the last window is left, whatever the next one touches.
    void clearingLeavesNothingBehind() {
        const ParameterLayout layout({{"a", {1}, 1, false}, {"b", {1}, 1, false}});
        GradientWindow window = test::hostWindow(layout, at::kDouble);
        const at::Tensor one = at::ones({1}, at::kDouble);
        window.commit({{one * 5, one * 7}, 1, 1.0});
        (void)window.close();
        window.clear();
        QVERIFY(window.empty());
        window.commit({{one * 2, at::Tensor()}, 1, 1.0});
        const WindowGradient next = window.close();
        QVERIFY(compareRel(next.norm, 2.0, exact));
        QCOMPARE(window.touched(), (std::vector<bool>{true, false}));
    }

    void theFirstBrokenMicroStepIsNamed() {
        const Outcome outcome = run({micro(1, {1.0}, 1.0), micro(1, {INFINITY}, 1.0), micro(1, {1.0}, NAN)});
        QVERIFY(!outcome.window.finite);
        QCOMPARE(outcome.window.firstNonfinite, 1);
        QVERIFY(!outcome.window.noiseS);
    }

    // The formula by hand: g = (1, 3), n = (1, 3): N = 4, G = 2.5, A = 7, Q = 6.25, S = 4 (7 - 6.25) / 1 = 3, G2
    // = 2 x 6.25 - 7 = 5.5.
    void noiseTermsFollowTheirFormula() {
        const Outcome outcome = run({micro(1, {1.0}, 1.0), micro(3, {3.0}, 1.0)});
        QVERIFY(outcome.window.noiseS && outcome.window.noiseG2);
        QVERIFY(compareRel(*outcome.window.noiseS, 3.0, 1e-14));
        QVERIFY(compareRel(*outcome.window.noiseG2, 5.5, 1e-14));
        QVERIFY(!run({micro(4, {1.0}, 1.0)}).window.noiseS); // one micro-batch tells nothing
    }

    void savedAndRestoredWindowsGoOnAsIfNothingHappened() {
        const ParameterLayout layout = layoutOf(3);
        GradientWindow whole = test::hostWindow(layout, at::kDouble);
        GradientWindow first = test::hostWindow(layout, at::kDouble);
        GradientWindow second = test::hostWindow(layout, at::kDouble);
        const MicroGradient a = micro(2, {1.0, 2.0, 3.0}, 1.0);
        const MicroGradient b = micro(5, {0.1, 0.2, 0.3}, 2.0);
        whole.commit(a);
        whole.commit(b);
        first.commit(a);
        second.restore(first.save());
        second.commit(b);
        const WindowGradient expected = whole.close();
        const WindowGradient got = second.close();
        QCOMPARE(got.units, expected.units);
        QVERIFY(test::compareBits(got.norm, expected.norm));
        QVERIFY(test::compareBits(got.loss, expected.loss));
        QVERIFY(at::equal(second.gradient(), whole.gradient()));
    }

    // What a bundle brings to the rank that counts all of it as its own: losses and norms, too.
    void aRestoredWindowOfRanksGoesOn() {
        const ParameterLayout layout = layoutOf(2);
        GradientWindow whole = test::hostWindow(layout, at::kDouble);
        GradientWindow first = test::hostWindow(layout, at::kDouble);
        GradientWindow second = test::hostWindow(layout, at::kDouble);
        const MicroGradient a = micro(2, {1.0, 2.0}, 1.0);
        MicroGradient b = micro(5, {0.1, 0.2}, 2.0);
        b.microStep = 1;
        whole.commit(a);
        whole.commit(b);
        first.commit(a);
        second.restore(first.save(), true);
        second.goOn(true, 1);
        second.commit(b);
        const WindowGradient expected = whole.close();
        const WindowGradient got = second.close();
        QVERIFY(test::compareBits(got.loss, expected.loss));
        QVERIFY(got.noiseS && test::compareBits(*got.noiseS, *expected.noiseS));
        QVERIFY(test::compareBits(*got.noiseG2, *expected.noiseG2));
    }

    // The first rank counts what others have added, and may have added nothing itself.
    void whatOthersHaveAddedIsTakenUpAgain() {
        const ParameterLayout layout = layoutOf(2);
        GradientWindow window = test::hostWindow(layout, at::kDouble);
        GradientWindow::Saved saved;
        saved.units = {2.0, 3.0};
        saved.squaredNorms = {4.0, 9.0};
        saved.lossSums = {2.0, 6.0};
        saved.touched = {false};
        saved.microSteps = 2;
        saved.accumulator = at::zeros({layout.gradientSize()}, at::kDouble);
        window.restore(saved);
        window.restore(window.save());
        QVERIFY(compareRel(window.meanLoss().value_or(0.0), 1.6, exact));
    }

    // What overflows at every scale needed none of them.
    void theSmallestScaleIsOneThatWasOfUse() {
        const ParameterLayout layout = layoutOf(1);
        GradientWindow window = test::hostWindow(layout, at::kDouble);
        const auto commit = [&window](double gradient, double scale) {
            MicroGradient one = micro(1, {gradient}, 1.0);
            one.scale = scale;
            one.finite = std::isfinite(gradient);
            window.commit(one);
        };
        commit(INFINITY, 256.0);
        QCOMPARE(window.smallestScale(), 0.0);
        commit(1.0, 65536.0);
        commit(1.0, 4096.0);
        QCOMPARE(window.smallestScale(), 4096.0);
    }
};

QTEST_APPLESS_MAIN(TestGradientWindow)
} // namespace test_gradient_window
#include "test_gradient_window.moc"

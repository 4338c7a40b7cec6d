// SPDX-License-Identifier: GPL-3.0-or-later
// The diagnosis of an audit on gradients that are known: each mistake that was shipped, in each of its variants, gives
// its own weights to the same micro-gradients, and is named by them.
#include "tests/unit/analysis/gradient_evidence_fixture.h"

#include <QTest>

namespace test_gradient_diagnosis_cases {
using namespace accumulus;
using namespace accumulus::test;

namespace {

Weights clippedEach(const WindowEvidence& w, double tau) {
    Weights c = means(w);
    for (std::size_t k = 0; k < c.size(); ++k)
        c[k] *= std::min(1.0, tau / w.norms[k]);
    return c;
}

struct Case {
    const char* name;
    const char* pattern;
    Mistake mistake;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"S1 mean of means", "mean-of-means", means},
        {"S2 not divided", "factor-k", [](const WindowEvidence& w) { return Weights(w.steps(), 1.0); }},
        {"S2 times K", "factor-k", [](const WindowEvidence& w) { return times(right(w), stepsOf(w)); }},
        {"S2 sum of units", "factor-k", [](const WindowEvidence& w) { return times(right(w), w.totalUnits()); }},
        {"S3 divided twice", "divided-twice",
         [](const WindowEvidence& w) { return times(right(w), 1.0 / stepsOf(w)); }},
        {"S4 short window by K", "remainder-window",
         [](const WindowEvidence& w) { return Weights(w.steps(), 1.0 / 4.0); }},
        {"S4 thrown away", "remainder-window",
         [](const WindowEvidence& w) { return w.isRemainder() ? Weights(w.steps(), 0.0) : right(w); }},
        {"S4 the last two only", "remainder-window",
         [](const WindowEvidence& w) {
             Weights c(w.steps(), 0.0);
             c[w.steps() - 1] = c[w.steps() - 2] = 0.5;
             return c;
         }},
        {"S5 last lost", "last-micro-batch-lost",
         [](const WindowEvidence& w) {
             Weights c = right(w);
             c.back() = 0.0;
             return c;
         }},
        {"S5 first and last", "last-micro-batch-lost",
         [](const WindowEvidence& w) {
             Weights c = means(w);
             for (std::size_t k = 1; k + 1 < c.size(); ++k)
                 c[k] = 0.0;
             return c;
         }},
        {"S5 only the last", "only-last-kept",
         [](const WindowEvidence& w) {
             Weights c(w.steps(), 0.0);
             c.back() = 1.0;
             return c;
         }},
        {"S6 doubled", "geometric-weights",
         [](const WindowEvidence& w) {
             Weights c = means(w);
             for (std::size_t k = 0; k < c.size(); ++k)
                 c[k] *= std::exp2(stepsOf(w) - 1.0 - static_cast<double>(k));
             return c;
         }},
        {"S6 divided each time", "geometric-weights",
         [](const WindowEvidence& w) {
             Weights c(w.steps());
             for (std::size_t k = 0; k < c.size(); ++k)
                 c[k] = std::pow(stepsOf(w), -(stepsOf(w) - static_cast<double>(k)));
             return c;
         }},
        {"S6 times ranks", "geometric-weights",
         [](const WindowEvidence& w) {
             Weights c = right(w);
             for (std::size_t k = 0; k < c.size(); ++k)
                 c[k] *= std::pow(3.0, stepsOf(w) - 1.0 - static_cast<double>(k));
             return c;
         }},
        {"S7 each rank its own N", "rank-normalisation",
         [](const WindowEvidence& w) {
             Weights c(w.steps());
             for (std::size_t k = 0; k < c.size(); ++k) {
                 double n = 0.0;
                 for (std::size_t j = k % 2; j < c.size(); j += 2)
                     n += static_cast<double>(w.units[j]);
                 c[k] = static_cast<double>(w.units[k]) / (2.0 * n);
             }
             return c;
         }},
        {"S8 each clipped", "clip-per-micro-batch", [](const WindowEvidence& w) { return clippedEach(w, 6.0); }},
        {"loss scale", "loss-scale", [](const WindowEvidence& w) { return times(right(w), 1024.0); }},
    };
    return all;
}

} // namespace

class TestGradientDiagnosisCases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachMistakeIsNamed_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(cases().size()); ++i)
            QTest::newRow(cases()[static_cast<std::size_t>(i)].name) << i;
    }
    void eachMistakeIsNamed() {
        QFETCH(int, index);
        const Case& one = cases()[static_cast<std::size_t>(index)];
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Loop loop;
            loop.seed = seed;
            const GradientEvidence evidence = with(loop, one.mistake);
            const GradientDiagnosis diagnosis = diagnose(evidence);
            QVERIFY(!diagnosis.sumsAreRight);
            QCOMPARE(QString::fromStdString(diagnosis.pattern.value_or("none")), QString(one.pattern));
            // The weights are those that were used.
            for (std::size_t w = 0; w < evidence.windows.size(); ++w) {
                const Weights wanted = one.mistake(evidence.windows[w]);
                for (std::size_t k = 0; k < wanted.size(); ++k)
                    QVERIFY2(std::abs(diagnosis.windows[w].weights[k] - wanted[k]) <=
                                 fitted * std::max(1.0, std::abs(wanted[k])),
                             qPrintable(QString("window %1, micro-batch %2").arg(w).arg(k)));
            }
        }
    }

    /// The same where every gradient has the rounding of fp32 in it.
    void eachMistakeIsNamedThroughRounding_data() { eachMistakeIsNamed_data(); }
    void eachMistakeIsNamedThroughRounding() {
        QFETCH(int, index);
        const Case& one = cases()[static_cast<std::size_t>(index)];
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Loop loop;
            loop.seed = seed;
            loop.noise = 1e-6;
            const GradientDiagnosis diagnosis = diagnose(with(loop, one.mistake));
            QCOMPARE(QString::fromStdString(diagnosis.pattern.value_or("none")), QString(one.pattern));
        }
    }

    /// The mistake that this is to catch: a pattern that explains no more than right sums do, taken because the error
    /// is small on the whole.
    void oneTensorThatIsOffAccusesNoWeights() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Loop loop;
            loop.units = {{8, 8, 8, 8}};
            loop.seed = seed;
            loop.noise = 1e-7;
            GradientEvidence evidence = with(loop, right);
            double squared = 0.0;
            for (const double value : evidence.windows[0].tensors[2].accumulated)
                squared += value * value;
            evidence.tolerance = 1e-5;
            evidence.windows[0].tensors[2].accumulated[0] += 1.5e-5 * std::sqrt(squared) * 3.0;
            const GradientDiagnosis diagnosis = diagnose(evidence);
            if (diagnosis.sumsAreRight) // its micro-gradients cancel: the tolerance is relative to them
                continue;
            QCOMPARE(QString::fromStdString(diagnosis.pattern.value_or("none")), QStringLiteral("none"));
        }
    }

    // Cleared before it was recorded: a multiple of the right one by 0, which no division makes.
    void aGradientThatIsZeroIsNoneThatArrived() {
        Loop loop;
        const auto none = [](const WindowEvidence& w) { return Weights(w.steps(), 0.0); };
        for (const bool single : {false, true}) {
            if (single)
                loop.units = {{8, 8, 8, 8}};
            const GradientDiagnosis diagnosis = diagnose(with(loop, none));
            QVERIFY(!diagnosis.sumsAreRight && !diagnosis.pattern);
            QCOMPARE(diagnosis.sentence.code, std::string("audit.found.no-gradient"));
        }
    }

    void rightSumsAreRight() {
        for (std::uint64_t seed = 1; seed <= 100; ++seed)
            for (const double noise : {0.0, 1e-6}) {
                Loop loop;
                loop.seed = seed;
                loop.noise = noise;
                const GradientDiagnosis diagnosis = diagnose(with(loop, right));
                QVERIFY(diagnosis.sumsAreRight);
                QVERIFY(!diagnosis.pattern);
                QCOMPARE(diagnosis.judgedWindow, std::size_t{0});
            }
    }
};

QTEST_APPLESS_MAIN(TestGradientDiagnosisCases)
} // namespace test_gradient_diagnosis_cases
#include "test_gradient_diagnosis_cases.moc"

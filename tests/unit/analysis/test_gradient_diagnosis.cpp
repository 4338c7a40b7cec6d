// SPDX-License-Identifier: GPL-3.0-or-later
// The diagnosis of an audit on gradients that are known: each mistake that was shipped, in each of its variants, gives
// its own weights to the same micro-gradients, and is named by them.
#include "core/analysis/bug_hypotheses.h"
#include "core/analysis/gradient_diagnosis.h"
#include "tests/support/numeric.h"

#include <QTest>
#include <cmath>
#include <functional>
#include <random>

using namespace accumulus;

namespace {

using Weights = std::vector<double>;

// Sums of a few terms in fp64 err by some 1e-16; a fit over a few columns that are far from parallel by some 1e-13.
constexpr double fitted = 1e-9;

/// Three tensors, of which one has fewer elements than a window has micro-batches.
constexpr std::array<std::size_t, 3> sizes{40, 12, 3};

struct Loop {
    std::vector<std::vector<std::int64_t>> units{{8, 8, 8, 8}, {8, 8, 8, 8}, {8, 8, 5}, {8, 8, 8, 8}};
    std::int64_t nominal = 4;
    std::uint64_t seed = 1;
    double noise = 0.0; ///< relative, of each element of the accumulated gradient
    std::vector<std::int64_t> ranks{};
};

/// Micro-gradients of a common mean and their own noise, as they are in training.
GradientEvidence evidenceOf(const Loop& loop) {
    std::mt19937_64 random(loop.seed);
    std::normal_distribution<double> normal;
    std::vector<std::vector<double>> mean;
    for (const std::size_t size : sizes) {
        mean.emplace_back(size);
        for (double& value : mean.back())
            value = normal(random);
    }
    GradientEvidence evidence;
    evidence.tolerance = loop.noise > 0.0 ? 20 * loop.noise : 1e-12;
    for (const auto& units : loop.units) {
        WindowEvidence window;
        window.units.assign(units.begin(), units.end());
        window.nominalSteps = loop.nominal;
        if (!loop.ranks.empty())
            window.ranks.assign(loop.ranks.begin(), loop.ranks.begin() + std::ssize(units));
        window.tensors.resize(sizes.size());
        for (std::size_t t = 0; t < sizes.size(); ++t) {
            window.tensors[t].name = "tensor" + std::to_string(t);
            window.tensors[t].accumulated.assign(sizes[t], 0.0);
            for (const std::int64_t n : units) {
                std::vector<double> g(sizes[t]);
                for (std::size_t i = 0; i < g.size(); ++i)
                    g[i] = mean[t][i] + 2.0 * normal(random) / std::sqrt(static_cast<double>(n));
                window.tensors[t].micro.push_back(std::move(g));
            }
        }
        const auto product = [&](std::size_t j, std::size_t k) {
            double sum = 0.0;
            for (const GradientElements& tensor : window.tensors)
                for (std::size_t i = 0; i < tensor.micro[k].size(); ++i)
                    sum += tensor.micro[j][i] * tensor.micro[k][i];
            return sum;
        };
        for (std::size_t k = 0; k < units.size(); ++k) {
            window.norms.push_back(std::sqrt(product(k, k)));
            window.gram.emplace_back();
            for (std::size_t j = 0; j < units.size(); ++j)
                window.gram.back().push_back(product(j, k));
        }
        evidence.windows.push_back(std::move(window));
    }
    return evidence;
}

/// G = sum c_k g_k of one tensor of one window.
void accumulate(GradientEvidence& evidence, std::size_t window, std::size_t tensor, std::size_t from,
                const Weights& c) {
    GradientElements& into = evidence.windows[window].tensors[tensor];
    const GradientElements& of = evidence.windows[from].tensors[tensor];
    for (std::size_t k = 0; k < c.size(); ++k)
        for (std::size_t i = 0; i < into.accumulated.size(); ++i)
            into.accumulated[i] += c[k] * of.micro[k][i];
}

using Mistake = std::function<Weights(const WindowEvidence&)>;

GradientEvidence with(const Loop& loop, const Mistake& mistake) {
    GradientEvidence evidence = evidenceOf(loop);
    std::mt19937_64 random(loop.seed + 77);
    std::normal_distribution<double> normal;
    for (std::size_t w = 0; w < evidence.windows.size(); ++w)
        for (std::size_t t = 0; t < sizes.size(); ++t) {
            accumulate(evidence, w, t, w, mistake(evidence.windows[w]));
            for (double& value : evidence.windows[w].tensors[t].accumulated)
                value *= 1.0 + loop.noise * normal(random);
        }
    return evidence;
}

Weights right(const WindowEvidence& w) { return rightWeights(w).own; }
Weights means(const WindowEvidence& w) { return Weights(w.steps(), 1.0 / static_cast<double>(w.steps())); }
double stepsOf(const WindowEvidence& w) { return static_cast<double>(w.steps()); }
Weights times(Weights c, double factor) {
    for (double& one : c)
        one *= factor;
    return c;
}
Weights clippedEach(const WindowEvidence& w, double tau) {
    Weights c = means(w);
    for (std::size_t k = 0; k < c.size(); ++k)
        c[k] *= std::min(1.0, tau / w.norms[k]);
    return c;
}
Weights clippedSum(const WindowEvidence& w, const Weights& base, double tau) {
    Weights c(w.steps(), 0.0);
    for (std::size_t k = 0; k < c.size(); ++k) {
        c[k] = base[k];
        double squared = 0.0;
        for (std::size_t i = 0; i <= k; ++i)
            for (std::size_t j = 0; j <= k; ++j)
                squared += c[i] * c[j] * w.gram[i][j];
        if (const double norm = std::sqrt(squared); norm > tau)
            for (std::size_t i = 0; i <= k; ++i)
                c[i] *= tau / norm;
    }
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

class TestGradientDiagnosis : public QObject {
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

    void runningSumThatIsClippedIsNamed() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed)
            for (const bool divided : {true, false}) {
                Loop loop;
                loop.units = {{8, 8, 5}}; // one window is all that a file holds
                loop.nominal = 0;
                loop.seed = seed;
                GradientEvidence evidence = evidenceOf(loop);
                const WindowEvidence& w = evidence.windows.front();
                const Weights base = divided ? means(w) : Weights(w.steps(), 1.0);
                const Weights c = clippedSum(w, base, (divided ? 0.4 : 1.5) * w.norms[1]);
                for (std::size_t t = 0; t < sizes.size(); ++t)
                    accumulate(evidence, 0, t, 0, c);
                const GradientDiagnosis diagnosis = diagnose(evidence);
                QCOMPARE(QString::fromStdString(diagnosis.pattern.value_or("none")), "clip-per-micro-batch");
            }
    }

    void stagesOfAPipelineAreNamed() {
        Loop loop;
        GradientEvidence evidence = evidenceOf(loop);
        for (std::size_t w = 0; w < evidence.windows.size(); ++w)
            for (std::size_t t = 0; t < sizes.size(); ++t) {
                const WindowEvidence& window = evidence.windows[w];
                accumulate(evidence, w, t, w, times(right(window), std::pow(stepsOf(window), -static_cast<double>(t))));
            }
        QCOMPARE(QString::fromStdString(diagnose(evidence).pattern.value_or("none")), "divided-twice");
    }

    void gradientsOfTheWindowBeforeAreNamed() {
        for (const bool allOfThem : {false, true}) {
            GradientEvidence evidence = evidenceOf({});
            for (std::size_t w = 0; w < evidence.windows.size(); ++w)
                for (std::size_t t = 0; t < sizes.size(); ++t)
                    for (std::size_t from = allOfThem || w == 0 ? 0 : w - 1; from <= w; ++from)
                        accumulate(evidence, w, t, from, right(evidence.windows[from]));
            const GradientDiagnosis diagnosis = diagnose(evidence);
            QCOMPARE(QString::fromStdString(diagnosis.pattern.value_or("none")), "gradients-not-cleared");
            QCOMPARE(diagnosis.windows[1].earlier.size(), std::size_t{4});
            for (const double c : diagnosis.windows[1].earlier)
                QVERIFY(std::abs(c - 0.25) < fitted);
        }
    }

    void leftOverShortWindowIsNamed() {
        GradientEvidence evidence = evidenceOf({});
        evidence.windows[2].closed = false; // its three micro-batches are completed in the next epoch
        for (std::size_t w = 0; w < evidence.windows.size(); ++w)
            for (std::size_t t = 0; t < sizes.size() && w != 2; ++t) {
                accumulate(evidence, w, t, w, Weights(4, 0.25));
                if (w == 3)
                    accumulate(evidence, w, t, 2, Weights(3, 0.25));
            }
        const GradientDiagnosis diagnosis = diagnose(evidence);
        QCOMPARE(QString::fromStdString(diagnosis.pattern.value_or("none")), "remainder-window");
        QCOMPARE(diagnosis.judgedWindow, std::size_t{3});
    }

    void ranksThatAreKnownAreNamed() {
        Loop loop;
        loop.units = {{6, 2, 9, 3, 5, 7}};
        loop.nominal = 6;
        loop.ranks = {0, 0, 1, 1, 2, 2};
        const GradientDiagnosis missing =
            diagnose(with(loop, [](const WindowEvidence& w) { return times(right(w), 1.0 / 3); }));
        QCOMPARE(QString::fromStdString(missing.pattern.value_or("none")), "rank-normalisation");
        const GradientDiagnosis alone = diagnose(with(loop, [](const WindowEvidence& w) {
            Weights c = right(w);
            c[1] *= 3.0; // the last one of rank 0 is not averaged with the others'
            c[3] = c[5] = 0.0;
            return c;
        }));
        QCOMPARE(QString::fromStdString(alone.pattern.value_or("none")), "rank-normalisation");
    }

    void decayAtEachMicroStepIsNamed() {
        GradientEvidence evidence = with({}, right);
        std::mt19937_64 random(9);
        std::normal_distribution<double> normal;
        for (WindowEvidence& window : evidence.windows)
            for (GradientElements& tensor : window.tensors) {
                tensor.weights.resize(tensor.accumulated.size());
                for (std::size_t i = 0; i < tensor.weights.size(); ++i) {
                    tensor.weights[i] = normal(random);
                    tensor.accumulated[i] += 0.03 * tensor.weights[i];
                }
            }
        QCOMPARE(QString::fromStdString(diagnose(evidence).pattern.value_or("none")), "decay-per-micro-step");
    }

    void sumsOf16BitsAreNamed() {
        const auto bf16 = [](double value) {
            int exponent = 0;
            const double fraction = std::frexp(value, &exponent);
            return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
        };
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Loop loop;
            loop.seed = seed;
            GradientEvidence evidence = evidenceOf(loop);
            for (WindowEvidence& window : evidence.windows)
                for (GradientElements& tensor : window.tensors)
                    for (std::size_t i = 0; i < tensor.accumulated.size(); ++i) {
                        double sum = 0.0;
                        for (std::size_t k = 0; k < window.steps(); ++k)
                            sum = bf16(sum + static_cast<double>(window.units[k]) * tensor.micro[k][i]);
                        tensor.accumulated[i] = sum / window.totalUnits();
                    }
            QCOMPARE(QString::fromStdString(diagnose(evidence).pattern.value_or("none")), "low-precision-accumulator");
        }
    }

    void whatNobodyShippedHasNoName() {
        const GradientDiagnosis weights = diagnose(with({}, [](const WindowEvidence& w) {
            Weights c = right(w);
            c[0] *= 1.7;
            c[1] *= 0.6;
            return c;
        }));
        QVERIFY(!weights.sumsAreRight);
        QVERIFY(!weights.pattern);
        QCOMPARE(weights.sentence.code, std::string("audit.found.other-weights"));

        GradientEvidence evidence = with({}, right);
        for (WindowEvidence& window : evidence.windows)
            for (GradientElements& tensor : window.tensors)
                for (double& value : tensor.accumulated)
                    value = value * value;
        const GradientDiagnosis squared = diagnose(evidence);
        QVERIFY(!squared.pattern);
        QCOMPARE(squared.sentence.code, std::string("audit.found.nothing-linear"));
    }

    void aFactorIsSeenWithoutMicroGradients() {
        const auto pairs = [](double factor) {
            std::vector<GradientElements> all{{"a", {1.0, -2.0, 3.0}, {{1.0, -2.0, 3.0}}}};
            for (double& value : all.front().accumulated)
                value *= factor;
            return all;
        };
        QVERIFY(diagnoseFactor(pairs(1.0), 1e-5).sumsAreRight);
        QCOMPARE(diagnoseFactor(pairs(8.0), 1e-5).pattern.value_or("none"), std::string("factor-k"));
        QCOMPARE(diagnoseFactor(pairs(0.25), 1e-5).pattern.value_or("none"), std::string("divided-twice"));
        QCOMPARE(diagnoseFactor(pairs(65536.0), 1e-5).pattern.value_or("none"), std::string("loss-scale"));
        QVERIFY(!diagnoseFactor(pairs(1.37), 1e-5).pattern);
        QCOMPARE(diagnoseFactor(pairs(1.37), 1e-5).sentence.code, std::string("audit.found.other-factor"));
    }

    void anAuditComesBackFromItsJson() {
        GradientAudit audit;
        audit.createdAt = 12.5;
        audit.subject = subjectAsNamed("größer");
        audit.run = "r";
        audit.fault = "factor-k";
        audit.verdict = AuditVerdict::NotEquivalent;
        audit.pattern = "factor-k";
        audit.headline = {"audit.found.factor-k", {{"factor", "8.00"}}};
        audit.notes = {{"audit.note.clip-off", {}}};
        audit.worstTensor = "a";
        audit.worstError = 7.0;
        audit.tolerance = 1e-5;
        AuditedTensor tensor{"a", {2, 3}, 8.0, 1.0, 7.0, 3.5, 1.0, 7.0, 1e-7, 2e-7, 1e-5, false};
        AuditedTensor other = tensor;
        other.errorFp64.reset();
        other.referenceErrorFp64.reset();
        other.noiseFloor.reset();
        audit.tensors = {tensor, other};
        audit.windows = {{{4, 4, 2}, {1, 1, 1}, {.4, .4, .2}, {}, 1e-16, 7.0, "a"},
                         {{4}, {1}, {1}, {.1, .2, .3}, 0.0, 0.0, "b"}};
        audit.judgedWindow = 0;
        audit.splits = {{2, 1.0}, {4, 3.0}};
        audit.updates = {{1, 1e-9, 2e-9}};
        const auto again = auditFromJson(auditJson(audit));
        QVERIFY(again.has_value());
        QVERIFY(*again == audit);
        QVERIFY(!auditFromJson("{}"));
        QCOMPARE(auditFromJson("[").error().code, std::string("audit.format"));
    }
};

QTEST_APPLESS_MAIN(TestGradientDiagnosis)
#include "test_gradient_diagnosis.moc"

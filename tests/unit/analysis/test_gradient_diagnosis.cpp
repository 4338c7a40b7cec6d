// SPDX-License-Identifier: GPL-3.0-or-later
// The diagnosis of an audit on gradients that are known: mistakes that one window's weights do not tell (sums that are
// clipped, the window before, ranks, weight decay, 16 bits), what has no name, and audits as they are stored.
#include "tests/unit/analysis/gradient_evidence_fixture.h"

#include <QTest>

namespace test_gradient_diagnosis {
using namespace accumulus;
using namespace accumulus::test;

namespace {

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

} // namespace

class TestGradientDiagnosis : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

    /// Micro-gradients whose norms are alike: clipping each would leave nearly the same.
    void aNumberThatStandsInTheLoopIsNoClipping() {
        for (const double factor : {0.01, 0.3, 1.37}) {
            const auto scaled = [factor](const WindowEvidence& w) { return times(right(w), factor); };
            GradientEvidence evidence = with({.units = {{8, 8, 8, 8}, {8, 8, 8, 8}}}, scaled);
            for (WindowEvidence& window : evidence.windows) {
                for (std::size_t k = 0; k < window.steps(); ++k) { // each to the norm of the first, within 2 %
                    const double to = window.norms[0] / window.norms[k] * (1.0 + 0.02 * static_cast<double>(k % 2));
                    for (GradientElements& tensor : window.tensors)
                        for (double& value : tensor.micro[k])
                            value *= to;
                    window.norms[k] *= to;
                }
                for (GradientElements& tensor : window.tensors)
                    for (std::size_t i = 0; i < tensor.accumulated.size(); ++i) {
                        tensor.accumulated[i] = 0.0;
                        for (std::size_t k = 0; k < window.steps(); ++k)
                            tensor.accumulated[i] += scaled(window)[k] * tensor.micro[k][i];
                    }
                window.gram.clear();
            }
            const GradientDiagnosis diagnosis = diagnose(evidence);
            QCOMPARE(QString::fromStdString(diagnosis.pattern.value_or("none")), "none");
            QCOMPARE(diagnosis.sentence.code, std::string("audit.found.other-factor"));
            QCOMPARE(diagnosis.sentence.arguments.front().second, factorText(factor));
        }
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
        QCOMPARE(diagnoseFactor(pairs(0.0), 1e-5).sentence.code, std::string("audit.found.no-gradient"));
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
} // namespace test_gradient_diagnosis
#include "test_gradient_diagnosis.moc"

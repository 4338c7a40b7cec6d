// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/lr_rules.h"

#include "core/config/config_fields.h"
#include "tests/support/comma_locale.h"
#include "tests/support/numeric.h"

#include <QTest>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace test_lr_rules {
using namespace accumulus;
using accumulus::test::compareAbs;
using accumulus::test::compareRel;

namespace {

using Rule = std::function<OptimizerConfig(const OptimizerConfig&, double kappa, double effective)>;

OptimizerConfig adam(double beta1 = 0.9, double beta2 = 0.999) {
    OptimizerConfig optimizer;
    optimizer.name = OptimizerKind::AdamW;
    optimizer.lr = 3e-4;
    optimizer.weightDecay = 0.1;
    optimizer.beta1 = beta1;
    optimizer.beta2 = beta2;
    return optimizer;
}

constexpr std::array kappas = {1.0 / 64, 0.25, 0.5, 2.0, 3.0, 8.0};

/// A rule and its inverse are about ten roundings of 2^-53 each; the betas' distance from 1 (1e-3 at least, before a
/// factor of 1/64) multiplies an absolute error of 1e-16 by at most 1e5 when it is looked at relatively.
constexpr double tolerance = 1e-10;

bool same(const OptimizerConfig& a, const OptimizerConfig& b) {
    return a.name == b.name && compareRel(a.lr, b.lr, tolerance) && compareRel(a.eps, b.eps, tolerance) &&
           compareRel(1.0 - a.beta1, 1.0 - b.beta1, tolerance) && compareRel(1.0 - a.beta2, 1.0 - b.beta2, tolerance) &&
           a.momentum == b.momentum && a.weightDecay == b.weightDecay && a.nesterov == b.nesterov;
}

const Rule linear = [](const auto& optimizer, double kappa, double) { return linearLr(optimizer, kappa); };
const Rule squareRoot = [](const auto& optimizer, double kappa, double) { return squareRootLr(optimizer, kappa); };
const Rule adamRoot = [](const auto& optimizer, double kappa, double) {
    return adamSquareRoot(optimizer, kappa).value();
};
const Rule halfLife = [](const auto& optimizer, double kappa, double) { return adamHalfLife(optimizer, kappa); };
const Rule noiseAware = [](const auto& optimizer, double kappa, double effective) {
    return noiseAwareLr(optimizer, kappa, effective, 900.0);
};
/// Planted: from base B in both directions.
const Rule noiseAwareFromFixedBase = [](const auto& optimizer, double kappa, double) {
    return noiseAwareLr(optimizer, kappa, 64.0, 900.0);
};

bool isIdentityAtOne(const Rule& rule) {
    return rule(adam(), 1.0, 64.0) == adam() && rule(OptimizerConfig{}, 1.0, 64.0) == OptimizerConfig{};
}
bool inverts(const Rule& rule) {
    return std::ranges::all_of(
        kappas, [&](double kappa) { return same(rule(rule(adam(), kappa, 64.0), 1.0 / kappa, kappa * 64.0), adam()); });
}

RunConfig runOf(OptimizerConfig optimizer, std::int64_t effective = 128) {
    RunConfig run;
    run.batch.effective = effective;
    run.optimizer = optimizer;
    return run;
}

} // namespace

class TestLrRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRuleIsTheIdentityForOne() {
        for (const Rule& rule : {linear, squareRoot, adamRoot, halfLife, noiseAware})
            QVERIFY(isIdentityAtOne(rule));
        QVERIFY(!isIdentityAtOne([](const auto& optimizer, double, double) { return linearLr(optimizer, 2.0); }));
    }

    void everyRuleIsUndoneByItsInverse() {
        for (const Rule& rule : {linear, squareRoot, adamRoot, halfLife, noiseAware})
            QVERIFY(inverts(rule));
        QVERIFY(!inverts(noiseAwareFromFixedBase));
        QVERIFY(!inverts([](const auto& optimizer, double kappa, double) { // planted: eps moved the wrong way round
            OptimizerConfig scaled = squareRootLr(optimizer, kappa);
            scaled.eps /= std::max(1.0, std::sqrt(kappa));
            return scaled;
        }));
    }

    void theRulesInNumbers() {
        OptimizerConfig sgd;
        sgd.lr = 0.1;
        QVERIFY(compareRel(linearLr(sgd, 4.0).lr, 0.4, 1e-15));
        QVERIFY(compareRel(squareRootLr(sgd, 4.0).lr, 0.2, 1e-15));
        const OptimizerConfig root = adamSquareRoot(adam(), 4.0).value();
        QVERIFY(compareRel(root.lr, 6e-4, 1e-15));
        QVERIFY(compareAbs(root.beta1, 0.6, 1e-15));
        QVERIFY(compareAbs(root.beta2, 0.996, 1e-15));
        QVERIFY(compareRel(root.eps, 5e-9, 1e-15));
        const OptimizerConfig half = adamHalfLife(adam(), 4.0);
        QVERIFY(compareAbs(half.beta1, 0.6561, 1e-15)); // 0.9^4
        QVERIFY(compareRel(half.eps, 5e-9, 1e-15));
        // (1 + 900/100) / (1 + 900/200)
        QVERIFY(compareRel(noiseAwareLr(sgd, 2.0, 100.0, 900.0).lr, 0.1 * 10.0 / 5.5, 1e-15));
    }

    // Far below the noise scale the noise-aware rule is the linear one, far above it nothing changes. Relative distance
    // kappa B / Bn, B / Bn.
    void theNoiseAwareRuleHasBothLimits() {
        const OptimizerConfig sgd;
        QVERIFY(compareRel(noiseAwareLr(sgd, 8.0, 1.0, 1e9).lr, linearLr(sgd, 8.0).lr, 1e-7));
        QVERIFY(compareRel(noiseAwareLr(sgd, 8.0, 1e9, 1.0).lr, sgd.lr, 1e-8));
    }

    // beta^kappa = 1 - kappa (1 - beta) + O(kappa^2 (1 - beta)^2).
    void theTwoFormsForAdamAgreeToFirstOrder() {
        for (const double kappa : {0.5, 2.0, 8.0}) {
            const double distance = 1e-4;
            const auto root = adamSquareRoot(adam(1.0 - distance, 1.0 - distance), kappa).value();
            const auto half = adamHalfLife(adam(1.0 - distance, 1.0 - distance), kappa);
            QVERIFY(compareAbs(root.beta1, half.beta1, kappa * kappa * distance * distance));
        }
    }

    void noBetaLeavesItsRange() {
        for (const double beta : {0.0, 0.5, 0.9, 0.99, 0.999, 0.999999})
            for (double kappa = 1e-18; kappa < 1e19; kappa *= 3.0) {
                const auto root = adamSquareRoot(adam(beta, beta), kappa);
                const bool exists = kappa * (1.0 - beta) <= 1.0; // kappa <= 1 / (1 - beta)
                if (exists && kappa * (1.0 - beta) > 1e-15)
                    QVERIFY(root.has_value());
                if (!exists)
                    QVERIFY(!root.has_value());
                for (const OptimizerConfig& scaled : {root.value_or(adam()), adamHalfLife(adam(beta, beta), kappa)})
                    for (const double found : {scaled.beta1, scaled.beta2})
                        QVERIFY(found >= 0.0 && found < 1.0);
            }
        QVERIFY(!adamSquareRoot(adam(), 10.1).has_value()); // 1 / (1 - 0.9) = 10
        QVERIFY(adamHalfLife(adam(), 10.1).beta1 > 0.3);
    }

    void suggestionsCanBeApplied() {
        const auto sgd = suggestLr(runOf({}), 512, 900.0);
        QCOMPARE(sgd.size(), std::size_t{3});
        QCOMPARE(sgd[0].rule, std::string("linear"));
        QCOMPARE(messageText(sgd[0].label), std::string("Linear: 0.04"));
        QCOMPARE(sgd[0].assignments, std::vector<std::string>{"optimizer.lr=0.04"});
        QCOMPARE(sgd[1].assignments, std::vector<std::string>{"optimizer.lr=0.02"});
        QCOMPARE(sgd[2].assignments, std::vector<std::string>{"optimizer.lr=0.0291"}); // 0.01 x 8.03125 / 2.7578125
        const auto adams = suggestLr(runOf(adam()), 512);
        QCOMPARE(adams.size(), std::size_t{2});
        QCOMPARE(adams[0].rule, std::string("adam-square-root"));
        QCOMPARE(adams[0].assignments, (std::vector<std::string>{"optimizer.lr=0.0006", "optimizer.beta1=0.6",
                                                                 "optimizer.beta2=0.996", "optimizer.eps=5e-09"}));
        QCOMPARE(adams[1].rule, std::string("adam-half-life"));
        for (const auto& suggestions : {sgd, adams})
            for (const LrSuggestion& suggestion : suggestions) {
                ExperimentConfig config;
                for (const std::string& assignment : suggestion.assignments)
                    QVERIFY2(applyAssignment(config, assignment), assignment.c_str());
                QVERIFY(!messageWords(suggestion.words.code).empty() && !messageWords(suggestion.label.code).empty());
            }
        QCOMPARE(suggestLr(runOf(adam()), 2048).size(), std::size_t{1}); // kappa = 16 > 10: the half-life form only
        QVERIFY(suggestLr(runOf({}), 128).empty());
        QVERIFY(suggestLr(runOf({}, 100), 512).empty()); // 100 is no batch of micro-batches of 32
        OptimizerConfig large;
        large.lr = 900.0;
        QCOMPARE(suggestLr(runOf(large), 65536).size(), std::size_t{0}); // above 1000, which no setting allows
        QCOMPARE(suggestLr(runOf({}), 512, std::numeric_limits<double>::quiet_NaN()).size(), std::size_t{2});
    }

    void commasOfTheDesktopChangeNoSuggestion() {
        const test::CommaLocale locale;
        if (!test::CommaLocale::isActive())
            QSKIP("localedef cannot make a locale with decimal commas");
        suggestionsCanBeApplied();
        aRampChangesTheBatchToo();
    }

    void aChangedBatchIsNoticed() {
        const RunConfig tuned = runOf({}, 64);
        const auto finding = checkLrOfBatch(tuned, runOf({}, 256));
        QVERIFY(finding.has_value());
        QCOMPARE(finding->id, std::string("O01"));
        QVERIFY(finding->level == FindingLevel::Warning);
        QVERIFY(findField(finding->key));
        QCOMPARE(messageText(finding->message),
                 std::string("The learning rate was tuned for batch 64; the batch is now 256."));
        QCOMPARE(finding->fixes.size(), std::size_t{3});
        QCOMPARE(finding->fixes[0].assignments,
                 (std::vector<std::string>{"optimizer.lr_batch=64", "optimizer.lr_rule=keep"}));
        QCOMPARE(messageText(finding->fixes[0].label), std::string("Keep 0.01"));
        // Whoever has chosen another lr has decided, and the same B in another split asks for nothing.
        ExperimentConfig chosen{runOf({}, 256), {}};
        for (const std::string& assignment : finding->fixes[1].assignments)
            QVERIFY(applyAssignment(chosen, assignment));
        QVERIFY(!checkLrOfBatch(tuned, chosen.run));
        RunConfig split = tuned;
        split.batch.micro = 8;
        QVERIFY(!checkLrOfBatch(tuned, split));
        RunConfig derived = tuned;
        derived.batch.effective = 0;
        derived.batch.steps = 2;
        QVERIFY(!checkLrOfBatch(tuned, derived));
        derived.batch.steps = 4;
        QVERIFY(checkLrOfBatch(tuned, derived).has_value());
        RunConfig broken = tuned;
        broken.batch.effective = 250;
        QVERIFY(!checkLrOfBatch(tuned, broken)); // B01 says it
    }

    void aRampChangesTheBatchToo() {
        const RunConfig tuned = runOf({}, 64);
        RunConfig ramped = tuned;
        ramped.batch.ramp = {{100, 128}, {200, 256}, {300, 32}};
        const auto finding = checkLrOfBatch(tuned, ramped);
        QVERIFY(finding.has_value());
        QCOMPARE(messageText(finding->message),
                 std::string("The learning rate was tuned for batch 64; the batch is now 256."));
        QCOMPARE(finding->fixes[1].assignments,
                 (std::vector<std::string>{"optimizer.lr_batch=64", "optimizer.lr_rule=linear", "optimizer.lr=0.04"}));
        QVERIFY(!checkLrOfBatch(ramped, ramped));
    }
};

QTEST_APPLESS_MAIN(TestLrRules)
} // namespace test_lr_rules
#include "test_lr_rules.moc"

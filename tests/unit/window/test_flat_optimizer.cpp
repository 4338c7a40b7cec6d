// SPDX-License-Identifier: GPL-3.0-or-later
// FlatOptimizer against its formulas (tests/support/plain_optimizer.h), over updates in which some parameters have no
// gradient; and against the formulas' usual mistakes, which must not agree.
#include "core/model/model.h"
#include "core/window/flat_optimizer.h"

#include "tests/support/numeric.h"
#include "tests/support/plain_optimizer.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace test_flat_optimizer {
using namespace accumulus;
using namespace accumulus::test;

namespace {

const ParameterLayout& layout() {
    static const ParameterLayout parameters(
        {{"a", {5}, 1, false}, {"b", {2, 3}, 1, false}, {"c", {17}, 1, false}, {"d", {1}, 1, true}});
    return parameters;
}

/// Which parameters have a gradient at each update: neighbours with different counts, and one that starts late.
constexpr std::array<std::array<bool, 4>, 6> touched = {{{true, true, true, false},
                                                         {true, false, true, false},
                                                         {true, true, false, true},
                                                         {false, true, false, false},
                                                         {true, true, true, true},
                                                         {true, true, true, true}}};

std::vector<double> smooth(std::int64_t count, double phase) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(std::sin(1.7 * static_cast<double>(i) + phase) + 0.3);
    return values;
}

using Weights = std::vector<std::vector<double>>; ///< of each parameter
using Update = std::function<void(const OptimizerConfig&, double lr, std::span<double> weights,
                                  std::span<const double> gradient, PlainMoments& moments)>;

double learningRate(std::size_t update) { return 0.05 / static_cast<double>(update + 1); } // changes at each

std::vector<double> gradientOf(std::size_t parameter, std::size_t update) {
    return smooth(layout().specs()[parameter].count(), static_cast<double>(10 * update + parameter));
}

/// After all updates. `countRun`: the mistake of counting updates of the run, not of the parameter.
Weights written(const OptimizerConfig& config, const Update& update, bool countRun = false) {
    Weights weights;
    std::vector<PlainMoments> moments(layout().size());
    for (std::size_t i = 0; i < layout().size(); ++i)
        weights.push_back(smooth(layout().specs()[i].count(), 100.0 + static_cast<double>(i)));
    for (std::size_t t = 0; t < touched.size(); ++t)
        for (std::size_t i = 0; i < layout().size(); ++i)
            if (touched[t][i]) {
                if (countRun)
                    moments[i].updates = static_cast<std::int64_t>(t);
                update(config, learningRate(t), weights[i], gradientOf(i, t), moments[i]);
            }
    return weights;
}

/// The same by the engine. `queued`: in the three parts that a GPU takes.
Weights computed(const OptimizerConfig& config, at::ScalarType type, bool queued) {
    const auto flatOf = [&](const auto& valuesOf) {
        at::Tensor flat = layout().allocate(type);
        for (std::size_t i = 0; i < layout().size(); ++i) {
            const std::vector<double> values = valuesOf(i);
            layout().view(flat, i).copy_(at::tensor(values, at::kDouble).view(layout().specs()[i].shape));
        }
        return flat;
    };
    FlatOptimizer optimizer(config, layout(), type);
    at::Tensor parameters =
        flatOf([](std::size_t i) { return smooth(layout().specs()[i].count(), 100.0 + static_cast<double>(i)); });
    bool untouchedStays = true;
    for (std::size_t t = 0; t < touched.size(); ++t) {
        const at::Tensor before = parameters.clone();
        const at::Tensor gradients = flatOf([&](std::size_t i) { return gradientOf(i, t); });
        const std::vector<bool> now(touched[t].begin(), touched[t].end());
        if (queued) {
            optimizer.prepareUpdate(now, learningRate(t));
            optimizer.queueUpdate(parameters, gradients, at::zeros({1}, at::kFloat));
            optimizer.countUpdate(now);
        } else {
            optimizer.update(parameters, gradients, now, learningRate(t));
        }
        for (std::size_t i = 0; i < layout().size(); ++i)
            untouchedStays =
                untouchedStays && (now[i] || at::equal(layout().view(parameters, i), layout().view(before, i)));
    }
    Weights weights;
    for (std::size_t i = 0; i < layout().size(); ++i) {
        const at::Tensor dense = layout().view(parameters, i).to(at::kDouble).flatten().contiguous();
        weights.emplace_back(dense.const_data_ptr<double>(), dense.const_data_ptr<double>() + dense.numel());
        if (!untouchedStays) // shows in every comparison
            weights.back().assign(weights.back().size(), std::numeric_limits<double>::quiet_NaN());
    }
    return weights;
}

/// Largest difference of a weight, over all parameters; infinite where one is no number.
double distance(const Weights& a, const Weights& b) {
    double worst = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a[i].size(); ++j) {
            const double difference = std::abs(a[i][j] - b[i][j]);
            if (!std::isfinite(difference))
                return std::numeric_limits<double>::infinity();
            worst = std::max(worst, difference);
        }
    return worst;
}

OptimizerConfig sgd(double momentum, bool nesterov, double decay) {
    OptimizerConfig config;
    config.name = OptimizerKind::Sgd;
    config.momentum = momentum;
    config.nesterov = nesterov;
    config.weightDecay = decay;
    return config;
}
OptimizerConfig adam(OptimizerKind name, double decay) {
    OptimizerConfig config;
    config.name = name;
    config.weightDecay = decay;
    config.beta2 = 0.95;
    config.eps = 1e-3; // large enough to show where it stands
    return config;
}

// Weights are of size 1: a few roundings of six updates. fp32: Adam's 1 - beta2^t at t = 1 keeps u / 0.05.
double toleranceOf(at::ScalarType type) { return type == at::kDouble ? 1e-14 : 2e-6; }

/// Variations of the formulas that programs have been found to compute.
Update mistake(const std::string& name) {
    return [name](const OptimizerConfig& config, double lr, std::span<double> w, std::span<const double> g,
                  PlainMoments& moments) {
        moments.first.resize(w.size(), 0.0);
        moments.second.resize(w.size(), 0.0);
        const auto t = static_cast<double>(++moments.updates);
        const bool coupled = (config.name != OptimizerKind::AdamW) != (name == "decay of the other kind");
        for (std::size_t i = 0; i < w.size(); ++i) {
            double decay = name == "no decay" ? 0.0 : config.weightDecay;
            double d = g[i] + (coupled ? decay * w[i] : 0.0);
            if (!coupled)
                w[i] -= (name == "decay without the learning rate" ? 1.0 : lr) * decay * w[i];
            double& m = moments.first[i];
            double& v = moments.second[i];
            if (config.name == OptimizerKind::Sgd) {
                m = config.momentum * m + (name == "dampened" ? 1.0 - config.momentum : 1.0) * d;
                const bool nesterov = config.nesterov != (name == "nesterov of the other kind");
                w[i] -= lr * (nesterov ? d + config.momentum * m : m);
                continue;
            }
            m = config.beta1 * m + (1.0 - config.beta1) * d;
            v = config.beta2 * v + (1.0 - config.beta2) * d * d;
            const bool corrected = name != "not corrected";
            const double mean = m / (corrected ? 1.0 - std::pow(config.beta1, t) : 1.0);
            const double square = v / (corrected ? 1.0 - std::pow(config.beta2, t) : 1.0);
            w[i] -= lr * mean /
                    (name == "eps below the root" ? std::sqrt(square + config.eps) : std::sqrt(square) + config.eps);
        }
    };
}

} // namespace

class TestFlatOptimizer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itFollowsItsFormula_data() {
        QTest::addColumn<OptimizerConfig>("config");
        QTest::newRow("sgd") << sgd(0.0, false, 0.0);
        QTest::newRow("sgd, decay") << sgd(0.0, false, 0.1);
        QTest::newRow("momentum") << sgd(0.9, false, 0.0);
        QTest::newRow("momentum, decay") << sgd(0.9, false, 0.1);
        QTest::newRow("nesterov") << sgd(0.9, true, 0.0);
        QTest::newRow("nesterov, decay") << sgd(0.9, true, 0.1);
        QTest::newRow("adam") << adam(OptimizerKind::Adam, 0.0);
        QTest::newRow("adam, decay") << adam(OptimizerKind::Adam, 0.1);
        QTest::newRow("adamw") << adam(OptimizerKind::AdamW, 0.0);
        QTest::newRow("adamw, decay") << adam(OptimizerKind::AdamW, 0.1);
    }
    void itFollowsItsFormula() {
        QFETCH(OptimizerConfig, config);
        const Weights wanted = written(config, plainUpdate);
        for (const at::ScalarType type : {at::kDouble, at::kFloat})
            for (const bool queued : {false, true}) {
                const double worst = distance(computed(config, type, queued), wanted);
                qInfo("%s%s: %.1e", type == at::kDouble ? "fp64" : "fp32", queued ? ", queued" : "", worst);
                QVERIFY(worst <= toleranceOf(type));
            }
    }

    void mistakesAreSeen_data() {
        QTest::addColumn<OptimizerConfig>("config");
        QTest::addColumn<QString>("name");
        const auto row = [](const OptimizerConfig& config, const char* kind, const char* name) {
            QTest::addRow("%s, %s", kind, name) << config << QString::fromLatin1(name);
        };
        row(sgd(0.9, false, 0.1), "sgd", "no decay");
        row(sgd(0.9, false, 0.1), "sgd", "decay of the other kind");
        row(sgd(0.9, false, 0.1), "sgd", "dampened");
        row(sgd(0.9, false, 0.1), "momentum", "nesterov of the other kind");
        row(sgd(0.9, true, 0.1), "nesterov", "nesterov of the other kind");
        for (const auto& [kind, name] :
             {std::pair(OptimizerKind::Adam, "adam"), std::pair(OptimizerKind::AdamW, "adamw")}) {
            row(adam(kind, 0.1), name, "no decay");
            row(adam(kind, 0.1), name, "decay of the other kind");
            row(adam(kind, 0.1), name, "not corrected");
            row(adam(kind, 0.1), name, "eps below the root");
        }
        row(adam(OptimizerKind::AdamW, 0.1), "adamw", "decay without the learning rate");
    }
    void mistakesAreSeen() {
        QFETCH(OptimizerConfig, config);
        QFETCH(QString, name);
        // The variation without its mistake is the formula.
        QVERIFY(distance(written(config, mistake({})), written(config, plainUpdate)) <= 1e-15);
        const Weights wrong = written(config, mistake(name.toStdString()));
        QVERIFY(distance(computed(config, at::kDouble, false), wrong) > 1e3 * toleranceOf(at::kFloat));
    }

    // Adam's t is the parameter's own: d is first updated at the third update of the run.
    void updatesAreCountedForEachParameter() {
        const OptimizerConfig config = adam(OptimizerKind::AdamW, 0.0);
        const Weights wrong = written(config, plainUpdate, /*countRun=*/true);
        QVERIFY(distance(computed(config, at::kDouble, false), wrong) > 1e3 * toleranceOf(at::kFloat));
    }

    // A queued update that the device leaves out changes neither weights nor moments.
    void aSkippedUpdateChangesNothing() {
        for (const OptimizerConfig& config : {sgd(0.9, true, 0.1), adam(OptimizerKind::AdamW, 0.1)}) {
            FlatOptimizer optimizer(config, layout(), at::kFloat);
            at::Tensor parameters = layout().allocate(at::kFloat);
            const std::vector<bool> all(layout().size(), true);
            at::Tensor gradients = layout().allocate(at::kFloat);
            for (std::size_t i = 0; i < layout().size(); ++i)
                layout().view(gradients, i).fill_(0.5);
            optimizer.update(parameters, gradients, all, 0.1);
            const at::Tensor before = parameters.clone();
            std::map<std::string, at::Tensor> moments;
            for (const auto& [name, tensor] : optimizer.state())
                moments[name] = tensor.clone();
            QVERIFY(!moments.empty());
            optimizer.prepareUpdate(all, 0.1);
            optimizer.queueUpdate(parameters, gradients, at::ones({1}, at::kFloat));
            QVERIFY(at::equal(parameters, before));
            for (const auto& [name, tensor] : optimizer.state())
                QVERIFY(at::equal(tensor, moments.at(name)));
            optimizer.queueUpdate(parameters, gradients, at::zeros({1}, at::kFloat));
            QVERIFY(!at::equal(parameters, before));
        }
    }

    // Two shards, the cut in the middle of a parameter and on a boundary of vectors, are one optimizer: bit for bit.
    void shardsThatCutAParameterAreOneOptimizer() {
        const ParameterLayout cut({{"w", {7, 32}, 32, false}, {"b", {32}, 32, true}});
        const std::int64_t middle = 64;
        for (const OptimizerConfig& config :
             {sgd(0.9, true, 0.1), adam(OptimizerKind::Adam, 0.1), adam(OptimizerKind::AdamW, 0.1)}) {
            FlatOptimizer whole(config, cut, at::kFloat);
            FlatOptimizer low(config, cut, at::kFloat, at::kCPU, FlatRange{0, middle});
            FlatOptimizer high(config, cut, at::kFloat, at::kCPU, FlatRange{middle, cut.flatSize()});
            QCOMPARE(low.state().begin()->second.numel(), middle); // no rank keeps the whole state
            at::Tensor expected = initialWeights(cut, {}, 3).to(at::kFloat);
            at::Tensor sharded = expected.clone();
            for (int update = 0; update < 3; ++update) {
                const at::Tensor gradients = initialWeights(cut, {}, 10 + update).to(at::kFloat);
                const std::vector<bool> touched{true, update != 1};
                whole.update(expected, gradients, touched, 0.1);
                low.update(sharded, gradients, touched, 0.1);
                high.update(sharded, gradients, touched, 0.1);
            }
            QVERIFY(at::equal(expected, sharded));
            // The mutant: a shard that forgets where it begins.
            FlatOptimizer misplaced(config, cut, at::kFloat, at::kCPU, FlatRange{16, cut.flatSize()});
            misplaced.update(sharded, initialWeights(cut, {}, 20).to(at::kFloat), {true, true}, 0.1);
            whole.update(expected, initialWeights(cut, {}, 20).to(at::kFloat), {true, true}, 0.1);
            QVERIFY(!at::equal(expected, sharded));
        }
    }
};

QTEST_APPLESS_MAIN(TestFlatOptimizer)
} // namespace test_flat_optimizer
#include "test_flat_optimizer.moc"

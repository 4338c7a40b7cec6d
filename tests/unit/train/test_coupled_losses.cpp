// SPDX-License-Identifier: GPL-3.0-or-later
// What accumulation cannot do, and why the settings refuse it. T21: a loss that compares samples needs the whole
// window; the cure, a gradient cache of two passes (Gao et al. 2021, arXiv 2101.06983), agrees with the large batch,
// because dropout draws by sample and so gives both passes the same masks. T23: a line search that asks for the
// gradient again must see the whole window again.
#include "core/engine/micro_step.h"
#include "core/train/reference.h"
#include "core/window/gradient_window.h"
#include "tests/support/training.h"
#include "tests/support/windows.h"

#include <ATen/ATen.h>
#include <QTest>
#include <numeric>
#include <torch/csrc/autograd/autograd.h>

namespace test_coupled_losses {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr std::int64_t batch = 32;

// Sums of a few thousand terms of fp64 in another order: some 1e-15.
constexpr double rounding = 1e-12;
constexpr double clearlyDifferent = 1e-3;

/// Each sample's partner is its neighbour; the others are its negatives. Sum over samples of the cross entropy of their
/// similarities.
at::Tensor contrastiveSum(const at::Tensor& logits) {
    const at::Tensor unit = logits / logits.norm(2, 1, true);
    const std::int64_t count = unit.size(0);
    const at::Tensor similarity = at::matmul(unit, unit.t()) / 0.2 - 1e9 * at::eye(count, at::kDouble);
    return at::cross_entropy_loss(similarity, at::arange(count).bitwise_xor(1), {}, at::Reduction::Sum);
}

struct Subject {
    std::shared_ptr<const Model> model;
    at::Tensor parameters;
    at::Tensor inputs;
    std::vector<std::int64_t> ids, epochs;

    Subject() : ids(batch), epochs(batch, 0) {
        ModelConfig config;
        config.name = "mlp";
        config.dropout = 0.5;
        model = makeModel(config, {1, 8, 8, 10, 0}).value();
        parameters = initialWeights(model->layout(), config, 3);
        inputs = at::linspace(-1.0, 1.0, batch * 64, at::kDouble).mul(37.0).sin().view({batch, 1, 8, 8});
        std::iota(ids.begin(), ids.end(), 100);
    }
    [[nodiscard]] at::Tensor logits(std::span<const at::Tensor> leaves, std::int64_t first, std::int64_t count,
                                    std::int64_t seed = 5) const {
        ForwardContext context;
        context.training = true;
        context.keys = {seed, std::span(ids).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)),
                        std::span(epochs).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count))};
        return model->forward(leaves, inputs.narrow(0, first, count), context);
    }
};

double distance(const at::Tensor& a, const at::Tensor& b) { return ((a - b).norm() / b.norm()).item<double>(); }

at::Tensor flatten(const ParameterLayout& layout, const std::vector<at::Tensor>& gradients) {
    at::Tensor flat = layout.allocate(at::kDouble);
    for (std::size_t i = 0; i < gradients.size(); ++i)
        layout.view(flat, i).copy_(gradients[i]);
    return flat;
}

at::Tensor wholeBatch(const Subject& subject) {
    auto leaves = subject.model->layout().leaves(subject.parameters);
    const at::Tensor loss = contrastiveSum(subject.logits(leaves, 0, batch)) / static_cast<double>(batch);
    return flatten(subject.model->layout(), torch::autograd::grad({loss}, leaves));
}

/// Each micro-batch on its own, as accumulation does.
at::Tensor accumulated(const Subject& subject, std::int64_t micro) {
    auto leaves = subject.model->layout().leaves(subject.parameters);
    GradientWindow window = test::hostWindow(subject.model->layout(), at::kDouble);
    for (std::int64_t first = 0; first < batch; first += micro) {
        MicroGradient one;
        one.gradients = torch::autograd::grad({contrastiveSum(subject.logits(leaves, first, micro))}, leaves);
        one.units = static_cast<double>(micro);
        window.commit(one);
    }
    (void)window.close();
    return window.gradient().clone();
}

/// Pass 1 keeps the logits of all micro-batches and the loss's gradient at them; pass 2 sends its slices back.
/// `secondSeed` other than the first's: masks drawn by call order.
at::Tensor gradientCache(const Subject& subject, std::int64_t micro, std::int64_t secondSeed = 5) {
    auto leaves = subject.model->layout().leaves(subject.parameters);
    std::vector<at::Tensor> parts;
    for (std::int64_t first = 0; first < batch; first += micro)
        parts.push_back(subject.logits(leaves, first, micro).detach());
    const at::Tensor logits = at::cat(parts).set_requires_grad(true);
    const at::Tensor cache = torch::autograd::grad({contrastiveSum(logits)}, {logits}).front();
    GradientWindow window = test::hostWindow(subject.model->layout(), at::kDouble);
    for (std::int64_t first = 0; first < batch; first += micro) {
        MicroGradient one;
        one.gradients = torch::autograd::grad({subject.logits(leaves, first, micro, secondSeed)}, leaves,
                                              {cache.narrow(0, first, micro)});
        one.units = static_cast<double>(micro);
        window.commit(one);
    }
    (void)window.close();
    return window.gradient().clone();
}

/// What a closure gets at `parameters` from the samples [first, first + count).
at::Tensor closureGradient(const Model& model, const at::Tensor& parameters, const Dataset& data, std::int64_t first,
                           std::int64_t count, std::int64_t micro) {
    GradientWindow window = test::hostWindow(model.layout(), at::kDouble);
    MicroStep step(model, parameters, at::zeros({0}, at::kDouble),
                   BatchSource(data, DataPart::Train, Task::Classify, false, at::kDouble, micro), {});
    for (std::int64_t begin = first; begin < first + count; begin += micro) {
        std::vector<std::int64_t> ids(static_cast<std::size_t>(micro)), epochs(static_cast<std::size_t>(micro), 0);
        std::iota(ids.begin(), ids.end(), begin);
        window.commit(step.gradient({0, ids, epochs}, {}));
    }
    (void)window.close();
    return window.gradient().clone();
}

} // namespace

class TestCoupledLosses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aContrastiveLossIsNotAccumulated_data() {
        QTest::addColumn<std::int64_t>("micro");
        for (const std::int64_t micro : {2, 4, 8, 16})
            QTest::addRow("m = %d", static_cast<int>(micro)) << micro;
    }
    void aContrastiveLossIsNotAccumulated() {
        QFETCH(const std::int64_t, micro);
        const Subject subject;
        const at::Tensor wanted = wholeBatch(subject);
        QVERIFY(distance(accumulated(subject, micro), wanted) > clearlyDifferent); // the trap
        QVERIFY(distance(gradientCache(subject, micro), wanted) < rounding);       // the cure
        QVERIFY(distance(gradientCache(subject, micro, 6), wanted) >
                clearlyDifferent); // without the same masks it is none
    }

    void oneMicroBatchIsTheWholeBatch() {
        const Subject subject;
        QVERIFY(distance(accumulated(subject, batch), wholeBatch(subject)) < rounding);
    }

    // A step along the gradient, then the question again, as a line search asks it.
    void aClosureNeedsTheWholeWindowAgain() {
        const QTemporaryDir folder;
        const RunConfig config = smallConfig(batch, batch, 8);
        const auto data = loadDataset(config.data, {}).value();
        const auto model = makeModel(config.model, {1, data->train.height, data->train.width, 10, 0}).value();
        const at::Tensor parameters = initialWeights(model->layout(), config.model, 1);
        const at::Tensor trial = parameters - 0.1 * closureGradient(*model, parameters, *data, 0, batch, 8);
        std::vector<std::int64_t> ids(batch);
        std::iota(ids.begin(), ids.end(), 0);
        const at::Tensor wanted = flatten(model->layout(), referenceGradient(*model, trial, *data, ids).gradients);
        QVERIFY(distance(closureGradient(*model, trial, *data, 0, batch, 8), wanted) < rounding);
        QVERIFY(distance(closureGradient(*model, trial, *data, batch - 8, 8, 8), wanted) >
                clearlyDifferent); // the trap: the last micro-batch only
    }
};

QTEST_GUILESS_MAIN(TestCoupledLosses)
} // namespace test_coupled_losses
#include "test_coupled_losses.moc"

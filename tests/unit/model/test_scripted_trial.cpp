// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/running_statistics.h"
#include "tests/support/brought_files.h"
#include "tests/support/scripted_nets.h"
#include "tests/unit/model/scripted_file.h"

#include <ATen/Parallel.h>
#include <QScopeGuard>
#include <chrono>
#include <thread>
#include <torch/library.h>

namespace test_scripted_trial {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::test::scripted;

namespace {

std::vector<int> threadsOfPasses;
std::chrono::milliseconds firstPassTakes(0);

/// An operation that a network can call as torch.count_threads_of_pass: with how many threads does the pass compute?
TORCH_LIBRARY_FRAGMENT(aten, library) {
    library.def("count_threads_of_pass(Tensor x) -> Tensor", [](const at::Tensor& x) {
        if (threadsOfPasses.empty())
            std::this_thread::sleep_for(firstPassTakes);
        threadsOfPasses.push_back(at::get_num_threads());
        return x.clone();
    });
}

const std::string norm = "torch.batch_norm(x, None, None, self.running_mean, self.running_var, self.training, 0.3, "
                         "1e-5, False)";

/// A training pass in fp64 over `rows` samples: the groups that each layer leaves.
std::vector<std::vector<NormStatistics>> statisticsOf(const Model& model, std::int64_t rows, std::int64_t key = 0) {
    const at::Tensor weights = model.ownWeights(at::kDouble), statistics = model.ownBuffers();
    const auto buffers = model.buffers().views(statistics);
    const std::vector<std::int64_t> ids(static_cast<std::size_t>(rows), key), epochs(ids.size(), 0);
    ForwardContext context;
    context.training = true;
    context.keys = {3, ids, epochs};
    context.buffers = buffers;
    const auto instance = model.instantiate(model.layout().leaves(weights), buffers);
    (void)instance->forward(at::randn({rows, 1, 4, 4}, at::detail::createCPUGenerator(5), at::kDouble), context);
    return context.statistics;
}

} // namespace

class TestScriptedTrial : public QObject, protected ScriptedFile {
    Q_OBJECT
private Q_SLOTS:
    /// A network whose pass is short is tried on one thread, one whose pass is long on all from its second pass on. The
    /// caller has as many as before, also when the file is refused.
    void threadsOfTheTrial_data() {
        QTest::addColumn<int>("milliseconds");
        QTest::addColumn<int>("expected");
        QTest::newRow("short") << 0 << 1;
        QTest::newRow("long") << 700 << 3;
    }
    void threadsOfTheTrial() {
        QFETCH(const int, milliseconds);
        QFETCH(const int, expected);
        const int before = at::get_num_threads();
        const auto restore = qScopeGuard([before] { at::set_num_threads(before); });
        at::set_num_threads(3);
        ScriptedNet net, wrong;
        net.parameter("weight", {3, 16});
        wrong.parameter("weight", {3, 16});
        const std::string path =
            net.save(file("threads.pt"), "def forward(self, x):\n"
                                         "    x = torch.count_threads_of_pass(x)\n"
                                         "    return torch.matmul(torch.flatten(x, 1), torch.t(self.weight))\n");
        const std::string refused = wrong.save(file("refused.pt"), "def forward(self, x):\n"
                                                                   "    return torch.matmul(x, self.weight)\n");
        threadsOfPasses.clear();
        firstPassTakes = std::chrono::milliseconds(milliseconds);
        QVERIFY(load(path));
        QCOMPARE(at::get_num_threads(), 3);
        QVERIFY(threadsOfPasses.size() > 2);
        QCOMPARE(threadsOfPasses.front(), 1);
        QVERIFY(std::all_of(threadsOfPasses.begin() + 1, threadsOfPasses.end(),
                            [expected](int threads) { return threads == expected; }));
        QVERIFY(!load(refused));
        QCOMPARE(at::get_num_threads(), 3);
    }

    void aLayerThatIsSkippedKeepsItsStatistics() {
        const auto model =
            load(saveTwoLayers(file("rows.pt"), 16, 3, "x = " + norm + " if x.size(0) > 2 else x", true)).value();
        QCOMPARE(statisticsOf(*model, 4).at(0).size(), 1U);
        const auto skipped = statisticsOf(*model, 2);
        QVERIFY(skipped.at(0).empty());
        for (const BatchNormMode mode : {BatchNormMode::Micro, BatchNormMode::Pooled}) {
            RunningStatistics running(model->buffers(), mode, at::kDouble);
            const at::Tensor before = running.flat().clone();
            running.commit(skipped);
            running.apply();
            QVERIFY(running.flat().equal(before));
            running.commit(statisticsOf(*model, 4));
            running.apply();
            QVERIFY(!running.flat().equal(before));
        }
    }

    /// Samples that are all alike have a variance of zero, which is a statistic.
    void aVarianceOfZeroIsNotASkippedLayer() {
        const auto model = load(saveTwoLayers(file("zero.pt"), 16, 3, "x = x * 0.0\n    x = " + norm, true)).value();
        const auto statistics = statisticsOf(*model, 4);
        QCOMPARE(statistics.at(0).size(), 1U);
        QCOMPARE(statistics.at(0).at(0).variance.abs().max().item<double>(), 0.0);
    }

    /// Stochastic depth: most trials do not reach the layer.
    void aLayerThatDrawsSkipIsKnown() {
        const auto model =
            load(saveTwoLayers(file("depth.pt"), 16, 3,
                               "x = x if self.training and float(torch.rand([1])) < 0.8 else " + norm, true))
                .value();
        QVERIFY(model->drawsFromStream());
        QCOMPARE(model->buffers().size(), 2U);
        QCOMPARE(model->buffers().specs()[0].momentum, 0.3);
        QVERIFY(model->countsNormalised());
        std::size_t reached = 0;
        for (std::int64_t key = 0; key < 50; ++key)
            reached += statisticsOf(*model, 4, key).at(0).size();
        QVERIFY2(reached > 0 && reached < 40, qPrintable(QString::number(reached)));
    }

    /// A layer that no trial reaches is what it says it is.
    void aLayerThatNoTrialReachesIsKnown() {
        ScriptedNet net;
        net.parameter("weight", {16, 3});
        torch::jit::Module layer("__torch__.torch.nn.modules.batchnorm.BatchNorm1d");
        layer.register_buffer("running_mean", at::zeros({16}));
        layer.register_buffer("running_var", at::ones({16}));
        layer.register_attribute("training", c10::BoolType::get(), true);
        layer.type()->addConstant("momentum", 0.3);
        layer.define("def forward(self, x):\n    return " + norm + "\n");
        net.module.register_module("norm", layer);
        const auto model = load(net.save(file("unreached.pt"), "def forward(self, x):\n"
                                                               "    x = torch.flatten(x, 1)\n"
                                                               "    if x.size(0) > 100:\n"
                                                               "        x = self.norm.forward(x)\n"
                                                               "    return torch.matmul(x, self.weight)\n"))
                               .value();
        QCOMPARE(model->buffers().size(), 2U);
        QCOMPARE(model->buffers().specs()[0].name, std::string("norm.running_mean"));
        QCOMPARE(model->buffers().specs()[0].momentum, 0.3);
        QVERIFY(statisticsOf(*model, 4).at(0).empty());
        QCOMPARE(statisticsOf(*model, 128).at(0).size(), 1U);
    }

    /// Twice in some passes, once in others: no share of the old value that stays.
    void aLayerOfVaryingNumberIsRefused() {
        const auto model = load(saveTwoLayers(
            file("varying.pt"), 16, 3,
            "x = " + norm + "\n    x = x if self.training and float(torch.rand([1])) < 0.5 else " + norm, true));
        QVERIFY(!model);
        QCOMPARE(model.error().code, std::string("model.file-buffer"));
        QCOMPARE(model.error().argument("reason"), std::string("reason.buffer-varies"));
    }

    /// Statistics that a module replaces by others, where LibTorch's BatchNorm writes into them.
    void replacedStatisticsAreSeen() {
        const auto loaded = load(saveTwoLayers(file("replaced.pt"), 16, 3,
                                               "v = self.running_var\n"
                                               "    if self.training:\n"
                                               "        v = x.var(0)\n"
                                               "        self.running_mean = self.running_mean * 0.7 + x.mean(0) * 0.3\n"
                                               "        self.running_var = self.running_var * 0.7 + v * 0.3\n"
                                               "    x = x / torch.sqrt(v + 1e-5)",
                                               true));
        QVERIFY2(loaded, loaded ? "" : loaded.error().code.c_str());
        const auto& model = loaded.value();
        const auto statistics = statisticsOf(*model, 4);
        QCOMPARE(statistics.at(0).size(), 1U);
        QVERIFY(statistics.at(0).at(0).variance.min().item<double>() > 0.0);
    }
};

QTEST_APPLESS_MAIN(TestScriptedTrial)
} // namespace test_scripted_trial
#include "test_scripted_trial.moc"

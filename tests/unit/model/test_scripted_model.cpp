// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/autocast.h"
#include "core/model/scripted_kernels.h"
#include "tests/support/brought_files.h"
#include "tests/support/scripted_nets.h"
#include "tests/unit/model/scripted_file.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/jit/serialization/import.h>

namespace test_scripted_model {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::test::scripted;

namespace {
std::vector<std::string> factsOf(const Model& model) {
    std::vector<std::string> codes;
    for (const Message& fact : model.facts())
        codes.push_back(fact.code);
    return codes;
}

bool has(const Model& model, const char* code) {
    const auto codes = factsOf(model);
    return std::ranges::find(codes, code) != codes.end();
}

/// One forward pass in fp64.
struct Pass {
    at::Tensor weights, statistics;
    std::vector<at::Tensor> leaves, buffers;
    ForwardContext context;
    std::unique_ptr<ModelInstance> instance;
    std::vector<std::int64_t> ids{0, 1, 2, 3}, epochs{0, 0, 0, 0};

    explicit Pass(const Model& model)
        : weights(model.ownWeights(at::kDouble)), statistics(model.ownBuffers()),
          leaves(model.layout().leaves(weights)), buffers(model.buffers().views(statistics)),
          instance(model.instantiate(leaves, buffers)) {
        context.training = true;
        context.keys = {3, ids, epochs};
        context.buffers = buffers;
    }
    at::Tensor operator()(const at::Tensor& input) { return instance->forward(input, context); }
};
} // namespace

class TestScriptedModel : public QObject, protected ScriptedFile {
    Q_OBJECT
private Q_SLOTS:
    void parametersAreThoseOfTheFile() {
        ScriptedNet net;
        net.parameter("frozen", {6, 16}, false).parameter("second", {3, 6});
        const std::string path = net.save(
            file("frozen.pt"), "def forward(self, x):\n"
                               "    return torch.matmul(torch.matmul(torch.flatten(x, 1), torch.t(self.frozen)), "
                               "torch.t(self.second))\n");
        const auto model = load(path).value();
        QCOMPARE(model->layout().size(), 2U);
        QCOMPARE(model->layout().specs()[0].name, std::string("frozen"));
        QVERIFY(!model->layout().specs()[0].trainable);
        QVERIFY(model->layout().specs()[1].trainable);
        QCOMPARE(model->layout().parameterCount(), 6 * 16 + 3 * 6);
        Pass pass(*model);
        const at::Tensor x = input();
        const at::Tensor wanted = at::matmul(at::matmul(x.flatten(1), pass.leaves[0].t()), pass.leaves[1].t());
        QVERIFY(pass(x).equal(wanted));
        const auto gradient = torch::autograd::grad({pass(x).sum()}, {pass.leaves[1]});
        QVERIFY(gradient[0].abs().sum().item<double>() > 0.0);
    }

    void aSharedParameterStandsOnce() {
        ScriptedNet net;
        net.parameter("first", {16, 16});
        net.module.register_parameter("again", net.module.attr("first").toTensor(), false);
        net.parameter("last", {3, 16});
        const std::string path =
            net.save(file("shared.pt"), "def forward(self, x):\n"
                                        "    x = torch.relu(torch.matmul(torch.flatten(x, 1), self.first))\n"
                                        "    x = torch.relu(torch.matmul(x, self.again))\n"
                                        "    return torch.matmul(x, torch.t(self.last))\n");
        const auto model = load(path).value();
        QCOMPARE(model->layout().size(), 2U);
        QVERIFY(model->layout().specs()[0].aliases == std::vector<std::string>{"again"});
        ModelConfig frozen;
        frozen.name = "file";
        frozen.path = path;
        frozen.freeze = {"again"};
        QVERIFY(!makeModel(frozen, smallImages).value()->layout().specs()[0].trainable);
        Pass pass(*model);
        const at::Tensor x = input();
        const at::Tensor w = pass.leaves[0];
        const at::Tensor hidden = at::relu(at::matmul(at::relu(at::matmul(x.flatten(1), w)), w));
        const auto wanted = torch::autograd::grad({at::matmul(hidden, pass.leaves[1].t()).sum()}, {w});
        const auto found = torch::autograd::grad({pass(x).sum()}, {w});
        QVERIFY(found[0].equal(wanted[0]));
    }

    void statisticsLeaveInOrderAndTheModuleKeepsItsOwn() {
        const auto model = load(saveTwoLayers(file("norm.pt"), 16, 3, normMiddle, true)).value();
        QVERIFY(model->hasBatchNorm());
        QVERIFY(has(*model, "fact.file-norms"));
        QVERIFY(!model->drawsFromStream());
        QVERIFY(!model->couplesSamples());
        QVERIFY(model->countsNormalised());
        QCOMPARE(model->leastNormalisedArea(), 1);
        QCOMPARE(model->buffers().specs()[0].name, std::string("running_mean"));
        QCOMPARE(model->buffers().specs()[0].momentum, 0.3);
        Pass pass(*model);
        const at::Tensor x = input();
        (void)pass(x);
        const at::Tensor seen = at::matmul(x.flatten(1), pass.leaves[0].t()) * pass.leaves[2] + pass.leaves[3];
        const NormStatistics& found = pass.context.statistics.at(0).at(0);
        QVERIFY((found.mean - seen.mean(0)).abs().max().item<double>() < 1e-14);
        QVERIFY((found.variance - seen.var(0)).abs().max().item<double>() < 1e-13);
        QCOMPARE(found.count, 4);
        QVERIFY(pass.buffers[0].equal(at::zeros({6}, at::kDouble))); // only RunningStatistics moves them
    }

    void frozenAndEvaluatedNormsUseTheGivenStatistics() {
        const auto model = load(saveTwoLayers(file("norm.pt"), 16, 3, normMiddle, true)).value();
        Pass pass(*model);
        pass.statistics.fill_(2.0);
        const at::Tensor x = input();
        const at::Tensor before = at::matmul(x.flatten(1), pass.leaves[0].t()) * pass.leaves[2] + pass.leaves[3];
        const at::Tensor wanted = at::matmul(at::relu((before - 2.0) / std::sqrt(2.0 + 1e-5)), pass.leaves[1].t());
        pass.context.batchNorm = BatchNormMode::Frozen;
        QVERIFY((pass(x) - wanted).abs().max().item<double>() < 1e-13);
        QVERIFY(pass.context.statistics.empty());
        pass.context.batchNorm = BatchNormMode::Micro;
        pass.context.training = false;
        QVERIFY((pass(x) - wanted).abs().max().item<double>() < 1e-13);
    }

    void ghostGroupsAreNormalisedByThemselves() {
        const auto model = load(saveTwoLayers(file("norm.pt"), 16, 3, normMiddle, true)).value();
        Pass whole(*model), halves(*model);
        const at::Tensor x = input();
        whole.context.ghost = 2;
        const at::Tensor first = halves(x.narrow(0, 0, 2));
        const at::Tensor second = halves(x.narrow(0, 2, 2));
        QVERIFY(whole(x).equal(at::cat({first, second})));
        QCOMPARE(whole.context.statistics.at(0).size(), 2U);
    }

    void drawsAreKeyedByTheSamples() {
        const auto model = load(saveTwoLayers(file("dropout.pt"), 16, 3, dropoutMiddle)).value();
        QVERIFY(model->drawsFromStream());
        QVERIFY(!model->couplesSamples());
        const at::Tensor x = input();
        Pass one(*model), other(*model), later(*model);
        later.epochs = {1, 1, 1, 1};
        later.context.keys = {3, later.ids, later.epochs};
        const at::Tensor first = one(x);
        QVERIFY(first.equal(other(x)));
        QVERIFY(!first.equal(later(x)));
        QVERIFY(first.equal(one(x)));
        one.context.training = false;
        QVERIFY(!first.equal(one(x)));
    }

    void mixedSamplesAreNamed_data() {
        QTest::addColumn<QString>("middle");
        QTest::newRow("centred by the batch") << "x = x - x.mean(0)";
        QTest::newRow("attention over the batch")
            << "x = torch.matmul(torch.softmax(torch.matmul(x, torch.t(x)), 1), x)";
        QTest::newRow("rolled") << "x = torch.roll(x, 1, 0)";
    }
    void mixedSamplesAreNamed() {
        QFETCH(QString, middle);
        const auto model = load(saveTwoLayers(file("mixes.pt"), 16, 3, middle.toStdString())).value();
        QVERIFY(model->couplesSamples());
        QVERIFY(has(*model, "fact.file-couples"));
    }

    /// Classes that are never to be taken have -inf as their score, in each sample alike.
    void infiniteScoresMixNothing() {
        ScriptedNet net;
        net.parameter("weight", {16, 4});
        const auto model =
            load(net.save(file("masked.pt"), "def forward(self, x):\n"
                                             "    y = torch.matmul(torch.flatten(x, 1), self.weight)\n"
                                             "    return torch.masked_fill(y, torch.arange(4) == 3, float('-inf'))\n"))
                .value();
        QVERIFY(!model->couplesSamples());
    }

    void textComesOutAsTokens_data() {
        QTest::addColumn<QString>("ending");
        QTest::newRow("[n, tokens, vocabulary]") << "return y";
        QTest::newRow("[n, vocabulary, tokens]") << "return torch.transpose(y, 1, 2)";
        QTest::newRow("[n x tokens, vocabulary]") << "return torch.flatten(y, 0, 1)";
    }
    void textComesOutAsTokens() {
        QFETCH(QString, ending);
        ScriptedNet net;
        net.parameter("embedding", {11, 5}).parameter("head", {11, 5});
        const std::string path =
            net.save(file("text.pt"), "def forward(self, x):\n"
                                      "    y = torch.matmul(torch.embedding(self.embedding, x), torch.t(self.head))\n"
                                      "    " +
                                          ending.toStdString() + "\n");
        InputShape shape;
        shape.kind = SampleKind::Text;
        shape.block = 6;
        shape.classes = 11;
        const auto model = load(path, shape).value();
        QCOMPARE(model->task(), Task::NextToken);
        Pass pass(*model);
        const at::Tensor tokens = at::arange(24).remainder(11).view({4, 6});
        const at::Tensor wanted = at::matmul(pass.leaves[0].index_select(0, tokens.flatten()), pass.leaves[1].t());
        QCOMPARE(pass(tokens).sizes().vec(), (std::vector<std::int64_t>{24, 11}));
        QVERIFY((pass(tokens) - wanted).abs().max().item<double>() < 1e-14);
    }

    void lossesOfTheModelComeWithTheirUnits() {
        ScriptedNet net;
        net.parameter("weight", {1, 16});
        const std::string forward =
            "def forward(self, x, y):\n"
            "    each = (torch.matmul(torch.flatten(x, 1), torch.t(self.weight)).view(-1) - y) ** 2\n";
        const std::string each = net.save(file("losses.pt"), forward + "    return each\n");
        ScriptedNet summed;
        summed.parameter("weight", {1, 16});
        const std::string sum = summed.save(file("sum.pt"), forward + "    return (each.sum(), each.numel())\n");
        InputShape shape{16, 1, 1, 1};
        shape.kind = SampleKind::Tensors;
        shape.sample = {16};
        shape.wholeTargets = false;
        shape.loss = LossKind::Model;
        const at::Tensor x = input().view({4, 16}), y = at::ones({4}, at::kDouble);
        for (const std::string& path : {each, sum}) {
            const auto model = load(path, shape).value();
            Pass pass(*model);
            pass.context.targets = y;
            const at::Tensor returned = pass(x);
            const at::Tensor wanted = (at::matmul(x, pass.leaves[0].t()).view({-1}) - y).square();
            if (path == each) {
                QVERIFY((returned - wanted).abs().max().item<double>() < 1e-14);
                QVERIFY(pass.context.units < 0.0);
            } else {
                QVERIFY((returned - wanted.sum()).abs().item<double>() < 1e-13);
                QCOMPARE(pass.context.units, 4.0);
            }
        }
    }

    void ownKernelsAreFoundWhereTheyCompute_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("places");
        QTest::newRow("ReLU, then pooling") << "torch.max_pool2d(torch.relu(y), 2)" << 2;
        QTest::newRow("with a stride") << "torch.max_pool2d(torch.relu(y), [2, 2], [2, 2])" << 2;
        QTest::newRow("overlapping") << "torch.max_pool2d(torch.relu(y), 2, 1)" << 1;
        QTest::newRow("3x3") << "torch.max_pool2d(torch.relu(y), 3)" << 1;
        QTest::newRow("pooled first") << "torch.relu(torch.max_pool2d(y, 2))" << 1;
        QTest::newRow("padded convolution") << "torch.conv2d(y, self.again, self.shift, 1, 1)" << 2;
        QTest::newRow("strided convolution") << "torch.conv2d(y, self.again, self.shift, 2, 1)" << 2;
        QTest::newRow("two strides") << "torch.conv2d(y, self.again, self.shift, [2, 1], 1)" << 1;
        QTest::newRow("dilated convolution") << "torch.conv2d(y, self.again, self.shift, 1, 0, 2)" << 1;
        QTest::newRow("without bias") << "torch.conv2d(y, self.again)" << 2;
        QTest::newRow("linear") << "torch.linear(y, self.square, self.across)" << 2;
        QTest::newRow("linear without bias") << "torch.linear(y, self.square)" << 2;
        QTest::newRow("linear, written over") << "torch.relu_(torch.linear(y, self.square, self.across))" << 2;
        QTest::newRow("1x1 convolution, written over")
            << "torch.relu_(torch.conv2d(y.contiguous(memory_format=2), self.point))" << 2;
        QTest::newRow("GELU") << "torch.gelu(y)" << 2;
        QTest::newRow("GELU by tanh") << "torch.gelu(y, approximate='tanh')" << 2;
        QTest::newRow("GELU, then linear") << "torch.linear(torch.gelu(y), self.square, self.across)" << 3;
        QTest::newRow("GELU by tanh, then linear")
            << "torch.linear(torch.gelu(y, approximate='tanh'), self.square)" << 3;
        const QString attention = QStringLiteral("torch.scaled_dot_product_attention(y, y * 0.5, y + 1%1)");
        QTest::newRow("attention") << attention.arg(QString()) << 2;
        QTest::newRow("causal attention") << attention.arg(QStringLiteral(", None, 0.0, True")) << 2;
        QTest::newRow("scaled attention") << attention.arg(QStringLiteral(", scale=2.0")) << 1;
        QTest::newRow("masked attention") << attention.arg(QStringLiteral(", self.square")) << 1;
        QTest::newRow("in a branch") << "torch.max_pool2d(torch.relu(y), 2) if self.training else y * 2.0" << 2;
    }
    /// The same outputs and gradients as the module without them, whose file LibTorch reads here.
    void ownKernelsAreFoundWhereTheyCompute() {
        QFETCH(QString, code);
        QFETCH(int, places);
        ScriptedNet net;
        net.parameter("weight", {4, 1, 3, 3}).parameter("shift", {4}).parameter("again", {4, 4, 3, 3});
        net.parameter("square", {16, 16}).parameter("across", {16}).parameter("point", {8, 4, 1, 1});
        const std::string path = net.save(file("kernels.pt"), "def forward(self, x):\n"
                                                              "    y = torch.conv2d(x, self.weight, self.shift)\n"
                                                              "    return " +
                                                                  code.toStdString() + "\n");
        torch::jit::Module plain = torch::jit::load(path), own = torch::jit::load(path);
        QCOMPARE(useOwnKernels(own, {.channelsLast = false, .winograd = true}), places);
        for (const auto type : {at::kFloat, at::kDouble}) {
            const auto gradientsOf = [&](torch::jit::Module& module) {
                std::vector<at::Tensor> leaves;
                for (const char* name : {"weight", "shift"}) {
                    leaves.push_back(module.attr(name).toTensor().detach().to(type).requires_grad_());
                    module.setattr(name, leaves.back());
                }
                for (const char* name : {"again", "square", "across", "point"})
                    module.setattr(name, module.attr(name).toTensor().detach().to(type));
                const at::Tensor x = at::randn({5, 1, 18, 18}, at::detail::createCPUGenerator(3), at::kDouble).to(type);
                const at::Tensor output = module.forward({x}).toTensor();
                auto result = torch::autograd::grad({output.square().sum()}, leaves);
                result.push_back(output.detach());
                return result;
            };
            const auto wanted = gradientsOf(plain), found = gradientsOf(own);
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                // Sums of some thousand products in another order.
                const double tolerance = (type == at::kFloat ? 1e-4 : 1e-12) * wanted[i].abs().max().item<double>();
                QVERIFY((found[i] - wanted[i]).abs().max().item<double>() <= tolerance);
            }
        }
    }

    /// A bias beside Winograd's algorithm is no reason for floats.
    void sixteenBitsStaySo() {
        ScriptedNet net;
        net.parameter("weight", {32, 32, 3, 3}).parameter("shift", {32});
        const std::string path = net.save(file("vgg.pt"), "def forward(self, x):\n"
                                                          "    return torch.relu(torch.conv2d(x, self.weight, "
                                                          "self.shift, 1, 1))\n");
        torch::jit::Module module = torch::jit::load(path);
        QCOMPARE(useOwnKernels(module, {.channelsLast = true, .winograd = true}), 1);
        for (const char* name : {"weight", "shift"})
            module.setattr(name, module.attr(name).toTensor().detach().to(at::kFloat));
        const at::Tensor x = at::randn({2, 32, 8, 8}, at::detail::createCPUGenerator(3), at::kFloat);
        for (const auto precision : {Precision::Bf16, Precision::Fp16}) {
            const AutocastScope autocast(precision);
            const auto inOrder = [&](at::MemoryFormat order) {
                module.setattr("weight", module.attr("weight").toTensor().contiguous(order));
                return module.forward({x.contiguous(order)}).toTensor();
            };
            const at::Tensor plain = inOrder(at::MemoryFormat::Contiguous);
            const at::Tensor winograd = inOrder(at::MemoryFormat::ChannelsLast);
            const auto type = precision == Precision::Bf16 ? at::kBFloat16 : at::kHalf;
            QCOMPARE(plain.scalar_type(), type);
            QCOMPARE(winograd.scalar_type(), type);
            // Winograd's rounds twice, before and after the bias; its own error is far smaller.
            const double unit = (precision == Precision::Bf16 ? 0x1p-8 : 0x1p-11) * plain.abs().max().item<double>();
            QVERIFY((plain - winograd).abs().max().item<double>() <= 2.5 * unit);
        }
    }

    /// A ReLU or GELU whose result is wanted elsewhere, too, stays.
    void whatIsUsedTwiceStays() {
        ScriptedNet net;
        net.parameter("weight", {4, 1, 3, 3});
        torch::jit::Module module =
            torch::jit::load(net.save(file("twice.pt"), "def forward(self, x):\n"
                                                        "    y = torch.relu(torch.conv2d(x, self.weight, None, 2))\n"
                                                        "    return torch.max_pool2d(y, 2).sum() + y.sum()\n"));
        QCOMPARE(useOwnKernels(module, {}), 1); // the convolution

        ScriptedNet another;
        another.parameter("weight", {4, 1, 3, 3}).parameter("square", {16, 16});
        const std::string path =
            another.save(file("both.pt"), "def forward(self, x):\n"
                                          "    y = torch.gelu(torch.conv2d(x, self.weight))\n"
                                          "    return torch.linear(y, self.square).sum() + y.sum()\n");
        torch::jit::Module plain = torch::jit::load(path), own = torch::jit::load(path);
        QCOMPARE(useOwnKernels(own, {}), 3); // each by itself
        const at::NoGradGuard noGrad;
        const at::Tensor x = at::randn({5, 1, 18, 18}, at::detail::createCPUGenerator(3), at::kDouble);
        for (torch::jit::Module* each : {&plain, &own})
            for (const char* name : {"weight", "square"})
                each->setattr(name, each->attr(name).toTensor().detach().to(at::kDouble));
        QVERIFY(own.forward({x}).toTensor().equal(plain.forward({x}).toTensor()));
    }

    void whatIsWrittenOverBetweenStays() {
        ScriptedNet net;
        net.parameter("weight", {4, 1, 3, 3});
        const std::string path = net.save(file("over.pt"), "def forward(self, x):\n"
                                                           "    y = torch.conv2d(x, self.weight, None, 2)\n"
                                                           "    r = torch.relu(y)\n"
                                                           "    y.add_(1.0)\n"
                                                           "    return torch.max_pool2d(r, 2).sum() + y.sum()\n");
        torch::jit::Module plain = torch::jit::load(path), own = torch::jit::load(path);
        QCOMPARE(useOwnKernels(own, {}), 1); // the convolution
        const at::NoGradGuard noGrad;
        const at::Tensor x = at::randn({5, 1, 18, 18}, at::detail::createCPUGenerator(3), at::kFloat);
        QVERIFY(own.forward({x}).toTensor().equal(plain.forward({x}).toTensor()));
    }

    /// Samples for the trial are made up; that a network has no number for one is not a draw.
    void whatIsNotANumberIsNoDraw() { QVERIFY(load(saveTwoLayers(file("log.pt"), 16, 3, "x = torch.log(x)"))); }

    /// Statistics of its layers, scale and shift are the file's, too.
    void ownWeightsAreKeptWhateverTheSettingsSay() {
        const auto model = load(saveTwoLayers(file("norm.pt"), 16, 3, normMiddle, true)).value();
        ModelConfig config;
        config.init = "normal";
        QVERIFY(initialWeights(*model, config, 1).equal(model->ownWeights(at::kDouble)));
    }
};

QTEST_APPLESS_MAIN(TestScriptedModel)
} // namespace test_scripted_model
#include "test_scripted_model.moc"

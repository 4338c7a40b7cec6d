// SPDX-License-Identifier: GPL-3.0-or-later
// Networks that compute with parameters which they hold in a list, a tuple or a dictionary, as torch.nn.GRU and LSTM
// do.
#include "tests/support/scripted_nets.h"
#include "tests/unit/model/scripted_file.h"

#include <QTest>
#include <torch/csrc/autograd/autograd.h>

namespace test_scripted_held {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::test::scripted;

class TestScriptedHeld : public QObject, protected ScriptedFile {
    Q_OBJECT
private Q_SLOTS:
    void parametersAreReplacedWhereverTheyAreHeld_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::newRow("list") << "self.list[0]"
                              << "self.list[1]";
        QTest::newRow("tuple") << "self.pair[0]"
                               << "self.pair[1]";
        QTest::newRow("dictionary") << "self.table['first']"
                                    << "self.table['second']";
        QTest::newRow("lists in a list") << "self.nested[0][0]"
                                         << "self.nested[1][0]";
        QTest::newRow("one by its name") << "self.first"
                                         << "self.list[1]";
    }
    void parametersAreReplacedWhereverTheyAreHeld() {
        QFETCH(QString, first);
        QFETCH(QString, second);
        ScriptedNet net;
        net.parameter("first", {6, 16}).parameter("second", {3, 6});
        const at::Tensor a = net.module.attr("first").toTensor(), b = net.module.attr("second").toTensor();
        const auto tensors = c10::ListType::ofTensors();
        net.module.register_attribute("list", tensors, c10::List<at::Tensor>({a, b}));
        net.module.register_attribute("pair", c10::TupleType::create({c10::TensorType::get(), c10::TensorType::get()}),
                                      c10::ivalue::Tuple::create(a, b));
        c10::Dict<std::string, at::Tensor> table;
        table.insert("first", a);
        table.insert("second", b);
        net.module.register_attribute("table", c10::DictType::create(c10::StringType::get(), c10::TensorType::get()),
                                      table);
        c10::impl::GenericList nested(tensors);
        nested.push_back(c10::List<at::Tensor>({a}));
        nested.push_back(c10::List<at::Tensor>({b}));
        net.module.register_attribute("nested", c10::ListType::create(tensors), nested);
        // A mask that is no parameter comes along to the type of the run.
        net.module.register_attribute("masks", tensors, c10::List<at::Tensor>({at::full({6}, 0.5)}));
        const std::string path =
            net.save(file("held.pt"), QStringLiteral("def forward(self, x):\n"
                                                     "    h = torch.matmul(torch.flatten(x, 1), torch.t(%1))\n"
                                                     "    return torch.matmul(h * self.masks[0], torch.t(%2))\n")
                                          .arg(first, second)
                                          .toStdString());
        const auto model = load(path).value();
        const at::Tensor weights = model->ownWeights(at::kDouble) * 2.0; // others than the file's
        const auto statistics = model->ownBuffers();
        const auto leaves = model->layout().leaves(weights);
        const auto buffers = model->buffers().views(statistics);
        const auto instance = model->instantiate(leaves, buffers);
        std::vector<std::int64_t> ids{0, 1, 2, 3}, epochs{0, 0, 0, 0};
        ForwardContext context;
        context.training = true;
        context.keys = {3, ids, epochs};
        context.buffers = buffers;
        const at::Tensor x = input();
        const at::Tensor found = instance->forward(x, context);
        QVERIFY(found.equal(at::matmul(at::matmul(x.flatten(1), leaves[0].t()) * 0.5, leaves[1].t())));
        for (const at::Tensor& gradient : torch::autograd::grad({found.sum()}, leaves))
            QVERIFY(gradient.abs().sum().item<double>() > 0.0);
    }

    /// Nobody would see that such a parameter is never trained.
    void parametersThatNoGradientReachesAreNamed() {
        for (const bool reached : {false, true}) {
            ScriptedNet net;
            net.parameter("first", {3, 16}).parameter("aside", {3}).parameter("frozen", {3}, false);
            const auto model = load(net.save(file("aside.pt"),
                                             std::string("def forward(self, x):\n    y = torch.matmul("
                                                         "torch.flatten(x, 1), torch.t(self.first))\n    return y + ") +
                                                 (reached ? "self.aside" : "self.aside.detach()") + "\n"))
                                   .value();
            const auto facts = model->facts();
            const auto fact = std::ranges::find(facts, "fact.file-unreached", &Message::code);
            QCOMPARE(fact != facts.end(), !reached);
            if (!reached)
                QCOMPARE(fact->argument("parameters"), std::string("aside"));
        }
    }
};

QTEST_APPLESS_MAIN(TestScriptedHeld)
} // namespace test_scripted_held
#include "test_scripted_held.moc"

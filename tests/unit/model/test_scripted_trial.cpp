// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/brought_files.h"
#include "tests/support/scripted_nets.h"
#include "tests/unit/model/scripted_file.h"

#include <ATen/Parallel.h>
#include <QScopeGuard>
#include <chrono>
#include <thread>
#include <torch/library.h>

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
};

QTEST_APPLESS_MAIN(TestScriptedTrial)
#include "test_scripted_trial.moc"

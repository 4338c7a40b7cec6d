// SPDX-License-Identifier: GPL-3.0-or-later
// A window closed and applied by several threads has the bits of one: gradient, squared norm, weights and moments,
// whoever takes which stretch, and on ranks that hold shards of it. The norm is compared with its definition, written
// out; sums in another order must differ, or nothing would be seen.
#include "core/window/flat_kernels.h"
#include "core/window/flat_optimizer.h"
#include "core/window/shards.h"
#include "core/window/touched_scale.h"

#include "tests/support/numeric.h"

#include <ATen/ATen.h>
#include <QTest>
#include <atomic>
#include <thread>

namespace test_workers {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Threads that take the parts from the last one on.
class BackwardThreads final : public Workers {
public:
    explicit BackwardThreads(int count) : m_count(count) {}
    [[nodiscard]] int atOnce() const override { return m_count; }
    void forEach(std::int64_t parts, const std::function<void(std::int64_t)>& work) override {
        most = std::max(most, parts);
        std::atomic<std::int64_t> left{parts};
        std::vector<std::thread> threads;
        for (int i = 0; i < m_count; ++i)
            threads.emplace_back([&] {
                for (std::int64_t part = --left; part >= 0; part = --left)
                    work(part);
            });
        for (std::thread& thread : threads)
            thread.join();
    }

    std::int64_t most = 0; ///< parts of one call

private:
    int m_count;
};

/// Longer and shorter than a stretch, than a block, and than a vector.
const ParameterLayout& layout() {
    static const ParameterLayout parameters({{"long", {300'001}, 1, false},
                                             {"short", {7}, 1, true},
                                             {"untouched", {5000}, 1, false},
                                             {"one block", {4096}, 1, false},
                                             {"last", {130, 511}, 1, false}});
    return parameters;
}
const std::vector<bool> touched = {true, true, false, true, true};

at::Tensor flat(at::ScalarType type, double phase) {
    at::Tensor values = layout().allocateGradient(type);
    for (std::size_t i = 0; i < layout().size(); ++i) {
        const std::int64_t count = layout().specs()[i].count();
        layout().view(values, i).copy_((at::arange(count, at::kDouble) * 0.7 + phase + static_cast<double>(i))
                                           .sin()
                                           .view(layout().specs()[i].shape));
    }
    return values;
}

/// flat_kernels.h: 16 partial sums of a block in the compute type, then one after the other into a double.
template <class Real>
double definedSquares(const at::Tensor& scaled) {
    const Real* elements = scaled.const_data_ptr<Real>();
    double squared = 0.0;
    for (std::size_t i = 0; i < layout().size(); ++i) {
        if (!touched[i])
            continue;
        double sum = 0.0;
        for (std::int64_t start = 0; start < layout().specs()[i].count(); start += kernelBlock) {
            const std::int64_t end = std::min(layout().specs()[i].count(), start + kernelBlock);
            std::array<Real, 16> partial{};
            for (std::int64_t j = start; j < end; ++j) {
                const Real value = elements[layout().offset(i) + j];
                const Real square = value * value;
                partial[static_cast<std::size_t>((j - start) % 16)] += square;
            }
            for (const Real part : partial)
                sum += static_cast<double>(part);
        }
        squared += sum;
    }
    return squared;
}

bool sameBits(const at::Tensor& a, const at::Tensor& b) {
    return a.nbytes() == b.nbytes() && std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0;
}

constexpr double factor = 1.0 / 37.0;

} // namespace

class TestWorkers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneThreadIsEnoughForLittle() {
        BackwardThreads two(2), one(1);
        QCOMPARE(worthwhile(nullptr, 1'000'000), nullptr);
        QCOMPARE(worthwhile(&two, 60'000), nullptr); // LeNet-5
        QCOMPARE(worthwhile(&one, 1'000'000), nullptr);
        QCOMPARE(worthwhile(&two, 1'000'000), static_cast<Workers*>(&two));
        for (const std::int64_t elements : {70'000, 300'001, 25'000'000}) {
            const std::int64_t size = stretchSize(elements, &two);
            QCOMPARE(size % kernelBlock, 0);
            QVERIFY(size >= 8 * kernelBlock && size < elements);
        }
        QVERIFY(stretchSize(300'001, nullptr) >= 300'001);
    }

    void scaledByAnyNumberOfThreads_data() {
        QTest::addColumn<int>("type");
        QTest::newRow("fp32") << int(at::kFloat);
        QTest::newRow("fp64") << int(at::kDouble);
    }
    void scaledByAnyNumberOfThreads() {
        QFETCH(int, type);
        const auto scalar = static_cast<at::ScalarType>(type);
        const at::Tensor before = flat(scalar, 0.0);
        at::Tensor alone = before.clone();
        RunningSquares squares;
        scaleTouched(alone, layout(), {0, layout().gradientSize()}, touched, factor, squares, nullptr);
        QVERIFY(compareBits(squares.open, 0.0));
        QVERIFY(compareBits(squares.squared,
                            scalar == at::kDouble ? definedSquares<double>(alone) : definedSquares<float>(alone)));
        QVERIFY(at::equal(layout().view(alone, 2), layout().view(before, 2)));
        QVERIFY(at::allclose(layout().view(alone, 0), layout().view(before, 0) * factor, 1e-6, 0.0));

        for (const int threads : {2, 3, 8})
            for (const int ranks : {1, 2, 3}) {
                BackwardThreads workers(threads);
                at::Tensor together = before.clone();
                RunningSquares running;
                for (const FlatRange& shard : shardsOf(layout(), ranks)) {
                    at::Tensor view = together.narrow(0, shard.begin, shard.size());
                    scaleTouched(view, layout(), shard, touched, factor, running, &workers);
                }
                QVERIFY2(workers.most > 1, "nothing was shared");
                QVERIFY(sameBits(alone, together));
                QVERIFY(compareBits(running.squared, squares.squared));
            }

        // Summed without blocks it is another number.
        double inAnotherOrder = 0.0;
        for (std::size_t i = 0; i < layout().size(); ++i)
            if (touched[i])
                inAnotherOrder += layout().view(alone, i).square().sum().to(at::kDouble).item<double>();
        QVERIFY(!compareBits(inAnotherOrder, squares.squared));
        QVERIFY(compareRel(inAnotherOrder, squares.squared, 1e-5));
    }

    void updatedByAnyNumberOfThreads_data() {
        QTest::addColumn<int>("optimizer");
        QTest::newRow("sgd") << int(OptimizerKind::Sgd);
        QTest::newRow("adam") << int(OptimizerKind::Adam);
        QTest::newRow("adamw") << int(OptimizerKind::AdamW);
    }
    void updatedByAnyNumberOfThreads() {
        QFETCH(int, optimizer);
        OptimizerConfig config;
        config.name = static_cast<OptimizerKind>(optimizer);
        config.momentum = 0.9;
        config.weightDecay = 0.01;
        const auto after = [&](Workers* workers, FlatRange shard) {
            FlatOptimizer updated(config, layout(), at::kFloat, at::kCPU, shard, workers);
            at::Tensor weights = flat(at::kFloat, 10.0);
            for (int update = 0; update < 3; ++update) {
                std::vector<bool> now = touched;
                now[2] = update == 1; // its count differs from then on
                updated.update(weights, flat(at::kFloat, update), now, 0.1);
            }
            std::vector<at::Tensor> all = {weights};
            for (const auto& [name, state] : updated.state())
                all.push_back(state);
            return all;
        };
        const FlatRange whole{0, layout().gradientSize()};
        const auto alone = after(nullptr, whole);
        QCOMPARE(alone.size(), std::size_t(config.name == OptimizerKind::Sgd ? 2 : 3));
        QVERIFY(!sameBits(alone[0], flat(at::kFloat, 10.0)));
        for (const int threads : {2, 3, 8}) {
            BackwardThreads workers(threads);
            const auto together = after(&workers, whole);
            QVERIFY2(workers.most > 1, "nothing was shared");
            for (std::size_t i = 0; i < alone.size(); ++i)
                QVERIFY(sameBits(alone[i], together[i]));
            const FlatRange shard = shardsOf(layout(), 2).back();
            const auto half = after(&workers, shard);
            QVERIFY(
                sameBits(alone[0].narrow(0, shard.begin, shard.size()), half[0].narrow(0, shard.begin, shard.size())));
        }
    }
};

QTEST_APPLESS_MAIN(TestWorkers)
} // namespace test_workers
#include "test_workers.moc"

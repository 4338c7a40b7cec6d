// SPDX-License-Identifier: GPL-3.0-or-later
// BatchNorm in a ResNet: its modes, ghost groups, and the running statistics that micro-batches leave.
#include "core/model/batch_norm.h"
#include "core/window/running_statistics.h"
#include "tests/unit/model/resnet_fixture.h"

#include <QTest>

#include <stdexcept>

namespace test_resnet_batch_norm {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Ten samples as micro-batches of 4, 3 and 3.
struct Part {
    std::int64_t first, count;
};
constexpr Part parts[] = {{0, 4}, {4, 3}, {7, 3}};

} // namespace

class TestResnetBatchNorm : public QObject, protected ResnetCase {
    Q_OBJECT

    [[nodiscard]] std::vector<at::Tensor> ofParts(const Lane& of, std::vector<ForwardContext>& contexts,
                                                  BatchNormMode mode = BatchNormMode::Micro) const {
        std::vector<at::Tensor> sum;
        for (const Part& part : parts) {
            ForwardContext& context = contexts.emplace_back(of.context(true));
            context.batchNorm = mode;
            const Samples rows(part.count, part.first);
            context.keys = rows.keys();
            add(sum, of.gradients(input.narrow(0, part.first, part.count), targets.narrow(0, part.first, part.count),
                                  context));
        }
        return sum;
    }

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    // The control that separates "BatchNorm" from "a bug in accumulation": the same groups, the same gradient.
    void ghostGroupsAreMicroBatches() {
        const std::int64_t equal = 9; // 3 micro-batches of 3
        std::vector<at::Tensor> micro;
        std::vector<std::vector<NormStatistics>> seen(20);
        for (std::int64_t first = 0; first < equal; first += 3) {
            ForwardContext context = lane.context(true);
            add(micro, lane.gradients(input.narrow(0, first, 3), targets.narrow(0, first, 3), context));
            for (std::size_t layer = 0; layer < seen.size(); ++layer)
                seen[layer].push_back(context.statistics[layer].at(0));
        }
        ForwardContext ghost = lane.context(true);
        ghost.ghost = 3;
        const auto grouped = lane.gradients(input.narrow(0, 0, equal), targets.narrow(0, 0, equal), ghost);
        QVERIFY(worstDistance(grouped, micro) < tolerance);
        QCOMPARE(ghost.statistics.size(), seen.size());
        for (std::size_t layer = 0; layer < seen.size(); ++layer) {
            QCOMPARE(ghost.statistics[layer].size(), std::size_t{3});
            for (std::size_t group = 0; group < 3; ++group) {
                QCOMPARE(ghost.statistics[layer][group].count, seen[layer][group].count);
                QVERIFY(distance(ghost.statistics[layer][group].mean, seen[layer][group].mean) < tolerance);
                QVERIFY(distance(ghost.statistics[layer][group].variance, seen[layer][group].variance) < tolerance);
            }
        }
        // The plain large batch is another function: no rounding.
        ForwardContext plain = lane.context(true);
        QVERIFY(worstDistance(lane.gradients(input.narrow(0, 0, equal), targets.narrow(0, 0, equal), plain), micro) >
                1e-3);
        for (const auto& layer : plain.statistics)
            QCOMPARE(layer.size(), std::size_t{1});
    }

    void theLastGhostGroupMayBeSmaller() {
        ForwardContext context = lane.context(true);
        context.ghost = 4; // 4, 4, 2
        const auto grouped = lane.gradients(input, targets, context);
        std::vector<at::Tensor> micro;
        for (const Part& part : {Part{0, 4}, Part{4, 4}, Part{8, 2}}) {
            ForwardContext own = lane.context(true);
            add(micro, lane.gradients(input.narrow(0, part.first, part.count),
                                      targets.narrow(0, part.first, part.count), own));
        }
        QVERIFY(worstDistance(grouped, micro) < tolerance);
        QCOMPARE(context.statistics[0][1].count, std::int64_t{4 * 16 * 16});
        QCOMPARE(context.statistics[0][2].count, std::int64_t{2 * 16 * 16});
    }

    void frozenStatisticsMakeAccumulationExact() {
        lane.running.add_(0.1); // not the identity
        std::vector<ForwardContext> contexts;
        const auto sum = ofParts(lane, contexts, BatchNormMode::Frozen);
        ForwardContext whole = lane.context(true);
        whole.batchNorm = BatchNormMode::Frozen;
        const auto wanted = lane.gradients(input, targets, whole);
        QVERIFY(worstDistance(sum, wanted) < tolerance);
        QVERIFY(whole.statistics.empty() && contexts[0].statistics.empty());
        whole.statistics.clear();
        QVERIFY(at::equal(lane.model->forward(lane.leaves, input, whole), lane.evaluate(input)));
        lane.running.sub_(0.1);
    }

    void aForwardPassOnlyReadsTheBuffers() {
        const at::Tensor before = lane.running.clone();
        ForwardContext context = lane.context(true);
        (void)lane.gradients(input, targets, context);
        QVERIFY(at::equal(lane.running, before));
        QVERIFY(!context.statistics[0][0].mean.requires_grad());
    }

    // Micro: what torch's own BatchNorm leaves in its buffers when it sees the micro-batches one after the other.
    void microStatisticsMoveAsInPyTorch() {
        std::vector<ForwardContext> contexts;
        (void)ofParts(lane, contexts);
        RunningStatistics statistics(lane.model->buffers(), BatchNormMode::Micro, at::kDouble);
        for (const ForwardContext& context : contexts)
            statistics.commit(context.statistics);
        statistics.apply();
        const at::NoGradGuard noGrad;
        at::Tensor mean = at::zeros({64}, at::kDouble);
        at::Tensor variance = at::ones({64}, at::kDouble);
        for (const Part& part : parts)
            (void)at::batch_norm(at::conv2d(input.narrow(0, part.first, part.count), lane.leaves[0], {}, 2, 3), {}, {},
                                 mean, variance, true, 0.1, 1e-5, false);
        QVERIFY(distance(lane.model->buffers().view(statistics.flat(), 0), mean) < 1e-12);
        QVERIFY(distance(lane.model->buffers().view(statistics.flat(), 1), variance) < 1e-12);
    }

    // Pooled: the first layer sees the same pixels in either split, so its statistics are those of the whole batch, to
    // rounding; deeper layers see what micro-batches have normalised.
    void pooledStatisticsAreTheWholeBatchsInTheFirstLayer() {
        std::vector<ForwardContext> contexts;
        (void)ofParts(lane, contexts);
        RunningStatistics pooled(lane.model->buffers(), BatchNormMode::Pooled, at::kDouble);
        for (const ForwardContext& context : contexts)
            pooled.commit(context.statistics);
        pooled.apply();
        ForwardContext whole = lane.context(true);
        (void)lane.gradients(input, targets, whole);
        RunningStatistics wanted(lane.model->buffers(), BatchNormMode::Micro, at::kDouble);
        wanted.commit(whole.statistics);
        wanted.apply();
        const ParameterLayout& buffers = lane.model->buffers();
        for (std::size_t i = 0; i < 2; ++i)
            QVERIFY(distance(buffers.view(pooled.flat(), i), buffers.view(wanted.flat(), i)) < 1e-6);
        QVERIFY(distance(buffers.view(pooled.flat(), 39), buffers.view(wanted.flat(), 39)) > 1e-3);
    }

    void statisticsAreThoseOfTheDefinition() {
        ForwardContext context = lane.context(true);
        context.ghost = 6;
        const at::NoGradGuard noGrad;
        (void)lane.model->forward(lane.leaves, input, context);
        const at::Tensor seen = at::conv2d(input, lane.leaves[0], {}, 2, 3).narrow(0, 6, 4).transpose(0, 1).flatten(1);
        const NormStatistics& last = context.statistics[0][1];
        QCOMPARE(last.count, seen.size(1));
        QVERIFY(distance(last.mean, seen.mean(1)) < 1e-12);
        QVERIFY(distance(last.variance, seen.var(1, /*unbiased=*/true)) < 1e-12);
    }

    void aSingleValueIsNotNormalised() {
        ForwardContext context = lane.context(true);
        QVERIFY_EXCEPTION_THROWN((void)lane.model->forward(lane.leaves, input.narrow(0, 0, 1), context),
                                 std::runtime_error);
        ForwardContext ghost = lane.context(true);
        ghost.ghost = 3; // 3, 3, 3, 1
        QVERIFY_EXCEPTION_THROWN((void)lane.model->forward(lane.leaves, input, ghost), std::runtime_error);
        QVERIFY(lane.evaluate(input.narrow(0, 0, 1)).isfinite().all().item<bool>());
        ForwardContext without; // evaluation, but no buffers
        QVERIFY_EXCEPTION_THROWN((void)lane.model->forward(lane.leaves, input, without), std::logic_error);
    }
};

QTEST_APPLESS_MAIN(TestResnetBatchNorm)
} // namespace test_resnet_batch_norm
#include "test_resnet_batch_norm.moc"

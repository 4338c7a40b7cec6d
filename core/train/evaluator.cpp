// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/evaluator.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <atomic>
#include <numeric>

namespace accumulus {
namespace {

constexpr std::int64_t chunk = 200;

struct ChunkSums {
    double loss = 0.0;
    std::int64_t correct = 0;
};

} // namespace

Evaluation evaluate(const Model& model, const at::Tensor& parameters, const ImageSet& images, double mean, double deviation,
                    WindowEngine& engine) {
    std::vector<ChunkSums> sums(static_cast<std::size_t>((images.count + chunk - 1) / chunk));
    std::atomic<std::size_t> nextChunk{0};
    engine.run([&](int) {
        const at::NoGradGuard noGrad;
        const std::vector<at::Tensor> leaves = model.layout().leaves(parameters);
        at::Tensor input = at::empty({chunk, images.channels, images.height, images.width}, parameters.scalar_type());
        at::Tensor labels = at::empty({chunk}, at::kLong);
        std::vector<std::int64_t> ids;
        for (std::size_t i = nextChunk++; i < sums.size(); i = nextChunk++) {
            const auto first = static_cast<std::int64_t>(i) * chunk;
            ids.resize(static_cast<std::size_t>(std::min(chunk, images.count - first)));
            std::iota(ids.begin(), ids.end(), first);
            const auto [x, y] = fillBatch(images, mean, deviation, ids, input, labels);
            const at::Tensor logits = model.forward(leaves, x);
            sums[i].loss = summedLoss(logits, y, 0.0).item<double>();
            sums[i].correct = logits.argmax(1).eq(y).sum().item<std::int64_t>();
        }
    });
    Evaluation result;
    result.count = images.count;
    std::int64_t correct = 0;
    for (const ChunkSums& part : sums) {
        result.loss += part.loss;
        correct += part.correct;
    }
    result.loss /= static_cast<double>(images.count);
    result.accuracy = static_cast<double>(correct) / static_cast<double>(images.count);
    return result;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// Mean loss and metrics of weights over a part of a data set. It is cut into fixed chunks whose sums are added in
// order, so the result does not depend on the number of lanes.
#pragma once

#include "core/engine/batch_source.h"
#include "core/engine/lane_pool.h"
#include "core/ranks/communicator.h"
#include "core/train/evaluation_watch.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <optional>

namespace accumulus {

struct Evaluation {
    std::int64_t count = 0; ///< samples
    /// Mean over images, over the tokens that bear loss (with class weights by these), or over all numbers of the
    /// targets; without label smoothing.
    double loss = 0.0;
    // As those of EvaluationRecord.
    std::optional<double> accuracy, top5, mae, rmse, r2;
};

/// Which weights, on what.
struct EvaluationSubject {
    const Model& model;
    const at::Tensor& parameters;
    const at::Tensor& buffers;
    const Dataset& data;
    DataPart part;
    Precision precision;
    LanePool& lanes;
    ResidentData* resident = nullptr; ///< the data on the weights' device; null on the CPU
    Communicator* ranks = nullptr;    ///< share the chunks and tell each other the sums; all must call
    const EvaluationWatch* watch = nullptr;
    at::Tensor cast{}; ///< `parameters` in 16 bits (CastWeights); undefined: autocast casts them for each chunk
};

/// Samples of a chunk: on a CPU at most 32, and so few that neither their inputs nor the scores of all classes take
/// more than 2 MiB in fp32; on a GPU at most 200 and 64 MiB. Of shapes and device alone, so that an evaluation repeats
/// its bits; ranks take the smallest of theirs. On a CPU more samples are slower, for their activations leave the
/// cache, and take more memory than training: char-gpt 440 samples/s with 200 and 730 with 32, ResNet-50 at 224 pixels
/// 12 with 111 and 17 with 3.
[[nodiscard]] std::int64_t evaluationChunk(const Dataset& data, DataPart part, bool gpu);

/// Chunks are smaller where memory runs out. Masks of masked-token models are keyed by seed 0, so every evaluation asks
/// the same questions. Throws ErrorThrown.
[[nodiscard]] Evaluation evaluate(const EvaluationSubject& subject, const LossConfig& loss);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// The measurements of a run as plain values. The trainer makes them, the store keeps them, analysis and the workbench
// read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

/// One rank's share of a window that several ranks computed together.
struct RankTimes {
    std::int64_t window = 0;                            ///< number of the window in the run, from 1; 0 in sums
    std::int64_t rank = 0;                              ///< from 0
    std::int64_t microSteps = 0;                        ///< of the window's, those that this rank computed
    double dataSeconds = 0.0;                           ///< summed over the rank's lanes: gathering micro-batches,
    double forwardSeconds = 0.0, backwardSeconds = 0.0; ///< forward passes with the loss, backward passes,
    double commitSeconds = 0.0;                         ///< and adding gradients up, without waiting and reducing
    double waitingSeconds = 0.0;                        ///< for slower ranks, wherever ranks agree on something
    double reducingSeconds = 0.0;                       ///< sending gradients and weights, receiving and adding them
    std::int64_t sentBytes = 0;                         ///< gradients and weights that this rank sent
    std::int64_t exchanges = 0;                         ///< collective operations that moved them

    bool operator==(const RankTimes&) const = default;
};

/// How far a window has come while it is computed.
struct WindowProgress {
    std::int64_t window = 0;     ///< number in the run, from 1; 0: none was begun
    std::int64_t update = 0;     ///< number of the update that it is to make
    std::int64_t samples = 0;    ///< of the whole window
    std::int64_t microSteps = 0; ///< K
    /// Of these, added to the window, or queued on a device; on several ranks up to the newest of the first rank.
    std::int64_t committed = 0;
    double dataSeconds = 0.0; ///< of those committed since the window was begun or taken up again, summed over lanes;
    double forwardSeconds = 0.0, backwardSeconds = 0.0, commitSeconds = 0.0; ///< 0 where a device does not tell
    bool closed = false; ///< the update was made, or the window skipped

    bool operator==(const WindowProgress&) const = default;
};

/// One window: the micro-steps behind one update. Counters are totals of the run after this window.
struct WindowRecord {
    std::int64_t window = 0; ///< number of the window in the run, from 1
    std::optional<std::int64_t>
        update;                  ///< number of the update it made, from 1; empty when it made none (left-over samples)
    std::int64_t epoch = 0;      ///< epoch of its first sample, from 0
    double epochPosition = 0.0;  ///< epochs of data seen after this window: samples / size of the training set
    std::int64_t samples = 0;    ///< training samples seen after this window
    std::int64_t tokens = 0;     ///< tokens seen after this window; 0 for image data
    double units = 0.0;          ///< N: loss units of this window (samples, or loss-bearing tokens), or their weights
    std::int64_t microSteps = 0; ///< K of this window
    std::int64_t microBatch = 0; ///< samples of its micro-batches, all but the last
    std::int64_t lastMicroBatch = 0; ///< samples of the last one
    std::int64_t leftOut = 0;        ///< micro-batches left out because they were not finite
    double loss = 0.0;               ///< sum_k n_k l_k / N; NaN or infinite when training broke
    bool nonfinite = false;          ///< loss or gradient was not finite
    double lr = 0.0;                 ///< learning rate of this update
    double gradNorm = 0.0;           ///< L2 norm of the window's gradient before clipping
    double clippedNorm = 0.0;        ///< after clipping
    bool clipped = false;
    double lossScale = 1.0;
    std::optional<double> noiseS;  ///< tr Sigma estimate (S), needs two non-empty micro-batches
    std::optional<double> noiseG2; ///< |G|^2 estimate, may be negative
    double seconds = 0.0;          ///< active training time of this window
    double dataSeconds =
        0.0; ///< of these, summed over lanes (so the parts may exceed the whole): gathering micro-batches,
    double forwardSeconds = 0.0;  ///< forward passes with the loss,
    double backwardSeconds = 0.0; ///< backward passes,
    double commitSeconds = 0.0;   ///< adding gradients up,
    double updateSeconds = 0.0;   ///< and, once, dividing, clipping and the optimizer
    double activeSeconds = 0.0;   ///< active training time of the run so far: no set-up, evaluation, checkpoint, pause
    double wallTime = 0.0;        ///< seconds since 1970 when the window closed
    std::int64_t peakBytes = 0;   ///< peak tensor memory of training so far; 0 when not measured
    std::vector<RankTimes> ranks; ///< by rank; empty where one rank computed it. The seconds above are the first rank's

    bool operator==(const WindowRecord&) const = default;
};

/// It was closed, and something in it bears loss: its loss is the last of the run until the next one.
[[nodiscard]] inline bool givesTrainLoss(const WindowRecord& window) {
    return window.units > 0 && (window.update || window.nonfinite);
}

/// A look at one parameter at one micro-step: its first elements stay the same until the update.
struct MicroStepRecord {
    std::int64_t window = 0;
    std::int64_t microStep = 0; ///< committed before, from 0; K: after the update
    std::vector<double> values;

    bool operator==(const MicroStepRecord&) const = default;
};

/// One evaluation of the weights after `update` updates.
struct EvaluationRecord {
    std::int64_t update = 0;
    std::int64_t samples = 0;   ///< training samples seen
    double epochPosition = 0.0; ///< epochs of data seen
    std::string split = "test"; ///< "test" or "validation"
    std::int64_t count = 0;     ///< samples evaluated
    double loss = 0.0;          ///< mean loss of a loss unit
    // What the loss is measured by; the others are empty.
    std::optional<double> accuracy{};    ///< of classes, or of yes and no (bce-with-logits at 0), 0..1
    std::optional<double> top5{};        ///< the right class is among the 5 likeliest, 0..1; of more than 5 classes
    std::optional<double> mae{}, rmse{}; ///< absolute and root mean squared error of all numbers
    std::optional<double> r2{};          ///< 1 - squared error / variance of the targets; at most 1
    double seconds = 0.0;                ///< time of the evaluation itself
    double activeSeconds = 0.0;          ///< active training time of the run so far
    double wallTime = 0.0;
    std::int64_t peakBytes = 0; ///< peak tensor memory during this evaluation; 0 when not measured

    bool operator==(const EvaluationRecord&) const = default;
};

enum class CheckpointKind { Initial, Periodic, Best, Last };

struct CheckpointRecord {
    CheckpointKind kind = CheckpointKind::Periodic;
    std::int64_t update = 0;
    std::int64_t samples = 0;
    std::string weightsPath; ///< safetensors
    std::string bundlePath;  ///< resume bundle; empty when there is none (initial)
    std::string weightsHash; ///< XXH3-128 of the weights' bytes in parameter order
    std::int64_t bytes = 0;  ///< both files
    double wallTime = 0.0;

    bool operator==(const CheckpointRecord&) const = default;
};

/// The end of a run in numbers.
struct RunSummary {
    std::int64_t updates = 0;
    std::int64_t microSteps = 0;
    std::int64_t samples = 0;
    std::optional<double> finalTrainLoss;
    std::optional<double> testLoss;     ///< of the last evaluation
    std::optional<double> testAccuracy; ///< of the last evaluation, 0..1
    std::optional<double> bestTestAccuracy;
    std::optional<double> testTop5{}, testMae{}, testRmse{}, testR2{}; ///< of the last evaluation
    std::optional<double> validationLoss{}, validationAccuracy{};      ///< of the last one on the validation samples
    std::optional<double> bestValidationAccuracy{};
    std::optional<double> validationMae{}, validationRmse{};
    double activeSeconds = 0.0;
    double samplesPerSecond = 0.0;        ///< training samples over the active time of all sessions
    std::int64_t peakBytes = 0;           ///< peak tensor memory of training; before version 4 of evaluations as well
    std::int64_t evaluationPeakBytes = 0; ///< of evaluations; 0 when there was none or it is not known
    std::string weightsHash;
    std::string checkpoint; ///< weights of the last checkpoint
    /// Share of the processors' time that other programs used while it trained, in all sessions: 0 to 1. Nothing on
    /// several ranks, and where it is not known.
    std::optional<double> othersShare{};

    bool operator==(const RunSummary&) const = default;
};

/// Parameters of a model.
struct ParameterCounts {
    std::int64_t all = 0;
    std::int64_t frozen = 0; ///< of these
    bool operator==(const ParameterCounts&) const = default;
};

} // namespace accumulus

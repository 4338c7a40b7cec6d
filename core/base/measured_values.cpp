// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/measured_values.h"

#include "core/base/whole_number.h"

#include <array>
#include <type_traits>

namespace accumulus {
namespace {

using W = WindowRecord;
using E = EvaluationRecord;
using R = RankTimes;

constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

// clang-format off
constexpr std::array windowTable{
    WindowValue{"window", "window", &W::window, "windows", "number of the window in the run, from 1"},
    WindowValue{"update", "update_number", &W::update, "updates", "number of the update it made, from 1; empty when it made none"},
    WindowValue{"epoch", "epoch", &W::epoch, "epochs", "epoch of its first sample, from 1", 1},
    WindowValue{"epochs", "epoch_position", &W::epochPosition, "epochs", "data seen after this window, as a multiple of the training set"},
    WindowValue{"samples", "samples", &W::samples, "samples", "training samples seen after this window"},
    WindowValue{"tokens", "tokens", &W::tokens, "tokens", "tokens seen after this window; 0 for images"},
    WindowValue{"units", "units", &W::units, "", "N, the loss units of this window: samples, or tokens that bear loss; with class weights the sum of theirs", 0, noNumber, true},
    WindowValue{"micro_steps", "micro_steps", &W::microSteps, "micro-steps", "K, the micro-steps of this window"},
    WindowValue{"loss", "loss", &W::loss, "", "mean loss over the window's loss units"},
    WindowValue{"lr", "lr", &W::lr, "", "learning rate of this update"},
    WindowValue{"grad_norm", "grad_norm", &W::gradNorm, "", "L2 norm of the window's gradient before clipping"},
    WindowValue{"clipped", "clipped", &W::clipped, "", "whether the gradient was clipped"},
    WindowValue{"nonfinite", "nonfinite", &W::nonfinite, "", "whether loss or gradient was not finite"},
    WindowValue{"loss_scale", "loss_scale", &W::lossScale, "", "loss scale in fp16 with which the window began"},
    WindowValue{"noise_s", "noise_s", &W::noiseS, "", "estimate of tr Sigma, the variance of one sample's gradient; empty where it cannot be had"},
    WindowValue{"noise_g2", "noise_g2", &W::noiseG2, "", "estimate of |G|^2, the squared norm of the true gradient; may be negative"},
    WindowValue{"seconds", "seconds", &W::seconds, "s", "active training time of this window"},
    WindowValue{"active_seconds", "active_seconds", &W::activeSeconds, "s", "active training time of the run so far: without set-up, evaluation, checkpoints and pauses"},
    WindowValue{"wall_time", "wall_time", &W::wallTime, "s", "when the window closed, since 1970-01-01 UTC"},
    WindowValue{"peak_bytes", "peak_bytes", &W::peakBytes, "bytes", "peak of tensor memory so far; 0 when not measured"},
    WindowValue{"grad_norm_clipped", "grad_norm_clipped", &W::clippedNorm, "", "L2 norm of the gradient that was applied"},
    WindowValue{"micro_batch", "micro_batch", &W::microBatch, "samples", "samples of a micro-batch, all but the last"},
    WindowValue{"last_micro_batch", "last_micro_batch", &W::lastMicroBatch, "samples", "samples of the last micro-batch"},
    WindowValue{"left_out", "left_out", &W::leftOut, "micro-batches", "micro-batches left out because they were not finite"},
    WindowValue{"data_seconds", "data_seconds", &W::dataSeconds, "s", "gathering micro-batches, summed over lanes", 0, 0.0},
    WindowValue{"forward_seconds", "forward_seconds", &W::forwardSeconds, "s", "forward passes with the loss, summed over lanes", 0, 0.0},
    WindowValue{"backward_seconds", "backward_seconds", &W::backwardSeconds, "s", "backward passes, summed over lanes", 0, 0.0},
    WindowValue{"commit_seconds", "commit_seconds", &W::commitSeconds, "s", "adding gradients up, summed over lanes", 0, 0.0},
    WindowValue{"update_seconds", "update_seconds", &W::updateSeconds, "s", "dividing, clipping and the optimizer", 0, 0.0},
};

constexpr std::array evaluationTable{
    EvaluationValue{"update", "update_number", &E::update, "updates", "updates applied before this evaluation"},
    EvaluationValue{"samples", "samples", &E::samples, "samples", "training samples seen"},
    EvaluationValue{"epochs", "epoch_position", &E::epochPosition, "epochs", "data seen, as a multiple of the training set"},
    EvaluationValue{"split", "split", &E::split, "", "test or validation"},
    EvaluationValue{"count", "count", &E::count, "samples", "samples evaluated"},
    EvaluationValue{"loss", "loss", &E::loss, "", "mean loss over images, or over tokens that bear loss"},
    EvaluationValue{"accuracy", "accuracy", &E::accuracy, "", "share of right answers, 0 to 1; empty where the loss is of numbers"},
    EvaluationValue{"top5", "top5", &E::top5, "", "share of answers with the right class among the 5 likeliest, 0 to 1"},
    EvaluationValue{"mae", "mae", &E::mae, "", "mean absolute error"},
    EvaluationValue{"rmse", "rmse", &E::rmse, "", "root mean squared error"},
    EvaluationValue{"r2", "r2", &E::r2, "", "coefficient of determination: 1 minus squared error over variance"},
    EvaluationValue{"seconds", "seconds", &E::seconds, "s", "time of the evaluation itself"},
    EvaluationValue{"active_seconds", "active_seconds", &E::activeSeconds, "s", "active training time of the run so far"},
    EvaluationValue{"wall_time", "wall_time", &E::wallTime, "s", "when it was made, since 1970-01-01 UTC"},
    EvaluationValue{"peak_bytes", "peak_bytes", &E::peakBytes, "bytes", "peak tensor memory of the evaluation; 0 where it was not measured"},
};

constexpr std::array rankTable{
    RankValue{"window", "window", &R::window, "windows", "number of the window in the run, from 1"},
    RankValue{"rank", "rank", &R::rank, "", "number of the rank, from 0"},
    RankValue{"micro_steps", "micro_steps", &R::microSteps, "micro-steps", "micro-steps of the window that this rank computed"},
    RankValue{"data_seconds", "data_seconds", &R::dataSeconds, "s", "gathering micro-batches, summed over the rank's lanes"},
    RankValue{"forward_seconds", "forward_seconds", &R::forwardSeconds, "s", "forward passes with the loss, summed over the rank's lanes"},
    RankValue{"backward_seconds", "backward_seconds", &R::backwardSeconds, "s", "backward passes, summed over the rank's lanes"},
    RankValue{"commit_seconds", "commit_seconds", &R::commitSeconds, "s", "adding gradients up, without waiting and reducing"},
    RankValue{"waiting_seconds", "waiting_seconds", &R::waitingSeconds, "s", "waiting for slower ranks"},
    RankValue{"reducing_seconds", "reducing_seconds", &R::reducingSeconds, "s", "sending gradients and weights to other ranks, receiving and adding theirs"},
    RankValue{"sent_bytes", "sent_bytes", &R::sentBytes, "bytes", "gradients and weights that this rank sent"},
    RankValue{"exchanges", "exchanges", &R::exchanges, "", "collective operations that moved gradients and weights"},
};
// clang-format on

template <class Value>
struct IsOptional : std::false_type {};
template <class Value>
struct IsOptional<std::optional<Value>> : std::true_type {};

} // namespace

template <class Record>
std::string_view MeasuredValue<Record>::sqlType() const {
    return std::visit(
        []<class Type>(Type Record::*) -> std::string_view {
            if constexpr (std::is_same_v<Type, double> || std::is_same_v<Type, std::optional<double>>)
                return "REAL";
            else if constexpr (std::is_same_v<Type, std::string>)
                return "TEXT";
            else
                return "INTEGER";
        },
        member);
}

template <class Record>
ExportedValue MeasuredValue<Record>::exported(const Record& record) const {
    return std::visit(
        [&]<class Type>(Type Record::*place) -> ExportedValue {
            const Type& value = record.*place;
            if constexpr (IsOptional<Type>::value)
                return value ? ExportedValue(*value) : ExportedValue();
            else if constexpr (std::is_same_v<Type, std::int64_t>)
                return value + countedFrom;
            else if constexpr (std::is_same_v<Type, double>)
                return isCount && wholeNumber(value) ? ExportedValue(*wholeNumber(value)) : ExportedValue(value);
            else
                return value;
        },
        member);
}

template struct MeasuredValue<WindowRecord>;
template struct MeasuredValue<EvaluationRecord>;
template struct MeasuredValue<RankTimes>;

std::span<const WindowValue> windowValues() { return windowTable; }
std::span<const EvaluationValue> evaluationValues() { return evaluationTable; }
std::span<const RankValue> rankValues() { return rankTable; }

} // namespace accumulus

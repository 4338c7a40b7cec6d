// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/kept_message.h"
#include "core/config/metric_rows.h"
#include "core/ranks/packed.h"
#include "core/train/trainer_impl.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <exception>
#include <utility>

namespace accumulus {
namespace {

std::string numbered(const char* stem, std::int64_t update) {
    std::string digits = std::to_string(update);
    digits.insert(0, digits.size() < 8 ? 8 - digits.size() : 0, '0'); // files sort by update
    return std::string(stem) + "-" + digits;
}

} // namespace

EvaluationRecord Trainer::Impl::evaluateSplit(const std::string& split, const EvaluationWatch& watch) {
    const Stopwatch stopwatch;
    m_peakBefore = peakBytes();
    m_engine.resetPeak();
    const Dataset& data = *m_setup.data;
    const DataPart part = split == "validation" ? DataPart::Validation : DataPart::Test;
    ModelState& model = m_engine.state();
    const at::Tensor buffers = model.statistics.flat();
    const Evaluation evaluation =
        evaluate({*model.model, model.parameters, buffers, data, part, m_setup.config.numerics.precision,
                  m_engine.lanes(), m_engine.residentData(), ranks(), &watch, m_engine.castWeights()},
                 m_setup.config.loss);
    if (m_setup.bug == PlantedBug::EvaluationLeavesGradient) {
        MicroStepSettings settings;
        settings.loss = lossSettings(m_setup.config.loss);
        MicroStep micro(*model.model, model.parameters, model.statistics.flat(),
                        BatchSource(data, part, model.model->task(), false, model.parameters.scalar_type(), 1,
                                    m_engine.residentData()),
                        settings);
        const std::int64_t first = 0;
        model.window.commit(micro.gradient({0, {&first, 1}, {&first, 1}}, {}));
    }
    EvaluationRecord record;
    record.update = m_progress.updates;
    record.samples = m_progress.samples;
    record.epochPosition = m_progress.epochPosition;
    record.split = split;
    record.count = evaluation.count;
    record.loss = evaluation.loss;
    record.accuracy = evaluation.accuracy;
    record.top5 = evaluation.top5;
    record.mae = evaluation.mae;
    record.rmse = evaluation.rmse;
    record.r2 = evaluation.r2;
    record.seconds = stopwatch.seconds();
    record.activeSeconds = m_progress.activeSeconds;
    record.wallTime = unixTime();
    record.peakBytes = m_engine.peakBytes();
    m_evaluationPeak = std::max(m_evaluationPeak, record.peakBytes);
    m_engine.resetPeak();
    return record;
}

Status Trainer::Impl::evaluateAndTell(TrainingObserver& observer) {
    m_lastTest = evaluateSplit("test");
    if (const auto accuracy = m_lastTest->accuracy;
        accuracy && (!m_progress.bestTestAccuracy ||
                     isBetter(CompareMetric::TestAccuracy, *accuracy, *m_progress.bestTestAccuracy)))
        m_progress.bestTestAccuracy = accuracy;
    ACCUMULUS_TRY(observer.evaluated(*m_lastTest));
    if (!m_setup.data->hasValidation())
        return {};
    // The best checkpoint is chosen on the validation set, which is the test set where the data have no other one.
    m_lastValidation = m_lastTest;
    m_lastValidation->split = "validation";
    m_lastValidation->seconds = 0.0;
    if (!m_setup.data->testsOnValidation())
        m_lastValidation = evaluateSplit("validation");
    ACCUMULUS_TRY(observer.evaluated(*m_lastValidation));
    const CompareMetric metric = mainMetric(m_setup.config);
    const std::optional<double> value = metricOf(*m_lastValidation, metric);
    if (!value || (m_progress.bestMetric && !isBetter(metric, *value, *m_progress.bestMetric)))
        return {};
    m_progress.bestMetric = value;
    return m_setup.config.checkpoint.best ? saveCheckpoint(observer, CheckpointKind::Best) : Status();
}

Status Trainer::Impl::saveInitial(TrainingObserver& observer) {
    return m_setup.config.checkpoint.initial ? saveCheckpoint(observer, CheckpointKind::Initial) : Status();
}

Status Trainer::Impl::saveCheckpoint(TrainingObserver& observer, CheckpointKind kind) {
    const char* stem = kind == CheckpointKind::Initial ? "initial"
                       : kind == CheckpointKind::Best  ? "best"
                       : kind == CheckpointKind::Last  ? "last"
                                                       : "update";
    const std::string name = numbered(stem, m_progress.updates);
    CheckpointRecord record;
    record.kind = kind;
    record.update = m_progress.updates;
    record.samples = m_progress.samples;
    record.weightsPath = (m_setup.folder / (name + ".safetensors")).string();
    record.weightsHash = hashWeights();
    ACCUMULUS_TRY(checkSameWeights(record.weightsHash));
    record.wallTime = unixTime();
    if (kind == CheckpointKind::Periodic || kind == CheckpointKind::Last)
        record.bundlePath = (m_setup.folder / (name + ".resume")).string();
    ACCUMULUS_TRY(observer.checkpointBegins());
    const auto written = writeOnFirst(observer, record);
    if (!written)
        return failure(written.error());
    record.bytes = *written;
    ACCUMULUS_TRY(observer.checkpointSaved(record));
    if (kind == CheckpointKind::Periodic || kind == CheckpointKind::Last)
        m_lastCheckpoint = record;
    return {};
}

/// The ranks hold the same weights, or something is badly wrong.
Status Trainer::Impl::checkSameWeights(const std::string& hash) {
    if (!ranks() || ranksLeft())
        return {};
    const auto told = ranks()->gather(hash);
    for (std::size_t rank = 1; rank < told.size(); ++rank)
        if (told[rank] != told.front()) {
            m_failedTogether = true;
            return failure("ranks.diverged",
                           {{"rank", std::to_string(rank)}, {"update", std::to_string(m_progress.updates)}});
        }
    return {};
}

/// By the rank that keeps the library, after the others have handed over what they keep. They learn whether it was
/// written.
Result<std::int64_t> Trainer::Impl::writeOnFirst(TrainingObserver& observer, const CheckpointRecord& record) {
    std::optional<GatheredState> gathered;
    if (ranks() && !ranksLeft() && !record.bundlePath.empty())
        gathered = gatherState(state(), m_engine.shards(), *ranks(), m_setup.folder);
    Result<std::int64_t> written = 0;
    if (writes()) {
        const auto write = [&] { return writeCheckpoint(record, gathered ? &*gathered : nullptr); };
        written = write();
        while (!written && observer.checkpointFailed(written.error()))
            written = write();
    }
    if (!ranks() || ranksLeft())
        return written;
    const bool good = Unpacked(ranks()->gather(Packed().put(written.has_value()).bytes()).front()).get<bool>();
    if (!good)
        m_failedTogether = true;
    return good || writes() ? written : failure("ranks.failed", {{"rank", "0"}, {"reason", "reason.no-checkpoint"}});
}

/// Returns the size of its files.
Result<std::int64_t> Trainer::Impl::writeCheckpoint(const CheckpointRecord& record, const GatheredState* gathered) {
    auto metadata = m_setup.metadata;
    metadata["accumulus.update"] = std::to_string(record.update);
    metadata["accumulus.samples"] = std::to_string(record.samples);
    metadata["accumulus.weights_hash"] = record.weightsHash;
    const ModelState& model = m_engine.state();
    const bool pooled = m_setup.config.numerics.batchNorm == BatchNormMode::Pooled;
    ACCUMULUS_TRY_ASSIGN(const auto weightBytes,
                         saveWeights(record.weightsPath, model.model->layout(), model.parameters, metadata,
                                     model.model->buffers(), model.statistics.flat(),
                                     pooled ? m_progress.updates : m_progress.microSteps));
    if (record.bundlePath.empty())
        return weightBytes;
    ACCUMULUS_TRY_ASSIGN(const auto bundleBytes, saveBundle(record.bundlePath, state(), m_progress, metadata, gathered,
                                                            m_setup.bug == PlantedBug::ResumeForgetsWindow));
    return weightBytes + bundleBytes;
}

void Trainer::Impl::leaveRanks(const Error& error) {
    if (error.code != "ranks.lost") // all find that out, and the first names the rank
        accumulus::leaveRanks(*ranks(), error);
    m_left = true;
}

/// The last checkpoint. A rank that failed alone tells the others; the first one then saves what it has by itself.
Status Trainer::Impl::endTogether(TrainingObserver& observer, Status status) {
    const bool together = std::exchange(m_failedTogether, false); // the checkpoint may fail otherwise
    const bool alone = ranks() && !status && !together;
    if (alone)
        leaveRanks(status.error());
    const bool canSave = !alone || (writes() && m_engine.shards().empty() && m_engine.state().window.empty());
    if (m_engine.weightsBroken() || !canSave)
        return status;
    if (alone) // told before a checkpoint that takes its time: mpirun may end this process meanwhile
        observer.noted("warning", {"run.saves-alone", {{"error", messagesArgument({status.error()})}}},
                       m_progress.updates);
    Status saved;
    try {
        saved = saveCheckpoint(observer, CheckpointKind::Last);
    } catch (...) {
        saved = failure(errorOf(std::current_exception(), ranks()));
    }
    if (!saved && ranks() && !alone && !m_failedTogether)
        leaveRanks(saved.error());
    return status ? saved : status;
}

} // namespace accumulus

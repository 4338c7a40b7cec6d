// SPDX-License-Identifier: GPL-3.0-or-later
// Small training set-ups for engine tests: generated digits, bundled data, a temporary folder for checkpoints.
#pragma once

#include "core/train/trainer.h"

#include <QTemporaryDir>
#include <memory>
#include <vector>

namespace accumulus::test {

/// Keeps everything a run says. Stops at the boundary after `stopAfterUpdates` updates when that is positive.
struct RecordingObserver : TrainingObserver {
    Wish proceed() override { return stopAfterUpdates > 0 && lastUpdate >= stopAfterUpdates ? Wish::Stop : Wish::GoOn; }
    [[nodiscard]] double pausedSeconds() const override { return 0.0; }
    Status windowClosed(const WindowRecord& window) override {
        windows.push_back(window);
        lastUpdate = window.update.value_or(lastUpdate);
        return {};
    }
    Status evaluated(const EvaluationRecord& evaluation) override {
        evaluations.push_back(evaluation);
        return {};
    }
    Status checkpointSaved(const CheckpointRecord& checkpoint) override {
        checkpoints.push_back(checkpoint);
        return {};
    }
    void noted(const std::string&, const Message& message, std::int64_t) override {
        notes.push_back(message.code);
        messages.push_back(message);
    }

    std::int64_t stopAfterUpdates = 0;
    std::int64_t lastUpdate = 0;
    std::vector<WindowRecord> windows;
    std::vector<EvaluationRecord> evaluations;
    std::vector<CheckpointRecord> checkpoints;
    std::vector<std::string> notes; ///< codes
    std::vector<Message> messages;  ///< the same notes
};

/// `samples` generated digits, no evaluation or checkpoint before the end, plain SGD without momentum.
inline RunConfig smallConfig(std::int64_t samples, std::int64_t effective, std::int64_t micro) {
    RunConfig config;
    config.data.dataset = "digits-generated";
    config.data.trainLimit = samples;
    config.data.testLimit = 50;
    config.model.name = "mlp";
    config.batch.effective = effective;
    config.batch.micro = micro;
    config.batch.ragged = RaggedPolicy::Weight;
    config.optimizer.lr = 0.05;
    config.optimizer.momentum = 0.0;
    config.train.length = {1, Extent::Unit::Epochs};
    config.evaluate.every = {0, Extent::Unit::Epochs};
    config.checkpoint.every = {0, Extent::Unit::Epochs};
    config.numerics.precision = Precision::Fp64;
    config.device.kind = "cpu"; // also where there is a GPU: bits are compared
    return config;
}

/// smallConfig() with a perceptron of 53 000 parameters in place of 670 000, for runs that are repeated by the dozen.
inline RunConfig tinyConfig(std::int64_t samples, std::int64_t effective, std::int64_t micro) {
    RunConfig config = smallConfig(samples, effective, micro);
    config.model.hidden = {64, 32};
    return config;
}

inline TrainerSetup makeSetup(const RunConfig& config, const QTemporaryDir& folder, LanePlan lanes = {1, 1}) {
    TrainerSetup setup;
    setup.config = config;
    setup.lanes = lanes;
    const std::filesystem::path resources = qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString() + "/resources";
    setup.data = loadDataset(config.data, resources).value();
    setup.folder = folder.path().toStdString();
    return setup;
}

} // namespace accumulus::test

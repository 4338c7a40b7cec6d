// SPDX-License-Identifier: GPL-3.0-or-later
// How tests of the deferred path train: on the CPU ("deferred": the classes of a GPU over the kernels' plain loops, a
// graph being the function itself) and, where there is one, on a GPU. The measure is CPU training.
#pragma once

#include "core/cuda/device.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <QTest>
#include <algorithm>
#include <filesystem>

namespace accumulus::test {

/// How a run is computed.
struct Path {
    bool gpu = false;
    CapturePolicy capture = CapturePolicy::Off;
};

struct Outcome {
    TrainingEnd end;
    RecordingObserver observer;
    std::vector<double> weights;
};

inline TrainerSetup setupOn(const Path& path, RunConfig config, const QTemporaryDir& folder) {
    config.device.kind = path.gpu ? "cuda:0" : "cpu";
    config.device.capture = path.capture;
    TrainerSetup setup = makeSetup(config, folder);
    setup.deferred = true;
    return setup;
}

inline Outcome run(TrainerSetup setup) {
    Outcome outcome;
    auto trainer = Trainer::create(std::move(setup));
    if (!trainer) {
        outcome.end.error = trainer.error();
        return outcome;
    }
    outcome.end = (*trainer)->train(outcome.observer);
    outcome.weights = (*trainer)->weights();
    return outcome;
}

/// The CPU's own path, one lane.
inline Outcome runPlain(const RunConfig& config, std::shared_ptr<const Model> model = nullptr) {
    QTemporaryDir folder;
    TrainerSetup setup = makeSetup(config, folder);
    setup.model = std::move(model);
    return run(std::move(setup));
}

inline bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return compareBits(x, y); });
}

/// 5 updates or a little more: windows of 4 full micro-steps and, at the end of the epoch, a short one with a short
/// micro-batch.
inline RunConfig mlpConfig() {
    RunConfig config = tinyConfig(150, 32, 8);
    config.data.testLimit = 20;
    config.optimizer.momentum = 0.9;
    return config;
}

inline RunConfig textConfig(const char* model) {
    RunConfig config = smallConfig(0, 24, 4);
    config.data.dataset = "tinyshakespeare";
    config.data.path = (std::filesystem::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) / "resources" /
                        "datasets" / "tinyshakespeare")
                           .string();
    config.data.trainLimit = 130;
    config.data.testLimit = 8;
    config.data.block = 16;
    config.model.name = model;
    config.model.layers = 2;
    config.model.heads = 2;
    config.model.width = 16;
    config.model.dropout = 0.1;
    config.loss.normalise = Normalise::Tokens;
    config.optimizer.name = OptimizerKind::AdamW;
    config.optimizer.lr = 1e-3;
    config.optimizer.weightDecay = 0.01;
    return config;
}

/// Two windows of 3 micro-steps and a short one.
inline RunConfig resnetConfig(BatchNormMode mode) {
    RunConfig config = smallConfig(28, 12, 4);
    config.data.dataset = "textures-generated";
    config.data.resize = 16;
    config.data.testLimit = 10;
    config.data.augment = "crop-flip";
    config.model.name = "resnet18";
    config.model.stem = "cifar";
    config.numerics.batchNorm = mode;
    config.optimizer.lr = 1e-3;
    return config;
}

// The rows of a test, and that of the moment. A model of a test's own cannot be recorded.
enum class Models { OfTheProgram, OfTheTest };
inline void paths(Models models = Models::OfTheProgram) {
    QTest::addColumn<bool>("gpu");
    QTest::addColumn<int>("capture");
    QTest::newRow("deferred") << false << int(CapturePolicy::Off);
    QTest::newRow("GPU") << true << int(CapturePolicy::Off);
    if (models == Models::OfTheTest)
        return;
    QTest::newRow("deferred, repeated") << false << int(CapturePolicy::On);
    QTest::newRow("GPU, graphs") << true << int(CapturePolicy::On);
}
inline Path path() {
    QFETCH(bool, gpu);
    QFETCH(int, capture);
    return {gpu, static_cast<CapturePolicy>(capture)};
}

} // namespace accumulus::test

#define SKIP_WITHOUT_GPU()                                                                                             \
    if (path().gpu && gpu::count() == 0)                                                                               \
    QSKIP(("No GPU to run on: " + gpu::whyNone()).c_str())

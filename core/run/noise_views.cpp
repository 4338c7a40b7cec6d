// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/noise_views.h"

#include "core/analysis/compare.h"
#include "core/config/config_fields.h"
#include "core/engine/device_choice.h"
#include "core/run/checkpoint_files.h"
#include "core/run/environment.h"
#include "core/run/library_views.h"
#include "core/run/program.h"
#include "core/train/layer_noise.h"

#include <algorithm>

namespace accumulus {
namespace {

struct LoadedNoise {
    NoiseView view;
    RunNoise noise;
};

/// Why the windows of a run left nothing, and what helps.
Error whyNone(const RunRecord& run, bool anyWindow) {
    Error error{"noise.no-terms", {{"run", run.id.substr(0, 8)}}};
    const auto say = [&](const char* reason, const char* cure) {
        error.arguments.emplace_back("reason", reason);
        error.arguments.emplace_back("cure", cure);
    };
    const Normalise normalise = run.config.loss.normalise;
    if (normalise != Normalise::Samples && normalise != Normalise::Tokens)
        say("reason.noise-normalise", "cure.noise-normalise");
    else if (run.batch.largestSteps() * run.batch.devices < 2)
        say("reason.noise-one-micro-batch", "cure.noise-partner");
    else
        say(anyWindow ? "reason.noise-not-finite" : "reason.noise-no-window", "cure.noise-no-window");
    return error;
}

Result<LoadedNoise> load(RunReader& reader, const RunRecord& run) {
    ACCUMULUS_TRY_ASSIGN(const auto columns, reader.windowColumns(run.id, noiseColumns(run.config)));
    LoadedNoise loaded;
    loaded.noise = runNoiseOf(run.config, columns);
    NoiseView& view = loaded.view;
    view.run = run.id;
    view.arm = run.arm;
    view.seed = run.seed;
    view.unit = loaded.noise.unit;
    view.effective = noiseEffective(run.batch, run.summary.updates, loaded.noise);
    view.recent = recentNoiseScale(loaded.noise.terms);
    view.course = noiseCourse(loaded.noise.terms);
    if (loaded.noise.terms.empty())
        view.missing = whyNone(run, columns.size() > 0);
    return loaded;
}

Result<CheckpointKind> kindOf(const std::string& name) {
    if (name == "initial")
        return CheckpointKind::Initial;
    if (name == "best")
        return CheckpointKind::Best;
    if (name == "last")
        return CheckpointKind::Last;
    return failure("noise.checkpoint", {{"checkpoint", name}});
}

/// The newest of that kind; the last one may be a periodic one. Nothing: the initial weights are drawn again.
Result<std::optional<CheckpointRecord>> findCheckpoint(RunReader& reader, const RunRecord& run, CheckpointKind kind) {
    ACCUMULUS_TRY_ASSIGN(const auto checkpoints, reader.checkpoints(run.id));
    std::optional<CheckpointRecord> found;
    for (const CheckpointRecord& checkpoint : checkpoints) {
        const bool fits =
            checkpoint.kind == kind || (kind == CheckpointKind::Last && checkpoint.kind == CheckpointKind::Periodic);
        if (fits && (!found || checkpoint.update >= found->update))
            found = checkpoint;
    }
    if (!found && kind != CheckpointKind::Initial)
        return failure("run.no-checkpoint", {{"run", run.id}});
    return found;
}

TensorNoise tensorNoise(const ParameterNoise& parameter) {
    std::vector<NoiseTerms> terms;
    for (std::size_t i = 0; i < parameter.s.size(); ++i)
        terms.push_back({0, parameter.s[i], parameter.g2[i]});
    return {parameter.name, parameter.shape, estimateNoiseScale(terms)};
}

} // namespace

Result<NoiseView> runNoiseView(RunReader& reader, const RunRecord& run) {
    ACCUMULUS_TRY_ASSIGN(auto loaded, load(reader, run));
    return std::move(loaded.view);
}

Result<StudyNoise> studyNoise(RunReader& reader, const StudyRecord& study) {
    ACCUMULUS_TRY_ASSIGN(auto runs, reader.runs({.trashed = false, .study = study.id}));
    std::ranges::reverse(runs); // newest first
    StudyNoise result;
    std::vector<LoadedNoise> pooled;
    for (const RunRecord& run : runs) {
        ACCUMULUS_TRY_ASSIGN(auto loaded, load(reader, run));
        result.runs.push_back(loaded.view);
        if (run.arm == Arm::Accumulated && !loaded.view.missing)
            pooled.push_back(std::move(loaded));
    }
    if (pooled.empty()) {
        const auto accumulated = std::ranges::find(result.runs, Arm::Accumulated, &NoiseView::arm);
        const auto& shown = accumulated != result.runs.end() ? accumulated : result.runs.begin();
        result.pooled.missing =
            shown != result.runs.end() ? shown->missing : Error{"cli.no-study", {{"text", study.name}}};
        return result;
    }
    std::vector<const RunNoise*> noises;
    for (const LoadedNoise& loaded : pooled)
        noises.push_back(&loaded.noise);
    result.pooled.unit = pooled.front().view.unit;
    result.pooled.effective = pooled.front().view.effective;
    result.pooled.recent = pooledNoiseScale(noises);
    return result;
}

Result<CheckpointNoise> checkpointNoise(RunReader& reader, const RunRecord& run, const std::string& checkpoint,
                                        std::int64_t windows, std::stop_token stop) {
    ACCUMULUS_TRY_ASSIGN(const auto kind, kindOf(checkpoint));
    ACCUMULUS_TRY_ASSIGN(const auto found, findCheckpoint(reader, run, kind));
    LayerNoiseSettings settings;
    settings.windows = windows;
    if (found) {
        ACCUMULUS_TRY_ASSIGN(settings.weights, weightsFile(reader, run, *found));
    }
    ACCUMULUS_TRY_ASSIGN(auto data, loadDataset(run.config.data, resourceFolder("datasets").parent_path()));
    EngineSetup setup;
    setup.config = run.config;
    if (!chooseDevice(run.config.device.kind)) // it was trained on a GPU that is not here
        setup.config.device.kind = "cpu";
    const std::int64_t effective = run.batch.effectiveAt(std::max<std::int64_t>(1, found ? found->update : 1));
    setup.config.batch.effective = effective;
    setup.config.batch.micro = run.batch.micro;
    setup.config.batch.steps = 0;
    setup.config.batch.devices = 1;
    setup.config.batch.ragged = RaggedPolicy::Weight;
    setup.config.batch.ramp = {};
    setup.seed = run.seed;
    setup.data = std::move(data);
    setup.lanes = resolveLanes(run.config.device, Arm::Accumulated, availableCores(), availableCores());
    settings.epoch = found ? found->samples / setup.data->trainCount() : 0;
    ACCUMULUS_TRY_ASSIGN(const auto layers, layerNoise(std::move(setup), settings, std::move(stop)));
    if (layers.whole.s.empty())
        return failure("noise.not-finite", {{"run", run.id.substr(0, 8)}, {"checkpoint", checkpoint}});

    CheckpointNoise noise;
    noise.checkpoint = checkpoint;
    noise.update = found ? found->update : 0;
    noise.effective = layers.effective;
    noise.micro = layers.micro;
    noise.steps = layers.steps;
    noise.unit = lossUnit(run.config);
    noise.unitsPerSample = layers.unitsPerSample;
    noise.whole = tensorNoise(layers.whole);
    for (const ParameterNoise& parameter : layers.parameters)
        noise.tensors.push_back(tensorNoise(parameter));
    return noise;
}

} // namespace accumulus

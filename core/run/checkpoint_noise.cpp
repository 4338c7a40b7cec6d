// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/checkpoint_noise.h"

#include "core/config/config_fields.h"
#include "core/engine/device_choice.h"
#include "core/run/checkpoint_files.h"
#include "core/run/environment.h"
#include "core/run/program.h"
#include "core/run/run_data.h"
#include "core/train/layer_noise.h"

#include <algorithm>

namespace accumulus {
namespace {

/// The newest of that kind; the last one may be a periodic one. Nothing: the initial weights are drawn again.
Result<std::optional<CheckpointRecord>> findCheckpoint(RunReader& reader, const RunRecord& run, CheckpointKind kind) {
    ACCUMULUS_TRY_ASSIGN(const auto checkpoints, reader.checkpoints(run.id));
    std::optional<CheckpointRecord> found;
    for (const CheckpointRecord& checkpoint : checkpoints) {
        if (standsFor(checkpoint.kind, kind) && (!found || checkpoint.update >= found->update))
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

Result<CheckpointNoise> checkpointNoise(RunReader& reader, const RunRecord& run, const std::string& checkpoint,
                                        std::int64_t windows, std::stop_token stop) {
    const auto kind = checkpointKindFromName(checkpoint);
    if (!kind || *kind == CheckpointKind::Periodic)
        return failure("noise.checkpoint", {{"checkpoint", checkpoint}});
    ACCUMULUS_TRY_ASSIGN(const auto found, findCheckpoint(reader, run, *kind));
    LayerNoiseSettings settings;
    settings.windows = windows;
    if (found) {
        ACCUMULUS_TRY_ASSIGN(settings.weights, weightsFile(reader, run, *found));
    }
    ACCUMULUS_TRY_ASSIGN(auto data, loadDataset(run.config.data, resourceFolder("datasets").parent_path()));
    ACCUMULUS_TRY(requireRunData(run, *data));
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/checkpoint_info.h"

#include "core/engine/input_shape.h"
#include "core/engine/losses.h"
#include "core/engine/model_precision.h"
#include "core/model/initial_state.h"
#include "core/model/safetensors.h"

namespace accumulus {

Result<std::map<std::string, std::string>> readCheckpointMetadata(const std::filesystem::path& file) {
    ACCUMULUS_TRY_ASSIGN(auto content, readSafetensors(file, [](const std::string&) { return false; }));
    return std::move(content.metadata);
}

namespace {

Result<ParameterLayout> layoutOf(const RunConfig& config, const DatasetSizes& sizes) {
    ACCUMULUS_TRY_ASSIGN(const auto model, makeModel(config.model, inputShape(sizes, config.loss.kind)));
    return model->layout();
}

} // namespace

Result<ParameterCounts> modelParameterCounts(const RunConfig& config, const DatasetSizes& sizes) {
    ACCUMULUS_TRY_ASSIGN(const auto layout, layoutOf(config, sizes));
    return ParameterCounts{layout.parameterCount(), layout.frozenCount()};
}

Result<InspectedModel> inspectedModel(const RunConfig& config, const DatasetSizes& sizes) {
    if (sizes.tensors)
        ACCUMULUS_TRY(checkTargets(config.loss, sizes.targetValues));
    ACCUMULUS_TRY_ASSIGN(const auto model, makeModel(config.model, inputShape(sizes, config.loss.kind)));
    ACCUMULUS_TRY(checkPrecision(*model, config.model, config.numerics.precision));
    const ParameterLayout& layout = model->layout();
    InspectedModel found{{layout.parameterCount(), layout.frozenCount()}, model->facts(), model->hasBatchNorm()};
    if (!config.model.weights.empty()) {
        ACCUMULUS_TRY_ASSIGN(const auto state, initialState(*model, config.model, 0, at::kFloat));
        found.facts.insert(found.facts.end(), state.notes.begin(), state.notes.end());
    }
    return found;
}

Result<ArenaSizes> modelArenaSizes(const RunConfig& config, const DatasetSizes& sizes) {
    ACCUMULUS_TRY_ASSIGN(const auto layout, layoutOf(config, sizes));
    return ArenaSizes{layout.flatSize(), layout.gradientSize()};
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked of checkpoints and models without training; free of torch for the run layer.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/base/training_records.h"
#include "core/config/experiment_config.h"
#include "core/data/dataset.h"
#include "core/engine/standing_memory.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace accumulus {

/// The string metadata of a safetensors file.
[[nodiscard]] Result<std::map<std::string, std::string>> readCheckpointMetadata(const std::filesystem::path& file);
/// Parameters of a model for data of these sizes.
[[nodiscard]] Result<ParameterCounts> modelParameterCounts(const RunConfig& config, const DatasetSizes& sizes);
struct InspectedModel {
    ParameterCounts parameters;
    std::vector<Message> facts; ///< of a network from a file, and of the weights that were found
    bool batchNorm = false;     ///< it has such layers
};
/// Builds it and reads model.weights, as a run would. Errors of both.
[[nodiscard]] Result<InspectedModel> inspectedModel(const RunConfig& config, const DatasetSizes& sizes);
/// Of that model.
[[nodiscard]] Result<ArenaSizes> modelArenaSizes(const RunConfig& config, const DatasetSizes& sizes);

} // namespace accumulus

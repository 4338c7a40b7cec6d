// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/checkpoint_info.h"

#include "core/model/model.h"
#include "core/train/safetensors.h"

namespace accumulus {

Result<std::map<std::string, std::string>> readCheckpointMetadata(const std::filesystem::path& file) {
    auto content = readSafetensors(file);
    if (!content)
        return failure(content.error());
    return std::move(content->metadata);
}

Result<std::int64_t> modelParameterCount(const ModelConfig& config, const DatasetSizes& sizes) {
    const auto model = makeModel(config, {sizes.channels, sizes.height, sizes.width, sizes.classes, sizes.block});
    if (!model)
        return failure(model.error());
    return (*model)->layout().parameterCount();
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/experiment_config.h"

#include <array>

namespace accumulus {

bool isText(const DataConfig& data) { return data.dataset == "tinyshakespeare"; }
bool isTransformer(const ModelConfig& model) { return model.name == "char-gpt" || model.name == "bert-mini"; }
bool isResnet(const ModelConfig& model) { return model.name == "resnet18" || model.name == "resnet50"; }
bool hasBatchNorm(const ModelConfig& model) { return isResnet(model) && model.norm == "batch"; }

std::string armName(Arm arm) { return arm == Arm::Accumulated ? "accumulated" : "large-batch"; }

std::string extentText(const Extent& extent) {
    static constexpr std::array units = {"update", "sample", "epoch"};
    std::string text = std::to_string(extent.count) + ' ' + units.at(static_cast<std::size_t>(extent.unit));
    return extent.count == 1 ? text : text + 's';
}

} // namespace accumulus

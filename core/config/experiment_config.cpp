// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/experiment_config.h"

#include "core/config/model_rows.h"

#include <array>

namespace accumulus {

bool isText(const DataConfig& data) {
    const DatasetRow* row = findDataset(data.dataset);
    return row && row->samples == SampleKind::Text;
}

bool hasBatchNorm(const ModelConfig& model) { return hasSetting(model, "model.norm") && model.norm == "batch"; }

bool mayHaveBatchNorm(const ModelConfig& model) { return hasBatchNorm(model) || model.name == "file"; }

std::string armName(Arm arm) { return arm == Arm::Accumulated ? "accumulated" : "large-batch"; }

std::string extentText(const Extent& extent) {
    static constexpr std::array units = {"update", "sample", "epoch"};
    std::string text = std::to_string(extent.count) + ' ' + units.at(static_cast<std::size_t>(extent.unit));
    return extent.count == 1 ? text : text + 's';
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/model_rows.h"

#include <algorithm>
#include <string>

namespace accumulus {

const ModelRow* findModel(std::string_view name) {
    const auto row = std::ranges::find(modelRows, name, &ModelRow::name);
    return row == modelRows.end() ? nullptr : &*row;
}

std::string modelTitle(const ModelConfig& model) {
    const ModelRow* row = findModel(model.name);
    return row ? std::string(row->title) : model.name;
}

bool hasSetting(const ModelConfig& model, std::string_view key) {
    const ModelRow* row = findModel(model.name);
    return row && std::ranges::find(row->settings, key) != row->settings.end();
}

Status checkSamples(const ModelConfig& model, SampleKind samples) {
    const ModelRow* row = findModel(model.name);
    if (!row || row->takes(samples))
        return {};
    const std::string fitting(
        std::ranges::find_if(modelRows, [samples](const ModelRow& other) { return other.takes(samples); })->name);
    const std::string data(std::ranges::find(datasetRows, row->samples, &DatasetRow::samples)->name);
    const auto phrase = [](SampleKind kind) { return "phrase." + std::string(sampleKindName(kind)); };
    return failure("model.input", {{"model", model.name},
                                   {"input", phrase(samples)},
                                   {"wanted", phrase(row->samples)},
                                   {"cure", "cure.other-samples"},
                                   {"fittingModel", fitting},
                                   {"fittingDataset", data}});
}

Status checkSettings(const ModelConfig& model) {
    const ModelRow* row = findModel(model.name);
    if (!row || !row->headsDivideWidth || (model.heads > 0 && model.width % model.heads == 0))
        return {};
    std::int64_t heads = std::clamp<std::int64_t>(model.heads, 1, model.width);
    const std::int64_t width = (model.width / heads + 1) * heads;
    while (model.width % heads != 0)
        --heads;
    return failure("model.setting", {{"key", "model.heads"},
                                     {"value", std::to_string(model.heads)},
                                     {"model", model.name},
                                     {"reason", "reason.heads"},
                                     {"cure", "cure.heads"},
                                     {"ofWidth", std::to_string(model.width)},
                                     {"heads", std::to_string(heads)},
                                     {"width", std::to_string(width)}});
}

} // namespace accumulus

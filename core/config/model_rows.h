// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of models: one row each. The choices of model.name, its help, titles in forms and reports, which settings
// apply and what a configuration must keep to all come from it; core/model/model_registry.cpp holds the matching
// functions that build them, in the same order, which the compiler checks.
#pragma once

#include "core/base/result.h"
#include "core/config/dataset_rows.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace accumulus {

struct ModelRow {
    [[nodiscard]] constexpr bool takes(SampleKind kind) const {
        return samples == kind || (kind == SampleKind::Tensors && takesTensors) ||
               (kind == SampleKind::Text && takesText);
    }

    std::string_view name;        ///< of model.name
    std::string_view title;       ///< for people: "ResNet-18"
    std::string_view description; ///< its layers and its size
    SampleKind samples = SampleKind::Images;
    std::span<const std::string_view> settings{}; ///< that not every model has
    std::span<const std::int64_t> sides{};        ///< of the images that it takes, in pixels; empty: any
    bool takesTensors = false;                    ///< also the shapes of data.dataset = tensors
    bool takesText = false;                       ///< also text
    bool headsDivideWidth = false;                ///< model.width must be a multiple of model.heads
    bool masksText = false;                       ///< asks for maskedShare of the tokens only
};

namespace model_settings {
/// A model with model.norm holds BatchNorm layers where that says so.
inline constexpr std::array<std::string_view, 6> resnet{
    "model.dropout", "model.init", "model.stem", "model.norm", "numerics.channels_last", "numerics.winograd"};
inline constexpr std::array<std::string_view, 5> transformer{"model.dropout", "model.init", "model.layers",
                                                             "model.heads", "model.width"};
inline constexpr std::array<std::string_view, 2> lenet{"model.dropout", "model.init"};
inline constexpr std::array<std::string_view, 3> mlp{"model.dropout", "model.init", "model.hidden"};
inline constexpr std::array<std::string_view, 3> file{"model.path", "numerics.channels_last", "numerics.winograd"};
inline constexpr std::array<std::int64_t, 2> lenetSides{28, 32};
} // namespace model_settings

/// The first of each kind of samples is the one that is suggested where another kind does not fit.
inline constexpr std::array modelRows{
    ModelRow{.name = "lenet5",
             .title = "LeNet-5",
             .description = "two convolutions and three fully connected layers, about 62 thousand parameters",
             .settings = model_settings::lenet,
             .sides = model_settings::lenetSides,
             .takesTensors = true},
    ModelRow{.name = "mlp",
             .title = "MLP",
             .description = "fully connected layers with ReLU, 670 thousand parameters for MNIST as it is",
             .settings = model_settings::mlp,
             .takesTensors = true},
    ModelRow{.name = "resnet18",
             .title = "ResNet-18",
             .description = "a residual network with 11 million parameters",
             .settings = model_settings::resnet,
             .takesTensors = true},
    ModelRow{.name = "resnet50",
             .title = "ResNet-50",
             .description = "a residual network with 24 million parameters",
             .settings = model_settings::resnet,
             .takesTensors = true},
    ModelRow{.name = "char-gpt",
             .title = "Character GPT",
             .description = "a transformer that writes text one character at a time",
             .samples = SampleKind::Text,
             .settings = model_settings::transformer,
             .headsDivideWidth = true},
    ModelRow{.name = "bert-mini",
             .title = "BERT mini",
             .description = "a transformer that fills in masked characters",
             .samples = SampleKind::Text,
             .settings = model_settings::transformer,
             .headsDivideWidth = true,
             .masksText = true},
    ModelRow{.name = "file",
             .title = "Network from a file",
             .description = "your own: a TorchScript module, read from model.path",
             .settings = model_settings::file,
             .takesTensors = true,
             .takesText = true},
};

/// The row of model.name, or null.
[[nodiscard]] const ModelRow* findModel(std::string_view name);
/// Its title; the name itself where there is no such row.
[[nodiscard]] std::string modelTitle(const ModelConfig& model);
/// Whether the model that is named has this setting, for example "model.heads".
[[nodiscard]] bool hasSetting(const ModelConfig& model, std::string_view key);

/// Does the model take such samples? Error "model.input"; its arguments fittingModel and
/// fittingDataset name the first rows that would fit.
[[nodiscard]] Status checkSamples(const ModelConfig& model, SampleKind samples);
/// Do the model's own settings fit together? Error "model.setting"; its arguments heads and width are the nearest
/// values that would fit.
[[nodiscard]] Status checkSettings(const ModelConfig& model);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of data sets: one row each. The choices of data.dataset, its help, titles in forms and reports, isText and
// which settings apply all come from it; core/data/dataset.cpp holds the matching functions that open them, in the same
// order, which the compiler checks.
#pragma once

#include "core/config/experiment_config.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace accumulus {

/// What a sample is: to a data set what it holds, to a model what it takes.
enum class SampleKind { Images, Text, Tensors };
/// "images", "text", "tensors".
[[nodiscard]] constexpr std::string_view sampleKindName(SampleKind kind) {
    return kind == SampleKind::Images ? "images" : kind == SampleKind::Text ? "text" : "tensors";
}

struct DatasetRow {
    std::string_view name;        ///< of data.dataset
    std::string_view title;       ///< for people: "Fashion-MNIST"
    std::string_view description; ///< what it is and where it comes from
    SampleKind samples = SampleKind::Images;
    std::span<const std::string_view> settings{}; ///< that not every data set has
};

namespace dataset_settings {
inline constexpr std::array<std::string_view, 3> imageFiles{"data.path", "data.resize", "data.augment"};
inline constexpr std::array<std::string_view, 2> drawnImages{"data.resize", "data.augment"};
inline constexpr std::array<std::string_view, 2> textFile{"data.path", "data.block"};
inline constexpr std::array<std::string_view, 4> textFiles{"data.path", "data.test_path", "data.block",
                                                           "data.vocabulary"};
inline constexpr std::array<std::string_view, 3> tableFiles{"data.path", "data.test_path", "data.target"};
inline constexpr std::array<std::string_view, 4> tensorFiles{"data.path", "data.test_path", "data.mean",
                                                             "data.deviation"};
} // namespace dataset_settings

/// The first of each kind of samples is the one that is suggested where another kind does not fit.
inline constexpr std::array datasetRows{
    DatasetRow{.name = "mnist",
               .title = "MNIST",
               .description = "handwritten digits of 28 x 28 pixels, bundled",
               .settings = dataset_settings::imageFiles},
    DatasetRow{.name = "fashion-mnist",
               .title = "Fashion-MNIST",
               .description = "clothes in the format of MNIST, read from data.path",
               .settings = dataset_settings::imageFiles},
    DatasetRow{.name = "cifar10",
               .title = "CIFAR-10",
               .description = "colour photos of 32 x 32 pixels, read from data.path",
               .settings = dataset_settings::imageFiles},
    DatasetRow{.name = "cifar100",
               .title = "CIFAR-100",
               .description = "colour photos of 100 classes, read from data.path",
               .settings = dataset_settings::imageFiles},
    DatasetRow{.name = "image-folder",
               .title = "Folder of images",
               .description = "one folder of PNG or JPEG files for each class, read from data.path",
               .settings = dataset_settings::imageFiles},
    DatasetRow{.name = "tinyshakespeare",
               .title = "Tiny Shakespeare",
               .description = "a million characters of plays, bundled",
               .samples = SampleKind::Text,
               .settings = dataset_settings::textFile},
    DatasetRow{.name = "text",
               .title = "Text or token file",
               .description =
                   "a UTF-8 text, one token for each character, or tokens of 16 or 32 bits (.bin), read from "
                   "data.path",
               .samples = SampleKind::Text,
               .settings = dataset_settings::textFiles},
    DatasetRow{.name = "digits-generated",
               .title = "Generated digits",
               .description = "drawn by the program, without any file",
               .settings = dataset_settings::drawnImages},
    DatasetRow{.name = "textures-generated",
               .title = "Generated textures",
               .description = "colour images drawn by the program, without any file",
               .settings = dataset_settings::drawnImages},
    DatasetRow{.name = "tensors",
               .title = "Tensors",
               .description =
                   "inputs and targets of any shape, read from an .npz or .safetensors file or from a folder "
                   "of .npy files at data.path",
               .samples = SampleKind::Tensors,
               .settings = dataset_settings::tensorFiles},
    DatasetRow{.name = "table",
               .title = "Table",
               .description = "rows of a CSV or TSV file with a header line, read from data.path",
               .samples = SampleKind::Tensors,
               .settings = dataset_settings::tableFiles},
};

/// The row of data.dataset, or null.
[[nodiscard]] const DatasetRow* findDataset(std::string_view name);
/// Its title; the name itself where there is no such row.
[[nodiscard]] std::string datasetTitle(const DataConfig& data);
/// Whether the data set that is named has this setting, for example "data.path".
[[nodiscard]] bool hasSetting(const DataConfig& data, std::string_view key);

} // namespace accumulus

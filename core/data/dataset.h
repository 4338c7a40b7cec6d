// SPDX-License-Identifier: GPL-3.0-or-later
// Image data sets in memory, as uint8. No torch here: batches are written into plain buffers. Loading happens once; afterwards everything is
// const and any thread may read.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace accumulus {

/// `count` images of channels x height x width (planes), one label each.
struct ImageSet {
    std::int64_t count = 0;
    std::int64_t channels = 1;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint8_t> pixels; ///< count x channels x height x width
    std::vector<std::uint8_t> labels; ///< count

    [[nodiscard]] std::int64_t imageSize() const { return channels * height * width; }
};

struct Dataset {
    std::string name;
    std::string description; ///< "MNIST, 28x28x1, 10 classes, bundled copy"
    std::string checksum;    ///< XXH3-128 of pixels and labels as used
    std::int64_t classes = 10;
    double mean = 0.0;       ///< normalisation: (pixel / 255 - mean) / deviation
    double deviation = 1.0;
    ImageSet train;
    ImageSet validation;     ///< empty unless data.validation > 0
    ImageSet test;
};

/// Loads what the configuration names, cuts it to the limits, takes the validation part off the end of the training part, resizes.
/// `resources`: folder with the bundled sets. Errors "data.missing", "data.idx.*", "data.too-small", "data.sizes-differ".
[[nodiscard]] Result<std::shared_ptr<const Dataset>> loadDataset(const DataConfig& config, const std::filesystem::path& resources);

/// Sizes only, from the file headers.
struct DatasetSizes {
    std::int64_t train = 0, test = 0, height = 0, width = 0;
    std::string description;
};
[[nodiscard]] Result<DatasetSizes> inspectDataset(const DataConfig& config, const std::filesystem::path& resources);

/// Gathers the images `ids` and normalises them in one pass: out[i] = pixel x scale + shift with scale = 1 / (255 deviation), shift = -mean / deviation.
/// `out` holds ids.size() x imageSize values of the compute type.
void gatherImages(const ImageSet& set, std::span<const std::int64_t> ids, double mean, double deviation, float* out);
void gatherImages(const ImageSet& set, std::span<const std::int64_t> ids, double mean, double deviation, double* out);
void gatherLabels(const ImageSet& set, std::span<const std::int64_t> ids, std::int64_t* out);

/// Bilinear resize with half-pixel centres (as PyTorch's interpolate with align_corners = false), rounded to the nearest uint8, halves up.
[[nodiscard]] ImageSet resizeBilinear(const ImageSet& set, std::int64_t height, std::int64_t width);

/// Copy of images [first, first + count).
[[nodiscard]] ImageSet sliceImages(const ImageSet& set, std::int64_t first, std::int64_t count);

} // namespace accumulus

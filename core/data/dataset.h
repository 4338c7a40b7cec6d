// SPDX-License-Identifier: GPL-3.0-or-later
// Data sets: images as uint8, text as tokens, tensors of any kind. No torch here: batches are written into plain
// buffers. Loading happens once; afterwards everything is const and any thread may read.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/base/sample_keys.h"
#include "core/config/dataset_rows.h"
#include "core/config/experiment_config.h"
#include "core/data/tensor_set.h"
#include "core/data/token_column.h"

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

/// Text as tokens 0 .. vocabulary-1, cut into `count` samples of `block` tokens: sample i is tokens [i block, (i + 1)
/// block), and the next token of each position is one further, so there is one token more at the end.
struct TextSet {
    std::int64_t count = 0;
    std::int64_t block = 0;
    TokenColumn tokens; ///< count x block + 1

    /// The samples, without the token behind the last.
    [[nodiscard]] TensorColumn samples() const {
        return {tokens.type, {block}, tokens.data, tokens.storage, tokens.file};
    }
};

struct Dataset {
    std::string name;
    std::vector<Message> facts; ///< what was found: "MNIST", "28x28x1", "10 classes", "bundled copy"
    std::string checksum;       ///< XXH3-128 of pixels and labels, or vocabulary and tokens, as used
    /// Of images and of tensors with whole targets; size of the vocabulary for text; 0 where targets are real numbers.
    std::int64_t classes = 10;
    TargetValues targetValues; ///< of tensors
    /// Per channel: (pixel / 255 - mean) / deviation of images, (x - mean) / deviation of tensors, for which one value
    /// may stand for all channels.
    std::vector<double> mean{0.0};
    std::vector<double> deviation{1.0};
    // Of images, text or tensors; the other kinds are empty. `validation` is empty unless data.validation > 0; the
    // test part of tensors without one is the validation part.
    ImageSet train, validation, test;
    TextSet trainText, validationText, testText; ///< the test part of a text is its held-out end
    std::string vocabulary; ///< of text: the byte, or the UTF-8 character, behind each token; empty of token files

    TensorSet trainTensors, validationTensors, testTensors;
    /// Of tables, as JSON: how their inputs were made (see table_layout.h), for whoever uses the model elsewhere.
    std::string preparation;

    [[nodiscard]] SampleKind kind() const {
        return trainText.count > 0      ? SampleKind::Text
               : trainTensors.count > 0 ? SampleKind::Tensors
                                        : SampleKind::Images;
    }
    [[nodiscard]] bool isText() const { return kind() == SampleKind::Text; }
    [[nodiscard]] bool hasValidation() const {
        return validation.count > 0 || validationText.count > 0 || validationTensors.count > 0;
    }
    /// The test part is the validation part: the same samples.
    [[nodiscard]] bool testsOnValidation() const {
        return validationTensors.count > 0 && testTensors.count == validationTensors.count &&
               testTensors.inputs.data == validationTensors.inputs.data;
    }
    [[nodiscard]] std::int64_t trainCount() const {
        return isText() ? trainText.count : kind() == SampleKind::Tensors ? trainTensors.count : train.count;
    }
};

/// Loads what the configuration names, cuts it to the limits, takes the validation part off the end of the training
/// part, resizes. `resources`: folder with the bundled sets. Errors "data.unknown", "data.missing", "data.idx.*",
/// "data.cifar.*", "data.folder.*", "data.image.*", "data.text.*", "data.tokens.*", "data.tensors.*", "data.table.*",
/// "data.no-test", "data.too-small", "data.too-large", "data.sizes-differ", "data.memory", "data.no-room".
[[nodiscard]] Result<std::shared_ptr<const Dataset>> loadDataset(const DataConfig& config,
                                                                 const std::filesystem::path& resources);

/// Sizes only, from file names, file sizes and headers. Texts, tables and the targets of tensors are read as a whole,
/// since vocabulary, columns and classes are not known otherwise.
struct DatasetSizes {
    std::int64_t train = 0, test = 0, height = 0, width = 0; ///< samples; pixels, 0 for text; of tensors as InputShape
    std::vector<Message> facts;                              ///< as those of Dataset
    std::int64_t channels = 1;
    std::int64_t classes = 10; ///< as Dataset::classes
    std::int64_t block = 0;    ///< context length of text; 0 for others
    bool tensors = false;      ///< neither images nor text: `inputs` and `targets` say what they are, without data
    TensorColumn inputs, targets;
    TargetValues targetValues; ///< as Dataset::targetValues
};
[[nodiscard]] Result<DatasetSizes> inspectDataset(const DataConfig& config, const std::filesystem::path& resources);

/// Normalisation of one data set, per channel: out = pixel x scale + shift with scale = 1 / (255 deviation), shift =
/// -mean / deviation.
struct PixelScale {
    std::vector<double> mean, deviation;
};
/// The draw for one row, keyed by seed, epoch and sample id.
[[nodiscard]] CropFlip drawCropFlip(const SampleKeys& keys, std::size_t row);

/// Gathers the images `ids`, normalises them and, when `augment` is given (with one key per row), crops and flips them,
/// all in one pass. A border pixel is a black one, normalised like the others. `out` holds ids.size() x imageSize
/// values of the compute type.
void gatherImages(const ImageSet& set, std::span<const std::int64_t> ids, const PixelScale& scale,
                  const SampleKeys* augment, float* out);
void gatherImages(const ImageSet& set, std::span<const std::int64_t> ids, const PixelScale& scale,
                  const SampleKeys* augment, double* out);
void gatherLabels(const ImageSet& set, std::span<const std::int64_t> ids, std::int64_t* out);

/// The samples `ids` of a text, ids.size() x block tokens, and the token behind each of them. Throws as gatherTensors.
void gatherTexts(const TextSet& set, std::span<const std::int64_t> ids, std::int64_t* tokens, std::int64_t* next);

/// Bilinear resize with half-pixel centres (as PyTorch's interpolate with align_corners = false), rounded to the
/// nearest uint8, halves up.
[[nodiscard]] ImageSet resizeBilinear(const ImageSet& set, std::int64_t height, std::int64_t width);

/// Copy of images [first, first + count).
[[nodiscard]] ImageSet sliceImages(const ImageSet& set, std::int64_t first, std::int64_t count);

} // namespace accumulus

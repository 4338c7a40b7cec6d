// SPDX-License-Identifier: GPL-3.0-or-later
// The first training samples of a data set in a form that can be shown: pictures, texts, numbers or rows. Plain values;
// no Qt, no torch. Any thread; reads files.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accumulus {

struct PreviewSample {
    std::int64_t width = 0, height = 0, channels = 0; ///< of a picture; 0: it is none
    std::vector<std::uint8_t> pixels;                 ///< height x width x channels; 1 grey, 3 red, green, blue
    std::string text;                                 ///< of no picture: the sample in words
    std::vector<std::string> cells;                   ///< of a row, one for each column
    std::string label;                                ///< its class, or its target; empty for text

    bool operator==(const PreviewSample&) const = default;
};

struct SamplePreview {
    std::vector<std::string> columns; ///< of a table: their names
    std::vector<PreviewSample> samples;

    bool operator==(const SamplePreview&) const = default;
};

/// `count` samples, fewer where there are fewer. data.resize counts; limits, validation, shuffling and augmentation do
/// not. Of tensors without a test part the last sample may be missing. Large pictures are made smaller, at most 128
/// pixels a side; tensors of one or three channels become pictures between their least and their largest value. Tables
/// are read only as far as they are shown; of tensors that are not packed the inputs that are shown and all targets.
/// Errors of loadDataset and previewTable.
[[nodiscard]] Result<SamplePreview> previewSamples(const DataConfig& data, std::int64_t count = 10);

/// The first `count` rows of a CSV or TSV file below its header; at most 64 columns, each cell at most 80 bytes.
/// Errors "data.table.open", "data.table.form".
[[nodiscard]] Result<SamplePreview> previewTable(const DataConfig& data, std::int64_t count);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// A data set where it lies: found and measured, not yet read. Every kind of data set is one function that opens such a
// source (idx_set, cifar, image_folder, text, tensors, generated, generated_textures), so that inspecting and loading
// cannot disagree.
#pragma once

#include "core/base/path_text.h"
#include "core/data/dataset.h"

#include <algorithm>
#include <functional>

namespace accumulus {

/// May be copied; `read` may be called once or more, from one thread at a time.
struct DataSource {
    /// Cut to the limits, with the validation part still in `train`; height and width as after data.resize.
    DatasetSizes sizes;
    /// Fills both parts (cut to the limits), mean and deviation or the vocabulary. Images may still need data.resize.
    std::function<Status(Dataset&)> read;
    /// Bytes that `read` leaves in each part, where that is not the size after data.resize. Of tensors: what is
    /// unpacked into memory; the rest stays in its file.
    std::int64_t trainStored = 0, testStored = 0;
};

/// Images of one data set may take this much memory, as bytes.
inline constexpr std::int64_t largestDataset = std::int64_t{16} << 30;

[[nodiscard]] inline std::int64_t limitedCount(std::int64_t count, std::int64_t limit) {
    return limit > 0 ? std::min(count, limit) : count;
}

/// The facts that every set of images has: its name ("fact.DATASET"), the shape of an image and the classes.
[[nodiscard]] std::vector<Message> imageFacts(const std::string& dataset, const DatasetSizes& sizes);

/// Error "data.no-room" when `needed` bytes are more than `available` ones (0: not known). `what`: what is loaded.
[[nodiscard]] Status checkRoom(const DataConfig& config, const Message& what, std::int64_t needed,
                               std::int64_t available);

/// loadDataset with so much memory (bytes, 0: not known). Refuses what does not fit before anything is read.
[[nodiscard]] Result<std::shared_ptr<const Dataset>>
loadWithin(const DataConfig& config, const std::filesystem::path& resources, std::int64_t available);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// One PNG or JPEG file as an image of three planes. Grey becomes three equal planes, 16 bits become 8, transparency is
// ignored (the colour beneath shows), and so is the orientation that a camera may note. Whether a file is PNG or JPEG
// is read from its content.
#pragma once

#include "core/data/dataset.h"

#include <filesystem>

namespace accumulus {

struct ImageSize {
    std::int64_t height = 0, width = 0;
    bool operator==(const ImageSize&) const = default;
};

/// From the file's header; the file's structure is checked as by readImageFile, its pixels are not decoded. Error
/// "data.image.file".
[[nodiscard]] Result<ImageSize> readImageSize(const std::filesystem::path& file);

/// count 1, 3 channels, label 0. Refused before memory is taken: files above 64 MiB, images above 16384 pixels a side
/// or 2^25 pixels in all, and images larger than a file of that length can hold. A PNG's checksums and the end mark of
/// a JPEG are checked too, so that a download that was cut off does not pass as a picture that is half grey. Error
/// "data.image.file" with the reason.
[[nodiscard]] Result<ImageSet> readImageFile(const std::filesystem::path& file);

/// Images of side x side pixels: the largest centred square is cut out (nothing is stretched); where it is k times as
/// large as asked for, or more, it is first averaged over k x k pixels; then resizeBilinear.
[[nodiscard]] ImageSet resizeSquare(const ImageSet& set, std::int64_t side);

} // namespace accumulus

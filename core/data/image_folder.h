// SPDX-License-Identifier: GPL-3.0-or-later
// image-folder: one folder of .png, .jpg or .jpeg files (in any case) for each class, 2 to 256 classes, labels in the
// order of their names. Files of other names, and what begins with a dot, are passed over.
//
// data.path/train/CLASS/FILE and data.path/test/CLASS/FILE; every class of test/ must be one of train/. Without both of
// these folders data.path/CLASS/FILE: of the files of each class, in the order of their names, the last tenth (rounded
// down, at least one) is the test set. The last ones rather than every tenth, because neighbours in such folders are
// often nearly the same picture.
//
// Both parts mix their classes evenly, whatever the sizes of these: file i (0, 1, ...) of a class of n stands at (i +
// 1/2) / n. So data.train_limit and data.validation, which cut off the beginning and the end, see every class.
//
// Images keep their size, and all must have that of the first, or with data.resize become squares (resizeSquare).
// Colours are normalised with ImageNet's mean (0.485, 0.456, 0.406) and deviation (0.229, 0.224, 0.225), as pictures of
// the world usually are.
#pragma once

#include "core/data/data_source.h"

namespace accumulus {

struct LabelledFile {
    std::filesystem::path path;
    std::uint8_t label = 0;
};

struct ImageFolder {
    std::vector<std::string> classes;
    std::vector<LabelledFile> train, test; ///< classes mixed evenly
};

/// Lists names only. Errors "data.folder.missing", "data.folder.layout".
[[nodiscard]] Result<ImageFolder> findImageFolder(const std::filesystem::path& folder);

/// Lists the files and reads the header of the first. Errors as above, "data.image.file"; reading:
/// "data.image.file", "data.image.size".
[[nodiscard]] Result<DataSource> openImageFolder(const DataConfig& config);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// CIFAR-10 and CIFAR-100, binary versions: records of 3073 bytes, one label (0 to 9) and 32 x 32 pixels in planes R, G,
// B; in CIFAR-100 of 3074 bytes, with the label of one of 20 groups before that of the class (0 to 99). Plain or gzip,
// told apart by content. Every size is checked against the file before memory is taken; errors name file, byte offset,
// reason and cure.
#pragma once

#include "core/data/data_source.h"

#include <array>
#include <span>
#include <string_view>

namespace accumulus {

/// What the two versions differ in.
struct CifarLayout {
    std::string_view title;
    std::int64_t labelBytes; ///< of a record; the last of them is the class
    std::int64_t classes;
    std::array<double, 3> mean, deviation; ///< of the training pixels, as everybody normalises

    [[nodiscard]] std::int64_t recordBytes() const { return labelBytes + 3 * 32 * 32; }
};
inline constexpr CifarLayout cifar10{"CIFAR-10", 1, 10, {0.4914, 0.4822, 0.4465}, {0.2023, 0.1994, 0.2010}};
inline constexpr CifarLayout cifar100{"CIFAR-100", 2, 100, {0.5071, 0.4867, 0.4408}, {0.2675, 0.2565, 0.2761}};

struct CifarFile {
    std::filesystem::path path;
    std::int64_t count = 0; ///< images, from the file's size
};

struct CifarFiles {
    std::vector<CifarFile> train; ///< in the order of N
    CifarFile test;
};

/// data_batch_N.bin (any N) and test_batch.bin, plain or with .gz, in the folder, in cifar-10-batches-bin/ below it, or
/// in its train/ and test/; where a file is there more than once, the first of these places counts. Looks at sizes
/// only. Errors "data.cifar.missing", "data.cifar.open", "data.cifar.size", "data.cifar.short".
[[nodiscard]] Result<CifarFiles> findCifar(const std::filesystem::path& folder);

/// train.bin and test.bin of CIFAR-100, plain or with .gz, in the folder, in cifar-100-binary/ below it, or in its
/// train/ and test/. Errors as above.
[[nodiscard]] Result<CifarFiles> findCifar100(const std::filesystem::path& folder);

/// The first `limit` images (0: all) of the files one after the other.
/// Errors "data.cifar.open", "data.cifar.short", "data.cifar.trailing", "data.cifar.label".
[[nodiscard]] Result<ImageSet> readCifar(const CifarLayout& layout, std::span<const CifarFile> files,
                                         std::int64_t limit);

/// cifar10. Errors as above.
[[nodiscard]] Result<DataSource> openCifar(const DataConfig& config);
/// cifar100, with its 100 classes.
[[nodiscard]] Result<DataSource> openCifar100(const DataConfig& config);

} // namespace accumulus

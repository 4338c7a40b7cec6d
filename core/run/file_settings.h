// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a person brings, as settings of an experiment. Any thread.
#pragma once

#include "core/run/file_kind.h"

#include <vector>

namespace accumulus {

struct FileSettings {
    std::vector<FileKind> kinds; ///< one for each file
    /// For applyAssignment, all together: what is used, and what belonged to the file of before goes back to its
    /// default (a test file, weights of another network). A table predicts its last column, and without a test file
    /// a tenth of its rows is held out.
    std::vector<std::string> assignments;
    std::filesystem::path experiment, library; ///< opened instead; then there are no assignments

    bool operator==(const FileSettings&) const = default;
};

/// At most one network, one file of weights and one data set; of two data files of one kind the one with "test", "val"
/// or "dev" in its name holds the test samples. Errors: the refusal of a file (FileKind), "file.alone", "file.two".
[[nodiscard]] Result<FileSettings> settingsForFiles(const std::vector<std::filesystem::path>& files);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a person brings, as settings of an experiment. Any thread.
#pragma once

#include "core/config/experiment_config.h"
#include "core/run/file_kind.h"

#include <vector>

namespace accumulus {

struct FileSettings {
    std::vector<FileKind> kinds; ///< one for each file
    /// For applyAssignment, all together: what is used, and what belonged to the file of before goes back to its
    /// default (a test file, limits, weights of another network). A table predicts its last column. Of a table or of
    /// tensors without test samples a tenth is held out.
    std::vector<std::string> assignments;
    std::filesystem::path experiment, library; ///< opened instead; then there are no assignments

    bool operator==(const FileSettings&) const = default;
};

/// What the files are, without assignments: soon, whatever their size. At most one network, one file of weights and one
/// data set; of two data files of one kind the one that has a word such as "test", "val" or "dev" in its name holds the
/// test samples. Errors: the refusal of a file (FileKind), "file.alone", "file.two".
[[nodiscard]] Result<FileSettings> lookAtFiles(const std::vector<std::filesystem::path>& files);

/// The same with the assignments; reads a table as a whole, and targets. `current`: the settings that they change. It
/// tells Fashion-MNIST from MNIST, whose files look alike; a table changes its model where that takes images or text.
[[nodiscard]] Result<FileSettings> settingsForFiles(const std::vector<std::filesystem::path>& files,
                                                    const RunConfig& current = {});

} // namespace accumulus

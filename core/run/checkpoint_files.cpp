// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/checkpoint_files.h"

namespace accumulus {

Result<std::filesystem::path> weightsFile(RunReader& reader, const RunRecord& run, const CheckpointRecord& checkpoint) {
    std::filesystem::path file = checkpoint.weightsPath;
    if (file.is_relative())
        file = reader.library().runFolder(run.id) / file;
    std::error_code unknown;
    if (std::filesystem::exists(file, unknown) || unknown)
        return file;
    ACCUMULUS_TRY_ASSIGN(const auto launch, reader.launchOf(run));
    if (!launch)
        return file; // whoever reads it says that it is missing
    return failure("run.not-fetched",
                   {{"run", run.id},
                    {"file", file.filename().string()},
                    {"host", launch->place.host.empty() ? "phrase.this-machine" : launch->place.host},
                    {"folder", launch->files}});
}

} // namespace accumulus

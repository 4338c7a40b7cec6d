// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/checkpoint_files.h"

#include "core/store/library.h"

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
                    {"folder", launch->files},
                    {"library", libraryArgument(reader.library().path())}});
}

bool standsFor(CheckpointKind kind, CheckpointKind wanted) {
    return kind == wanted || (wanted == CheckpointKind::Last && kind == CheckpointKind::Periodic);
}

Result<CheckpointRecord> newestCheckpoint(RunReader& reader, const RunRecord& run, CheckpointKind kind) {
    ACCUMULUS_TRY_ASSIGN(const auto checkpoints, reader.checkpoints(run.id));
    const CheckpointRecord* newest = nullptr;
    for (const CheckpointRecord& checkpoint : checkpoints)
        if (standsFor(checkpoint.kind, kind) && (!newest || checkpoint.update >= newest->update))
            newest = &checkpoint;
    if (!newest)
        return failure("export.no-checkpoint", {{"run", run.name}, {"kind", checkpointKindName(kind)}});
    return *newest;
}

Result<std::filesystem::path> newestWeights(RunReader& reader, const RunRecord& run, CheckpointKind kind) {
    ACCUMULUS_TRY_ASSIGN(const auto newest, newestCheckpoint(reader, run, kind));
    return weightsFile(reader, run, newest);
}

} // namespace accumulus

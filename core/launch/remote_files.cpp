// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/remote_files.h"

#include "core/launch/child_talk.h"
#include "core/launch/remote_command.h"
#include "core/launch/remote_study.h"
#include "core/store/run_reader.h"

#include <array>
#include <ranges>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

/// Under another name first, so that half a file is never taken for a whole one.
Status fetchFile(const LaunchRecord& launch, const std::string& run, const fs::path& to, const std::stop_token& stop) {
    const fs::path from = fs::path(launch.files) / run / to.filename();
    const fs::path part = to.string() + ".part";
    const auto refuse = [&](const std::string& words) {
        std::error_code ignored;
        fs::remove(part, ignored);
        if (stop.stop_requested())
            return failure("library.cancelled");
        return failure("launch.fetch", {{"file", from.string()},
                                        {"host", launch.place.host.empty() ? "phrase.this-machine" : launch.place.host},
                                        {"reason", words.empty() ? "reason.no-words" : "reason.last-words"},
                                        {"line", words}});
    };
    std::error_code problem;
    fs::create_directories(to.parent_path(), problem);
    if (!problem && launch.place.host.empty()) {
        fs::copy_file(from, part, fs::copy_options::overwrite_existing, problem);
    } else if (!problem) {
        ACCUMULUS_TRY_ASSIGN(const auto command, copyFrom(launch.place, from.string(), part));
        ACCUMULUS_TRY_ASSIGN(const Ran ran, runToEnd(command, stop));
        if (!ran.isGood())
            return refuse(ran.remark);
    }
    if (!problem)
        fs::rename(part, to, problem);
    return problem ? Status(refuse(problem.message())) : Status();
}

} // namespace

Result<std::int64_t> fetchCheckpoints(const std::string& run, const fs::path& library, const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(const auto trained, whereTrained(run, library));
    if (!trained.launch)
        return failure("launch.not-elsewhere", {{"run", trained.run.id}});
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Read));
    RunReader reader(std::move(opened));
    ACCUMULUS_TRY_ASSIGN(const auto checkpoints, reader.checkpoints(trained.run.id));
    std::int64_t count = 0;
    for (const CheckpointRecord& checkpoint : std::views::reverse(checkpoints)) { // an older one may be gone
        bool copied = false;
        for (const fs::path& path : std::array<fs::path, 2>{checkpoint.weightsPath, checkpoint.bundlePath}) {
            std::error_code problem;
            if (path.empty() || fs::exists(path, problem))
                continue;
            ACCUMULUS_TRY(fetchFile(*trained.launch, trained.run.id, path, stop));
            copied = true;
        }
        count += copied ? 1 : 0;
    }
    return count;
}

Status exportWeightsFromAnywhere(RunReader& reader, const std::string& run, ExportedWeights which,
                                 const std::filesystem::path& file, const std::stop_token& stop) {
    const Status written = exportRunWeights(reader, run, which, file, stop);
    if (written || written.error().code != "run.not-fetched")
        return written;
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto launch, reader.launchOf(record));
    ACCUMULUS_TRY_ASSIGN(const auto checkpoint, exportedCheckpoint(reader, record, which));
    if (launch)
        ACCUMULUS_TRY(fetchFile(*launch, record.id, checkpoint.weightsPath, stop));
    return exportRunWeights(reader, run, which, file, stop);
}

} // namespace accumulus

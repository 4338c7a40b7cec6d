// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunReader that knows what is trained elsewhere.
#include "core/store/connection.h"
#include "core/store/run_reader.h"

#include <algorithm>

namespace accumulus {

Result<std::vector<LaunchRecord>> RunReader::launches() {
    return library().connection().guarded(Access::Read, [&]() -> Result<std::vector<LaunchRecord>> {
        std::vector<LaunchRecord> launches;
        Query query(library().connection(),
                    "SELECT id, name, coalesce(study, ''), coalesce(resumes, ''), host, program, library, slurm IS NOT "
                    "NULL, coalesce(slurm, ''), files, read_bytes, coalesce(owner_pid, 0), coalesce(owner_started, 0), "
                    "coalesce(owner_host, ''), created_at, ended_at FROM launches ORDER BY "
                    "rowid DESC"); // not by the clock, which may have been wrong
        while (query.step()) {
            LaunchRecord launch;
            for (std::string* text : {&launch.id, &launch.name, &launch.study, &launch.resumes, &launch.place.host,
                                      &launch.place.program, &launch.place.library})
                *text = query.text();
            const bool isBatch = query.flag();
            const std::string options = query.text();
            if (isBatch)
                launch.place.slurm = options;
            launch.files = query.text();
            launch.readBytes = query.integer();
            launch.follower.pid = query.integer();
            launch.follower.started = query.integer();
            launch.follower.host = query.text();
            launch.createdAt = query.realOrZero();
            launch.endedAt = query.realOrZero();
            launches.push_back(std::move(launch));
        }
        return launches;
    });
}

Result<std::optional<LaunchRecord>> RunReader::launchOf(const RunRecord& run) {
    ACCUMULUS_TRY_ASSIGN(auto all, launches());
    const auto found = std::ranges::find_if(
        all, [&](const LaunchRecord& launch) { return trains(launch, run) && !neverBegan(launch); });
    if (found == all.end() || found->place.program.empty())
        return std::nullopt;
    return std::move(*found);
}

} // namespace accumulus

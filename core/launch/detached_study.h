// SPDX-License-Identifier: GPL-3.0-or-later
// On the machine that trains: a study that goes on without the one who started it. It is begun once, as a process in a
// session of its own or as a job of a Slurm cluster, and may be followed from any place in its journal, by whoever
// comes and as often as they come.
#pragma once

#include "core/launch/journal.h"
#include "core/launch/launch_verbs.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

struct DetachedTask {
    std::string experiment{};           ///< TOML; empty: nothing is begun that has not begun yet
    std::string resumes{};              ///< run that goes on in place of an experiment, where that is to begin
    std::vector<std::string> options{}; ///< further ones of accumulus-cli
    std::string library{};              ///< as given to accumulus-cli
    std::int64_t ranks = 1;             ///< processes, by mpirun
    std::optional<std::string> slurm{}; ///< options of sbatch; none: a process of this machine
};

/// Begins the study unless that was done before. Errors "journal.unknown" (it was never begun, or its journal has
/// gone, and the task says nothing of what to train), "journal.same-library" (`library` is the one of the follower),
/// "file.write", "launch.start", "slurm.missing", "slurm.refused", "launch.no-cli".
[[nodiscard]] Status beginDetached(const Journal& journal, const DetachedTask& task,
                                   const std::filesystem::path& library);

/// One line that tells where the study stands, beside its events.
struct LaunchNews {
    std::string program;  ///< "Accumulus 0.1.0 (abc1234)"
    std::string files;    ///< folder that holds a folder of checkpoints for each run
    bool follows = false; ///< the journal's lines follow; false: the other side waits for Begin
    bool paused = false;
    std::string job;    ///< of a batch system
    std::string state;  ///< "PENDING", ...
    std::string reason; ///< why it waits
    std::string nodes;
    bool ended = false; ///< what trains has ended, and its study has not
    int exitCode = 0;   ///< then, as a shell says it
    std::string remark; ///< then, the last line of its log
};
/// `{"launch": ...}` in the stream of events, and none of them.
[[nodiscard]] std::string launchLine(const LaunchNews& news);
/// Nothing for any other line.
[[nodiscard]] std::optional<LaunchNews> launchNewsOf(std::string_view line);

/// Says what comes after the first `after` bytes of the journal's events until the study has ended, as whole lines: one
/// launchLine first and whenever something of it changes. `asked` waits 200 ms at most for what the follower asks, and
/// says nothing once it has gone. `say` returns false once nobody listens any more; the study goes on then. With Done
/// the journal goes.
void followJournal(const Journal& journal, std::int64_t after, const std::string& files, const std::string& program,
                   const std::function<bool(std::string_view)>& say,
                   const std::function<std::optional<std::vector<LaunchVerb>>()>& asked);

} // namespace accumulus

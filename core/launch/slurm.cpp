// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/slurm.h"

#include "core/launch/child_talk.h"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace accumulus::slurm {
namespace {

Result<Ran> run(const std::string& program, std::vector<std::string> arguments) {
    const std::string path = findProgram(program);
    if (path.empty())
        return failure("slurm.missing", {{"program", program}});
    arguments.insert(arguments.begin(), path);
    return runToEnd({std::move(arguments)});
}

/// "12" or "12;cluster"; nothing else is a job.
struct Job {
    std::string number, cluster;

    static std::optional<Job> of(const std::string& text) {
        const std::size_t end = std::min(text.find(';'), text.size());
        Job job{text.substr(0, end), end < text.size() ? text.substr(end + 1) : std::string()};
        const bool good =
            !job.number.empty() && std::ranges::all_of(job.number, [](char c) { return c >= '0' && c <= '9'; });
        return good ? std::optional(std::move(job)) : std::nullopt;
    }
    /// Asked of its own cluster: on another one that number is another job.
    [[nodiscard]] std::vector<std::string> asking(std::vector<std::string> arguments) const {
        if (!cluster.empty())
            arguments.insert(arguments.begin(), "--clusters=" + cluster);
        return arguments;
    }
};

} // namespace

Result<std::string> submit(const std::filesystem::path& script, const std::filesystem::path& log,
                           const std::string& name, std::int64_t tasks, const std::string& options) {
    std::vector<std::string> arguments{"--parsable",
                                       "--no-requeue", // a study begins once
                                       "--job-name=" + name,
                                       "--output=" + log.string(),
                                       "--error=" + log.string(),
                                       "--open-mode=append",
                                       "--chdir=" + script.parent_path().string(),
                                       "--ntasks=" + std::to_string(tasks)};
    std::istringstream words(options);
    for (std::string word; words >> word;)
        arguments.push_back(word);
    arguments.push_back(script.string());
    ACCUMULUS_TRY_ASSIGN(const Ran ran, run("sbatch", std::move(arguments)));
    const std::string said = ran.output.substr(0, ran.output.find('\n'));
    if (!ran.isGood() || !Job::of(said)) {
        const std::string& why = ran.remark.empty() ? said : ran.remark;
        return failure("slurm.refused",
                       {{"reason", why.empty() ? "reason.no-words" : "reason.last-words"}, {"line", why}});
    }
    return said;
}

bool JobState::isOver() const {
    static constexpr std::array<std::string_view, 11> ends{"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE",
                                                           "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                                           "REVOKED",   "TIMEOUT",   "SPECIAL_EXIT"};
    return std::ranges::find(ends, state) != ends.end();
}

JobState stateOf(const std::string& job) {
    const auto known = Job::of(job);
    if (!known)
        return {};
    const auto ran =
        run("squeue", known->asking({"--noheader", "--states=all", "--jobs=" + known->number, "--format=%T|%r|%N"}));
    if (!ran)
        return {};
    if (!ran->isGood())
        return {ran->remark.find("Invalid job id") != std::string::npos ? "COMPLETED" : "", "", ""};
    std::istringstream lines(ran->output);
    std::string first;
    while (std::getline(lines, first) && first.find('|') == std::string::npos) // "CLUSTER: name"
        first.clear();
    if (first.empty())
        return {"COMPLETED", "", ""};
    std::istringstream line(first);
    JobState found;
    std::getline(line, found.state, '|');
    std::getline(line, found.reason, '|');
    std::getline(line, found.nodes);
    return found;
}

void cancel(const std::string& job) {
    if (const auto known = Job::of(job))
        (void)run("scancel", known->asking({known->number}));
}

} // namespace accumulus::slurm

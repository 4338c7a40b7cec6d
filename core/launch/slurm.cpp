// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/slurm.h"

#include "core/launch/child_talk.h"

#include <algorithm>
#include <array>
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
    const std::string job = ran.output.substr(0, ran.output.find_first_of(";\n")); // JOB or JOB;CLUSTER
    if (!ran.isGood() || job.empty())
        return failure("slurm.refused", {{"reason", ran.remark.empty() ? "reason.no-words" : "reason.last-words"},
                                         {"line", ran.remark}});
    return job;
}

bool JobState::isOver() const {
    static constexpr std::array<std::string_view, 11> ends{"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE",
                                                           "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                                           "REVOKED",   "TIMEOUT",   "SPECIAL_EXIT"};
    return std::ranges::find(ends, state) != ends.end();
}

JobState stateOf(const std::string& job) {
    const auto ran = run("squeue", {"--noheader", "--states=all", "--jobs=" + job, "--format=%T|%r|%N"});
    if (!ran)
        return {};
    if (!ran->isGood())
        return {ran->remark.find("Invalid job id") != std::string::npos ? "COMPLETED" : "", "", ""};
    if (ran->output.empty())
        return {"COMPLETED", "", ""};
    std::istringstream line(ran->output.substr(0, ran->output.find('\n')));
    JobState found;
    std::getline(line, found.state, '|');
    std::getline(line, found.reason, '|');
    std::getline(line, found.nodes);
    return found;
}

void cancel(const std::string& job) { (void)run("scancel", {job}); }

} // namespace accumulus::slurm

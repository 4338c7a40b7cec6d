// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/rank_team.h"

#include "core/config/batch_plan.h"
#include "core/config/experiment_file.h"
#include "core/engine/engine_errors.h"
#include "core/ranks/packed.h"

#include <algorithm>
#include <cstdlib>
#include <sched.h>

namespace accumulus {
namespace {

void put(Packed& message, const Error& error) {
    message.put(std::string_view(error.code)).put(std::uint64_t{error.arguments.size()});
    for (const auto& [name, value] : error.arguments)
        message.put(std::string_view(name)).put(std::string_view(value));
}

Error errorFrom(Unpacked& message) {
    Error error{message.getText(), {}};
    for (auto count = message.get<std::uint64_t>(); count > 0; --count) {
        std::string name = message.getText();
        error.arguments.emplace_back(std::move(name), message.getText());
    }
    return error;
}

cpu_set_t ownCores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) != 0)
        CPU_SET(0, &cores);
    return cores;
}

} // namespace

Result<std::unique_ptr<RankTeam>> RankTeam::create(Communicator& ranks) {
    try {
        return std::unique_ptr<RankTeam>(new RankTeam(ranks));
    } catch (...) {
        return failure(errorOf(std::current_exception(), &ranks));
    }
}

RankTeam::RankTeam(Communicator& ranks) : m_ranks(ranks) {
    const cpu_set_t own = ownCores();
    const auto self = static_cast<std::size_t>(ranks.rank());
    const auto told = ranks.gather(Packed().put(own).bytes());
    int sharers = 0;
    for (std::size_t rank = 0; rank < told.size(); ++rank) {
        const auto theirs = Unpacked(told[rank]).get<cpu_set_t>();
        cpu_set_t both;
        CPU_AND(&both, &own, &theirs);
        if (ranks.peers()[rank].host == ranks.peers()[self].host && CPU_COUNT(&both) > 0)
            ++sharers;
    }
    m_cores = std::max(1, CPU_COUNT(&own) / std::max(1, sharers));
}

Result<std::vector<std::string>> RankTeam::gather(const std::string& own) {
    try {
        return m_ranks.gather(own);
    } catch (...) {
        const Error error = errorOf(std::current_exception(), &m_ranks);
        setBroken(error);
        return failure(error);
    }
}

void RankTeam::setBroken(const Error& error) {
    m_broken = true;
    if (error.code == "ranks.lost")
        m_lost = std::atoi(error.argument("rank").c_str());
}

Status RankTeam::compare(const std::string& what, const std::string& own) {
    ACCUMULUS_TRY_ASSIGN(const auto told, gather(own));
    for (std::size_t rank = 1; rank < told.size(); ++rank)
        if (told[rank] != told.front())
            return failure(
                "ranks.differ",
                {{"rank", std::to_string(rank)}, {"what", what}, {"first", told.front()}, {"other", told[rank]}});
    return {};
}

Result<std::string> RankTeam::share(const std::string& own) {
    ACCUMULUS_TRY_ASSIGN(auto told, gather(leads() ? own : std::string()));
    return std::move(told.front());
}

Status RankTeam::agree(const Status& own) {
    Packed message;
    message.put(own.has_value());
    if (!own)
        put(message, own.error());
    ACCUMULUS_TRY_ASSIGN(const auto told, gather(message.bytes()));
    for (const std::string& theirs : told) {
        Unpacked from(theirs);
        if (!from.get<bool>())
            return failure(errorFrom(from));
    }
    return {};
}

void RankTeam::announce(const Task& task) {
    Packed message;
    message.put(std::string_view(task.run)).put(std::string_view(runConfigJson(task.config)));
    message.put(task.seed).put(task.lanes.lanes).put(task.lanes.threads);
    message.put(std::string_view(task.folder.native())).put(std::string_view(task.bundle.native()));
    message.put(std::string_view(task.datasetHash)).put(std::string_view(task.device));
    message.put(std::string_view(task.modelFileHash)).put(std::string_view(task.initialWeightsHash));
    (void)gather(message.bytes());
}

void RankTeam::dismiss() {
    if (!m_broken)
        (void)gather({});
}

Result<std::optional<RankTeam::Task>> RankTeam::await() {
    ACCUMULUS_TRY_ASSIGN(const auto told, gather({}));
    if (told.front().empty())
        return std::optional<Task>();
    Unpacked from(told.front());
    Task task;
    task.run = from.getText();
    ACCUMULUS_TRY_ASSIGN(task.config, runConfigFromJson(from.getText()));
    task.seed = from.get<std::int64_t>();
    task.lanes.lanes = from.get<int>();
    task.lanes.threads = from.get<int>();
    task.folder = from.getText();
    task.bundle = from.getText();
    task.datasetHash = from.getText();
    task.device = from.getText();
    task.modelFileHash = from.getText();
    task.initialWeightsHash = from.getText();
    return std::optional(std::move(task));
}

Result<ExperimentConfig> onRanks(ExperimentConfig experiment, int ranks) {
    BatchConfig& batch = experiment.run.batch;
    if (batch.devices != 1 && batch.devices != ranks)
        return failure("ranks.devices", {{"devices", std::to_string(batch.devices)}, {"ranks", std::to_string(ranks)}});
    if (batch.devices == ranks) {
        ACCUMULUS_TRY(resolveBatch(batch));
        return experiment;
    }
    BatchConfig shared = batch;
    shared.devices = ranks;
    const auto alone = resolveBatch(batch);
    // B and K may have been meant for these ranks: they agree on them and not on one device.
    if (!alone && alone.error().code == "config.batch.disagree" && resolveBatch(shared)) {
        batch = shared;
        return experiment;
    }
    if (!alone)
        return failure(alone.error());
    shared.effective = alone->effective;
    shared.steps = 0;
    ACCUMULUS_TRY(resolveBatch(shared));
    batch = shared;
    return experiment;
}

} // namespace accumulus

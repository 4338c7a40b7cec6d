// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/joined_ranks.h"

#include "app/cli/stop_signals.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/ranks/launch.h"
#include "core/run/program.h"
#include "core/run/study_runner.h"

#include <chrono>
#include <csignal>
#include <thread>

namespace accumulus::cli {
namespace {

/// For the first rank to record what happened and to save its weights before it ends all.
constexpr auto patience = std::chrono::minutes(10);

std::string settingText(const std::string& key, const std::string& value) { return key + " = " + value; }

/// For Interrupts, which comes later: the threads that MPI and the communicator start must not be hit by them.
void keepSignals() {
    sigset_t signals = stopSignals();
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

} // namespace

Result<JoinedRanks> JoinedRanks::join(Console& console) {
    JoinedRanks joined;
    const auto launch = launched();
    if (!launch)
        return joined;
    if (launch->rank != 0)
        console.mute();
    keepSignals();
    ACCUMULUS_TRY_ASSIGN(joined.m_ranks, joinRanks(*launch));
    ACCUMULUS_TRY_ASSIGN(joined.m_team, RankTeam::create(*joined.m_ranks));
    ACCUMULUS_TRY(joined.m_team->compare("phrase.rank-version", programName()));
    return joined;
}

JoinedRanks::~JoinedRanks() {
    if (!m_team)
        return;
    if (m_team->leads())
        m_team->dismiss();
    if (!m_team->lostRank())
        return;
    if (!m_team->leads() && *m_team->lostRank() != 0)
        std::this_thread::sleep_for(patience);
    m_ranks->abort(static_cast<int>(ErrorKind::Training));
}

Result<ExperimentConfig> JoinedRanks::agreeOn(const Result<ExperimentConfig>& own) const {
    if (!m_team)
        return own;
    if (m_team->leads())
        ACCUMULUS_TRY(m_team->agree(own ? Status() : Status(failure(own.error()))));
    else
        ACCUMULUS_TRY(m_team->agree({}));
    ACCUMULUS_TRY_ASSIGN(const std::string text, m_team->share(own ? experimentToml(*own, true) : std::string()));
    ACCUMULUS_TRY_ASSIGN(auto first, parseExperiment(text, "the experiment of rank 0"));
    Status same;
    if (own) {
        const auto differences = configDifferences(first.run, own->run);
        if (!differences.empty()) {
            const auto& difference = differences.front();
            same = failure("ranks.differ", {{"rank", std::to_string(m_team->ranks().rank())},
                                            {"what", "phrase.rank-settings"},
                                            {"first", settingText(difference.key, difference.a)},
                                            {"other", settingText(difference.key, difference.b)}});
        }
    }
    ACCUMULUS_TRY(m_team->agree(same));
    return onRanks(std::move(first), m_team->ranks().size());
}

int JoinedRanks::follow(RunControl& control) const {
    const Followed followed = followRanks(*m_team, control);
    if (followed.error)
        return exitCode(*followed.error);
    return followed.stopped ? static_cast<int>(ErrorKind::Interrupted) : 0;
}

} // namespace accumulus::cli

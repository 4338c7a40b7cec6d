// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/followed_study.h"

#include <cstring>
#include <sys/wait.h>
#include <variant>

namespace accumulus {

void FollowedStudy::note(const RunEvent& event) {
    m_begun = m_begun || std::holds_alternative<StudyStarted>(event) || std::holds_alternative<RunStarted>(event);
    if (const auto* started = std::get_if<StudyStarted>(&event)) {
        m_outcome.study = started->study;
    } else if (const auto* run = std::get_if<RunFinished>(&event)) {
        m_outcome.runs.push_back(*run);
    } else if (const auto* end = std::get_if<StudyFinished>(&event)) {
        m_outcome.stopped = end->stopped;
        m_outcome.error = end->error;
        m_failed = end->error && end->study.empty();
        m_finished = true;
    }
}

Result<StudyOutcome> FollowedStudy::outcome(const std::optional<Error>& problem) const {
    if (m_failed)
        return failure(*m_outcome.error);
    StudyOutcome outcome = m_outcome;
    if (problem && !outcome.error)
        outcome.error = problem;
    return outcome;
}

Error endedBeforeStudy(int status, const std::string& remark) {
    Error error{"launch.ended", {}};
    if (WIFSIGNALED(status)) {
        const char* name = sigabbrev_np(WTERMSIG(status));
        error.arguments = {{"how", "phrase.ended-signal"},
                           {"signal", name ? std::string("SIG") + name : std::to_string(WTERMSIG(status))}};
    } else {
        error.arguments = {{"how", "phrase.ended-code"}, {"code", std::to_string(WEXITSTATUS(status))}};
    }
    error.arguments.emplace_back("reason", remark.empty() ? "reason.no-words" : "reason.last-words");
    error.arguments.emplace_back("line", remark);
    return error;
}

} // namespace accumulus

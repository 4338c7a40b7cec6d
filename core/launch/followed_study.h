// SPDX-License-Identifier: GPL-3.0-or-later
// How a study that is followed by its events ends. One thread.
#pragma once

#include "core/run/study_runner.h"

#include <optional>
#include <string>

namespace accumulus {

class FollowedStudy {
public:
    void note(const RunEvent& event);
    /// A study, or a run that goes on.
    [[nodiscard]] bool hasBegun() const { return m_begun; }
    [[nodiscard]] bool isFinished() const { return m_finished; }

    /// Of one that is finished. `problem`: what could not be understood on the way. An error is the study's own, not
    /// that of a run.
    [[nodiscard]] Result<StudyOutcome> outcome(const std::optional<Error>& problem) const;

private:
    StudyOutcome m_outcome;
    bool m_begun = false;
    bool m_finished = false;
    bool m_failed = false; ///< the study as a whole
};

/// "launch.ended": `status` as waitpid() says it, `remark` the last thing that was said on standard error.
[[nodiscard]] Error endedBeforeStudy(int status, const std::string& remark);

} // namespace accumulus

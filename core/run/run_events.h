// SPDX-License-Identifier: GPL-3.0-or-later
// What happens while a study runs, as values. Published in order by the recorder after it has committed them to the
// library, on the recorder's thread.
#pragma once

#include "core/base/message.h"
#include "core/base/training_records.h"
#include "core/config/experiment_config.h"
#include "core/store/run_records.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace accumulus {

/// The study's runs are known and in the library (state queued).
struct StudyStarted {
    StudyRecord study;
    std::vector<RunRecord> runs; ///< in the order in which they will run
    /// What their owner may not expect: settings without effect, then the warnings and hints of checkConfig.
    std::vector<Message> notes = {};
};
/// One run begins: everything resolved. After a resume, rows of earlier attempts beyond the given counts are
/// superseded.
struct RunStarted {
    RunRecord run;
    bool resumed = false;
    std::int64_t windowsDone = 0;
    std::int64_t updatesDone = 0;
};
struct WindowClosed {
    std::string run;
    WindowRecord window;
};
/// The parameter probe at one micro-step; before the window's WindowClosed.
struct MicroStepProbed {
    std::string run;
    MicroStepRecord microStep;
};
struct Evaluated {
    std::string run;
    EvaluationRecord evaluation;
};
struct CheckpointSaved {
    std::string run;
    CheckpointRecord checkpoint;
};
struct CheckpointRemoved {
    std::string run;
    std::string weightsPath;
};
struct RunStateChanged {
    std::string run;
    RunState state = RunState::Running;
};
/// Something worth telling: non-finite loss, resumed, recorder was late, ...
struct RunNoted {
    std::string run;
    EventRecord event;    ///< its text in English; the recorder gives it the arguments of the message
    Message message = {}; ///< the same for another language
};
struct RunFinished {
    std::string run;
    RunState state = RunState::Completed; ///< completed, stopped or failed
    RunSummary summary;
    Arm arm = Arm::Accumulated;
    std::int64_t seed = 0;
    std::optional<Error> error;
};
struct StudyFinished {
    std::string study;
    bool stopped = false;
    std::optional<Error> error; ///< of the first run that failed, or of the study itself
};

using RunEvent = std::variant<StudyStarted, RunStarted, WindowClosed, MicroStepProbed, Evaluated, CheckpointSaved,
                              CheckpointRemoved, RunStateChanged, RunNoted, RunFinished, StudyFinished>;

/// Receives batches in order, on the recorder's thread; must not block for long.
using RunEventReceiver = std::function<void(std::span<const RunEvent>)>;

} // namespace accumulus

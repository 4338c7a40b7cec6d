// SPDX-License-Identifier: GPL-3.0-or-later
// How training begins and ends on the command line, whoever trains.
#pragma once

#include "app/cli/engine/event_printers.h"
#include "app/cli/engine/training.h"
#include "core/run/run_control.h"
#include "core/run/study_runner.h"

#include <memory>
#include <string>

namespace accumulus::cli {

inline constexpr int interrupted = static_cast<int>(ErrorKind::Interrupted);

/// `control`: of what is printed; told to stop now, it waits for no room to print.
[[nodiscard]] std::unique_ptr<EventPrinter> makePrinter(Console& console, const TrainingOptions& options,
                                                        const RunControl& control);
/// An error in place of a study, or after one that could not say its end. Returns the exit code.
int refuse(const Error& error, const TrainingOptions& options, Console& console);
/// What is said at a study's end: the verdict, or how to go on. Returns the exit code.
int finishStudy(const StudyOutcome& outcome, const TrainingOptions& options, Console& console);
void sayHowToResume(const std::string& run, const TrainingOptions& options, Console& console);

} // namespace accumulus::cli

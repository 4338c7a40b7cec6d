// SPDX-License-Identifier: GPL-3.0-or-later
// The events of a study as lines of JSON: what `accumulus-cli run --events` prints, and what a launcher reads from a
// process that trains elsewhere. Complete: every member of every event, not-a-number and infinity included. Text that
// is not UTF-8 is kept as {"hex": "..."}. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/run/run_events.h"

#include <string>
#include <string_view>

namespace accumulus {

/// One line, without its end.
[[nodiscard]] std::string eventLine(const RunEvent& event);
/// Back again. Members and settings that this version does not know are ignored. Error "launch.event", which names the
/// member that is missing or has no such value.
[[nodiscard]] Result<RunEvent> eventOfLine(std::string_view line);

} // namespace accumulus

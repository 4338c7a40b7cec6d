// SPDX-License-Identifier: GPL-3.0-or-later
// What a study in progress looks like on the command line: as JSON lines, as text with one live line, or as the
// complete stream for a program that follows it. Called on the recorder's thread.
#pragma once

#include "app/cli/console.h"
#include "core/run/run_events.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace accumulus::cli {

class EventPrinter {
public:
    virtual ~EventPrinter() = default;
    virtual void receive(std::span<const RunEvent> events) = 0;
};

/// `logEvery` > 0 adds a line "epoch 1, update 100, loss 0.1234" every so many updates (with JSON on standard error).
[[nodiscard]] std::unique_ptr<EventPrinter> makeJsonPrinter(Console& console, std::int64_t logEvery);
[[nodiscard]] std::unique_ptr<EventPrinter> makeTextPrinter(Console& console, std::int64_t logEvery);
/// Every event as core/launch/event_stream.h writes it, none of them lost where there is no room for a while, unless
/// `givesUp`; the lines of `logEvery` on standard error.
[[nodiscard]] std::unique_ptr<EventPrinter> makeStreamPrinter(Console& console, std::int64_t logEvery,
                                                              std::function<bool()> givesUp);

} // namespace accumulus::cli

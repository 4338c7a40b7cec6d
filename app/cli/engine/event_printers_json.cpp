// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/event_printers.h"
#include "app/cli/json_output.h"
#include "app/cli/words.h"
#include "core/base/kept_message.h"
#include "core/launch/event_stream.h"

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace accumulus::cli {
namespace {

/// At most ten windows a second are printed; the library keeps them all.
constexpr double secondsBetweenWindows = 0.1;

class JsonPrinter final : public EventPrinter {
public:
    JsonPrinter(Console& console, std::int64_t logEvery) : m_console(console), m_logEvery(logEvery) {}

    void receive(std::span<const RunEvent> events) override {
        for (const RunEvent& event : events)
            std::visit([this](const auto& held) { on(held); }, event);
    }

private:
    void on(const StudyStarted& started) { m_console.notes(started.notes); }
    void on(const RunStarted& started) {
        m_skipped.reset();
        m_leftOut = 0;
        m_lastPrinted = 0.0;
        m_run = started.run.id;
        m_config = started.run.config;
        m_lastState = RunState::Running;
        print(runStartedJson(started.run));
    }
    void on(const WindowClosed& closed) {
        const WindowRecord& window = closed.window;
        if (isLogged(window.update, m_logEvery))
            m_console.note(logLine(window));
        m_leftOut += m_skipped ? 1 : 0; // this one takes its place
        if (window.wallTime - m_lastPrinted < secondsBetweenWindows) {
            m_skipped = closed;
            return;
        }
        m_skipped.reset();
        printWindow(closed);
    }
    void on(const MicroStepProbed& probed) {
        print({{"event", "micro-step"},
               {"run", probed.run},
               {"window", probed.microStep.window},
               {"micro_step", probed.microStep.microStep},
               {"values", probed.microStep.values}});
    }
    void on(const Evaluated& evaluated) {
        printSkipped();
        print(evaluationJson(evaluated.run, evaluated.evaluation));
    }
    void on(const CheckpointSaved&) {}
    void on(const CheckpointRemoved&) {}
    void on(const RunStateChanged& changed) { printState(changed.run, changed.state, {}); }
    void on(const RunNoted& noted) {
        const EventRecord& event = noted.event;
        print({{"event", "note"},
               {"run", noted.run},
               {"level", event.level},
               {"code", event.code},
               {"text", event.text},
               {"update", event.update},
               {"arguments", Json::parse(argumentsJson(noted.message.arguments))}});
    }
    void on(const RunFinished& finished) {
        printSkipped();
        if (finished.state != RunState::Completed)
            printState(finished.run, finished.state, finished.error ? describe(*finished.error) : std::string());
        print(runFinishedJson(finished, m_config));
    }
    void on(const StudyFinished&) {}

    /// The window before an evaluation or the end is never the one that thinning lost.
    void printSkipped() {
        if (!m_skipped)
            return;
        printWindow(*m_skipped);
        m_skipped.reset();
    }
    void printWindow(const WindowClosed& closed) {
        m_lastPrinted = closed.window.wallTime;
        Json line = windowJson(closed.run, closed.window);
        if (m_leftOut > 0)
            line["windows_left_out"] = std::exchange(m_leftOut, 0);
        print(line);
    }
    void printState(const std::string& run, RunState state, const std::string& error) {
        if (run == m_run && state == m_lastState && error.empty())
            return;
        m_run = run;
        m_lastState = state;
        Json line = {{"event", "run-state"}, {"run", run}, {"state", runStateName(state)}};
        if (!error.empty())
            line["error"] = error;
        print(line);
    }
    void print(const Json& json) { m_console.line(oneLine(json)); }

    Console& m_console;
    std::int64_t m_logEvery;
    std::optional<WindowClosed> m_skipped;
    std::int64_t m_leftOut = 0; ///< windows between the last one printed and the one that is kept
    double m_lastPrinted = 0.0;
    RunConfig m_config;
    std::string m_run; ///< whose state was printed last
    RunState m_lastState = RunState::Queued;
};

class StreamPrinter final : public EventPrinter {
public:
    StreamPrinter(Console& console, std::int64_t logEvery, std::function<bool()> givesUp)
        : m_console(console), m_logEvery(logEvery), m_givesUp(std::move(givesUp)) {}

    void receive(std::span<const RunEvent> events) override {
        for (const RunEvent& event : events) {
            m_console.record(eventLine(event), m_givesUp);
            const auto* closed = std::get_if<WindowClosed>(&event);
            if (closed && isLogged(closed->window.update, m_logEvery))
                m_console.note(logLine(closed->window));
        }
    }

private:
    Console& m_console;
    std::int64_t m_logEvery;
    std::function<bool()> m_givesUp;
};

} // namespace

std::unique_ptr<EventPrinter> makeStreamPrinter(Console& console, std::int64_t logEvery,
                                                std::function<bool()> givesUp) {
    return std::make_unique<StreamPrinter>(console, logEvery, std::move(givesUp));
}

std::unique_ptr<EventPrinter> makeJsonPrinter(Console& console, std::int64_t logEvery) {
    return std::make_unique<JsonPrinter>(console, logEvery);
}

} // namespace accumulus::cli

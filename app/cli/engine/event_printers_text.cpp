// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/event_printers.h"
#include "app/cli/words.h"
#include "core/analysis/noise_words.h"
#include "core/analysis/rank_cost.h"
#include "core/base/clock.h"
#include "core/config/batch_words.h"
#include "core/run/study_runner.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace accumulus::cli {
namespace {

/// Where there is no terminal to redraw a line on, progress is told this often.
constexpr double secondsBetweenLines = 10.0;
constexpr std::int64_t windowsProbedAloud = 3;

class TextPrinter final : public EventPrinter {
public:
    TextPrinter(Console& console, std::int64_t logEvery) : m_console(console), m_logEvery(logEvery) {}

    void receive(std::span<const RunEvent> events) override {
        for (const RunEvent& event : events)
            std::visit([this](const auto& held) { on(held); }, event);
        if (m_progressed)
            showProgress();
        m_progressed = false;
    }

private:
    void on(const StudyStarted& started) {
        m_runs = started.runs.size();
        m_console.line(fmt::format("{}: {} run{}", started.study.name.empty() ? "Study" : started.study.name, m_runs,
                                   m_runs == 1 ? "" : "s"));
        m_console.notes(started.notes);
    }
    void on(const RunStarted& started) {
        m_run = started.run;
        m_window = {};
        m_update = 0;
        m_firstUpdate.reset();
        m_sinceLine.lap();
        ++m_number;
        m_probed.clear();
        m_noise.clear();
        m_ranks = {};
        m_console.line(fmt::format("{}run {}: {}, seed {}: {}, {}", prefix(), shortId(m_run.id), armName(m_run.arm),
                                   m_run.seed, batchSentence(m_run.batch), counted(m_run.totalUpdates, "update")));
    }
    void on(const WindowClosed& closed) {
        m_window = closed.window;
        for (const NoiseTerms& terms : noiseTerms({&m_window, 1}))
            m_noise.push_back(terms);
        m_ranks.add(m_window);
        tellProbe();
        m_update = m_window.update.value_or(m_update);
        m_progressed = true;
        if (!m_firstUpdate)
            m_firstUpdate = {m_update, m_window.samples, m_window.activeSeconds};
        if (isLogged(m_window.update, m_logEvery))
            m_console.line(logLine(m_window));
    }
    void on(const MicroStepProbed& probed) { m_probed.push_back(probed.microStep); }
    void on(const Evaluated& evaluated) {
        const EvaluationRecord& evaluation = evaluated.evaluation;
        m_console.line(fmt::format("{}after {:.2f} epochs: {} {}", prefix(), evaluation.epochPosition, evaluation.split,
                                   measuredText(evaluation)));
    }
    void on(const CheckpointSaved&) {}
    void on(const CheckpointRemoved&) {}
    void on(const RunStateChanged&) {}
    void on(const RunNoted& noted) {
        const bool isOfWeights = noted.event.code.starts_with("weights.") || noted.event.code == "model.frozen";
        if (noted.event.level != "info")
            m_console.note(noted.event.level + ": " + noted.event.text);
        else if (isOfWeights)
            m_console.line(prefix() + noted.event.text);
    }
    void on(const RunFinished& finished) {
        const RunSummary& summary = finished.summary;
        m_progressed = false;
        m_console.live({});
        m_console.line(fmt::format("{}{} {}, seed {}: {}, {}, {}, {}, {}, {}", prefix(), runStateName(finished.state),
                                   armName(finished.arm), finished.seed, counted(summary.updates, "update"),
                                   counted(summary.microSteps, "micro-step"), counted(summary.samples, "sample"),
                                   measuredText(summary), speed(summary.samplesPerSecond),
                                   duration(summary.activeSeconds)));
        if (finished.error && m_runs > 1) // of a single run the program says it at its end
            m_console.note("error: " + prefix() + describe(*finished.error));
        tellRanks();
        if (m_noise.empty())
            return;
        const NoiseScale noise = recentNoiseScale(m_noise);
        m_console.line(fmt::format("{}gradient noise scale: {}{}", prefix(),
                                   noiseScaleWords(noise, lossUnit(m_run.config)),
                                   noise.identified ? fmt::format("; last {} windows", noise.windows) : ""));
    }
    void on(const StudyFinished&) { m_console.live({}); }

    /// "[2/10] " where a study has several runs.
    [[nodiscard]] std::string prefix() const {
        return m_runs > 1 ? fmt::format("[{}/{}] ", m_number, m_runs) : std::string();
    }

    /// The first windows show what there is to see; further ones where a log was asked for.
    void tellProbe() {
        const bool told =
            m_window.window <= windowsProbedAloud || (m_logEvery > 0 && m_window.window % m_logEvery == 0);
        for (const MicroStepRecord& record : m_probed) {
            if (!told)
                break;
            const std::string place = record.microStep < m_window.microSteps
                                          ? fmt::format("micro-step {}", record.microStep + 1)
                                          : std::string("update");
            const std::size_t shown = std::min<std::size_t>(record.values.size(), 4);
            std::string values;
            for (std::size_t i = 0; i < shown; ++i)
                values += fmt::format("{}{:.8g}", i ? ", " : "", record.values[i]);
            m_console.line(fmt::format("{}window {}, after {}: {} = [{}{}]", prefix(), record.window, place,
                                       m_run.config.probe.parameter, values,
                                       record.values.size() > shown ? ", ..." : ""));
        }
        m_probed.clear();
    }

    /// What it cost to share the run out.
    void tellRanks() {
        if (m_ranks.ranks.empty())
            return;
        const auto elements = arenaSize(m_run.config);
        const auto cost = rankCost(m_ranks, m_run.config, elements ? std::optional(*elements) : std::nullopt);
        if (cost)
            m_console.line(prefix() + rankCostText(*cost));
    }

    void showProgress() {
        const double seconds = m_window.activeSeconds - m_firstUpdate->activeSeconds;
        const std::int64_t made = m_update - m_firstUpdate->update;
        std::string text = fmt::format("{}update {} of {}, loss {}", prefix(), grouped(m_update),
                                       grouped(m_run.totalUpdates), number(m_window.loss));
        if (made > 0 && seconds > 0.0) {
            text += ", " + speed(static_cast<double>(m_window.samples - m_firstUpdate->samples) / seconds);
            const auto left = static_cast<double>(m_run.totalUpdates - m_update);
            text += ", " + duration(left * seconds / static_cast<double>(made)) + " left";
        }
        if (m_console.isTerminal()) {
            m_console.live(text);
        } else if (m_logEvery == 0 && m_sinceLine.seconds() >= secondsBetweenLines) {
            m_sinceLine.lap();
            m_console.line(text);
        }
    }

    /// Where this process began the run: speed and time left are judged from here, also after a resume.
    struct Start {
        std::int64_t update, samples;
        double activeSeconds;
    };

    Console& m_console;
    std::int64_t m_logEvery;
    std::size_t m_runs = 1;
    std::size_t m_number = 0;
    RunRecord m_run;
    WindowRecord m_window;
    std::vector<MicroStepRecord> m_probed; ///< of the open window
    std::vector<NoiseTerms> m_noise;       ///< of this run, as far as this process trained it
    RankTotals m_ranks;                    ///< of this run, likewise
    std::int64_t m_update = 0;             ///< last one made; a window that is skipped makes none
    std::optional<Start> m_firstUpdate;
    bool m_progressed = false;
    Stopwatch m_sinceLine;
};

} // namespace

std::unique_ptr<EventPrinter> makeTextPrinter(Console& console, std::int64_t logEvery) {
    return std::make_unique<TextPrinter>(console, logEvery);
}

} // namespace accumulus::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/rank_log.h"

#include "core/base/clock.h"

#include <fmt/format.h>
#include <system_error>

namespace accumulus {

std::filesystem::path rankLogFile(const std::filesystem::path& folder, int rank) {
    return folder / ("rank-" + std::to_string(rank) + ".log");
}

std::string lastLineOf(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string last;
    for (std::string line; std::getline(stream, line);)
        if (!line.empty())
            last = line;
    return last;
}

TrainingObserver::Wish wishOf(RunControl& control) {
    control.waitWhilePaused();
    switch (control.request()) {
    case RunControl::Request::None:
        return TrainingObserver::Wish::GoOn;
    case RunControl::Request::Stop:
        return TrainingObserver::Wish::Stop;
    case RunControl::Request::StopNow:
        return TrainingObserver::Wish::StopNow;
    }
    return TrainingObserver::Wish::GoOn;
}

RankLog::RankLog(const std::filesystem::path& folder, int rank, TrainingObserver* behind, RunControl& control)
    : m_behind(behind), m_control(control) {
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    m_file.open(rankLogFile(folder, rank), std::ios::app);
}

void RankLog::line(const std::string& text) { m_file << isoTime(unixTime()) << "  " << text << std::endl; }

TrainingObserver::Wish RankLog::proceed() { return m_behind ? m_behind->proceed() : wishOf(m_control); }

double RankLog::pausedSeconds() const { return m_behind ? m_behind->pausedSeconds() : m_control.pausedSeconds(); }

void RankLog::windowProgressed(const WindowProgress& progress) {
    if (m_behind)
        m_behind->windowProgressed(progress);
}

Status RankLog::windowClosed(const WindowRecord& window) {
    const std::string update = window.update ? "update " + std::to_string(*window.update) : "no update";
    line(fmt::format("window {}, {}: epoch {:.3f}, loss {:.6g}, gradient norm {:.4g}; of this rank: data {:.4f} s, "
                     "forward {:.4f} s, backward {:.4f} s",
                     window.window, update, window.epochPosition, window.loss, window.gradNorm, window.dataSeconds,
                     window.forwardSeconds, window.backwardSeconds));
    return m_behind ? m_behind->windowClosed(window) : Status();
}

Status RankLog::microStepProbed(const MicroStepRecord& record) {
    line(fmt::format("window {}, micro-step {}: {:.9g}", record.window, record.microStep,
                     fmt::join(record.values, " ")));
    return m_behind ? m_behind->microStepProbed(record) : Status();
}

Status RankLog::evaluated(const EvaluationRecord& evaluation) {
    std::string text = fmt::format("update {}: {} loss {:.6g}", evaluation.update, evaluation.split, evaluation.loss);
    if (evaluation.accuracy)
        text += fmt::format(", accuracy {:.4f}", *evaluation.accuracy);
    line(text);
    return m_behind ? m_behind->evaluated(evaluation) : Status();
}

Status RankLog::checkpointBegins() { return m_behind ? m_behind->checkpointBegins() : Status(); }

Status RankLog::checkpointSaved(const CheckpointRecord& checkpoint) {
    line(fmt::format("checkpoint at update {}: weights {}", checkpoint.update, checkpoint.weightsHash));
    return m_behind ? m_behind->checkpointSaved(checkpoint) : Status();
}

bool RankLog::checkpointFailed(const Error& error) {
    line(describe(error));
    return m_behind && m_behind->checkpointFailed(error);
}

void RankLog::noted(const std::string& level, const Message& message, std::int64_t update) {
    line(level + ": " + messageText(message));
    if (m_behind)
        m_behind->noted(level, message, update);
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// One launch, followed over as many connections as it takes and recorded here. For remote_study.cpp. One thread.
#pragma once

#include "core/launch/detached_study.h"
#include "core/launch/followed_study.h"
#include "core/launch/remote_study.h"
#include "core/run/recorder.h"

#include <chrono>
#include <map>
#include <vector>

namespace accumulus {

class ChildTalk;

class RemoteFollower {
public:
    /// `isNew`: what stands in `launch` is to begin. `files`: LIBRARY.files here.
    RemoteFollower(LaunchRecord launch, bool isNew, RunStore store, const LiveClaim& claim, RunControl& control,
                   const RunEventReceiver& receive, std::filesystem::path files);

    /// A run that the library has already, and that this process has claimed if it goes on.
    void know(const RunRecord& run);
    /// Until the end. `experiment`: TOML of a new study, else empty.
    [[nodiscard]] Result<RemoteOutcome> follow(const std::string& experiment, std::int64_t ranks);
    /// Has a study or run begun there since?
    [[nodiscard]] bool hasBegun() const { return m_study.hasBegun(); }

private:
    enum class End { Finished, Stopped, Left, Lost };
    struct KnownRun {
        bool started = false;
        bool finished = false;
    };

    [[nodiscard]] Result<End> connectUntilEnd(const std::string& input);
    [[nodiscard]] bool waitFor(std::chrono::seconds time);
    [[nodiscard]] Result<End> converse(const std::string& input);
    [[nodiscard]] std::vector<std::string> arguments() const;
    void ask(ChildTalk& talk);
    void takeLine(std::string_view line);
    void takeRefusal(std::string_view line);
    void takeNews(const LaunchNews& news);
    void greet(const LaunchNews& news);
    void endWithoutStudy(const LaunchNews& news);
    void adopt(RunEvent& event);
    [[nodiscard]] std::string here(const std::string& run, const std::string& there) const;
    void say(const std::string& level, Message message);
    [[nodiscard]] Status publish();
    [[nodiscard]] Result<End> finish(ChildTalk& talk);
    [[nodiscard]] Result<End> lose(int status, const std::string& remark);
    [[nodiscard]] bool isOver() const { return m_study.isFinished() || m_ended; }
    [[nodiscard]] std::string placeName() const;

    LaunchRecord m_launch;
    bool m_isNew;
    std::int64_t m_ranks = 1;
    const LiveClaim& m_claim;
    RunControl& m_control;
    std::filesystem::path m_files;
    std::map<std::string, KnownRun> m_runs;

    bool m_greeted = false; ///< by this connection
    bool m_everGreeted = false;
    bool m_isLost = false;
    std::optional<LaunchWishes> m_wishes;
    LaunchNews m_news;
    bool m_ended = false; ///< without its study
    std::optional<Error> m_endError;
    FollowedStudy m_study;
    std::optional<Error> m_problem;
    std::vector<RunEvent> m_waiting; ///< read, not yet handed on

    Recorder m_recorder;
};

} // namespace accumulus

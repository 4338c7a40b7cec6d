// SPDX-License-Identifier: GPL-3.0-or-later
// One launch, followed over as many connections as it takes and recorded here. For remote_study.cpp. One thread.
#pragma once

#include "core/launch/detached_study.h"
#include "core/launch/followed_study.h"
#include "core/launch/remote_study.h"
#include "core/run/recorder.h"

#include <chrono>
#include <functional>
#include <map>
#include <vector>

namespace accumulus {

class ChildTalk;

/// What is said to the other side when it is reached.
struct RemoteTask {
    std::string experiment{}; ///< TOML of a new study; empty: nothing new, or `launch.resumes` goes on
    std::int64_t ranks = 1;
    std::vector<std::string> options{}; ///< further ones of accumulus-cli
    bool unpause = false;               ///< a study that is found paused goes on at once
    std::function<void()> accepted{};   ///< called when the other side has answered for the first time
};

class RemoteFollower {
public:
    /// `isNew`: what stands in `launch` is to begin. `files`: LIBRARY.files here.
    RemoteFollower(LaunchRecord launch, bool isNew, RunStore store, const LiveClaim& claim, RunControl& control,
                   const RunEventReceiver& receive, std::filesystem::path files);

    /// A run that the library has already, and that this process has claimed unless it is over. `trains`: it goes on
    /// there now; else it is to begin, and its row stays as it is until it does.
    void know(const RunRecord& run, bool trains);
    /// Until the end. Runs that are not over are interrupted then, for nobody follows them any more.
    [[nodiscard]] Result<RemoteOutcome> follow(const RemoteTask& task);
    /// Has a study or run begun there since?
    [[nodiscard]] bool hasBegun() const { return m_study.hasBegun(); }

private:
    enum class End { Finished, Stopped, Left, Lost };
    struct KnownRun {
        bool started = false;
        bool finished = false;
        bool waits = false; ///< is given back unless it begins
    };

    [[nodiscard]] Result<End> connectUntilEnd(const RemoteTask& task);
    [[nodiscard]] bool waitFor(std::chrono::seconds time);
    [[nodiscard]] Result<End> converse(const RemoteTask& task);
    [[nodiscard]] std::vector<std::string> arguments(const RemoteTask& task) const;
    void ask(ChildTalk& talk);
    void takeLine(std::string_view line);
    void takeRefusal(std::string_view line);
    void takeEvent(RunEvent event);
    void takeNews(const LaunchNews& news);
    void greet(const LaunchNews& news);
    void beginToFollow(const LaunchNews& news);
    void tellPause(bool paused);
    void endWithoutStudy(const LaunchNews& news);
    [[nodiscard]] bool adopt(RunEvent& event);
    [[nodiscard]] std::string here(const std::string& run, const std::string& there) const;
    void say(const std::string& level, Message message);
    void interruptOpenRuns(bool goesOn);
    [[nodiscard]] Status publish();
    [[nodiscard]] Result<End> finish(ChildTalk& talk);
    [[nodiscard]] Result<End> leave();
    [[nodiscard]] Result<End> refused();
    [[nodiscard]] Result<End> lose(int status, const std::string& remark);
    [[nodiscard]] bool isOver() const { return m_study.isFinished() || m_ended || m_refusal; }
    [[nodiscard]] std::string placeName() const;

    LaunchRecord m_launch;
    bool m_isNew; ///< has not begun, as far as is known here
    const LiveClaim& m_claim;
    RunControl& m_control;
    std::filesystem::path m_files;
    std::map<std::string, KnownRun> m_runs; ///< only of these are events taken

    bool m_unpause = false;
    std::function<void()> m_accepted;
    bool m_greeted = false; ///< by this connection
    int m_greetings = 0;    ///< by all connections
    bool m_saysBegin = false;
    bool m_saidBegin = false;
    bool m_hasFollowed = false;
    std::optional<Error> m_refusal; ///< of what may train on
    bool m_isLost = false;
    std::optional<LaunchWishes> m_wishes; ///< once this connection follows
    LaunchNews m_news;
    bool m_ended = false; ///< without its study
    std::optional<Error> m_endError;
    FollowedStudy m_study;
    std::optional<Error> m_problem;
    std::vector<RunEvent> m_waiting; ///< read, not yet handed on

    Recorder m_recorder;
};

} // namespace accumulus

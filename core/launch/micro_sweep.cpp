// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/micro_sweep.h"

#include "core/analysis/micro_search.h"
#include "core/base/clock.h"
#include "core/config/experiment_file.h"
#include "core/launch/child_talk.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <utility>

namespace accumulus {
namespace {

constexpr auto glance = std::chrono::milliseconds(20);

/// A trial that ended without a report.
Message brokenOff(int status, const std::string& remark) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return {"plan.killed", {}};
    Message message{"plan.crashed", {}};
    if (WIFSIGNALED(status))
        message.arguments = {{"how", "phrase.ended-signal"}, {"signal", std::to_string(WTERMSIG(status))}};
    else
        message.arguments = {{"how", "phrase.ended-code"}, {"code", std::to_string(WEXITSTATUS(status))}};
    message.arguments.emplace_back("reason", remark.empty() ? "reason.no-words" : "reason.last-words");
    if (!remark.empty())
        message.arguments.emplace_back("line", remark);
    return message;
}

class Sweep {
public:
    Sweep(const PlanRequest& request, std::string program, std::stop_token stop, MicroSearch search,
          const PlanProgress& progress)
        : m_request(request), m_program(std::move(program)), m_stop(std::move(stop)), m_search(std::move(search)),
          m_progress(progress) {}

    Result<MicroPlan> run(MicroPlan plan) {
        m_plan = std::move(plan);
        while (const auto micro = m_search.next()) {
            ACCUMULUS_TRY_ASSIGN(const auto report, tryInChild(*micro, nullptr));
            if (!report)
                return end(true);
            if (m_plan.memoryLimit == 0)
                m_plan.memoryLimit = report->memoryLimit;
            m_search.add(report->point, report->memoryLimit);
            m_plan.points = m_search.points();
            tell();
        }
        while (m_plan.recommended && !m_plan.verified) {
            ACCUMULUS_TRY_ASSIGN(const bool goesOn, confirm(m_plan.points[*m_plan.recommended]));
            if (!goesOn)
                return end(true);
        }
        return end(false);
    }

private:
    MicroPlan end(bool cancelled) {
        m_plan.cancelled = cancelled;
        m_plan.createdAt = unixTime();
        conclude(m_plan, m_below);
        setNoiseScale(m_plan, m_request.noiseScale);
        return std::move(m_plan);
    }

    void tell() {
        m_plan.createdAt = unixTime();
        conclude(m_plan, m_below);
        if (m_progress)
            m_progress(m_plan);
    }

    /// False: cancelled.
    Result<bool> confirm(MicroPoint& point) {
        ACCUMULUS_TRY_ASSIGN(const auto report, tryInChild(point.micro, &point));
        if (!report)
            return false;
        m_plan.verified = report->point.fits;
        if (m_plan.verified) {
            point.peakBytes = std::max(point.peakBytes, report->point.peakBytes);
        } else {
            m_plan.notes.push_back({"plan.not-confirmed", report->point.problem->arguments});
            m_plan.notes.back().arguments.emplace_back("micro", std::to_string(point.micro));
            m_plan.notes.back().arguments.emplace_back("problem", report->point.problem->code);
            point.fits = false;
            point.problem = report->point.problem;
            m_below = point.micro;
        }
        tell();
        return true;
    }

    /// Nothing where it was cancelled. `confirms`: the lanes of this point, over more windows.
    Result<std::optional<MicroTrialReport>> tryInChild(std::int64_t micro, const MicroPoint* confirms) {
        ACCUMULUS_TRY_ASSIGN(RunConfig config, trialConfig(m_request, micro));
        LaunchCommand command{{m_program, "plan", "-", "--trial", "--seed", std::to_string(m_request.seed)}};
        if (confirms) {
            command.arguments.emplace_back("--confirm");
            config.device.lanes = confirms->lanes;
            config.device.threads = confirms->threads;
        }
        if (m_stop.stop_requested())
            return std::nullopt;
        ACCUMULUS_TRY_ASSIGN(auto child, ChildProcess::start(command));
        ChildTalk talk(std::move(child));
        talk.say(runConfigJson(config) + "\n");
        std::string said;
        LastRemark remark;
        const ChildTalk::Take hear = [&](std::string_view line) {
            line.starts_with('{') ? void(said = line) : remark.hear(line);
        };
        const ChildTalk::Take remarked = [&](std::string_view line) { remark.hear(line); };
        while (talk.isOpen() && !m_stop.stop_requested()) {
            talk.exchange(hear, remarked);
            if (talk.isSaid())
                talk.child().in().close();
        }
        while (!talk.child().ended() && !m_stop.stop_requested())
            std::this_thread::sleep_for(glance);
        if (m_stop.stop_requested()) {
            talk.child().signal(SIGKILL); // nothing of it is worth an orderly end
            (void)talk.child().ended(true);
            return std::nullopt;
        }
        talk.finish(hear, remarked);
        return reportOf(said, remark.text(), *talk.child().ended(), micro);
    }

    /// Of a size that broke off a point that says so.
    Result<std::optional<MicroTrialReport>> reportOf(const std::string& said, const std::string& remark, int status,
                                                     std::int64_t micro) const {
        if (WIFEXITED(status) && !said.empty()) {
            ACCUMULUS_TRY_ASSIGN(auto report, trialFromJson(said));
            return report;
        }
        MicroTrialReport report;
        report.point.micro = micro;
        report.point.steps = stepsOf(m_plan.effective, micro);
        report.point.problem = brokenOff(status, remark);
        return report;
    }

    const PlanRequest& m_request;
    std::string m_program;
    std::stop_token m_stop;
    MicroSearch m_search;
    const PlanProgress& m_progress;
    MicroPlan m_plan;
    std::optional<std::int64_t> m_below; ///< a size that was not confirmed
};

} // namespace

Result<MicroPlan> planMicroBatch(const PlanRequest& request, const PlanProgress& progress, std::stop_token stop) {
    ACCUMULUS_TRY_ASSIGN(auto plan, emptyPlan(request));
    ACCUMULUS_TRY_ASSIGN(auto search, MicroSearch::create({plan.effective, request.ragged, request.sizes}));
    std::string program = request.program.empty() ? findCli() : request.program.string();
    if (program.empty())
        return failure("plan.program");
    return Sweep(request, std::move(program), std::move(stop), std::move(search), progress).run(std::move(plan));
}

} // namespace accumulus

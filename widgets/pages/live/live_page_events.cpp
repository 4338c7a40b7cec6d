// SPDX-License-Identifier: GPL-3.0-or-later
// What happens while a study trains, taken up by the Live page.
#include "widgets/pages/live/live_page_impl.h"
#include "widgets/style/format.h"

#include <algorithm>
#include <variant>

namespace accumulus::ui {
namespace {

/// The run that a held event is about.
std::string runOf(const RunEvent& event) {
    return std::visit(
        [](const auto& happened) -> std::string {
            if constexpr (requires { std::string(happened.run); })
                return happened.run;
            else
                return {};
        },
        event);
}

} // namespace

void LivePage::Impl::take(const std::vector<RunEvent>& events) {
    progress.take(events);
    fresh.clear();
    newEvaluations = newRuns = false;
    lastWindowSeconds = 0.0;
    for (const RunEvent& event : events)
        std::visit([this](const auto& happened) { handle(happened); }, event);
    if (newRuns) {
        refresh();
        return;
    }
    for (const auto& [run, from] : fresh)
        if (const RunCurves* run_ = curves.find(run))
            panels->appendWindows(*run_, from);
    if (newEvaluations)
        panels->rebuildEvaluations();
    if (!fresh.empty() && trainsShownStudy()) {
        header->windowClosed(lastWindowSeconds);
        header->setProgress(progress);
    }
}

void LivePage::Impl::handle(const StudyStarted& event) {
    forgetOther(event.study.id);
    wanted = event.study.id;
    endLoading();
    curves.start(event.study, event.runs);
    findArenaSize();
    newRuns = true;
}

void LivePage::Impl::handle(const RunStarted& event) {
    recovery->forget(event.run.id);
    std::erase_if(held, [&](const RunEvent& before) { return runOf(before) == event.run.id; }); // superseded
    if (event.run.study != curves.study().id) { // a run of an older study is resumed
        load(event.run.study);
        return;
    }
    const RunCurves* known = curves.find(event.run.id);
    const bool holes =
        event.windowsDone > 0 && (!known || known->window.empty() || known->window.back() < event.windowsDone);
    curves.start(event);
    newRuns = true;
    if (holes)
        load(event.run.study);
}

void LivePage::Impl::handle(const WindowClosed& event) {
    RunCurves* run = curves.find(event.run);
    if (!run)
        return hold(event);
    fresh.try_emplace(event.run, run->window.size());
    run->add(event.window);
    lastWindowSeconds = event.window.seconds;
}

void LivePage::Impl::handle(const MicroStepProbed& event) {
    if (RunCurves* run = curves.find(event.run))
        run->add(event.microStep);
    else
        hold(event);
}

void LivePage::Impl::handle(const Evaluated& event) {
    RunCurves* run = curves.find(event.run);
    if (!run)
        return hold(event);
    run->add(event.evaluation);
    newEvaluations = true;
}

void LivePage::Impl::handle(const RunNoted& event) {
    if (event.event.code == "launch.found")
        notice->clear();
    const bool isKnown = event.run.empty() || curves.find(event.run) != nullptr; // a study may not have begun
    if (!isKnown || (event.event.level == "info" && !event.run.empty()))
        return;
    tell({event.event.level, event.message});
}

void LivePage::Impl::tell(const Told& happened) {
    told = happened;
    notice->showNotice(happened.level == "error"  ? NoticeLevel::Error
                       : happened.level == "info" ? NoticeLevel::Info
                                                  : NoticeLevel::Warning,
                       format::note(happened.message));
}

void LivePage::Impl::handle(const RunStateChanged& event) {
    if (!curves.find(event.run))
        hold(event);
    setRunState(event.run, event.state);
}

void LivePage::Impl::handle(const RunFinished& event) {
    setRunState(event.run, event.state);
    RunCurves* known = curves.find(event.run);
    if (!known)
        return hold(event);
    known->run.summary = event.summary;
    if (!event.error)
        return;
    recovery->showFailed(failureOf(known->run, *event.error),
                         {curves.runs().front().run.config, curves.study().config});
}

/// With where it can go on from; that is in the library before anybody hears of the failure.
FailedRun LivePage::Impl::failureOf(const RunRecord& run, const Error& error) {
    FailedRun failed{run, error, std::nullopt};
    if (!services.library.isOpen())
        return failed;
    RunReader& reader = services.library.reader();
    if (const auto checkpoints = reader.checkpoints(run.id))
        for (const CheckpointRecord& saved : *checkpoints)
            if (!saved.bundlePath.empty())
                failed.update = std::max(failed.update.value_or(0), saved.update);
    const auto launch = reader.launchOf(run);
    failed.elsewhere = launch && launch->has_value();
    return failed;
}

} // namespace accumulus::ui

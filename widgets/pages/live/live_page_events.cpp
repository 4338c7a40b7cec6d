// SPDX-License-Identifier: GPL-3.0-or-later
// What happens while a study trains, taken up by the Live page.
#include "widgets/pages/live/live_page_impl.h"
#include "widgets/style/format.h"

#include <variant>

namespace accumulus::ui {

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
    curves.start(event.study, event.runs);
    findArenaSize();
    newRuns = true;
}

void LivePage::Impl::handle(const RunStarted& event) {
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
        return;
    fresh.try_emplace(event.run, run->window.size());
    run->add(event.window);
    lastWindowSeconds = event.window.seconds;
}

void LivePage::Impl::handle(const MicroStepProbed& event) {
    if (RunCurves* run = curves.find(event.run))
        run->add(event.microStep);
}

void LivePage::Impl::handle(const Evaluated& event) {
    RunCurves* run = curves.find(event.run);
    if (!run)
        return;
    run->add(event.evaluation);
    newEvaluations = true;
}

void LivePage::Impl::handle(const RunNoted& event) {
    if (event.event.code == "launch.found")
        notice->clear();
    const bool isKnown = event.run.empty() || curves.find(event.run) != nullptr; // a study may not have begun
    if (!isKnown || (event.event.level == "info" && !event.run.empty()))
        return;
    notice->showNotice(event.event.level == "error"  ? NoticeLevel::Error
                       : event.event.level == "info" ? NoticeLevel::Info
                                                     : NoticeLevel::Warning,
                       format::note(event.message));
}

void LivePage::Impl::handle(const RunStateChanged& event) { setRunState(event.run, event.state); }

void LivePage::Impl::handle(const RunFinished& event) {
    setRunState(event.run, event.state);
    RunCurves* known = curves.find(event.run);
    if (!known)
        return;
    known->run.summary = event.summary;
    if (!event.error)
        return;
    const auto saved = checkpoints.find(event.run);
    recovery->showFailed(
        {known->run, *event.error, saved == checkpoints.end() ? std::nullopt : std::optional(saved->second)},
        {curves.runs().front().run.config, curves.study().config});
}

void LivePage::Impl::handle(const CheckpointSaved& event) {
    if (!event.checkpoint.bundlePath.empty())
        checkpoints[event.run] = event.checkpoint.update;
}

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/awaited_seeds.h"

#include "core/run/study_runner.h"
#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/run_controller.h"

#include <algorithm>
#include <utility>

namespace accumulus::ui {
namespace {

/// Studies of one name may differ in nothing but their micro-batch.
bool trainsWhatWasAsked(const std::vector<RunRecord>& runs, const ExperimentConfig& asked) {
    const auto planned = planStudy(asked);
    const auto run = std::ranges::find(runs, Arm::Accumulated, &RunRecord::arm);
    return planned && !planned->empty() && run != runs.end() && run->config == planned->front().config;
}

} // namespace

AwaitedSeeds::AwaitedSeeds(LibraryGateway& library, RunController& runs) {
    connect(&library, &LibraryGateway::opened, this, [this] { m_asked.clear(); });
    connect(&runs.queue(), &StudyQueue::changed, this, [this, &runs] { follow(runs.queue()); });
    connect(&runs, &RunController::studyStarted, this,
            [this, &runs](const StudyRecord& study) { started(study, runs.runs()); });
    connect(&runs, &RunController::studyFinished, this, [this] { // what had its turn and is no study came to nothing
        std::erase_if(m_asked, [](const Asked& one) { return one.study.isEmpty() && one.place == Place::Training; });
    });
}

void AwaitedSeeds::ask(const ExperimentConfig& experiment, const PairChoice& by) {
    m_asked.push_back({experiment, by});
}

void AwaitedSeeds::forgetRefused() {
    std::erase_if(m_asked, [](const Asked& one) { return one.study.isEmpty() && one.place == Place::Nowhere; });
}

/// What has its turn leaves the queue before its study is told. What a person removed may come back by undo.
void AwaitedSeeds::follow(const StudyQueue& queue) {
    const auto holds = [](const std::vector<QueuedStudy>& studies, const ExperimentConfig& experiment) {
        return std::ranges::find(studies, experiment, &QueuedStudy::experiment) != studies.end();
    };
    const std::vector<QueuedStudy> kept = queue.kept();
    for (Asked& one : m_asked) {
        if (holds(queue.waiting(), one.experiment))
            one.place = Place::Queue;
        else if (holds(kept, one.experiment))
            one.place = Place::Training;
        else if (one.place == Place::Queue)
            one.place = Place::Removed;
    }
}

void AwaitedSeeds::started(const StudyRecord& study, const std::vector<RunRecord>& runs) {
    const auto asked = std::ranges::find_if(m_asked, [&](const Asked& one) {
        return one.study.isEmpty() && one.place != Place::Removed && one.experiment.study == study.config &&
               trainsWhatWasAsked(runs, one.experiment);
    });
    if (asked != m_asked.end())
        asked->study = QString::fromStdString(study.id);
}

QStringList AwaitedSeeds::studies() const {
    QStringList begun;
    for (const Asked& one : m_asked)
        if (!one.study.isEmpty())
            begun << one.study;
    return begun;
}

std::optional<PairChoice> AwaitedSeeds::take(const QString& study) {
    const auto asked =
        std::ranges::find_if(m_asked, [&study](const Asked& one) { return !study.isEmpty() && one.study == study; });
    if (asked == m_asked.end())
        return std::nullopt;
    PairChoice by = std::move(asked->by);
    m_asked.erase(asked);
    return by;
}

} // namespace accumulus::ui

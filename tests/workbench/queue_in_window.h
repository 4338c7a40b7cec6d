// SPDX-License-Identifier: GPL-3.0-or-later
// Studies that wait in the window, and what is stored of them.
#pragma once

#include "tests/workbench/workbench_fixture.h"

#include <QAction>
#include <QTableView>
#include <map>
#include <string>
#include <vector>

namespace accumulus::ui {

inline ExperimentConfig shortStudy(const char* name, std::int64_t updates = 4) {
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.data.dataset = "digits-generated";
    experiment.run.data.trainLimit = 320;
    experiment.run.data.testLimit = 50;
    experiment.run.batch.effective = 32;
    experiment.run.batch.micro = 8;
    experiment.run.train.length = {updates, Extent::Unit::Updates};
    experiment.run.device.threads = experiment.run.device.lanes = 1;
    experiment.run.evaluate.every = experiment.run.checkpoint.every = {0, Extent::Unit::Epochs}; // at the end
    experiment.study.name = name;
    experiment.study.seeds = {0, 1};
    return experiment;
}

constexpr std::int64_t endless = 1'000'000;

inline QStringList namesOf(const std::vector<QueuedStudy>& studies) {
    QStringList names;
    for (const QueuedStudy& study : studies)
        names << study.name;
    return names;
}

inline QStringList waiting(Application& workbench) { return namesOf(workbench.runs().queue().waiting()); }

inline QStringList stored(const std::filesystem::path& library) {
    RunReader reader(Library::open(library, Library::Mode::Read).value());
    QStringList names;
    const std::vector<QueueRecord> queue = reader.queue().value();
    for (const QueueRecord& record : queue)
        names << QString::fromStdString(record.name);
    return names;
}

/// A study that trains for ever, and three that wait for it.
inline void startAndQueue(Application& workbench) {
    RunController& runs = workbench.runs();
    runs.start(shortStudy("endless", endless));
    for (const char* name : {"one", "two", "three"})
        runs.start(shortStudy(name));
    QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, runTimeout);
}

inline std::map<std::string, std::vector<RunRecord>> runsByStudy(WorkbenchFixture& fixture) {
    RunReader& reader = fixture.workbench().library().reader();
    std::map<std::string, std::vector<RunRecord>> found;
    const std::vector<StudyRecord> studies = reader.studies().value();
    for (const StudyRecord& study : studies)
        found[study.name] = reader.runs({.trashed = false, .study = study.id}).value();
    return found;
}

inline QTableView* openQueue(WorkbenchFixture& fixture) {
    fixture.find<QAction>("actionShowQueue")->trigger();
    auto* table = fixture.find<QTableView>("queueTable");
    [&] { QVERIFY(table->isVisible()); }();
    return table;
}

inline QString cell(const QTableView& table, int row, int column) {
    return table.model()->index(row, column).data().toString();
}

inline void stopAll(WorkbenchFixture& fixture) {
    fixture.workbench().runs().queue().setPaused(true);
    fixture.workbench().runs().stopNow();
    fixture.waitUntilIdle(runTimeout);
}

} // namespace accumulus::ui

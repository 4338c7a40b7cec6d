// SPDX-License-Identifier: GPL-3.0-or-later
// More seeds that were asked for on the Compare page, until the groups that asked have them. They belong to the library
// and outlive the page, which is made anew for another language. GUI thread.
#pragma once

#include "core/config/experiment_config.h"
#include "core/store/run_records.h"
#include "widgets/models/comparison_loader.h"

#include <QObject>
#include <optional>
#include <vector>

namespace accumulus::ui {

class LibraryGateway;
class RunController;
class StudyQueue;

class AwaitedSeeds : public QObject {
    Q_OBJECT
public:
    AwaitedSeeds(LibraryGateway& library, RunController& runs); // forgets with another library

    /// `by`: the groups that the seeds are for, the accumulated one first. To be told before the study is queued.
    void ask(const ExperimentConfig& experiment, const PairChoice& by);
    void forgetRefused(); ///< what was asked for and is not in the queue: nobody trains it
    /// `runs`: of the study. It answers the first that asked for just these.
    void started(const StudyRecord& study, const std::vector<RunRecord>& runs);
    [[nodiscard]] QStringList studies() const; ///< that have begun, the one that was asked for first in front
    /// For whom the study trains, once; empty where nobody waits for it.
    [[nodiscard]] std::optional<PairChoice> take(const QString& study);

private:
    enum class Place { Nowhere, Queue, Removed, Training };
    struct Asked {
        ExperimentConfig experiment;
        PairChoice by;
        Place place = Place::Nowhere; ///< until the study is known
        QString study{};              ///< empty until it begins
    };
    void follow(const StudyQueue& queue);
    std::vector<Asked> m_asked;
};

} // namespace accumulus::ui

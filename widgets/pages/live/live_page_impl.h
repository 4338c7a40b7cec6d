// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the Live page: what its sources share. GUI thread.
#pragma once

#include "widgets/models/run_progress.h"
#include "widgets/pages/live/live_controls.h"
#include "widgets/pages/live/live_curves.h"
#include "widgets/pages/live/live_header.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/pages/live/live_panels.h"
#include "widgets/pages/live/live_recovery.h"
#include "widgets/style/controls.h"

#include <QTimer>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QStackedLayout;

namespace accumulus::ui {

struct LivePage::Impl {
    Impl(LivePage& owner, Services given);

    void take(const std::vector<RunEvent>& events);
    void handle(const StudyStarted& event);
    void handle(const RunStarted& event);
    void handle(const WindowClosed& event);
    void handle(const MicroStepProbed& event);
    void handle(const Evaluated& event);
    void handle(const RunNoted& event);
    void handle(const RunStateChanged& event);
    void handle(const RunFinished& event);
    template <class Other>
    void handle(const Other&) {}

    /// Of a run that is not shown: what is on its way from the library may lack it.
    template <class Event>
    void hold(const Event& event) {
        if (!loading.empty())
            held.emplace_back(event);
    }
    void install(LoadedStudy loaded);
    void endLoading(); ///< and forgets what was held

    void load(const std::string& study);
    void forgetOther(const std::string& study); ///< of a study that was shown before: warnings, zoom
    void choose(const std::string& study, const QStringList& runs);
    [[nodiscard]] FailedRun failureOf(const RunRecord& run, const Error& error);
    void findArenaSize(); ///< for runs on several ranks, of a study that was not loaded
    void followLibrary();
    void readRuns(); ///< what a person may have changed
    void refresh();  ///< header and panels after runs came or changed
    void refreshHeader();
    void showWhatThereIs(); ///< page or empty state
    void showFailedLoad(const Error& error);
    void showEmptyTexts(); ///< those of a page without curves
    [[nodiscard]] bool trainsShownStudy() const;
    [[nodiscard]] bool prepares() const; ///< a study that is not in the library yet, or looks for runs that go on
    [[nodiscard]] QStringList unfinished() const; ///< runs of the shown study that can go on
    void setRunState(const std::string& run, RunState state);
    [[nodiscard]] QString inspected() const;
    void tellInspected();

    /// Something that happened and is told on the page.
    struct Told {
        std::string level;
        Message message;
    };
    void tell(const Told& happened);
    /// What a page before this one showed of a study, until its curves are there.
    struct Kept {
        std::string study;
        std::vector<PlotViewpoint> viewpoints;
        std::optional<Told> told;
    };

    LivePage& page;
    Services services;
    LiveCurves curves;
    RunProgress progress;
    bool failedLoad = false;                  ///< of what is wanted; the notice says so
    std::string wanted;                       ///< study asked for; its curves may still be on their way
    std::map<std::string, std::size_t> fresh; ///< first new row of each run in this batch of events
    bool newEvaluations = false;
    bool newRuns = false;
    double lastWindowSeconds = 0.0;
    std::string loading;        ///< study on its way from the library
    std::vector<RunEvent> held; ///< since it was asked for
    std::string chosenOf;       ///< study whose runs stand out, if any do
    std::optional<Told> told;   ///< on the notice, unless that is closed or says why a study could not be read
    std::optional<Kept> kept;
    QTimer refreshSoon;    ///< readRuns(), while the library changes
    std::string pointedAt; ///< run whose curve was pointed at last
    QString toldRun;       ///< of inspectedRunChanged()

    QStackedLayout* stack;
    EmptyState* empty;
    NoticeBar* notice;
    NoticeBar* chosenBar; ///< says which runs stand out
    LiveRecovery* recovery;
    LiveHeader* header;
    LiveControls* controls;
    LivePanels* panels;
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What pages ask of each other and of the window, and which one is in front. A page speaks by signals of its own; its
// entry in the table of pages (page_table.cpp) connects them to these, so that no page knows another one, and the
// window none. GUI thread.
#pragma once

#include "core/config/experiment_config.h"
#include "core/run/study_runner.h"
#include "widgets/models/comparison_loader.h"
#include "widgets/pages/page.h"

#include <QObject>
#include <QStringList>

class QStackedWidget;

namespace accumulus::ui {

class Navigator : public QObject {
    Q_OBJECT
public:
    /// `stack`: the pages, each added by who makes them; outlives the navigator.
    explicit Navigator(QStackedWidget& stack, QObject* parent = nullptr);

    void show(Page* page);
    [[nodiscard]] Page* current() const;

Q_SIGNALS:
    void shown(accumulus::ui::Page* page); ///< came to the front

    // For a page.
    void sessionBegan(); ///< the program has started: a page takes up what it has kept of the last session
    void setupRequested();
    void settingRequested(const QString& key);   ///< the field of Set up that holds it
    void filesBrought(const QStringList& files); ///< for the set-up
    void setupWanted();                          ///< setupChanged() answers
    void setupChanged(const accumulus::ExperimentConfig& experiment);
    void planRequested();                              ///< of the set-up, to be measured now
    void microBatchChosen(qint64 micro, qint64 steps); ///< for the set-up; its effective batch stays
    void setupOfRequested(const accumulus::ExperimentConfig& experiment);
    void newFromRunRequested(const accumulus::ExperimentConfig& experiment); ///< as the run had it
    void curvesRequested(const QString& study);                              ///< empty: of what is training
    void runCurvesRequested(const QString& study, const QStringList& runs);  ///< those runs before the others
    void studyComparisonRequested(const QString& study);
    void comparisonRequested(const QStringList& groupA, const QStringList& groupB);
    void groupRequested(const QStringList& runs);              ///< one more, of what is compared already
    void comparedGroupsWanted();                               ///< comparedGroupsTold() answers
    void comparedGroupsTold(const QList<QStringList>& groups); ///< also when they change
    void runReportRequested(const QString& run);
    void auditReportRequested(const QString& audit, const QString& title);
    void comparisonReportRequested(const accumulus::ui::ComparisonRequest& request);
    void reportsRequested();
    void setupAsked(); ///< what stands in Set up; setupTold() answers
    void setupTold(const accumulus::ExperimentConfig& experiment);
    void setupAuditRequested(const accumulus::ExperimentConfig& experiment);
    void runAuditRequested(const QString& run);
    void runsRequested(const QString& filter);
    void runEventsRequested(const QString& run);

    // For the window.
    void startRequested(const accumulus::ExperimentConfig& experiment);
    void queueRequested(const accumulus::ExperimentConfig& experiment);
    void startElsewhereRequested(const accumulus::ExperimentConfig& experiment, const accumulus::LaunchPlace& place);
    void resumeRequested(const QStringList& runs);
    void smallerPartsRequested(const QStringList& runs); ///< resume them so
    void demoRequested();
    void examplesRequested();
    void openLibraryRequested();
    void libraryBrought(const QString& file);
    void deviceInspected(const accumulus::DeviceSummary& device);
    void comparisonShown();

private:
    QStackedWidget& m_stack;
};

} // namespace accumulus::ui

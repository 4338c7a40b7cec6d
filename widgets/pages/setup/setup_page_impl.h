// SPDX-License-Identifier: GPL-3.0-or-later
// State of the set-up page, shared by its source files. Not part of its interface. GUI thread.
#pragma once

#include "core/base/machine_features.h"
#include "core/launch/launch_command.h"
#include "core/run/file_settings.h"
#include "widgets/models/brought_files.h"
#include "widgets/models/preset_list.h"
#include "widgets/models/setup_draft.h"
#include "widgets/models/setup_time.h"
#include "widgets/models/start_checks.h"
#include "widgets/pages/setup/preset_dialog.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/pages/setup/setup_view.h"

#include <QPointer>
#include <QTimer>
#include <functional>
#include <string>
#include <vector>

namespace accumulus::ui {

/// What a page that is made anew, for another language, goes on with.
struct SetupPageState {
    FormHistory history;
    std::vector<RunConfig> settled;
    std::optional<ModelConfig> keptNorm;
};

struct SetupPage::Impl {
    Impl(SetupPage& owner, Services given, SetupQueries queries)
        : page(owner), services(given), form(newExperiment()), settled{form.config().run},
          memory(given.library, queries.memory), time(given.library), starts(queries.start), facts(std::move(queries)),
          presets(given.library, presetFolder()), draft(setupDraftFile()) {}

    void build();
    void watchFields(const QWidget* within); ///< whose keys and drops are the page's
    void connectSummary();
    void refresh();
    [[nodiscard]] std::vector<Finding> refusals() const;
    void showRefused(const std::vector<Finding>& refused);
    void requestAudit();
    void markKept(std::vector<Finding>& findings) const;
    [[nodiscard]] std::vector<Finding> factFindings(const std::vector<Finding>& before) const;
    [[nodiscard]] QString blockedBy(const std::vector<Finding>& refused, const std::vector<Finding>& findings) const;
    void applyFix(const Finding& finding, const Fix& fix);
    void chooseSave();
    void chooseLoad();
    void report(const Status& status);
    void refuseFile(const Error& error); ///< nothing of it is in the form
    void settle(const RunConfig& run);
    void load(const FormContent& content);
    void restoreDraft(const ExperimentConfig& experiment);
    void keepDraft();
    /// A notice with a button; what it does.
    void offer(const QString& notice, const QString& action, std::function<void()> chosen);
    void askStarts();
    void chooseLibrary();
    void showPresets();
    void useFiles(const Result<FileSettings>& brought);
    [[nodiscard]] Status applyFiles(const FileSettings& brought);

    SetupPage& page;
    Services services;
    ConfigForm form;
    std::vector<RunConfig> settled;      ///< what was loaded or confirmed: its learning rate is good for its batch
    std::optional<ModelConfig> keptNorm; ///< the network whose BatchNorm stays although the arms differ by it
    SetupMemory memory;
    SetupTime time;
    StartChecks starts;
    SetupFacts facts;
    PresetList presets;
    QPointer<PresetDialog> presetDialog;
    QString preset; ///< that was loaded or saved last
    BroughtFiles files;
    SetupDraft draft;
    std::function<void()> offered; ///< by the notice
    MachineFeatures machine = launchingFeatures();
    QTimer askTimer;
    QTimer startTimer; ///< disks and devices come and go
    SetupView* view = nullptr;
    QString blocked;      ///< why Start is; empty: it is not
    QString queueBlocked; ///< the same of the queue
    QString refusedText;  ///< the first text that is no value, and why; empty: there is none
};

} // namespace accumulus::ui

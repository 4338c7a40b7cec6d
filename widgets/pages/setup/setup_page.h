// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/experiment_config.h"
#include "widgets/models/form_start.h"
#include "widgets/models/setup_facts.h"
#include "widgets/pages/page.h"

#include <filesystem>
#include <memory>

namespace accumulus::ui {

/// The form for an experiment: sections on the left, on the right a summary whose buttons never scroll away. Errors
/// appear beside their field and in the summary; while there is one, nothing can be started.
class SetupPage : public Page {
    Q_OBJECT
public:
    /// `queries`: where data set, model size and device are looked up; the engine itself unless a test says otherwise.
    explicit SetupPage(Services services, QWidget* parent = nullptr, SetupQueries queries = engineQueries());
    ~SetupPage() override;
    /// Compared with a new experiment: what differs is marked as changed. Can be undone.
    void setExperiment(const ExperimentConfig& experiment);
    void startFrom(const FormStart& start); ///< a run, file or preset, and compared with it; can be undone
    [[nodiscard]] ExperimentConfig experiment() const;
    [[nodiscard]] bool canStart() const;
    void activated() override;
    void beginSession();       ///< fills the form as it was when the program ended, and says so
    void saveEdits() override; ///< for the next session

    /// What the buttons do, for menus and shortcuts.
    void start();   ///< announces startRequested when nothing is wrong
    void enqueue(); ///< the same for queueRequested
    [[nodiscard]] bool canUndo() const override;
    [[nodiscard]] bool canRedo() const override;
    [[nodiscard]] QString undoText() const override;
    [[nodiscard]] QString redoText() const override;
    void undo() override;
    void redo() override;
    [[nodiscard]] QVariant state() const override; ///< the form's content
    void setState(const QVariant& state) override;
    void copyCommand();
    void focusSetting(const QString& key); ///< the keyboard goes to its field, which is opened where it is folded
    /// m and K of a plan; B stays. A size that does not divide B allows a smaller last micro-batch.
    void useMicroBatch(qint64 micro, qint64 steps);
    /// Files that a person brings: networks, weights and data become settings, an experiment fills the form, a library
    /// is offered. What a file is, is found out in the background; a notice says it. One edit of the history.
    void openFiles(const QStringList& files);
    [[nodiscard]] Status saveExperiment(const std::filesystem::path& file);
    [[nodiscard]] Status loadExperiment(const std::filesystem::path& file);

Q_SIGNALS:
    void experimentChanged(const accumulus::ExperimentConfig& experiment);
    void openLibraryRequested(const QString& file); ///< that was brought
    void planRequested();                           ///< of this experiment, to be measured now
    void startRequested(const accumulus::ExperimentConfig& experiment);
    void queueRequested(const accumulus::ExperimentConfig& experiment);
    void auditRequested(const accumulus::ExperimentConfig& experiment);
    void startElsewhereRequested(const accumulus::ExperimentConfig& experiment, const accumulus::LaunchPlace& place);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fillMenus();

    [[nodiscard]] bool takes(const QKeyEvent& key) const; ///< of the page's own keys, and there is something to do
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui

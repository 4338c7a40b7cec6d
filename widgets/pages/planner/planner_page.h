// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/experiment_config.h"
#include "widgets/bridge/plan_runner.h"
#include "widgets/pages/page.h"

#include <memory>

namespace accumulus::ui {

/// Which micro-batch: measures the sizes that make up the effective batch of the set-up, shows memory and speed of each
/// and recommends one. What was measured before for the same configuration is shown at once.
class PlannerPage : public Page {
    Q_OBJECT
public:
    /// `source`: who measures; the engine itself unless a test says otherwise.
    explicit PlannerPage(Services services, QWidget* parent = nullptr, PlanSource source = enginePlans());
    ~PlannerPage() override;
    void activated() override; ///< asks for the experiment

    void setExperiment(const ExperimentConfig& experiment); ///< what is planned next
    void start();
    void cancel();
    [[nodiscard]] bool busy() const override;
    [[nodiscard]] QVariant state() const override; ///< with the sweep that is going on
    void setState(const QVariant& state) override;

Q_SIGNALS:
    void experimentWanted(); ///< setExperiment() answers
    void setupRequested();
    void settingRequested(const QString& key); ///< to be changed in Set up
    void microBatchChosen(qint64 micro, qint64 steps);
    void planned(); ///< a plan is in the library

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/experiment_config.h"
#include "widgets/pages/page.h"

#include <memory>

namespace accumulus::ui {

/// The form for an experiment: sections on the left, a summary that never scrolls away on the right.
class SetupPage : public Page {
    Q_OBJECT
public:
    explicit SetupPage(Services services, QWidget* parent = nullptr);
    ~SetupPage() override;
    void setExperiment(const ExperimentConfig& experiment); ///< "New from run", presets
    [[nodiscard]] ExperimentConfig experiment() const;

Q_SIGNALS:
    void startRequested(const accumulus::ExperimentConfig& experiment);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui

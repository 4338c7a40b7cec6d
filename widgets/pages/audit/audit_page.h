// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/experiment_config.h"
#include "widgets/bridge/audit_runner.h"
#include "widgets/pages/page.h"

#include <memory>

namespace accumulus::ui {

/// Is the gradient that a loop accumulates that of the large batch? Audits the set-up or a run's checkpoint, shows the
/// result in words, weights, curves and a table, and a gallery of known mistakes that can be built in.
class AuditPage : public Page {
    Q_OBJECT
public:
    /// `engine`: who computes; the one that trains unless a test says otherwise.
    explicit AuditPage(Services services, QWidget* parent = nullptr, AuditEngine engine = trainingAudits());
    ~AuditPage() override;

    void setSetup(const ExperimentConfig& experiment);   ///< what Set up holds now
    void auditSetup(const ExperimentConfig& experiment); ///< chooses it and begins
    void chooseRun(const QString& run);                  ///< shows what is known of it; begins nothing
    void activated() override;                           ///< asks for the set-up
    [[nodiscard]] bool busy() const override;
    [[nodiscard]] QVariant state() const override;
    void setState(const QVariant& state) override;                      ///< an audit that is computed goes on
    [[nodiscard]] std::optional<QString> inspectedRun() const override; ///< of an audit of a run

Q_SIGNALS:
    void setupWanted();                                               ///< answered by setSetup()
    void auditShown();                                                ///< a result is on the page
    void reportRequested(const QString& audit, const QString& title); ///< UUID of the audit in the library

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui

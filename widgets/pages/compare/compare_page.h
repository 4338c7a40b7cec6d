// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pages/page.h"

#include <QStringList>
#include <memory>

namespace accumulus::ui {

/// Two groups of runs: mean and band per arm, difference A - B, verdict card, differing settings. Follows a study that
/// is still training.
class ComparePage : public Page {
    Q_OBJECT
public:
    explicit ComparePage(Services services, QWidget* parent = nullptr);
    ~ComparePage() override;
    void activated() override;
    [[nodiscard]] QVariant state() const override; ///< what is compared, and how
    void setState(const QVariant& state) override;
    void compareStudy(const QString& study);
    void compareGroups(const QStringList& groupA, const QStringList& groupB);

Q_SIGNALS:
    void setupRequested();
    /// `metric` empty and `margin` 0 stand for what the study says.
    void reportRequested(const QStringList& groupA, const QStringList& groupB, const QString& metric, double margin);
    void moreSeedsRequested(const accumulus::ExperimentConfig& experiment);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui

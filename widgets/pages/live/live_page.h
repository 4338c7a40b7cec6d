// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pages/page.h"

#include <memory>

namespace accumulus::ui {

/// Curves of the running study while it trains; both arms of a pair overlaid. Opened in mid-run it reads the library
/// first, then follows.
class LivePage : public Page {
    Q_OBJECT
public:
    explicit LivePage(Services services, QWidget* parent = nullptr);
    ~LivePage() override;
    void activated() override;
    void resetLayout() override;
    /// A finished study from the library. `runs`: drawn before its others; empty: those of the newest seed.
    void showStudy(const QString& study, const QStringList& runs = {});
    [[nodiscard]] QVariant state() const override; ///< the study in training, and how far it has come
    [[nodiscard]] double studyFraction() const;    ///< of the study that trains: 0 to 1
    void setState(const QVariant& state) override;
    /// Of the curve that was pointed at last; else the one that trains, or trained last.
    [[nodiscard]] std::optional<QString> inspectedRun() const override;

Q_SIGNALS:
    void setupRequested();
    void compareRequested(const QString& study);
    void resumeRequested(const QStringList& runs);
    void setupOfRequested(const accumulus::ExperimentConfig& experiment);
    void smallerPartsRequested(const QStringList& runs); ///< resume them so

protected:
    void keyPressEvent(QKeyEvent* event) override; ///< X cycles the x axis, S goes to the smoothing slider

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui

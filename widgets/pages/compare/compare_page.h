// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/models/comparison_loader.h"
#include "widgets/pages/page.h"

#include <QList>
#include <QStringList>
#include <memory>

namespace accumulus::ui {

/// Two to eight groups of runs, each compared with the reference: mean and band of each, differences, verdicts,
/// differing settings. Follows a study that is still training. The groups can be edited, what is compared can be saved;
/// what was compared last comes back after a restart.
class ComparePage : public Page {
    Q_OBJECT
public:
    explicit ComparePage(Services services, QWidget* parent = nullptr);
    ~ComparePage() override;
    void activated() override;
    [[nodiscard]] QVariant state() const override; ///< what is compared, and how it is looked at
    [[nodiscard]] ComparisonRequest request() const;
    void setState(const QVariant& state) override;
    /// Of what was compared. Edits of the library, such as a comparison that is deleted, are undone everywhere; the
    /// later of both comes first.
    [[nodiscard]] bool canUndo() const override;
    [[nodiscard]] bool canRedo() const override;
    [[nodiscard]] QString undoText() const override;
    [[nodiscard]] QString redoText() const override;
    void undo() override;
    void redo() override;
    void compare(const ComparisonRequest& wanted);
    void compareStudy(const QString& study);
    void compareGroups(const QStringList& groupA, const QStringList& groupB);
    /// One more group, of those of these runs that are in none yet. Without runs: a group to be filled.
    void addGroup(const QStringList& runs);
    /// A first; none while nothing is compared. Groups without runs are to be filled.
    [[nodiscard]] QList<QStringList> comparedGroups() const;
    /// Of the seed's row or the single trace that was chosen last.
    [[nodiscard]] std::optional<QString> inspectedRun() const override;

protected:
    void keyPressEvent(QKeyEvent* event) override; ///< X cycles the x axis, S goes to the smoothing slider

Q_SIGNALS:
    void comparedGroupsChanged(const QList<QStringList>& groups);
    void setupRequested();
    void reportRequested(const accumulus::ui::ComparisonRequest& request);
    void moreSeedsRequested(const accumulus::ExperimentConfig& experiment);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus::ui

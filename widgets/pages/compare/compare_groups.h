// SPDX-License-Identifier: GPL-3.0-or-later
// Who is compared: both groups with their seeds, check marks for those that form a pair, and every run left out with
// its reason. GUI thread.
#pragma once

#include "widgets/models/comparison_loader.h"
#include "widgets/style/controls.h"

#include <QStringList>

namespace accumulus::ui {

class CompareGroups : public Card {
    Q_OBJECT
public:
    explicit CompareGroups(const Theme& theme, QWidget* parent = nullptr);
    void setComparison(const LoadedComparison& loaded);
    [[nodiscard]] const QStringList& leftOut() const { return m_left; } ///< a sentence for each run

private:
    class Swatch;
    struct Group {
        Swatch* swatch = nullptr;
        RoleLabel* title = nullptr;
        RoleLabel* seeds = nullptr;
    };
    [[nodiscard]] Group addGroup(const QString& name);
    void fill(const Group& group, const QString& letter, const std::vector<ComparedRun>& runs,
              const Comparison& comparison);

    const Theme& m_theme;
    Group m_a, m_b;
    RoleLabel* m_unpairedTitle;
    RoleLabel* m_unpaired;
    QStringList m_left;
};

} // namespace accumulus::ui

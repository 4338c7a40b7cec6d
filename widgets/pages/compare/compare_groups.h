// SPDX-License-Identifier: GPL-3.0-or-later
// Who is compared: each group with its seeds, check marks for those that form a pair, and every run left out with its
// reason; the way to more groups, to fewer, and to another reference. Knows no library. GUI thread.
#pragma once

#include "widgets/models/comparison_loader.h"
#include "widgets/plots/group_look.h"
#include "widgets/style/controls.h"

#include <QStringList>
#include <vector>

class QComboBox;
class QPushButton;
class QToolButton;

namespace accumulus::ui {

class CompareGroups : public Card {
    Q_OBJECT
public:
    explicit CompareGroups(const Theme& theme, QWidget* parent = nullptr);
    void setComparison(const LoadedComparison& loaded);
    /// Groups that can be added: of these pairs, unless they are compared already.
    void setSuggestions(const std::vector<PairChoice>& choices, const QList<QStringList>& compared);
    [[nodiscard]] const QStringList& leftOut() const { return m_left; } ///< a sentence for each run

Q_SIGNALS:
    void addRequested(const QStringList& runs); ///< empty: a group without runs
    void removeRequested(std::size_t group);
    void referenceChosen(std::size_t group);

private:
    class Swatch;
    struct Group {
        QWidget* row = nullptr;
        Swatch* swatch = nullptr;
        RoleLabel* title = nullptr;
        RoleLabel* seeds = nullptr;
        QToolButton* remove = nullptr;
    };
    void buildActions();
    void addRow();
    void fill(std::size_t group, const LoadedComparison& loaded);
    void fillReferences(const ComparisonInput& input);
    void recolor();

    const Theme& m_theme;
    std::vector<Group> m_groups; ///< as many as there ever were; those too many are hidden
    QVBoxLayout* m_rows;
    ComparisonInput m_looks; ///< first runs of the groups: what their looks follow from
    QPushButton* m_add;
    QWidget* m_referenceRow;
    QComboBox* m_reference;
    RoleLabel* m_unpairedTitle;
    RoleLabel* m_unpaired;
    QStringList m_left;
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The form's five sections. Which settings a section shows at once and which under "More" is one table in the .cpp; a
// row of the field table that it does not name appears under "More" of its section by itself, so every setting can be
// reached. GUI thread.
#pragma once

#include "widgets/pages/setup/field_editor.h"
#include "widgets/pages/setup/finding_list.h"
#include "widgets/style/controls.h"

#include <string>
#include <vector>

class QGridLayout;
class QToolButton;

namespace accumulus::ui {

struct SectionPlan {
    QString id; ///< "batch"; object name "setup.section.batch"
    QString title;
    std::vector<std::string> basic;
    std::vector<std::string> more;
    std::vector<std::string> own; ///< settings whose widgets the page adds itself
};

/// The five sections with every key of the field table in exactly one of them.
[[nodiscard]] std::vector<SectionPlan> sectionPlans();

/// Label, editor, what is wrong with it.
class FieldCell : public QWidget {
    Q_OBJECT
public:
    FieldCell(const Theme& theme, const ConfigField& field, ConfigForm& form, QWidget* parent = nullptr);
    [[nodiscard]] const ConfigField& field() const { return m_field; }
    [[nodiscard]] FieldEditor* editor() const { return m_editor; }
    [[nodiscard]] FindingList* findings() const { return m_findings; }
    /// Does the setting matter now? Then it is shown.
    [[nodiscard]] bool applies() const;

private:
    void refresh();

    const Theme& m_theme;
    const ConfigField& m_field;
    ConfigForm& m_form;
    QLabel* m_label;
    FieldEditor* m_editor;
    RoleLabel* m_problem;
    FindingList* m_findings;
};

/// Cells in equal columns, as many as the width holds; those that do not apply are left out.
class FieldGrid : public QWidget {
    Q_OBJECT
public:
    explicit FieldGrid(QWidget* parent = nullptr);
    void add(FieldCell* cell);
    void reflow();
    [[nodiscard]] const std::vector<FieldCell*>& cells() const { return m_cells; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] int columnsFor(int width) const;

    std::vector<FieldCell*> m_cells;
    std::vector<FieldCell*> m_shown;
    QGridLayout* m_grid;
    int m_columns = 0;
};

class SetupSection : public Card {
    Q_OBJECT
public:
    SetupSection(const Theme& theme, SectionPlan plan, ConfigForm& form, QWidget* parent = nullptr);

    /// Space for the page's own widgets: before the fields and after them, above "More".
    [[nodiscard]] QVBoxLayout* head() const { return m_head; }
    [[nodiscard]] QVBoxLayout* tail() const { return m_tail; }
    /// Null: of another section. What lies under "More" is made when it is asked for first.
    [[nodiscard]] FieldCell* cell(const std::string& key);
    void showMore(bool on);
    /// Those of this section's settings appear beside them; "More" opens for an error.
    void showFindings(const std::vector<Finding>& findings);
    /// Shows this cell even when it lies under "More".
    void reveal(const FieldCell* cell);

Q_SIGNALS:
    void fixChosen(const accumulus::Finding& finding, const accumulus::Fix& fix);
    void fileChosen(const QString& file); ///< beside a path
    void cellsMade(QWidget* cells);       ///< of "More"

private:
    void refresh();
    void makeCells(FieldGrid& grid, const std::vector<std::string>& keys);
    void makeMore();
    [[nodiscard]] bool moreApplies() const;
    [[nodiscard]] std::vector<std::string> keys() const;

    const Theme& m_theme;
    SectionPlan m_plan;
    ConfigForm& m_form;
    QToolButton* m_reset;
    QToolButton* m_moreButton;
    QVBoxLayout* m_head;
    QVBoxLayout* m_tail;
    FieldGrid* m_basic;
    FieldGrid* m_more;
    bool m_open = false; ///< what lies under "More" is shown
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Tags and notes of several runs at once: shown while more than one is selected, written as one step to undo. What is
// left as it is stays as it is in each run. GUI thread.
#pragma once

#include "widgets/pages/library/library_edits.h"
#include "widgets/style/theme.h"

#include <QWidget>
#include <vector>

class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace accumulus::ui {

class RoleLabel;

class RunsEditor : public QWidget {
    Q_OBJECT
public:
    RunsEditor(const Theme& theme, LibraryEdits& edits, QWidget* parent = nullptr);

    /// The same runs once more keep what was typed.
    void showRuns(std::vector<RunRecord> runs, bool writable);
    void editTags();

private:
    void updateButtons();
    void apply();
    void revert();
    [[nodiscard]] LibraryEdits::Change change() const;

    LibraryEdits& m_edits;
    std::vector<RunRecord> m_runs;
    QStringList m_common; ///< tags that all of them have
    RoleLabel* m_title;
    RoleLabel* m_some;
    QLineEdit* m_tags;
    QPlainTextEdit* m_notes;
    QPushButton* m_apply;
    QPushButton* m_revert;
};

} // namespace accumulus::ui

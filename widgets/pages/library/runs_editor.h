// SPDX-License-Identifier: GPL-3.0-or-later
// Tags and notes of several runs at once: shown while more than one is selected, written as one step to undo. What is
// left as it is stays as it is in each run; what was typed and not applied waits for its runs. GUI thread.
#pragma once

#include "widgets/pages/library/library_edits.h"
#include "widgets/style/theme.h"

#include <QStringList>
#include <QVariant>
#include <QWidget>
#include <map>
#include <optional>
#include <set>
#include <string>
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

    /// The same runs once more, in any order, keep what was typed; others bring theirs back with them.
    void showRuns(std::vector<RunRecord> runs, bool writable);
    void editTags();
    [[nodiscard]] bool hasUnsaved() const;     ///< typed, and not applied: for these runs or for others
    void forget();                             ///< what belongs to the library that was open before
    void leave();                              ///< nothing is shown here; what was typed waits for its runs
    [[nodiscard]] QStringList waiting() const; ///< runs of the first draft that waits; empty: none does
    [[nodiscard]] int waitingRuns() const;     ///< of all of them
    void discardWaiting();
    void keepOnly(const std::set<std::string>& listed); ///< the others are gone, or in the Trash
    /// All that is typed and not applied, for the editor of another window on the same library.
    [[nodiscard]] QVariant drafts() const;
    void takeOver(const QVariant& drafts); ///< what drafts() of another editor gave; nothing is shown here yet

Q_SIGNALS:
    void waitingChanged();

private:
    using Ids = std::set<std::string>;
    struct Draft { ///< what stands in the fields
        QString tags;
        std::optional<QString> notes;
    };

    [[nodiscard]] Ids ids() const;
    void keepDraft(const Ids& runs);
    void bringDraft(); ///< of the runs that are shown, if there is one
    void updateButtons();
    void apply();
    /// What could not be written stands in the fields again, or waits for its runs.
    void comeBack(const std::vector<RunRecord>& runs, const Draft& draft);
    void revert();
    QStringList takeTags();
    [[nodiscard]] LibraryEdits::Change change() const;

    LibraryEdits& m_edits;
    std::vector<RunRecord> m_runs; ///< as they will be once all edits are written
    std::map<Ids, Draft> m_drafts; ///< of other runs
    int m_writing = 0;             ///< edits on their way
    QStringList m_common;          ///< tags that all of them have
    QString m_tagsShown;           ///< the same as a line, before anything was typed
    RoleLabel* m_title;
    RoleLabel* m_some;
    QLineEdit* m_tags;
    QPlainTextEdit* m_notes;
    QPushButton* m_apply;
    QPushButton* m_revert;
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The steps from one comparison to another that can be taken back. Values only: the page that asks puts them on screen,
// so that they outlive it when the window is made anew for another language. Belongs to the library; what a person
// changes in the library has a history of its own (LibraryEdits), and the later of both is undone first. GUI thread.
#pragma once

#include "widgets/models/comparison_loader.h"

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

class QUndoStack;

namespace accumulus::ui {

class LibraryGateway;

/// What is compared, and the margin of the saved comparison that it was opened from.
struct Compared {
    ComparisonRequest request;
    double savedMargin = 0.0; ///< 0: it was its own, or nothing was opened
    double savedMarginSetAt = 0.0;
};

[[nodiscard]] bool sameGroups(const ComparisonRequest& one, const ComparisonRequest& other);
/// The metrics and the margin.
[[nodiscard]] bool sameQuestion(const ComparisonRequest& one, const ComparisonRequest& other);

class CompareHistory : public QObject {
    Q_OBJECT
public:
    struct Step {
        QString text;
        Compared before, after;
        bool otherQuestion = false; ///< metrics and margin go with the groups; else those of then stay
    };

    /// `edits`: of the library; both outlive it. Forgets with another library, and with other contents of this one.
    CompareHistory(LibraryGateway& library, const QUndoStack& edits);

    void push(Step step); ///< taken already; what could be redone is forgotten
    /// What it undoes next; null: nothing, or an edit of the library comes first.
    [[nodiscard]] const Step* undoStep() const;
    [[nodiscard]] const Step* redoStep() const;
    /// The step from `now` to what is to be compared then; the axis and the band stay. Steps that did not lead to what
    /// is compared now are forgotten. Empty: none is left.
    [[nodiscard]] std::optional<Step> undo(const Compared& now);
    [[nodiscard]] std::optional<Step> redo(const Compared& now);

Q_SIGNALS:
    void changed();

private:
    struct Taken {
        Step step;
        int edits = 0; ///< how many edits of the library were before it when it was taken last, here or there
    };
    [[nodiscard]] Step leave(Taken& taken, Compared& end, const Compared& now, const Compared& to) const;
    void clear();

    const QUndoStack& m_edits;
    std::vector<Taken> m_steps;
    std::size_t m_done = 0; ///< of them
};

} // namespace accumulus::ui

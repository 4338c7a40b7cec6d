// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/compare_history.h"

#include "widgets/bridge/library_gateway.h"

#include <QUndoStack>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

bool sameGroups(const ComparisonRequest& one, const ComparisonRequest& other) {
    return one.groups() == other.groups() && one.reference == other.reference;
}

bool sameQuestion(const ComparisonRequest& one, const ComparisonRequest& other) {
    return one.metric == other.metric && one.together == other.together && one.margin == other.margin &&
           one.marginSetAt == other.marginSetAt;
}

CompareHistory::CompareHistory(LibraryGateway& library, const QUndoStack& edits) : m_edits(edits) {
    connect(&library, &LibraryGateway::opened, this, &CompareHistory::clear);
    connect(&library, &LibraryGateway::replaced, this, &CompareHistory::clear);
    // What was undone there and is done again is later than any of ours.
    connect(&edits, &QUndoStack::indexChanged, this, [this](int index) {
        for (std::size_t step = 0; step < m_done; ++step)
            m_steps[step].edits = std::min(m_steps[step].edits, index);
    });
}

void CompareHistory::clear() {
    m_steps.clear();
    m_done = 0;
    Q_EMIT changed();
}

void CompareHistory::push(Step step) {
    m_steps.resize(m_done);
    m_steps.push_back({std::move(step), m_edits.index()});
    m_done = m_steps.size();
    Q_EMIT changed();
}

const CompareHistory::Step* CompareHistory::undoStep() const {
    if (m_done == 0 || (m_edits.canUndo() && m_edits.index() > m_steps[m_done - 1].edits))
        return nullptr;
    return &m_steps[m_done - 1].step;
}

const CompareHistory::Step* CompareHistory::redoStep() const {
    if (m_done == m_steps.size() || (m_edits.canRedo() && m_edits.index() < m_steps[m_done].edits))
        return nullptr;
    return &m_steps[m_done].step;
}

/// How it is drawn stays as it is by then, and so does the question unless the step asks another. The end that is left
/// keeps what was typed there, for the way back.
CompareHistory::Step CompareHistory::leave(Taken& taken, Compared& end, const Compared& now, const Compared& to) const {
    end = now;
    taken.edits = m_edits.index();
    Step step{taken.step.text, now, taken.step.otherQuestion ? to : now, taken.step.otherQuestion};
    ComparisonRequest& next = step.after.request;
    next.setGroups(to.request.groups(), to.request.reference);
    next.axis = now.request.axis;
    next.band = now.request.band;
    next.lossSmoothing = now.request.lossSmoothing;
    return step;
}

std::optional<CompareHistory::Step> CompareHistory::undo(const Compared& now) {
    while (m_done > 0 && !sameGroups(m_steps[m_done - 1].step.after.request, now.request))
        m_steps.resize(--m_done); // it came to nothing, as where its runs could not be read
    std::optional<Step> step;
    if (m_done > 0) {
        Taken& taken = m_steps[--m_done];
        step = leave(taken, taken.step.after, now, taken.step.before);
    }
    Q_EMIT changed();
    return step;
}

std::optional<CompareHistory::Step> CompareHistory::redo(const Compared& now) {
    if (m_done < m_steps.size() && !sameGroups(m_steps[m_done].step.before.request, now.request))
        m_steps.resize(m_done);
    std::optional<Step> step;
    if (m_done < m_steps.size()) {
        Taken& taken = m_steps[m_done++];
        step = leave(taken, taken.step.before, now, taken.step.after);
    }
    Q_EMIT changed();
    return step;
}

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of the page: edited, added, removed, and which one the others are compared with.
#include "widgets/models/comparison_text.h"
#include "widgets/pages/compare/compare_page_impl.h"
#include "widgets/pages/library/library_edits.h"

#include <QPushButton>
#include <QUndoCommand>
#include <algorithm>
#include <functional>

namespace accumulus::ui {

namespace {

struct GroupList {
    QList<QStringList> groups;
    std::size_t reference = 1;
    bool operator==(const GroupList&) const = default;
};

/// Of a page that may be gone by then, as the window is rebuilt in another language, or may compare something else.
class GroupsCommand : public QUndoCommand {
public:
    /// From the first to the second. False: the page is gone or is not at the first any more.
    using Show = std::function<bool(const GroupList&, const GroupList&)>;
    GroupsCommand(const QString& text, GroupList before, GroupList after, Show show)
        : QUndoCommand(text), m_before(std::move(before)), m_after(std::move(after)), m_show(std::move(show)) {}

    void redo() override { setObsolete(!m_show(m_before, m_after)); }
    void undo() override { setObsolete(!m_show(m_after, m_before)); }

private:
    GroupList m_before, m_after;
    Show m_show;
};

} // namespace

/// The margin, the metric and how it is drawn stay: another seed is no other question.
void ComparePage::Impl::editGroups(const QList<QStringList>& groups, std::size_t reference) {
    request.setGroups(groups, reference);
    bannerText.clear();
    editor->setGroups(request.groups());
    if (hasGroups()) {
        load();
    } else {
        shown.reset();
        editor->setLeftOut({});
    }
    loadChoices();
    showFace();
}

void ComparePage::Impl::changeGroups(const QString& text, const QList<QStringList>& groups, std::size_t reference) {
    const auto show = [this, host = QPointer<ComparePage>(&page)](const GroupList& from, const GroupList& to) {
        if (!host || from != GroupList{request.groups(), request.reference})
            return false;
        member = 0;
        editGroups(to.groups, to.reference);
        return true;
    };
    ComparisonRequest wanted; // as it will be: at most eight groups, of two B is the reference
    wanted.setGroups(groups, reference);
    LibraryEdits::of(library()).stack().push(
        new GroupsCommand(text, {request.groups(), request.reference}, {wanted.groups(), wanted.reference}, show));
}

void ComparePage::Impl::addGroup(const QStringList& runs) {
    QList<QStringList> groups = request.groups();
    QStringList added;
    for (const QString& run : runs) // a run is in one group at most
        if (std::ranges::none_of(groups, [&run](const QStringList& group) { return group.contains(run); }))
            added << run;
    const auto free = std::ranges::find_if(groups, [](const QStringList& group) { return group.isEmpty(); });
    if (added.isEmpty() && !runs.isEmpty()) {
        notice->showNotice(NoticeLevel::Info, tr("These runs are in a group already."));
        return;
    }
    if (groups.size() >= static_cast<qsizetype>(mostGroups) && (added.isEmpty() || free == groups.end())) {
        notice->showNotice(NoticeLevel::Info, tr("Eight groups are compared already. Remove one first."));
        return;
    }
    if (free != groups.end() && !added.isEmpty())
        *free = added;
    else
        groups << added;
    changeGroups(tr("Add a group"), groups, request.reference);
    if (added.isEmpty())
        runsButton->setChecked(true);
}

void ComparePage::Impl::removeGroup(std::size_t group) {
    QList<QStringList> groups = request.groups();
    if (groups.size() <= 2 || group >= static_cast<std::size_t>(groups.size()))
        return;
    groups.removeAt(static_cast<qsizetype>(group));
    // The reference stays the same group; where it is taken away, B takes its place.
    const std::size_t reference = request.reference == group  ? 1
                                  : request.reference > group ? request.reference - 1
                                                              : request.reference;
    changeGroups(tr("Remove a group"), groups, reference);
    toast->showNotice(NoticeLevel::Info,
                      tr("Group %1 is not compared any more.").arg(comparison_text::groupLetter(group)), tr("Undo"));
    toastEnd.start();
}

void ComparePage::Impl::chooseReference(std::size_t group) {
    if (group != request.reference)
        changeGroups(tr("Choose the reference"), request.groups(), group);
}

void ComparePage::Impl::tellGroups() {
    if (const QList<QStringList> groups = page.comparedGroups(); groups != told) {
        told = groups;
        Q_EMIT page.comparedGroupsChanged(groups);
    }
}

/// Each group that holds runs of these arms takes all of them.
void ComparePage::Impl::takeSeeds(const PairChoice& arms) {
    QList<QStringList> groups = request.groups();
    bool changed = false;
    for (QStringList& group : groups)
        for (const QStringList* arm : {&arms.groupA, &arms.groupB})
            if (arm->contains(group.value(0))) {
                group = *arm;
                changed = true;
                break;
            }
    if (!changed)
        return; // something else is compared by now
    ComparisonRequest more = request;
    more.setGroups(groups, request.reference);
    compareAgain(more);
}

} // namespace accumulus::ui

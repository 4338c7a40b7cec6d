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

constexpr int kSeedsToAdd = 3;

bool sameGroups(const ComparisonRequest& one, const ComparisonRequest& other) {
    return one.groups() == other.groups() && one.reference == other.reference;
}

/// Another pair asks another question: its metric and its margin go with it.
void takeQuestion(ComparisonRequest& request, const ComparisonRequest& from) {
    request.metric = from.metric;
    request.together = from.together;
    request.margin = from.margin;
    request.marginSetAt = from.marginSetAt;
}

bool isAnyOf(const QStringList& runs, const QStringList& group) {
    return std::ranges::any_of(runs, [&group](const QString& run) { return group.contains(run); });
}

/// Of a page that may be gone by then, as the window is rebuilt in another language, or may compare something else.
class GroupsCommand : public QUndoCommand {
public:
    /// From the first to the second. False: the page is gone or is not at the first any more.
    using Show = std::function<bool(const ComparisonRequest&, const ComparisonRequest&)>;
    GroupsCommand(const QString& text, ComparisonRequest before, ComparisonRequest after, Show show)
        : QUndoCommand(text), m_before(std::move(before)), m_after(std::move(after)), m_show(std::move(show)) {}

    void redo() override { setObsolete(!m_show(m_before, m_after)); }
    void undo() override { setObsolete(!m_show(m_after, m_before)); }

private:
    ComparisonRequest m_before, m_after;
    Show m_show;
};

} // namespace

void ComparePage::Impl::edit(const ComparisonRequest& wanted) {
    request = wanted;
    member = 0;
    restored = false;
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

/// The margin, the metric and how it is drawn stay: another seed is no other question.
void ComparePage::Impl::changeGroups(const QString& text, const QList<QStringList>& groups, std::size_t reference) {
    ComparisonRequest wanted = request; // as it will be: at most eight groups, of two B is the reference
    wanted.setGroups(groups, reference);
    change(text, wanted);
}

/// How it is drawn stays as it is by then, and so does the question unless this step asks another.
void ComparePage::Impl::change(const QString& text, const ComparisonRequest& wanted) {
    ComparisonRequest sameQuestion = wanted;
    takeQuestion(sameQuestion, request);
    const bool otherQuestion = sameQuestion != wanted;
    const auto show = [this, host = QPointer<ComparePage>(&page), otherQuestion](const ComparisonRequest& from,
                                                                                 const ComparisonRequest& to) {
        if (!host || !sameGroups(from, request))
            return false;
        ComparisonRequest next = request;
        next.setGroups(to.groups(), to.reference);
        if (otherQuestion)
            takeQuestion(next, to);
        edit(next);
        return true;
    };
    LibraryEdits::of(library()).stack().push(new GroupsCommand(text, request, wanted, show));
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
    std::size_t reference = request.reference == group  ? 1
                            : request.reference > group ? request.reference - 1
                                                        : request.reference;
    if (groups.size() == 2 && reference == 0) { // of two it is B
        groups.swapItemsAt(0, 1);
        reference = 1;
    }
    changeGroups(tr("Remove a group"), groups, reference);
    toast->showNotice(NoticeLevel::Info,
                      tr("Group %1 is not compared any more.").arg(comparison_text::groupLetter(group)), tr("Undo"));
    toastEnd.start();
}

void ComparePage::Impl::chooseReference(std::size_t group) {
    const bool isEmpty = request.groups().value(static_cast<qsizetype>(group)).isEmpty();
    if (group != request.reference && !isEmpty)
        changeGroups(tr("Choose the reference"), request.groups(), group);
}

void ComparePage::Impl::tellGroups() {
    if (const QList<QStringList> groups = page.comparedGroups(); groups != told) {
        told = groups;
        Q_EMIT page.comparedGroupsChanged(groups);
    }
}

/// Each group that holds runs of these arms takes all of them.
/// A group whose study is another, as of a pair of two studies, takes the new runs beside its own.
void ComparePage::Impl::takeSeeds(const PairChoice& arms, const PairChoice& own) {
    QList<QStringList> groups = request.groups();
    const auto isThere = [&groups](const QStringList& asking) {
        return std::ranges::any_of(groups, [&](const QStringList& group) { return isAnyOf(asking, group); });
    };
    const bool pairIsThere = isThere(awaitedBy.groupA) && isThere(awaitedBy.groupB);
    for (QStringList& group : groups)
        for (const auto arm : {&PairChoice::groupA, &PairChoice::groupB}) {
            QStringList taken;
            if ((arms.*arm).contains(group.value(0)))
                taken = arms.*arm + group;
            else if (pairIsThere && isAnyOf(awaitedBy.*arm, group))
                taken = group + own.*arm;
            if (taken.isEmpty())
                continue;
            taken.removeDuplicates();
            group = taken;
            break;
        }
    if (groups == request.groups())
        return; // something else is compared by now
    ComparisonRequest more = request;
    more.setGroups(groups, request.reference);
    const std::size_t card = member; // the pairs are the same ones
    compareAgain(more);
    member = card;
}

/// The next seeds of the pair on the card.
void ComparePage::Impl::askForSeeds() {
    if (!shown)
        return;
    const auto experiment = moreSeeds(*shown, kSeedsToAdd, member);
    if (!experiment)
        return;
    awaited = experiment->study;
    const std::size_t group = shown->family.members[member].group;
    const auto& runs = groupAt(shown->input, group);
    const QList<QStringList> groups = shownRequest.groups();
    awaitedBy.groupA = groups.value(static_cast<qsizetype>(group));
    awaitedBy.groupB = groups.value(static_cast<qsizetype>(shown->input.reference));
    if (runs.front().arm != Arm::Accumulated)
        std::swap(awaitedBy.groupA, awaitedBy.groupB);
    Q_EMIT page.moreSeedsRequested(*experiment);
}

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of the page: edited, added, removed, and which one the others are compared with.
#include "widgets/models/comparison_text.h"
#include "widgets/pages/compare/awaited_seeds.h"
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
    request.member = member = 0;
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
void ComparePage::Impl::change(const QString& text, const ComparisonRequest& wanted, bool another) {
    ComparisonRequest sameQuestion = wanted;
    takeQuestion(sameQuestion, request);
    const bool otherQuestion = sameQuestion != wanted;
    const auto show = [this, host = QPointer<ComparePage>(&page), otherQuestion, another](const ComparisonRequest& from,
                                                                                          const ComparisonRequest& to) {
        if (!host || !sameGroups(from, request))
            return false;
        ComparisonRequest next = request;
        next.setGroups(to.groups(), to.reference);
        if (otherQuestion)
            takeQuestion(next, to);
        if (another)
            savedMargin = 0.0;
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

/// Where the group with this letter on screen is by now: while another comparison is read, letters may have moved on.
std::optional<std::size_t> ComparePage::Impl::currentIndex(std::size_t shownGroup) const {
    const QList<QStringList> there = (shown ? shownRequest : request).groups();
    const qsizetype index = request.groups().indexOf(there.value(static_cast<qsizetype>(shownGroup)));
    if (shownGroup >= static_cast<std::size_t>(there.size()) || index < 0)
        return std::nullopt;
    return static_cast<std::size_t>(index);
}

void ComparePage::Impl::removeGroup(std::size_t group) {
    QList<QStringList> groups = request.groups();
    const auto index = currentIndex(group);
    if (groups.size() <= 2 || !index)
        return;
    // The reference stays the same group; where it is taken away, B takes its place. Of two groups it is B. What has no
    // runs yet comes last.
    const QStringList kept =
        *index == request.reference ? QStringList() : groups.value(static_cast<qsizetype>(request.reference));
    groups.removeAt(static_cast<qsizetype>(*index));
    std::ranges::stable_partition(groups, [](const QStringList& runs) { return !runs.isEmpty(); });
    const qsizetype found = kept.isEmpty() ? -1 : groups.indexOf(kept);
    std::size_t reference = found < 0 ? 1 : static_cast<std::size_t>(found);
    if (groups.size() == 2 && reference == 0) {
        groups.swapItemsAt(0, 1);
        reference = 1;
    }
    changeGroups(tr("Remove a group"), groups, reference);
    toast->showNotice(NoticeLevel::Info,
                      tr("Group %1 is not compared any more.").arg(comparison_text::groupLetter(group)), tr("Undo"));
    toastEnd.start();
}

void ComparePage::Impl::chooseReference(std::size_t group) {
    const auto index = currentIndex(group);
    if (!index || *index == request.reference || request.groups().value(static_cast<qsizetype>(*index)).isEmpty())
        return;
    changeGroups(tr("Choose the reference"), request.groups(), *index);
}

void ComparePage::Impl::tellGroups() {
    if (const QList<QStringList> groups = page.comparedGroups(); groups != told) {
        told = groups;
        Q_EMIT page.comparedGroupsChanged(groups);
    }
}

/// Each group that holds runs of these arms takes all of them.
/// A group whose study is another, as of a pair of two studies, takes the new runs beside its own.
bool ComparePage::Impl::takeSeeds(const SeedArms& arms, const PairChoice& asking) {
    QList<QStringList> groups = request.groups();
    const auto isThere = [&groups](const QStringList& runs) {
        return std::ranges::any_of(groups, [&](const QStringList& group) { return isAnyOf(runs, group); });
    };
    const bool pairIsThere = isThere(asking.groupA) && isThere(asking.groupB);
    for (QStringList& group : groups)
        for (const auto arm : {&PairChoice::groupA, &PairChoice::groupB}) {
            QStringList taken;
            if ((arms.all.*arm).contains(group.value(0)))
                taken = arms.all.*arm + group;
            else if (pairIsThere && isAnyOf(asking.*arm, group))
                taken = group + arms.own.*arm;
            if (taken.isEmpty())
                continue;
            taken.removeDuplicates();
            group = taken;
            break;
        }
    if (groups == request.groups())
        return false;                // something else is compared by now
    const std::size_t card = member; // the pairs are the same ones
    changeGroups(tr("Add seeds"), groups, request.reference);
    member = card;
    return true;
}

/// The next seeds of the pair on the card.
void ComparePage::Impl::askForSeeds() {
    if (!shown)
        return;
    const auto experiment = moreSeeds(*shown, kSeedsToAdd, member);
    if (!experiment)
        return;
    const std::size_t group = shown->family.members[member].group;
    const auto& runs = groupAt(shown->input, group);
    const QList<QStringList> groups = shownRequest.groups();
    PairChoice by;
    by.groupA = groups.value(static_cast<qsizetype>(group));
    by.groupB = groups.value(static_cast<qsizetype>(shown->input.reference));
    if (runs.front().arm != Arm::Accumulated)
        std::swap(by.groupA, by.groupB);
    AwaitedSeeds::of(library()).ask(experiment->study, by);
    Q_EMIT page.moreSeedsRequested(*experiment);
}

} // namespace accumulus::ui

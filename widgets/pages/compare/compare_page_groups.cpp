// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of the page: edited, added, removed, and which one the others are compared with.
#include "widgets/models/comparison_text.h"
#include "widgets/pages/compare/compare_page_impl.h"

#include <QPushButton>
#include <algorithm>
#include <map>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr int kSeedsToAdd = 3;

/// True: some are others than before.
bool takeColors(ComparisonInput& input, const std::map<std::string, std::string>& colors) {
    bool others = false;
    const auto take = [&](std::vector<ComparedRun>& group) {
        for (ComparedRun& run : group)
            if (const auto known = colors.find(run.id); known != colors.end())
                others = std::exchange(run.color, known->second) != known->second || others;
    };
    take(input.groupA);
    take(input.groupB);
    std::ranges::for_each(input.further, take);
    return others;
}

bool isAnyOf(const QStringList& runs, const QStringList& group) {
    return std::ranges::any_of(runs, [&group](const QString& run) { return group.contains(run); });
}

} // namespace

void ComparePage::Impl::readRuns() {
    if (!shown || !library().isOpen())
        return;
    struct RunsNow {
        std::map<std::string, std::string> colors; ///< by run
        LeftOutRuns leftOut;
    };
    std::vector<std::string> runs;
    for (std::size_t group = 0; group < groupCount(shown->input); ++group)
        for (const ComparedRun& run : groupAt(shown->input, group))
            runs.push_back(run.id);
    library().query<Result<RunsNow>>(
        &page, QStringLiteral("compare.now"),
        [runs, asked = shownRequest](RunReader& reader) -> Result<RunsNow> {
            RunsNow now;
            for (const std::string& id : runs)
                if (const auto run = reader.run(id))
                    now.colors[id] = run->color;
            ACCUMULUS_TRY_ASSIGN(now.leftOut, loadLeftOut(reader, asked));
            return now;
        },
        [this, asked = shownRequest](const Result<RunsNow>& now) {
            if (!now || !shown || asked != shownRequest)
                return;
            if (takeColors(shown->input, now->colors))
                present();
            // Once: where they cannot be compared any more, what is on screen stays.
            if (now->leftOut != shown->leftOut && leftOut != now->leftOut) {
                leftOut = now->leftOut;
                load();
            }
        });
}

void ComparePage::Impl::take(const CompareHistory::Step& step) {
    request = step.after.request;
    member = 0;
    savedMargin = step.after.savedMargin;
    savedMarginSetAt = step.after.savedMarginSetAt;
    restored = false;
    if (step.otherQuestion)
        clearBars(); // else one that was closed stays closed
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

/// What they say next is news, even where it is the same.
void ComparePage::Impl::clearBars() {
    bannerText.clear();
    banner->clear();
    savedMarginText.clear();
    marginBar->clear();
}

/// The margin, the metric and how it is drawn stay: another seed is no other question.
void ComparePage::Impl::changeGroups(const QString& text, const QList<QStringList>& groups, std::size_t reference) {
    Compared wanted = now(); // as it will be: at most eight groups, of two B is the reference
    wanted.request.setGroups(groups, reference);
    change(text, wanted, false);
}

void ComparePage::Impl::change(const QString& text, const Compared& wanted, bool otherQuestion) {
    const CompareHistory::Step step{text, now(), wanted, otherQuestion};
    take(step);
    history().push(step);
}

const CompareHistory::Step* ComparePage::Impl::nextStep(bool redo) {
    if (library().writing())
        return nullptr;
    return redo ? history().redoStep() : history().undoStep();
}

void ComparePage::Impl::undoOrRedo(bool redo) {
    if (const auto step = redo ? history().redo(now()) : history().undo(now()))
        take(*step);
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
    const QList<QStringList> groups = request.groups();
    const auto at = static_cast<qsizetype>(shownGroup);
    if (at >= there.size())
        return std::nullopt;
    if (const qsizetype index = groups.indexOf(there[at]); index >= 0)
        return static_cast<std::size_t>(index);
    if (isAnyOf(there[at], groups.value(at))) // it has got runs, or lost some
        return shownGroup;
    return std::nullopt;
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
    toastOfLibrary = false;
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
        Q_EMIT page.inspectedRunChanged();
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
    seeds().ask(*experiment, by);
    Q_EMIT page.moreSeedsRequested(*experiment);
    seeds().forgetRefused();
}

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What Compare and Reports read from the library, as values. The functions that take a reader run on the gateway's
// query thread.
#pragma once

#include "core/analysis/compare_family.h"
#include "core/base/result.h"
#include "core/run/library_views.h"
#include "widgets/models/pair_brief.h"

#include <QList>
#include <QStringList>
#include <optional>
#include <vector>

namespace accumulus::ui {

/// Two groups that can be compared.
struct PairChoice {
    QString title; ///< "demo: lenet5 on mnist, B = 256: 32 x 8 against 256 x 1"
    QStringList groupA, groupB;
    QString titleA{}, titleB{}; ///< of one group: "demo: accumulated 32 × 8"
    PairBrief brief{};
    bool operator==(const PairChoice&) const = default;
};
/// Suggestions, newest first. Reads run rows only.
[[nodiscard]] Result<std::vector<PairChoice>> loadPairChoices(RunReader& reader);
/// The arms of one study, whatever their state. An empty group where it has no such arm. `all` has those of studies
/// that ask the same question with other seeds as well: what "Add 3 seeds" made, or was asked of.
struct SeedArms {
    PairChoice all;
    PairChoice own; ///< of the study's own runs only
};
[[nodiscard]] Result<SeedArms> loadSeedArms(RunReader& reader, const QString& study);

/// What to compare and how.
struct ComparisonRequest {
    QStringList groupA, groupB;
    QString metric;               ///< empty: the study's
    std::optional<double> margin; ///< empty: the study's
    double marginSetAt = 0.0;     ///< when a person set `margin`, seconds since 1970
    QStringList together{};       ///< further metrics that are judged together with it
    CurveAxis axis = CurveAxis::Samples;
    BandKind band = BandKind::MinMax;
    CurveSmoothing lossSmoothing = usualLossSmoothing;
    QList<QStringList> further{}; ///< groups C to H; they may be empty
    std::size_t reference = 1;    ///< the group that each other one is compared with: 1 is B

    [[nodiscard]] QList<QStringList> groups() const; ///< A first; at least two
    /// At most mostGroups; the rest is left out. Of two groups B is the reference.
    void setGroups(const QList<QStringList>& groups, std::size_t reference);
    /// A, B and the reference hold runs.
    [[nodiscard]] bool isComparable() const;
    bool operator==(const ComparisonRequest&) const = default;
};
/// Runs of the groups that do not count.
struct LeftOutRuns {
    QStringList missing; ///< the library does not have them any more
    QStringList trashed; ///< they are in the Trash
    bool operator==(const LeftOutRuns&) const = default;
};
struct LoadedComparison {
    ComparisonInput input;   ///< of all groups
    Comparison comparison{}; ///< the first of the family
    FamilyComparison family{};
    StudyRecord study;                  ///< of the first accumulated run: its name goes to what is saved
    std::vector<StudyRecord> studies{}; ///< of each group's first accumulated run; without id where there is none
    bool live = false;                  ///< a run is still to be trained
    LeftOutRuns leftOut{};
};
[[nodiscard]] Result<LeftOutRuns> loadLeftOut(RunReader& reader, const ComparisonRequest& request);
/// `outline`: the curves of long runs are outlines, and their noise is not read.
[[nodiscard]] Result<LoadedComparison> loadComparisonView(RunReader& reader, const ComparisonRequest& request,
                                                          bool outline = false);

/// The study of a member's accumulated group with the next `count` seeds, both arms; metric and margin as they were
/// fixed for A and B, by which all groups are judged. Empty when group and reference are not an accumulated and a
/// large-batch arm, or could not form pairs.
[[nodiscard]] std::optional<ExperimentConfig> moreSeeds(const LoadedComparison& loaded, int count,
                                                        std::size_t member = 0);

} // namespace accumulus::ui

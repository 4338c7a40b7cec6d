// SPDX-License-Identifier: GPL-3.0-or-later
// What Compare and Reports read from the library, as values. The functions that take a reader run on the gateway's
// query thread.
#pragma once

#include "core/base/result.h"
#include "core/run/library_views.h"

#include <QStringList>
#include <optional>
#include <vector>

namespace accumulus::ui {

/// Two groups that can be compared.
struct PairChoice {
    QString title; ///< "demo: lenet5 on mnist, B = 256: 32 x 8 against 256 x 1"
    QStringList groupA, groupB;
    bool operator==(const PairChoice&) const = default;
};
/// Suggestions, newest first. Reads run rows only.
[[nodiscard]] Result<std::vector<PairChoice>> loadPairChoices(RunReader& reader);
/// The arms of one study, whatever their state, together with studies that ask the same question with other seeds: what
/// "Add 3 seeds" made, or was asked of. An empty group where the study has no such arm.
[[nodiscard]] Result<PairChoice> loadStudyArms(RunReader& reader, const QString& study);

/// What to compare and how.
struct ComparisonRequest {
    QStringList groupA, groupB;
    QString metric;               ///< empty: the study's
    std::optional<double> margin; ///< empty: the study's
    double marginSetAt = 0.0;     ///< when a person set `margin`, seconds since 1970
    QStringList together{};       ///< further metrics that are judged together with it
    CurveAxis axis = CurveAxis::Samples;
    BandKind band = BandKind::MinMax;
    double lossSmoothing = 0.95;
    bool operator==(const ComparisonRequest&) const = default;
};
struct LoadedComparison {
    ComparisonInput input;
    Comparison comparison;
    StudyRecord study;     ///< of the first accumulated run; its name, metric and margin go to further seeds
    bool live = false;     ///< a run is still to be trained
    QStringList missing{}; ///< runs that the library does not have any more
    QStringList trashed{}; ///< runs that are in the Trash: they do not count
};
[[nodiscard]] Result<LoadedComparison> loadComparisonView(RunReader& reader, const ComparisonRequest& request);

/// The same study with the next `count` seeds, both arms. Empty when the groups are not an accumulated and a
/// large-batch arm.
[[nodiscard]] std::optional<ExperimentConfig> moreSeeds(const LoadedComparison& loaded, int count);

} // namespace accumulus::ui

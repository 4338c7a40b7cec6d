// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of windows that are not finite.
#include "core/train/trainer_impl.h"

#include <utility>

namespace accumulus {
namespace {

using Part = NonfinitePlace::Part;

/// Further windows only count what they left out.
constexpr int mostLeftOutNotes = 10;

/// Continues "micro-step 5 of 8".
const char* whereCode(const NonfinitePlace& place) {
    switch (place.part) {
    case Part::Unknown:
        return "";
    case Part::Samples:
        return "phrase.nonfinite-samples";
    case Part::Before:
        return "phrase.nonfinite-before";
    case Part::Forward:
        return "phrase.nonfinite-layer";
    case Part::Loss:
        return "phrase.nonfinite-loss";
    case Part::Backward:
        return "phrase.nonfinite-backward";
    case Part::Sum:
        return place.layer.empty() ? "" : "phrase.nonfinite-layer";
    }
    return "";
}

/// `code` with the arguments that its sentence and the phrase of the place need.
Message placed(std::string code, std::vector<std::pair<std::string, std::string>> arguments,
               const NonfinitePlace& place) {
    arguments.emplace_back("microStep", std::to_string(place.microStep));
    arguments.emplace_back("microSteps", std::to_string(place.microSteps));
    arguments.emplace_back("where", whereCode(place));
    arguments.emplace_back("layer", place.layer);
    return {std::move(code), std::move(arguments)};
}

const char* placeCode(const NonfinitePlace& place) {
    return place.part == Part::Sum ? "phrase.nonfinite-sum" : place.microStep > 0 ? "phrase.nonfinite-place" : "";
}

} // namespace

Error Trainer::Impl::brokenDown(const WindowOutcome& outcome) const {
    const NonfinitePlace place = outcome.nonfinite.value_or(NonfinitePlace());
    return placed(place.part == Part::Sum       ? "training.nonfinite-sum"
                  : place.part == Part::Samples ? "training.nonfinite-samples"
                                                : "training.nonfinite",
                  {{"update", std::to_string(m_progress.updates + 1)}}, place);
}

Error Trainer::Impl::allSkipped(const WindowOutcome& outcome) const {
    const std::string& scale = m_setup.config.numerics.lossScale;
    const std::string windows = std::to_string(m_progress.skippedInARow);
    if (outcome.recovery.overflowed && scale != "dynamic")
        return {"training.all-skipped-scale", {{"windows", windows}, {"scale", scale}}};
    return {"training.all-skipped", {{"windows", windows}}};
}

void Trainer::Impl::noteNonfinite(TrainingObserver& observer, const WindowRecord& record,
                                  const WindowOutcome& outcome) {
    if (!record.nonfinite && (record.leftOut == 0 || !outcome.gradient))
        return;
    if (!record.nonfinite && ++m_leftOutNotes > mostLeftOutNotes) {
        if (m_leftOutNotes == mostLeftOutNotes + 1)
            observer.noted("warning", {"training.left-out-more", {{"notes", std::to_string(mostLeftOutNotes)}}},
                           m_progress.updates);
        return;
    }
    const NonfinitePlace place = outcome.nonfinite.value_or(NonfinitePlace());
    std::vector<std::pair<std::string, std::string>> arguments{{"window", std::to_string(record.window)},
                                                               {"place", placeCode(place)}};
    if (!record.nonfinite)
        arguments.emplace_back("leftOut", std::to_string(record.leftOut));
    observer.noted("warning",
                   placed(record.nonfinite ? "training.skipped" : "training.left-out", std::move(arguments), place),
                   m_progress.updates);
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/noise_views.h"

#include "core/analysis/compare.h"
#include "core/config/config_fields.h"
#include "core/run/library_views.h"

#include <algorithm>

namespace accumulus {
namespace {

struct LoadedNoise {
    NoiseView view;
    RunNoise noise;
};

/// Why the windows of a run left nothing, and what helps.
Error whyNone(const RunRecord& run, bool anyWindow) {
    Error error{"noise.no-terms", {{"run", run.id.substr(0, 8)}}};
    const auto say = [&](const char* reason, const char* cure) {
        error.arguments.emplace_back("reason", reason);
        error.arguments.emplace_back("cure", cure);
    };
    const Normalise normalise = run.config.loss.normalise;
    if (normalise != Normalise::Samples && normalise != Normalise::Tokens)
        say("reason.noise-normalise", "cure.noise-normalise");
    else if (run.batch.largestSteps() * run.batch.devices < 2)
        say("reason.noise-one-micro-batch", "cure.noise-partner");
    else
        say(anyWindow ? "reason.noise-not-finite" : "reason.noise-no-window", "cure.noise-no-window");
    return error;
}

Result<LoadedNoise> load(RunReader& reader, const RunRecord& run) {
    ACCUMULUS_TRY_ASSIGN(const auto columns, reader.windowColumns(run.id, noiseColumns(run.config)));
    LoadedNoise loaded;
    loaded.noise = runNoiseOf(run.config, columns);
    NoiseView& view = loaded.view;
    view.run = run.id;
    view.arm = run.arm;
    view.seed = run.seed;
    view.unit = loaded.noise.unit;
    view.effective = noiseEffective(run.batch, run.summary.updates, loaded.noise);
    view.recent = recentNoiseScale(loaded.noise.terms);
    view.course = noiseCourse(loaded.noise.terms);
    if (loaded.noise.terms.empty())
        view.missing = whyNone(run, columns.size() > 0);
    return loaded;
}

} // namespace

Result<NoiseView> runNoiseView(RunReader& reader, const RunRecord& run) {
    ACCUMULUS_TRY_ASSIGN(auto loaded, load(reader, run));
    return std::move(loaded.view);
}

Result<StudyNoise> studyNoise(RunReader& reader, const StudyRecord& study) {
    ACCUMULUS_TRY_ASSIGN(auto runs, reader.runs({.trashed = false, .study = study.id}));
    std::ranges::reverse(runs); // newest first
    StudyNoise result;
    std::vector<LoadedNoise> pooled;
    for (const RunRecord& run : runs) {
        ACCUMULUS_TRY_ASSIGN(auto loaded, load(reader, run));
        result.runs.push_back(loaded.view);
        if (run.arm == Arm::Accumulated && !loaded.view.missing)
            pooled.push_back(std::move(loaded));
    }
    if (pooled.empty()) {
        const auto accumulated = std::ranges::find(result.runs, Arm::Accumulated, &NoiseView::arm);
        const auto& shown = accumulated != result.runs.end() ? accumulated : result.runs.begin();
        result.pooled.missing =
            shown != result.runs.end() ? shown->missing : Error{"cli.no-study", {{"text", study.name}}};
        return result;
    }
    std::vector<const RunNoise*> noises;
    for (const LoadedNoise& loaded : pooled)
        noises.push_back(&loaded.noise);
    result.pooled.unit = pooled.front().view.unit;
    result.pooled.effective = pooled.front().view.effective;
    result.pooled.recent = pooledNoiseScale(noises);
    return result;
}

} // namespace accumulus

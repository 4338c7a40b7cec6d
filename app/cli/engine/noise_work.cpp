// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/noise_work.h"

#include "app/cli/comparing.h"
#include "app/cli/json_output.h"
#include "app/cli/library_option.h"
#include "app/cli/words.h"
#include "core/analysis/noise_words.h"
#include "core/run/noise_views.h"

#include <cmath>
#include <fmt/format.h>

namespace accumulus::cli {
namespace {

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

void addScale(Json& json, const NoiseScale& noise) {
    json["b_simple"] = noise.identified ? finite(*noise.value) : Json();
    json["low"] = noise.identified ? finite(noise.lower) : Json();
    json["high"] = noise.identified ? finite(noise.upper) : Json();
    json["identified"] = noise.identified;
    json["windows"] = noise.windows;
    json["s"] = noise.windows > 0 ? finite(noise.meanS) : Json();
    json["g2"] = noise.windows > 0 ? finite(noise.meanG2) : Json();
}

void addCost(Json& json, const NoiseScale& noise, double effective, const std::string& unit) {
    const bool known = noise.identified && *noise.value > 0.0;
    json["unit"] = unit;
    json["confidence"] = noise.confidence;
    json["b"] = effective > 0.0 ? finite(effective) : Json();
    json["samples_multiplier"] = known ? finite(samplesMultiplier(effective, *noise.value)) : Json();
    json["updates_multiplier"] = known ? finite(updatesMultiplier(effective, *noise.value)) : Json();
}

Json viewJson(const NoiseView& view) {
    Json json;
    addScale(json, view.recent);
    addCost(json, view.recent, view.effective, view.unit);
    if (view.missing)
        json["missing"] = view.missing->argument("reason");
    if (view.run.empty())
        return json;
    json["run"] = view.run;
    json["arm"] = armName(view.arm);
    json["seed"] = view.seed;
    Json start;
    addScale(start, view.course.start);
    json["start"] = std::move(start);
    const bool known = view.course.average.has_value();
    json["average"] = {{"b_simple", known ? finite(*view.course.average) : Json()},
                       {"least", known ? finite(view.course.least) : Json()},
                       {"most", known ? finite(view.course.most) : Json()},
                       {"parts", view.course.parts}};
    return json;
}

Json layersJson(const CheckpointNoise& noise) {
    Json json;
    addScale(json, noise.whole.noise);
    json["checkpoint"] = noise.checkpoint;
    json["update"] = noise.update;
    json["micro"] = noise.micro;
    json["steps"] = noise.steps;
    json["tensors"] = Json::array();
    for (const TensorNoise& tensor : noise.tensors) {
        Json row = {{"name", tensor.name}, {"shape", tensor.shape}};
        addScale(row, tensor.noise);
        json["tensors"].push_back(std::move(row));
    }
    return json;
}

void printView(const NoiseView& view, const std::string& title, Console& console) {
    console.line(title);
    if (view.missing) {
        console.line("  none: " + messageText({view.missing->argument("reason"), {}}));
        return;
    }
    console.line("  gradient noise scale: " + noiseScaleWords(view.recent, view.unit));
    if (const auto cost = noiseCostMessage(view.recent, view.effective, view.unit))
        console.line("  " + messageText(*cost));
    if (view.run.empty())
        return;
    console.line(
        fmt::format("  from the last {} window{}; S {}, G2 {}", grouped(static_cast<std::int64_t>(view.recent.windows)),
                    view.recent.windows == 1 ? "" : "s", number(view.recent.meanS), number(view.recent.meanG2)));
    console.line("  at the start: " + noiseScaleWords(view.course.start, view.unit));
    if (view.course.average)
        console.line("  mean over the run: " + noiseAverageWords(view.course, view.unit));
}

std::string titleOf(const NoiseView& view) {
    return fmt::format("run {}: {}, seed {}", shortId(view.run), armName(view.arm), view.seed);
}

void printLayers(const CheckpointNoise& noise, Console& console) {
    console.line(fmt::format(
        "by parameter, at the {} weights (update {}), {} windows of {} in micro-batches of {}:", noise.checkpoint,
        grouped(noise.update), noise.whole.noise.windows, grouped(noise.effective), grouped(noise.micro)));
    const auto row = [](const std::string& name, const NoiseScale& scale) {
        const bool known = scale.identified;
        return std::vector<std::string>{
            name, fmt::format("{:.3g}", scale.meanS), fmt::format("{:.3g}", scale.meanG2),
            known ? noiseNumber(*scale.value) : "not identified",
            known ? fmt::format("{} to {}", noiseNumber(scale.lower), noiseNumber(scale.upper)) : ""};
    };
    std::vector<std::vector<std::string>> rows{
        {"parameter", "S", "G2", "B_simple (" + noise.unit + ")", fmt::format("{:.3g} %", 95.0)}};
    for (const TensorNoise& tensor : noise.tensors)
        rows.push_back(row(tensor.name, tensor.noise));
    rows.push_back(row("all", noise.whole.noise));
    for (const std::string& line : tableLines(rows, {false, true, true, true, false}))
        console.line(line);
    console.line("gradient noise scale: " + noiseScaleWords(noise.whole.noise, noise.unit));
}

int ofRun(RunReader& reader, const RunRecord& run, const NoiseOptions& options, Console& console) {
    const auto view = runNoiseView(reader, run);
    if (!view)
        return console.fail(view.error());
    std::optional<CheckpointNoise> layers;
    if (options.byLayer) {
        auto measured = checkpointNoise(reader, run, options.checkpoint, options.windows);
        if (!measured)
            return console.fail(measured.error());
        layers = std::move(*measured);
    } else if (view->missing) {
        return console.fail(*view->missing);
    }
    if (options.json) {
        Json json = viewJson(*view);
        if (layers)
            json["layers"] = layersJson(*layers);
        console.line(oneLine(json));
        return 0;
    }
    printView(*view, titleOf(*view), console);
    if (layers)
        printLayers(*layers, console);
    return 0;
}

int ofStudy(RunReader& reader, const StudyRecord& study, const NoiseOptions& options, Console& console) {
    const auto noise = studyNoise(reader, study);
    if (!noise)
        return console.fail(noise.error());
    if (options.byLayer && !noise->runs.empty())
        return console.fail({"noise.study-layers",
                             {{"study", study.name.empty() ? shortId(study.id) : study.name},
                              {"runs", std::to_string(noise->runs.size())},
                              {"run", shortId(noise->runs.front().run)}}});
    if (noise->pooled.missing)
        return console.fail(*noise->pooled.missing);
    if (options.json) {
        Json json = viewJson(noise->pooled);
        json["study"] = study.id;
        json["runs"] = Json::array();
        for (const NoiseView& view : noise->runs)
            json["runs"].push_back(viewJson(view));
        console.line(oneLine(json));
        return 0;
    }
    for (const NoiseView& view : noise->runs)
        printView(view, titleOf(view), console);
    printView(noise->pooled, "all accumulated runs together", console);
    return 0;
}

} // namespace

int noiseOf(const NoiseOptions& options, Console& console) {
    auto reader = openReader(libraryPath(options.library));
    if (!reader)
        return console.fail(reader.error());
    const auto run = reader->run(options.target);
    if (run)
        return ofRun(*reader, *run, options, console);
    const auto study = findStudy(*reader, options.target);
    if (!study)
        return console.fail(run.error().code == "library.no-run" ? study.error() : run.error());
    return ofStudy(*reader, *study, options, console);
}

} // namespace accumulus::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/noise_work.h"

#include "app/cli/noise_output.h"
#include "app/cli/words.h"
#include "core/analysis/noise_words.h"
#include "core/run/checkpoint_noise.h"

#include <fmt/format.h>

namespace accumulus::cli {
namespace {

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

} // namespace

int noiseByLayer(RunReader& reader, const RunRecord& run, const NoiseView& view, const NoiseOptions& options,
                 Console& console) {
    const auto layers = checkpointNoise(reader, run, options.checkpoint, options.windows);
    if (!layers)
        return console.fail(layers.error());
    if (options.json) {
        Json json = viewJson(view);
        json["layers"] = layersJson(*layers);
        console.line(oneLine(json));
        return 0;
    }
    printView(view, titleOf(view), console);
    printLayers(*layers, console);
    return 0;
}

} // namespace accumulus::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/noise_output.h"

#include "app/cli/json_output.h"
#include "app/cli/words.h"
#include "core/analysis/noise_words.h"

#include <fmt/format.h>

namespace accumulus::cli {
namespace {

void addCost(Json& json, const NoiseScale& noise, double effective, const std::string& unit) {
    const bool known = noise.identified && *noise.value > 0.0;
    json["unit"] = unit;
    json["confidence"] = noise.confidence;
    json["b"] = effective > 0.0 ? finite(effective) : Json();
    json["samples_multiplier"] = known ? finite(samplesMultiplier(effective, *noise.value)) : Json();
    json["updates_multiplier"] = known ? finite(updatesMultiplier(effective, *noise.value)) : Json();
}

} // namespace

void addScale(Json& json, const NoiseScale& noise) {
    json["b_simple"] = noise.identified ? finite(*noise.value) : Json();
    json["low"] = noise.identified ? finite(noise.lower) : Json();
    json["high"] = noise.identified ? finite(noise.upper) : Json();
    json["identified"] = noise.identified;
    json["windows"] = noise.windows;
    json["s"] = noise.windows > 0 ? finite(noise.meanS) : Json();
    json["g2"] = noise.windows > 0 ? finite(noise.meanG2) : Json();
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

} // namespace accumulus::cli

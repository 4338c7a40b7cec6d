// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparing.h"
#include "app/cli/engine/noise_work.h"
#include "app/cli/library_option.h"
#include "app/cli/noise_output.h"
#include "app/cli/verbs.h"
#include "app/cli/words.h"
#include "core/store/library.h"

#include <memory>

namespace accumulus::cli {
namespace {

int ofRun(RunReader& reader, const RunRecord& run, const NoiseOptions& options, Console& console) {
    const auto view = runNoiseView(reader, run);
    if (!view)
        return console.fail(view.error());
    if (options.byLayer)
        return noiseByLayer(reader, run, *view, options, console);
    if (view->missing)
        return console.fail(*view->missing);
    if (options.json)
        console.line(oneLine(viewJson(*view)));
    else
        printView(*view, titleOf(*view), console);
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
                              {"run", shortId(noise->runs.front().run)},
                              {"library", libraryArgument(reader.library().path())}}});
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

} // namespace

void addNoise(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<NoiseOptions>();
    CLI::App& verb =
        *app.add_subcommand("noise", "The gradient noise scale: about the batch size up to which a larger batch pays");
    verb.add_option("RUN|STUDY", options->target, "A run, or a study: each run and all accumulated ones together")
        ->required()
        ->type_name("");
    CLI::Option* byLayer = verb.add_flag("--by-layer", options->byLayer,
                                         "Also parameter by parameter, computed anew at a checkpoint's weights");
    verb.add_option("--checkpoint", options->checkpoint, "With --by-layer: initial, best or last")
        ->needs(byLayer)
        ->check(CLI::IsMember({"initial", "best", "last"}))
        ->type_name("KIND")
        ->capture_default_str();
    verb.add_option("--windows", options->windows, "With --by-layer: how many windows to compute")
        ->needs(byLayer)
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{2}, std::int64_t{100000}))
        ->capture_default_str();
    addLibraryOption(verb, options->library);
    verb.add_flag("--json", options->json, "One JSON object with every number");
    verb.callback([options, &chosen] { chosen = [options](Console& console) { return noiseOf(*options, console); }; });
}

} // namespace accumulus::cli

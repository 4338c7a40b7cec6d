// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/verify.h"

#include "core/config/experiment_file.h"
#include "core/engine/device_choice.h"
#include "core/engine/engine_errors.h"
#include "core/run/checkpoint_files.h"
#include "core/run/environment.h"
#include "core/run/program.h"
#include "core/store/library_merge.h"
#include "core/store/run_reader.h"
#include "core/train/checkpoint_info.h"
#include "core/train/trainer.h"

#include <algorithm>
#include <exception>

namespace accumulus {
namespace {

/// The run's newest checkpoint, or the file itself.
Result<std::string> checkpointFile(const std::string& target, RunReader* reader) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(target, ignored))
        return target;
    if (target.find('/') != std::string::npos || target.ends_with(".safetensors"))
        return failure("checkpoint.open", {{"file", target}, {"reason", "reason.no-such-file"}});
    if (!reader)
        return failure("library.no-run", {{"run", target}});
    ACCUMULUS_TRY_ASSIGN(const auto run, reader->run(target));
    ACCUMULUS_TRY_ASSIGN(const auto checkpoints, reader->checkpoints(run.id));
    const CheckpointRecord* newest = nullptr;
    for (const CheckpointRecord& checkpoint : checkpoints)
        if (!newest || checkpoint.update >= newest->update)
            newest = &checkpoint;
    if (!newest) {
        ACCUMULUS_TRY_ASSIGN(const auto events, reader->events(run.id));
        const bool imported = std::ranges::find(events, importedEvent, &EventRecord::code) != events.end();
        return failure(imported ? "run.is-imported" : "run.no-checkpoint", {{"run", run.id}});
    }
    ACCUMULUS_TRY_ASSIGN(const auto file, weightsFile(*reader, run, *newest));
    return file.string();
}

std::string entry(const std::map<std::string, std::string>& metadata, const std::string& key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
}

} // namespace

Result<VerifyOutcome> verify(const std::string& target, const VerifyLibrary& library, const EvaluationWatch& watch) {
    std::optional<RunReader> reader;
    std::error_code ignored;
    if (auto opened = Library::open(library.file, Library::Mode::Read))
        reader.emplace(std::move(*opened));
    else if (library.named || std::filesystem::exists(library.file, ignored) ||
             !std::filesystem::exists(target, ignored))
        return failure(opened.error());
    ACCUMULUS_TRY_ASSIGN(const auto file, checkpointFile(target, reader ? &*reader : nullptr));
    ACCUMULUS_TRY_ASSIGN(const auto metadata, readCheckpointMetadata(file));
    const auto config = runConfigFromJson(entry(metadata, "accumulus.config"));
    if (!config)
        return failure("checkpoint.foreign", {{"file", file}});
    ACCUMULUS_TRY_ASSIGN(auto data, loadDataset(config->data, resourceFolder("datasets").parent_path()));

    TrainerSetup setup;
    setup.config = *config;
    if (!chooseDevice(config->device.kind)) // it was trained on a GPU that is not here
        setup.config.device.kind = "cpu";
    setup.seed = std::strtoll(entry(metadata, "accumulus.seed").c_str(), nullptr, 10);
    setup.data = std::move(data);
    setup.weightsFollow = true;
    setup.lanes = resolveLanes(config->device, Arm::Accumulated, availableCores(), availableCores());
    ACCUMULUS_TRY_ASSIGN(auto trainer, Trainer::create(std::move(setup)));
    ACCUMULUS_TRY_ASSIGN(const auto loaded, trainer->loadWeights(file));

    VerifyOutcome outcome;
    outcome.run = entry(metadata, "accumulus.run");
    outcome.checkpoint = file;
    try {
        outcome.now = trainer->evaluateNow("test", watch);
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
    outcome.now.update = std::strtoll(entry(metadata, "accumulus.update").c_str(), nullptr, 10);
    outcome.now.samples = std::strtoll(entry(metadata, "accumulus.samples").c_str(), nullptr, 10);
    outcome.weightsHash = trainer->hashWeights();
    outcome.weightsHashAgrees = outcome.weightsHash == entry(metadata, "accumulus.weights_hash");
    if (reader)
        if (const auto evaluations = reader->evaluations(outcome.run))
            for (const EvaluationRecord& evaluation : *evaluations)
                if (evaluation.update == outcome.now.update && evaluation.split == "test")
                    outcome.recorded = evaluation;
    return outcome;
}

} // namespace accumulus

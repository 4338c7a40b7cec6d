// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/micro_planner.h"

#include "core/base/file_hash.h"
#include "core/base/hash.h"
#include "core/base/path_text.h"
#include "core/config/byte_size.h"
#include "core/config/config_check.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/config/model_rows.h"
#include "core/data/dataset.h"
#include "core/engine/device_choice.h"
#include "core/run/environment.h"
#include "core/run/file_stamps.h"
#include "core/run/program.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"
#include "core/train/micro_trial.h"

#include <algorithm>
#include <array>

namespace accumulus {
namespace {

/// Does the error say something of this size, and not of all?
bool concernsSize(const Error& error) {
    constexpr std::array codes{
        "training.memory",    "training.engine",        "training.all-skipped",       "training.all-skipped-scale",
        "training.nonfinite", "training.nonfinite-sum", "training.nonfinite-samples", "model.batch-norm-one",
        "device.threads"};
    return std::ranges::find(codes, error.code) != codes.end();
}

Message problemOf(const Error& error, const RunConfig& config) {
    if (error.code != "training.memory")
        return error;
    const auto limit = parseBytes(config.device.memoryLimit);
    if (limit && *limit > 0)
        return {"plan.needs-more", {{"limit", bytesText(*limit)}}};
    return {"plan.refused", {}};
}

/// Settings without influence on memory and speed as in a default run.
RunConfig whatMatters(const RunConfig& config) {
    const RunConfig plain;
    RunConfig kept = config;
    kept.batch.effective = trialEffective(config).value_or(config.batch.effective);
    kept.batch.micro = plain.batch.micro;
    kept.batch.steps = plain.batch.steps;
    kept.batch.devices = plain.batch.devices;
    kept.batch.ragged = plain.batch.ragged;
    kept.batch.tail = plain.batch.tail;
    kept.batch.ramp.clear();
    kept.optimizer = plain.optimizer;
    kept.optimizer.name = config.optimizer.name;
    kept.optimizer.momentum = config.optimizer.momentum != 0.0 ? plain.optimizer.momentum : 0.0;
    kept.schedule = plain.schedule;
    kept.train = plain.train;
    kept.train.clipNorm = config.train.clipNorm > 0.0 ? 1.0 : 0.0;
    kept.evaluate = plain.evaluate;
    kept.checkpoint = plain.checkpoint;
    kept.probe = plain.probe;
    kept.parallel = plain.parallel;
    kept.data.shuffle = plain.data.shuffle;
    kept.model.init = plain.model.init;
    kept.model.initStd = plain.model.initStd;
    kept.device.onOom = plain.device.onOom;
    return kept;
}

} // namespace

Result<std::int64_t> trialEffective(const RunConfig& config) {
    BatchConfig batch = config.batch;
    batch.ragged = RaggedPolicy::Weight; // whether m divides B is what the planner is asked
    if (batch.effective > 0) {
        batch.steps = 0;
        batch.micro = 1;
    }
    ACCUMULUS_TRY_ASSIGN(const auto plan, resolveBatch(batch));
    return std::max<std::int64_t>(1, plan.effective / plan.devices);
}

Result<RunConfig> trialConfig(const PlanRequest& request, std::int64_t micro) {
    ACCUMULUS_TRY_ASSIGN(const std::int64_t effective, trialEffective(request.config));
    RunConfig config = request.config;
    config.batch.effective = effective;
    config.batch.micro = micro;
    config.batch.steps = 0;
    config.batch.devices = 1;
    config.batch.ramp.clear();
    config.batch.ragged = effective % micro == 0 ? RaggedPolicy::Refuse : RaggedPolicy::Weight;
    return config;
}

Result<MicroPlan> emptyPlan(const PlanRequest& request) {
    ACCUMULUS_TRY_ASSIGN(const std::int64_t effective, trialEffective(request.config));
    ExperimentConfig experiment;
    ACCUMULUS_TRY_ASSIGN(experiment.run, trialConfig(request, effective));
    ACCUMULUS_TRY(requireValid(experiment, 0));
    ACCUMULUS_TRY_ASSIGN(const auto choice, chooseDevice(experiment.run.device.kind));
    MicroPlan plan;
    plan.effective = effective;
    plan.device = choice.isGpu() ? choice.name : "CPU: " + currentEnvironment().hardware;
    const auto precision = findField("numerics.precision")->get(experiment);
    plan.subject = {"plan.subject",
                    {{"model", modelTitle(experiment.run.model)},
                     {"dataset", datasetTitle(experiment.run.data)},
                     {"precision", std::get<std::string>(precision)}}};
    const BatchConfig& batch = request.config.batch;
    if (batch.devices > 1)
        plan.notes.push_back({"plan.one-device", {{"devices", std::to_string(batch.devices)}}});
    if (!batch.ramp.empty())
        plan.notes.push_back({"plan.first-batch", {{"effective", std::to_string(effective)}}});
    return plan;
}

Result<MicroTrialReport> tryHere(const RunConfig& config, std::int64_t seed, bool confirm) {
    MicroTrialReport report;
    ACCUMULUS_TRY_ASSIGN(report.memoryLimit, parseBytes(config.device.memoryLimit));
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(config.batch));
    report.point.micro = batch.micro;
    report.point.steps = batch.steps;
    EngineSetup setup;
    setup.config = config;
    setup.seed = seed;
    ACCUMULUS_TRY_ASSIGN(setup.data, loadDataset(config.data, resourceFolder("datasets").parent_path()));
    const auto trial = tryMicroBatch(setup, availableCores(), confirm ? TrialKind::Confirm : TrialKind::Measure);
    if (!trial) {
        if (!concernsSize(trial.error()))
            return failure(trial.error());
        report.point.problem = problemOf(trial.error(), config);
        return report;
    }
    report.memoryLimit = trial->memoryLimit;
    report.point.lanes = trial->lanes.lanes;
    report.point.threads = trial->lanes.threads;
    report.point.peakBytes = trial->peakBytes;
    report.point.updateSeconds = trial->updateSeconds;
    report.point.fixedSeconds = trial->fixedSeconds;
    report.point.samplesPerSecond = static_cast<double>(batch.effective) / trial->updateSeconds;
    report.point.fits = true;
    return report;
}

std::string planKey(const PlanRequest& request) {
    const ModelConfig& model = request.config.model;
    // The file under that name may be another network by now.
    const std::string network =
        hasSetting(model, "model.path") ? fileHash(pathOfText(model.path)).value_or("none") : std::string();
    RunConfig ofData; // whose files may hold other samples by now
    ofData.data = request.config.data;
    const Environment environment = currentEnvironment();
    const auto choice = chooseDevice(request.config.device.kind);
    Hasher hasher;
    for (const std::string& part :
         {runConfigJson(whatMatters(request.config)), environment.program, environment.libtorch, environment.hardware,
          choice ? choice->device + choice->name : std::string("none"),
          std::string(request.ragged ? "ragged" : "divisors")})
        hasher.add(part).add("\n");
    // Empty for what is built in.
    for (const std::string& files : {network, fileStamps(ofData)})
        if (!files.empty())
            hasher.add(files).add("\n");
    for (const std::int64_t size : request.sizes)
        hasher.add(std::to_string(size) + "\n");
    return hasher.hex();
}

Result<std::optional<MicroPlan>> storedPlan(const std::filesystem::path& library, const PlanRequest& request) {
    std::error_code ignored;
    if (!std::filesystem::exists(library, ignored))
        return std::nullopt;
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Read));
    RunReader reader(std::move(opened));
    return planOf(reader, request);
}

Result<std::optional<MicroPlan>> planOf(RunReader& reader, const PlanRequest& request) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.plan(planKey(request)));
    if (!record)
        return std::nullopt;
    auto plan = planFromJson(record->result);
    if (!plan)
        return std::nullopt; // another version's; planned again, it is replaced
    setNoiseScale(*plan, request.noiseScale);
    return *plan;
}

Status storePlan(const std::filesystem::path& library, const PlanRequest& request, const MicroPlan& plan) {
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Write));
    RunStore store(std::move(opened));
    MicroPlan kept = plan;
    setNoiseScale(kept, {});
    return store.putPlan({planKey(request), plan.createdAt, planJson(kept)});
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_json.h"

#include "core/base/clock.h"
#include "core/base/kept_message.h"
#include "core/config/experiment_file.h"

#include <ctime>
#include <iomanip>
#include <sstream>

namespace accumulus {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json optionalJson(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json timeJson(double unixSeconds) { return unixSeconds > 0 ? Json(isoTime(unixSeconds)) : Json(nullptr); }

Json messageJson(const Message& message) {
    return {{"code", message.code}, {"arguments", Json::parse(argumentsJson(message.arguments))}};
}

Json summaryJson(const RunSummary& summary) {
    return {{"updates", summary.updates},
            {"micro_steps", summary.microSteps},
            {"samples", summary.samples},
            {"train_loss", optionalJson(summary.finalTrainLoss)},
            {"test_loss", optionalJson(summary.testLoss)},
            {"test_accuracy", optionalJson(summary.testAccuracy)},
            {"best_test_accuracy", optionalJson(summary.bestTestAccuracy)},
            {"test_top5", optionalJson(summary.testTop5)},
            {"test_mae", optionalJson(summary.testMae)},
            {"test_rmse", optionalJson(summary.testRmse)},
            {"test_r2", optionalJson(summary.testR2)},
            {"validation_loss", optionalJson(summary.validationLoss)},
            {"validation_accuracy", optionalJson(summary.validationAccuracy)},
            {"best_validation_accuracy", optionalJson(summary.bestValidationAccuracy)},
            {"validation_mae", optionalJson(summary.validationMae)},
            {"validation_rmse", optionalJson(summary.validationRmse)},
            {"active_seconds", summary.activeSeconds},
            {"samples_per_second", summary.samplesPerSecond},
            {"training_peak_bytes", summary.peakBytes},
            {"evaluation_peak_bytes", summary.evaluationPeakBytes},
            {"weights_hash", summary.weightsHash},
            {"checkpoint", summary.checkpoint},
            {"others_share", optionalJson(summary.othersShare)}};
}

} // namespace

Json runJson(const RunRecord& run) {
    return {{"id", run.id},
            {"study", run.study},
            {"name", run.name},
            {"arm", armName(run.arm)},
            {"seed", run.seed},
            {"state", runStateName(run.state)},
            {"attempt", run.attempt},
            {"error", run.error},
            {"error_message", run.errorMessage ? messageJson(*run.errorMessage) : Json()},
            {"effective_batch", run.batch.effective},
            {"micro_batch", run.batch.micro},
            {"accumulation_steps", run.batch.steps},
            {"lanes", run.lanes},
            {"threads_per_lane", run.threads},
            {"train_samples", run.trainSamples},
            {"planned_updates", run.totalUpdates},
            {"created", timeJson(run.createdAt)},
            {"started", timeJson(run.startedAt)},
            {"finished", timeJson(run.finishedAt)},
            {"config_hash", run.configHash},
            {"pair_hash", run.pairHash},
            {"config", Json::parse(runConfigJson(run.config))},
            {"environment",
             {{"program", run.environment.program},
              {"libtorch", run.environment.libtorch},
              {"device", run.environment.device},
              {"driver", run.environment.driver},
              {"hardware", run.environment.hardware},
              {"system", run.environment.system},
              {"data", run.environment.data}}},
            {"dataset_hash", run.datasetHash},
            {"model_file_hash", run.modelFileHash},
            {"initial_weights_hash", run.initialWeightsHash},
            {"summary", summaryJson(run.summary)},
            {"tags", run.tags},
            {"notes", run.notes}};
}

Json runJson(const RunRecord& run, const std::optional<StudyRecord>& study) {
    Json json = runJson(run);
    if (study && study->createdAt > 0.0)
        json["study_settings"] = {{"name", study->name},
                                  {"created", timeJson(study->createdAt)},
                                  {"config", Json::parse(studyConfigJson(study->config))}};
    return json;
}

namespace {

/// Members of an object; one that is missing, or of another kind, leaves its target as it is.
class Members {
public:
    explicit Members(const Json& object) : m_object(object) {}

    void read(const char* name, std::string& target) const {
        if (const Json* value = find(name); value && value->is_string())
            target = value->get<std::string>();
    }
    void read(const char* name, std::int64_t& target) const {
        if (const Json* value = find(name); value && value->is_number_integer())
            target = value->get<std::int64_t>();
    }
    void read(const char* name, double& target) const {
        if (const Json* value = find(name); value && value->is_number())
            target = value->get<double>();
    }
    void read(const char* name, std::optional<double>& target) const {
        if (const Json* value = find(name); value && value->is_number())
            target = value->get<double>();
    }
    void readTime(const char* name, double& target) const {
        if (const Json* value = find(name); value && value->is_string())
            target = timeFromIso(value->get<std::string>());
    }
    [[nodiscard]] const Json* find(const char* name) const {
        const auto found = m_object.find(name);
        return found == m_object.end() ? nullptr : &*found;
    }

private:
    const Json& m_object;
};

RunSummary summaryFrom(const Json& json) {
    RunSummary summary;
    const Members members(json);
    members.read("updates", summary.updates);
    members.read("micro_steps", summary.microSteps);
    members.read("samples", summary.samples);
    members.read("train_loss", summary.finalTrainLoss);
    members.read("test_loss", summary.testLoss);
    members.read("test_accuracy", summary.testAccuracy);
    members.read("best_test_accuracy", summary.bestTestAccuracy);
    members.read("test_top5", summary.testTop5);
    members.read("test_mae", summary.testMae);
    members.read("test_rmse", summary.testRmse);
    members.read("test_r2", summary.testR2);
    members.read("validation_loss", summary.validationLoss);
    members.read("validation_accuracy", summary.validationAccuracy);
    members.read("best_validation_accuracy", summary.bestValidationAccuracy);
    members.read("validation_mae", summary.validationMae);
    members.read("validation_rmse", summary.validationRmse);
    members.read("active_seconds", summary.activeSeconds);
    members.read("samples_per_second", summary.samplesPerSecond);
    members.read("training_peak_bytes", summary.peakBytes);
    members.read("evaluation_peak_bytes", summary.evaluationPeakBytes);
    members.read("weights_hash", summary.weightsHash);
    members.read("others_share", summary.othersShare);
    return summary; // without the checkpoint: it stays where it is
}

std::optional<Message> messageFrom(const Json* json) {
    const Json* arguments = json && json->is_object() ? Members(*json).find("arguments") : nullptr;
    auto known = arguments ? argumentsFromJson(arguments->dump()) : std::nullopt;
    if (!known)
        return std::nullopt;
    Message message{{}, std::move(*known)};
    Members(*json).read("code", message.code);
    return message;
}

Environment environmentFrom(const Json& json) {
    Environment environment;
    const Members members(json);
    members.read("program", environment.program);
    members.read("libtorch", environment.libtorch);
    members.read("device", environment.device);
    members.read("driver", environment.driver);
    members.read("hardware", environment.hardware);
    members.read("system", environment.system);
    members.read("data", environment.data);
    return environment;
}

/// Resolved from the settings; the three numbers stand in where this version resolves them to nothing.
BatchPlan batchFrom(const Members& members, const RunConfig& config) {
    if (auto batch = resolveBatch(config.batch))
        return std::move(*batch);
    BatchPlan batch;
    members.read("effective_batch", batch.effective);
    members.read("micro_batch", batch.micro);
    members.read("accumulation_steps", batch.steps);
    return batch;
}

} // namespace

std::optional<RunRecord> runFromJson(const Json& json) {
    if (!json.is_object())
        return std::nullopt;
    const Members members(json);
    RunRecord run;
    std::string arm, state;
    members.read("id", run.id);
    members.read("arm", arm);
    members.read("state", state);
    const Json* config = members.find("config");
    const auto known = runStateFromName(state);
    if (run.id.empty() || !known || !config || (arm != armName(Arm::Accumulated) && arm != armName(Arm::LargeBatch)))
        return std::nullopt;
    auto settings = runConfigFromJson(config->dump());
    if (!settings)
        return std::nullopt;
    run.state = *known;
    run.arm = arm == armName(Arm::Accumulated) ? Arm::Accumulated : Arm::LargeBatch;
    run.config = std::move(*settings);
    run.batch = batchFrom(members, run.config);
    members.read("study", run.study);
    members.read("name", run.name);
    members.read("seed", run.seed);
    members.read("attempt", run.attempt);
    members.read("error", run.error);
    run.errorMessage = messageFrom(members.find("error_message"));
    members.read("lanes", run.lanes);
    members.read("threads_per_lane", run.threads);
    members.read("train_samples", run.trainSamples);
    members.read("planned_updates", run.totalUpdates);
    members.readTime("created", run.createdAt);
    members.readTime("started", run.startedAt);
    members.readTime("finished", run.finishedAt);
    members.read("config_hash", run.configHash);
    members.read("pair_hash", run.pairHash);
    members.read("dataset_hash", run.datasetHash);
    members.read("model_file_hash", run.modelFileHash);
    members.read("initial_weights_hash", run.initialWeightsHash);
    members.read("notes", run.notes);
    if (const Json* environment = members.find("environment"); environment && environment->is_object())
        run.environment = environmentFrom(*environment);
    if (const Json* summary = members.find("summary"); summary && summary->is_object())
        run.summary = summaryFrom(*summary);
    if (const Json* tags = members.find("tags"); tags && tags->is_array())
        for (const Json& tag : *tags)
            if (tag.is_string())
                run.tags.push_back(tag.get<std::string>());
    return run;
}

std::optional<StudyRecord> studyFromJson(const Json& json) {
    const Json* found = json.is_object() ? Members(json).find("study_settings") : nullptr;
    if (!found || !found->is_object())
        return std::nullopt;
    const Members members(*found);
    const Json* config = members.find("config");
    if (!config)
        return std::nullopt;
    auto settings = studyConfigFromJson(config->dump());
    if (!settings)
        return std::nullopt;
    StudyRecord study;
    study.config = std::move(*settings);
    Members(json).read("study", study.id);
    members.read("name", study.name);
    members.readTime("created", study.createdAt);
    return study.id.empty() || study.createdAt <= 0.0 ? std::nullopt : std::optional(std::move(study));
}

std::optional<Json> shallowJson(std::string_view text) {
    bool tooDeep = false;
    Json json = Json::parse(
        text,
        [&](int depth, Json::parse_event_t, const Json&) {
            tooDeep = tooDeep || depth > deepestJson;
            return !tooDeep;
        },
        false);
    return tooDeep || json.is_discarded() ? std::nullopt : std::optional(std::move(json));
}

double timeFromIso(const std::string& iso) {
    std::tm parts{};
    std::istringstream stream(iso);
    stream >> std::get_time(&parts, "%Y-%m-%dT%H:%M:%SZ");
    return stream.fail() ? 0.0 : static_cast<double>(timegm(&parts));
}

} // namespace accumulus

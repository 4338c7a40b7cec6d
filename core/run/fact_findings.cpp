// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/fact_findings.h"

#include "core/config/config_fields.h"

#include <algorithm>
#include <optional>

namespace accumulus {
namespace {

Fix useFix(const char* id, const std::string& value, std::string assignment) {
    return {id, {"fix.use", {{"value", value}}}, {std::move(assignment)}};
}

Finding error(const char* id, const char* key, const Error& what, Fix fix) {
    return {id, FindingLevel::Error, key, what, {std::move(fix)}};
}

std::optional<Finding> ofDataError(const Error& problem) {
    const bool tooSmall = problem.code == "data.too-small" && problem.argument("validation") != "0";
    if (tooSmall || problem.code == "data.no-test") {
        const std::string told = problem.argument("samples");
        const std::int64_t samples = told.empty() ? 0 : std::stoll(told);
        if (samples < 2)
            return std::nullopt;
        const std::string held = std::to_string(std::max<std::int64_t>(1, samples / 10));
        return error("D11", "data.validation", problem,
                     {"hold-out", {"fix.hold-out", {{"samples", held}}}, {"data.validation=" + held}});
    }
    if (const std::string nearest = problem.argument("nearest");
        problem.code == "data.table.target" && !nearest.empty())
        return error("D11", "data.target", problem,
                     useFix("use-column", nearest, "data.target=" + fieldText(FieldValue(nearest))));
    return std::nullopt;
}

/// The setting that an error of the network is about.
std::string modelSetting(const RunConfig& run, const Error& problem) {
    const std::string file = problem.argument("file");
    if (problem.code.starts_with("weights.") || (!file.empty() && file == run.model.weights))
        return "model.weights";
    if (problem.code.starts_with("model.file-") || (!file.empty() && file == run.model.path))
        return "model.path";
    return problem.code == "loss.class-weights" ? "loss.class_weights" : "model.name";
}

Finding ofModelError(const RunConfig& run, const Error& problem) {
    const bool noClasses = problem.code == "model.file-output" && problem.argument("classes") == "0" &&
                           problem.argument("wanted") == "reason.output-classes";
    if (noClasses || problem.argument("cure") == "cure.real-targets")
        return error("D12", "loss.kind", problem, useFix("use-mse", "mse", "loss.kind=mse"));
    if (problem.argument("cure") == "cure.planes")
        return error("D12", "model.name", problem, useFix("use-mlp", "MLP", "model.name=mlp"));
    return {"D14", FindingLevel::Error, modelSetting(run, problem), problem, {}};
}

/// B07: dropout of our networks is keyed by the samples and draws the same in both arms; that of a file does not.
std::optional<Finding> ofDraws(const ExperimentConfig& config, const ModelFacts& model) {
    if (!config.study.largeBatch ||
        std::ranges::find(model.facts, "fact.file-draws", &Message::code) == model.facts.end())
        return std::nullopt;
    return Finding{"B07", FindingLevel::Info, "model.path", {"run.model-draws", {}}, {}};
}

/// B09.
std::optional<Finding> ofUnreached(const ModelFacts& model) {
    const auto fact = std::ranges::find(model.facts, "fact.file-unreached", &Message::code);
    if (fact == model.facts.end())
        return std::nullopt;
    return Finding{"B09", FindingLevel::Warning, "model.path", {"run.model-unreached", fact->arguments}, {}};
}

} // namespace

std::vector<Finding> checkDataFacts(const ExperimentConfig& config, const std::vector<Message>& facts) {
    std::vector<Finding> findings;
    for (const Message& fact : facts)
        if (fact.code == "fact.held-out-one-class")
            findings.push_back(
                {"D13",
                 FindingLevel::Warning,
                 "data.validation",
                 {"finding.held-out-one-class",
                  {{"samples", std::to_string(config.run.data.validation)}, {"class", fact.argument("class")}}},
                 {}});
        else if (fact.code == "fact.mostly-numbers")
            findings.push_back(
                {"D16", FindingLevel::Warning, "data.path", {"finding.mostly-numbers", fact.arguments}, {}});
    return findings;
}

std::vector<Finding> checkFacts(const ExperimentConfig& config, const Result<DataSummary>* data,
                                const Result<ModelFacts>* model) {
    std::vector<Finding> findings;
    const auto add = [&findings](std::optional<Finding> finding) {
        if (finding)
            findings.push_back(*std::move(finding));
    };
    if (data)
        add(*data ? std::nullopt : ofDataError(data->error()));
    if (data && *data)
        findings = checkDataFacts(config, (*data)->facts);
    const bool dataFailed = data && !*data; // which the network's answer says once more
    if (!dataFailed && model && !*model)
        add(ofModelError(config.run, model->error()));
    if (model && *model)
        for (std::optional<Finding> found : {ofDraws(config, **model), ofUnreached(**model)})
            add(std::move(found));
    if (model && *model && (*model)->batchNorm)
        std::ranges::move(checkFoundBatchNorm(config), std::back_inserter(findings));
    return findings;
}

} // namespace accumulus

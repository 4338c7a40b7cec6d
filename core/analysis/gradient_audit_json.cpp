// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gradient_audit.h"

#include "core/base/whole_number.h"

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace accumulus {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(); }
double numberOf(const Json& json) {
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}
std::optional<double> optionalOf(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}
Json numbers(const std::vector<double>& values) {
    Json array = Json::array();
    for (const double value : values)
        array.push_back(number(value));
    return array;
}
Json counts(const std::vector<double>& values) {
    Json array = Json::array();
    for (const double value : values)
        array.push_back(wholeNumber(value) ? Json(*wholeNumber(value)) : number(value));
    return array;
}
std::vector<double> numbersOf(const Json& json) {
    std::vector<double> values;
    for (const Json& value : json)
        values.push_back(numberOf(value));
    return values;
}
Json textOrNull(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }
std::optional<std::string> optionalTextOf(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<std::string>());
}

Json messageJson(const Message& message) {
    Json arguments = Json::object();
    for (const auto& [name, value] : message.arguments)
        arguments[name] = value;
    return {{"code", message.code}, {"arguments", arguments}};
}
Message messageOf(const Json& json) {
    Message message{json.at("code").get<std::string>(), {}};
    for (const auto& [name, value] : json.at("arguments").items())
        message.arguments.emplace_back(name, value.get<std::string>());
    return message;
}

Json tensorJson(const AuditedTensor& tensor) {
    return {{"name", tensor.name},
            {"shape", tensor.shape},
            {"norm", number(tensor.norm)},
            {"reference_norm", number(tensor.referenceNorm)},
            {"error", number(tensor.error)},
            {"largest_error", number(tensor.largestError)},
            {"cosine", number(tensor.cosine)},
            {"error_fp64", number(tensor.errorFp64)},
            {"reference_error_fp64", number(tensor.referenceErrorFp64)},
            {"noise_floor", number(tensor.noiseFloor)},
            {"tolerance", number(tensor.tolerance)},
            {"passed", tensor.passed}};
}
AuditedTensor tensorOf(const Json& json) {
    AuditedTensor tensor;
    tensor.name = json.at("name").get<std::string>();
    tensor.shape = json.at("shape").get<std::vector<std::int64_t>>();
    tensor.norm = numberOf(json.at("norm"));
    tensor.referenceNorm = numberOf(json.at("reference_norm"));
    tensor.error = numberOf(json.at("error"));
    tensor.largestError = numberOf(json.at("largest_error"));
    tensor.cosine = numberOf(json.at("cosine"));
    tensor.errorFp64 = optionalOf(json.at("error_fp64"));
    tensor.referenceErrorFp64 = optionalOf(json.at("reference_error_fp64"));
    tensor.noiseFloor = optionalOf(json.at("noise_floor"));
    tensor.tolerance = numberOf(json.at("tolerance"));
    tensor.passed = json.at("passed").get<bool>();
    return tensor;
}

Json windowJson(const AuditedWindow& window) {
    return {{"units", counts(window.units)},
            {"weights", numbers(window.weights)},
            {"right_weights", numbers(window.rightWeights)},
            {"earlier", numbers(window.earlier)},
            {"residual", number(window.residual)},
            {"error", number(window.error)},
            {"worst_tensor", window.worstTensor}};
}
AuditedWindow windowOf(const Json& json) {
    AuditedWindow window;
    window.units = json.at("units").get<std::vector<double>>();
    window.weights = numbersOf(json.at("weights"));
    window.rightWeights = numbersOf(json.at("right_weights"));
    window.earlier = numbersOf(json.at("earlier"));
    window.residual = numberOf(json.at("residual"));
    window.error = numberOf(json.at("error"));
    window.worstTensor = json.at("worst_tensor").get<std::string>();
    return window;
}

constexpr std::array<const char*, 4> precisionNames{"fp64", "fp32", "bf16", "fp16"};

Precision precisionOf(const std::string& name) {
    for (std::size_t i = 0; i < precisionNames.size(); ++i)
        if (name == precisionNames[i])
            return static_cast<Precision>(i);
    throw std::invalid_argument("precision " + name);
}

GradientAudit auditOf(const Json& json) {
    GradientAudit audit;
    const auto verdict = auditVerdictFromName(json.at("verdict").get<std::string>());
    if (!verdict)
        throw std::invalid_argument("verdict");
    audit.verdict = *verdict;
    audit.pattern = optionalTextOf(json.at("pattern"));
    audit.worstTensor = json.at("worst_tensor").get<std::string>();
    audit.worstError = numberOf(json.at("worst_error"));
    audit.tolerance = numberOf(json.at("tolerance"));
    const auto subject = json.find("subject_message"); // missing in what earlier versions wrote
    audit.subject = subject == json.end() ? subjectAsNamed(json.at("subject").get<std::string>()) : messageOf(*subject);
    audit.run = json.at("run").get<std::string>();
    audit.checkpoint = json.at("checkpoint").get<std::string>();
    audit.seed = json.at("seed").get<std::int64_t>();
    audit.precision = precisionOf(json.at("precision").get<std::string>());
    audit.fault = optionalTextOf(json.at("fault"));
    audit.createdAt = json.at("created_at").get<double>();
    audit.headline = messageOf(json.at("headline"));
    for (const Json& note : json.at("notes"))
        audit.notes.push_back(messageOf(note));
    for (const Json& tensor : json.at("tensors"))
        audit.tensors.push_back(tensorOf(tensor));
    audit.judgedWindow = json.at("judged_window").get<std::size_t>();
    for (const Json& window : json.at("windows"))
        audit.windows.push_back(windowOf(window));
    for (const Json& split : json.at("splits"))
        audit.splits.push_back({split.at("steps").get<std::int64_t>(), numberOf(split.at("error"))});
    for (const Json& update : json.at("updates"))
        audit.updates.push_back(
            {update.at("update").get<std::int64_t>(), numberOf(update.at("distance")), numberOf(update.at("control"))});
    if (audit.judgedWindow != 0 && audit.judgedWindow >= audit.windows.size())
        throw std::invalid_argument("judged_window");
    return audit;
}

} // namespace

Message subjectAsNamed(std::string name) { return {"audit.subject-as-named", {{"subject", std::move(name)}}}; }

std::string auditJson(const GradientAudit& audit) {
    const AuditedWindow* judged =
        audit.judgedWindow < audit.windows.size() ? &audit.windows[audit.judgedWindow] : nullptr;
    Json json{{"verdict", auditVerdictName(audit.verdict)},
              {"pattern", textOrNull(audit.pattern)},
              {"sentence", messageText(audit.headline)},
              {"worst_tensor", audit.worstTensor},
              {"worst_error", number(audit.worstError)},
              {"tolerance", number(audit.tolerance)},
              {"weights", judged ? numbers(judged->weights) : Json()},
              {"right_weights", judged ? numbers(judged->rightWeights) : Json()},
              {"judged_window", audit.judgedWindow},
              {"subject", messageText(audit.subject)},
              {"subject_message", messageJson(audit.subject)},
              {"run", audit.run},
              {"checkpoint", audit.checkpoint},
              {"seed", audit.seed},
              {"precision", precisionNames[static_cast<std::size_t>(audit.precision)]},
              {"fault", textOrNull(audit.fault)},
              {"created_at", audit.createdAt},
              {"headline", messageJson(audit.headline)}};
    for (const char* list : {"notes", "tensors", "windows", "splits", "updates"})
        json[list] = Json::array();
    for (const Message& note : audit.notes)
        json["notes"].push_back(messageJson(note));
    for (const AuditedTensor& tensor : audit.tensors)
        json["tensors"].push_back(tensorJson(tensor));
    for (const AuditedWindow& window : audit.windows)
        json["windows"].push_back(windowJson(window));
    for (const AuditedSplit& split : audit.splits)
        json["splits"].push_back({{"steps", split.steps}, {"error", number(split.error)}});
    for (const AuditedUpdate& update : audit.updates)
        json["updates"].push_back(
            {{"update", update.update}, {"distance", number(update.distance)}, {"control", number(update.control)}});
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<GradientAudit> auditFromJson(std::string_view text) {
    try {
        return auditOf(Json::parse(text));
    } catch (const std::exception& problem) {
        return failure("audit.format", {{"reason", problem.what()}});
    }
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// Plans and trials as JSON, and back. Sentences stand beside their codes, for programs that only show them.
#include "core/analysis/micro_plan.h"

#include "core/analysis/gradient_audit.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace accumulus {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

template <class T>
void read(const Json& json, const char* key, std::optional<T>& value) {
    const Json& found = json.at(key);
    value = found.is_null() ? std::optional<T>() : std::optional<T>(found.get<T>());
}

Json jsonOf(const Message& message) {
    Json arguments = Json::array(); // in their order, and a name may stand twice
    for (const auto& [name, value] : message.arguments)
        arguments.push_back({name, value});
    return {{"code", message.code}, {"arguments", arguments}, {"sentence", messageText(message)}};
}

Message messageOf(const Json& json) {
    Message message{json.at("code").get<std::string>(), {}};
    for (const Json& argument : json.at("arguments"))
        message.arguments.emplace_back(argument.at(0).get<std::string>(), argument.at(1).get<std::string>());
    return message;
}

Json jsonOf(const std::optional<LineFit>& fit) {
    return fit ? Json{{"a", fit->a}, {"b", fit->b}, {"largest_residual", fit->largestResidual}} : Json();
}

std::optional<LineFit> fitOf(const Json& json) {
    if (json.is_null())
        return std::nullopt;
    return LineFit{json.at("a").get<double>(), json.at("b").get<double>(), json.at("largest_residual").get<double>()};
}

Json jsonOf(const MicroPoint& point) {
    return {{"micro", point.micro},
            {"steps", point.steps},
            {"lanes", point.lanes},
            {"threads", point.threads},
            {"peak_bytes", orNull(point.peakBytes)},
            {"samples_per_second", orNull(point.samplesPerSecond)},
            {"update_seconds", orNull(point.updateSeconds)},
            {"fixed_seconds", orNull(point.fixedSeconds)},
            {"fits", point.fits},
            {"problem", point.problem ? jsonOf(*point.problem) : Json()}};
}

MicroPoint pointOf(const Json& json) {
    MicroPoint point;
    point.micro = json.at("micro").get<std::int64_t>();
    point.steps = json.at("steps").get<std::int64_t>();
    point.lanes = json.at("lanes").get<std::int64_t>();
    point.threads = json.at("threads").get<std::int64_t>();
    read(json, "peak_bytes", point.peakBytes);
    read(json, "samples_per_second", point.samplesPerSecond);
    read(json, "update_seconds", point.updateSeconds);
    read(json, "fixed_seconds", point.fixedSeconds);
    point.fits = json.at("fits").get<bool>();
    if (!json.at("problem").is_null())
        point.problem = messageOf(json.at("problem"));
    return point;
}

MicroPlan planOf(const Json& json) {
    MicroPlan plan;
    plan.createdAt = json.at("created_at").get<double>();
    const auto subject = json.find("subject_message"); // missing in what earlier versions wrote
    plan.subject = subject == json.end() ? subjectAsNamed(json.at("subject").get<std::string>()) : messageOf(*subject);
    plan.device = json.at("device").get<std::string>();
    plan.effective = json.at("effective").get<std::int64_t>();
    plan.memoryLimit = json.at("memory_limit").get<std::int64_t>();
    plan.cancelled = json.at("cancelled").get<bool>();
    for (const Json& point : json.at("points"))
        plan.points.push_back(pointOf(point));
    plan.memory = fitOf(json.at("memory"));
    plan.time = fitOf(json.at("time"));
    if (const Json& recommended = json.at("recommended"); !recommended.is_null()) {
        const auto micro = recommended.at("micro").get<std::int64_t>();
        const auto found = std::ranges::find(plan.points, micro, &MicroPoint::micro);
        if (found == plan.points.end())
            throw std::out_of_range("recommended");
        plan.recommended = static_cast<std::size_t>(found - plan.points.begin());
    }
    plan.verified = json.at("verified").get<bool>();
    plan.sentence = messageOf(json.at("sentence_message"));
    for (const Json& note : json.at("notes"))
        plan.notes.push_back(messageOf(note));
    read(json, "cheapest_effective", plan.cheapestEffective);
    return plan;
}

std::string lineOf(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// What `parse` makes of the text; "plan.format" where it is something else.
template <class Parse>
auto parsed(std::string_view text, Parse parse) -> Result<decltype(parse(Json()))> {
    try {
        return parse(Json::parse(text));
    } catch (const std::exception&) { // nlohmann::json's, or out_of_range
        return failure("plan.format");
    }
}

} // namespace

std::string planJson(const MicroPlan& plan) {
    Json points = Json::array();
    for (const MicroPoint& point : plan.points) {
        points.push_back(jsonOf(point));
        points.back()["overhead"] = orNull(overheadOf(plan, point));
    }
    Json notes = Json::array();
    for (const Message& note : plan.notes)
        notes.push_back(jsonOf(note));
    return lineOf({{"subject", messageText(plan.subject)},
                   {"subject_message", jsonOf(plan.subject)},
                   {"device", plan.device},
                   {"effective", plan.effective},
                   {"memory_limit", plan.memoryLimit},
                   {"created_at", plan.createdAt},
                   {"cancelled", plan.cancelled},
                   {"points", points},
                   {"recommended", plan.recommended ? jsonOf(plan.points[*plan.recommended]) : Json()},
                   {"verified", plan.verified},
                   {"sentence", messageText(plan.sentence)},
                   {"sentence_message", jsonOf(plan.sentence)},
                   {"notes", notes},
                   {"memory", jsonOf(plan.memory)},
                   {"time", jsonOf(plan.time)},
                   {"cheapest_effective", orNull(plan.cheapestEffective)}});
}

Result<MicroPlan> planFromJson(std::string_view json) { return parsed(json, planOf); }

std::string trialJson(const Result<MicroTrialReport>& trial) {
    if (!trial)
        return lineOf({{"error", jsonOf(trial.error())}});
    return lineOf({{"point", jsonOf(trial->point)}, {"memory_limit", trial->memoryLimit}});
}

Result<MicroTrialReport> trialFromJson(std::string_view json) {
    std::optional<Error> told;
    auto report = parsed(json, [&](const Json& parsedJson) {
        if (parsedJson.contains("error")) {
            told = messageOf(parsedJson.at("error"));
            return MicroTrialReport{};
        }
        return MicroTrialReport{pointOf(parsedJson.at("point")), parsedJson.at("memory_limit").get<std::int64_t>()};
    });
    if (told)
        return failure(*told);
    return report;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/kept_message.h"

#include "core/base/readable_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace accumulus {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view beginOfMessages = R"([{"code":)";
constexpr int maxDepth = 8; ///< messages within messages; none is nearly as deep

bool areMessages(const Json& json, int depth);

bool areArguments(const Json& json, int depth) {
    return json.is_object() && std::all_of(json.begin(), json.end(), [depth](const Json& value) {
               return value.is_string() || areMessages(value, depth + 1);
           });
}

bool isMessage(const Json& json, int depth) {
    const auto isText = [&json](const char* name) {
        const auto found = json.find(name);
        return found != json.end() && found->is_string();
    };
    if (!json.is_object() || !isText("code") || !isText("text"))
        return false;
    const auto arguments = json.find("arguments");
    return arguments != json.end() && areArguments(*arguments, depth);
}

bool areMessages(const Json& json, int depth) {
    return depth <= maxDepth && json.is_array() && !json.empty() &&
           std::all_of(json.begin(), json.end(), [depth](const Json& one) { return isMessage(one, depth); });
}

Json jsonOf(const MessageArguments& arguments) {
    Json object = Json::object();
    for (const auto& [name, value] : arguments)
        object.emplace(name, messagesOf(value).empty() ? Json(readableText(value)) : Json::parse(value));
    return object;
}

MessageArguments argumentsOf(const Json& object) {
    MessageArguments arguments;
    for (const auto& [name, value] : object.items())
        arguments.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
    return arguments;
}

} // namespace

std::string messagesArgument(const std::vector<Message>& messages) {
    Json list = Json::array();
    for (const Message& message : messages) {
        Json kept = Json::object();
        kept["code"] = readableText(message.code);
        kept["arguments"] = jsonOf(message.arguments);
        kept["text"] = keptText(message, readableText(message.code), english());
        list.push_back(std::move(kept));
    }
    return list.dump();
}

std::vector<KeptMessage> messagesOf(std::string_view argument) {
    std::vector<KeptMessage> messages;
    if (!argument.starts_with(beginOfMessages))
        return messages;
    const Json list = Json::parse(argument, nullptr, false);
    if (areMessages(list, 0))
        for (const Json& one : list)
            messages.push_back({{one.at("code").get<std::string>(), argumentsOf(one.at("arguments"))},
                                one.at("text").get<std::string>()});
    return messages;
}

std::string argumentsJson(const MessageArguments& arguments) { return jsonOf(arguments).dump(); }

std::optional<MessageArguments> argumentsFromJson(std::string_view json) {
    const Json object = Json::parse(json, nullptr, false);
    return areArguments(object, 0) ? std::optional(argumentsOf(object)) : std::nullopt;
}

std::string keptText(const Message& message, const std::string& english, const Language& language) {
    if (errorWords(message.code).code == message.code)
        return fmt::format("{}", fmt::join(errorSentences(message, language), " "));
    const bool isSentence =
        std::ranges::find(messageCatalogue(), message.code, &Sentence::code) != messageCatalogue().end();
    return isSentence ? messageText(message, language) : english;
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/kept_message.h"

#include "core/base/readable_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace accumulus {

using Json = nlohmann::ordered_json;

std::string argumentsJson(const MessageArguments& arguments) {
    Json object = Json::object();
    for (const auto& [name, value] : arguments)
        object.emplace(name, readableText(value));
    return object.dump();
}

std::optional<MessageArguments> argumentsFromJson(std::string_view json) {
    const Json object = Json::parse(json, nullptr, false);
    if (!object.is_object())
        return std::nullopt;
    MessageArguments arguments;
    for (const auto& [name, value] : object.items()) {
        if (!value.is_string())
            return std::nullopt;
        arguments.emplace_back(name, value.get<std::string>());
    }
    return arguments;
}

std::string keptText(const Message& message, const std::string& english, const Language& language) {
    if (errorWords(message.code).code == message.code)
        return fmt::format("{}", fmt::join(errorSentences(message, language), " "));
    const bool isSentence =
        std::ranges::find(messageCatalogue(), message.code, &Sentence::code) != messageCatalogue().end();
    return isSentence ? messageText(message, language) : english;
}

} // namespace accumulus

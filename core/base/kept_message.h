// SPDX-License-Identifier: GPL-3.0-or-later
// Messages as libraries and exports keep them: the code, the arguments as a JSON object of texts, and beside both the
// English text, for people and for programs that lack the code. An argument may be such messages itself. Pure; any
// thread.
#pragma once

#include "core/base/message.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

using MessageArguments = decltype(Message::arguments);

struct KeptMessage {
    Message message;
    std::string english; ///< all its sentences
};

/// Messages that have arguments of their own as one argument of another message, whose words say them by {@name}.
[[nodiscard]] std::string messagesArgument(const std::vector<Message>& messages);
/// What messagesArgument() has made; none for any other text.
[[nodiscard]] std::vector<KeptMessage> messagesOf(std::string_view argument);

/// Of a name that stands twice, the value that Message::argument() finds. Bytes that are no UTF-8 appear as \xE9.
/// Messages within it are a list: [{"code": ..., "arguments": {...}, "text": ...}].
[[nodiscard]] std::string argumentsJson(const MessageArguments& arguments);
/// In their order. Nothing for what is no object of texts and messages: it may come from anywhere.
[[nodiscard]] std::optional<MessageArguments> argumentsFromJson(std::string_view json);

/// The message in the language, of an error all its sentences; `english` where this program lacks the code.
[[nodiscard]] std::string keptText(const Message& message, const std::string& english, const Language& language);

} // namespace accumulus

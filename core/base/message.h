// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the core says beside errors is a message as well: a code with named arguments. The sentences stand in one
// catalogue (message_catalogue.h), in English; the workbench translates the same sentences. Any thread.
//
// A placeholder of a sentence names an argument and says what it is: {name} a text that is shown as it stands, {#name}
// a whole number that the language groups, {~name} a title in English for which the language may have its own (of a
// model, of a data set), {@name} the code of another sentence, filled in from the same arguments, or messages that
// bring arguments of their own (messagesArgument() of kept_message.h), each with all its sentences. An {@name} that is
// neither (what the operating system said) is shown as it stands. Where {@name} begins a sentence, its first letter
// becomes a capital; a full stop that it ends with is not doubled.
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

/// A finding, fix, note, fact or verdict. An error is a message whose catalogue entry has three sentences.
using Message = Error;

/// One entry of the catalogue.
struct Sentence {
    std::string_view code;
    std::string_view words;
};

/// What a language does with a sentence of the catalogues and with a whole number.
struct Language {
    std::function<std::string(std::string_view words)> translate;
    std::function<std::string(std::int64_t number)> count;
};
[[nodiscard]] const Language& english();

/// Sentences of findings, fixes, notes, facts, verdicts and the parts that errors are put together from.
[[nodiscard]] const std::vector<Sentence>& messageCatalogue();
/// The words of a code: its sentence, or what happened of an error. Empty for an unknown code.
[[nodiscard]] std::string_view messageWords(std::string_view code);

/// The message as one sentence (of an error: what happened). An unknown code reads as itself.
[[nodiscard]] std::string messageText(const Message& message, const Language& language = english());
/// One text for each.
[[nodiscard]] std::vector<std::string> sentencesOf(const std::vector<Message>& messages,
                                                   const Language& language = english());
/// Several messages, joined by `separator`.
[[nodiscard]] std::string messagesText(const std::vector<Message>& messages, std::string_view separator,
                                       const Language& language = english());
/// What, why and cure of an error; sentences that come out empty are left out.
[[nodiscard]] std::vector<std::string> errorSentences(const Error& error, const Language& language = english());
/// `words`, already in the language, with every placeholder filled in.
[[nodiscard]] std::string fillArguments(std::string_view words, const Message& message, const Language& language);

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include "core/base/error_cause.h"
#include "core/base/message.h"
#include "core/base/readable_text.h"

#include <algorithm>

namespace accumulus {

std::string Error::argument(std::string_view name) const {
    const auto found =
        std::ranges::find(arguments, name, [](const auto& pair) { return std::string_view(pair.first); });
    return found == arguments.end() ? std::string() : readableText(found->second);
}

const ErrorWords& errorWords(std::string_view code) {
    const auto& catalogue = errorCatalogue();
    const auto found = std::ranges::find(catalogue, code, &ErrorWords::code);
    return found == catalogue.end() ? catalogue.front() : *found;
}

std::string fillArguments(std::string_view words, const Error& error) { return fillArguments(words, error, english()); }

std::string describe(const Error& error) {
    std::string text;
    for (const std::string& sentence : errorSentences(error))
        text += (text.empty() ? "" : " ") + sentence;
    const ErrorWords& words = errorWords(error.code);
    if (words.code == "internal.unknown" && error.code != words.code)
        text += " (" + error.code + ")";
    return text;
}

ErrorKind errorKind(const Error& error) { return errorWords(causeOf(error).code).kind; }

int exitCode(const Error& error) { return static_cast<int>(errorKind(error)); }

} // namespace accumulus

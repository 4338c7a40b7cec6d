// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include "core/base/printable.h"
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

std::string fillArguments(std::string_view words, const Error& error) {
    std::string text;
    for (std::size_t at = 0; at < words.size();) {
        const auto open = words.find('{', at);
        const auto close = open == std::string_view::npos ? open : words.find('}', open);
        if (close == std::string_view::npos) {
            text += words.substr(at);
            break;
        }
        text += words.substr(at, open - at);
        text += printable(error.argument(words.substr(open + 1, close - open - 1)));
        at = close + 1;
    }
    return text;
}

std::string describe(const Error& error) {
    const ErrorWords& words = errorWords(error.code);
    std::string text;
    for (const std::string_view part : {words.what, words.why, words.cure}) {
        const std::string filled = fillArguments(part, error);
        if (!filled.empty())
            text += (text.empty() ? "" : " ") + filled;
    }
    if (words.code == "internal.unknown" && error.code != words.code)
        text += " (" + error.code + ")";
    return text;
}

ErrorKind errorKind(const Error& error) { return errorWords(error.code).kind; }

int exitCode(const Error& error) { return static_cast<int>(errorKind(error)); }

} // namespace accumulus

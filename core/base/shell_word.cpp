// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shell_word.h"

#include "core/base/readable_text.h"

namespace accumulus {

std::string posixWord(std::string_view word) {
    const bool plain = !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                               "0123456789_-./=:@%+,") == std::string_view::npos;
    if (plain)
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string shellWord(const std::string& word) {
    // $'caf\xE9' is the same word for bash, zsh and ksh, and can be printed.
    if (readableText(word) != word) {
        std::string escaped;
        for (const char c : word)
            escaped += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
        return "$'" + readableText(escaped) + "'";
    }
    return posixWord(word);
}

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of words by the names that the core knows, translated when they are looked up.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string>

namespace accumulus::ui {

struct Word {
    const char* id;
    const char* text;
};

/// Of the table's translations in `context`; empty for an id that it does not hold.
template <std::size_t n>
[[nodiscard]] QString translated(const char* context, const Word (&words)[n], const std::string& id) {
    for (const Word& word : words)
        if (id == word.id)
            return QCoreApplication::translate(context, word.text);
    return {};
}

} // namespace accumulus::ui

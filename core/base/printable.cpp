// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/printable.h"

#include <array>
#include <cstddef>

namespace accumulus {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

struct Decoded {
    char32_t character = 0;
    std::size_t bytes = 0; ///< 0: no UTF-8
};

unsigned byteAt(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// The character at the beginning of `text`: shortest form only, no surrogates, nothing above U+10FFFF.
Decoded decode(std::string_view text) {
    const unsigned lead = byteAt(text, 0);
    if (lead < 0x80U)
        return {lead, 1};
    const std::size_t bytes = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
    if (lead < 0xC2U || lead > 0xF4U || text.size() < bytes)
        return {};
    char32_t character = lead & (0x7FU >> bytes);
    for (std::size_t at = 1; at < bytes; ++at) {
        if ((byteAt(text, at) & 0xC0U) != 0x80U)
            return {};
        character = character << 6U | (byteAt(text, at) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
    if (character < smallest.at(bytes) || surrogate || character > 0x10FFFF)
        return {};
    return {character, bytes};
}

bool isControl(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) ||       // C0, DEL, C1
           c == 0x061C || c == 0x200E || c == 0x200F || // marks of direction
           (c >= 0x2028 && c <= 0x202E) ||              // separators; embeddings and overrides
           (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF; // isolates; byte order mark
}

std::string escaped(char32_t c) {
    switch (c) {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        break;
    }
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U})
        text += digits[c >> shift & 0xFU];
    return text;
}

} // namespace

std::string printable(std::string_view text, LineBreaks breaks) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text.substr(at));
        const bool kept = breaks == LineBreaks::Keep && (next.character == '\n' || next.character == '\t');
        if (next.bytes == 0)
            out += replacement;
        else if (isControl(next.character) && !kept)
            out += escaped(next.character);
        else
            out += text.substr(at, next.bytes);
        at += next.bytes == 0 ? 1 : next.bytes;
    }
    return out;
}

} // namespace accumulus

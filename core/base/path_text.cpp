// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/path_text.h"

#include "core/base/readable_text.h"

#include <algorithm>
#include <charconv>

namespace accumulus {
namespace {

constexpr char digits[] = "0123456789ABCDEF";
constexpr std::string_view scheme = "file:";

} // namespace

std::string textOfPath(const std::filesystem::path& path) {
    const std::string& bytes = path.native();
    const bool control =
        std::ranges::any_of(bytes, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    if (!control && readableText(bytes) == bytes && !bytes.starts_with(scheme))
        return bytes;
    std::string text(scheme);
    for (const char character : bytes) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte > 0x20 && byte < 0x7F && byte != '%')
            text += character;
        else
            text.append({'%', digits[byte >> 4], digits[byte & 15]});
    }
    return text;
}

std::filesystem::path pathOfText(std::string_view text) {
    if (!text.starts_with(scheme))
        return text;
    text.remove_prefix(scheme.size());
    if (text.starts_with("///"))
        text.remove_prefix(2);
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        unsigned byte = 0;
        const char* first = text.data() + at + 1;
        if (text[at] == '%' && at + 2 < text.size() && std::from_chars(first, first + 2, byte, 16).ptr == first + 2) {
            bytes += static_cast<char>(byte);
            at += 2;
        } else {
            bytes += text[at];
        }
    }
    return bytes;
}

} // namespace accumulus

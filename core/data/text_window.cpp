// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text_window.h"

#include "core/data/column_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace accumulus {

TextWindow::TextWindow(const MappedFile& file, std::size_t least)
    : m_file(file), m_least(least), m_buffer(std::min(file.bytes().size(), 2 * least)) {
    fill();
}

void TextWindow::removePrefix(std::size_t bytes) {
    m_begin += bytes;
    if (m_end - m_begin < m_least && !reachesEnd())
        fill();
}

void TextWindow::fill() {
    if (m_buffer.empty())
        return;
    std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
    m_end -= m_begin;
    m_begin = 0;
    const std::size_t count = std::min(m_buffer.size() - m_end, m_file.bytes().size() - m_read);
    readBytes(m_file, m_file.bytes().subspan(m_read, count), reinterpret_cast<std::byte*>(m_buffer.data()) + m_end);
    m_end += count;
    m_read += count;
}

void forEachPiece(const MappedFile& file, const std::function<bool(std::string_view, std::size_t)>& use) {
    constexpr std::size_t least = std::size_t{1} << 20;
    TextWindow window(file, least);
    for (std::size_t offset = 0; !window.text().empty();) {
        std::string_view piece = window.text();
        if (!window.reachesEnd()) { // the last character may go on behind it
            constexpr std::size_t longest = 4;
            std::size_t cut = piece.size() - 1;
            while (piece.size() - cut < longest && (static_cast<unsigned char>(piece[cut]) & 0xC0U) == 0x80U)
                --cut;
            piece = piece.substr(0, cut);
        }
        if (!use(piece, offset))
            return;
        offset += piece.size();
        window.removePrefix(piece.size());
    }
}

} // namespace accumulus

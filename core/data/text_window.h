// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a file from its beginning on, read piece by piece: it may be cut short meanwhile. Throws ErrorThrown
// "data.changed" where that happens. One thread; the file must outlive it.
#pragma once

#include "core/data/mapped_file.h"

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace accumulus {

class TextWindow {
public:
    /// text() holds at least so many bytes while the file has them.
    TextWindow(const MappedFile& file, std::size_t least);

    /// What comes next; empty: the end. Valid until removePrefix().
    [[nodiscard]] std::string_view text() const { return {m_buffer.data() + m_begin, m_end - m_begin}; }
    [[nodiscard]] bool reachesEnd() const { return m_read == m_file.bytes().size(); }
    void removePrefix(std::size_t bytes);

private:
    void fill();

    const MappedFile& m_file;
    std::size_t m_least;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0, m_end = 0; ///< of the text in the buffer
    std::size_t m_read = 0;             ///< bytes of the file
};

/// Calls `use` with all of a UTF-8 text: pieces that end between two characters where the text is valid, and where in
/// the file each begins; until it returns false. Throws as TextWindow.
void forEachPiece(const MappedFile& file, const std::function<bool(std::string_view, std::size_t)>& use);

} // namespace accumulus

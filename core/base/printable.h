// SPDX-License-Identifier: GPL-3.0-or-later
// Text from outside (names in a library that somebody sent, file names, what another program wrote) made fit to be
// shown: nothing in it can move a terminal's cursor, break a line, or turn the text around. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace accumulus {

enum class LineBreaks { Escape, Keep };

/// Control characters, bidirectional controls, line and paragraph separators appear as JSON escapes ("\n", "\u001b",
/// "\u202e"), so that JSON stays the same JSON; bytes that are no UTF-8 become U+FFFD. With LineBreaks::Keep, '\n' and
/// '\t' stay: for notes. The result is printable itself: a second call changes nothing.
[[nodiscard]] std::string printable(std::string_view text, LineBreaks breaks = LineBreaks::Escape);

} // namespace accumulus

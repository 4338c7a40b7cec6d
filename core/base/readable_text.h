// SPDX-License-Identifier: GPL-3.0-or-later
// Outside bytes in messages. A file's name on Linux is any sequence of bytes; a message is UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace accumulus {

/// Length of the UTF-8 sequence at the start of `text`, 0 when it is none (RFC 3629: no surrogates, no overlong forms).
[[nodiscard]] std::size_t utf8Length(std::string_view text);

/// `text` as valid UTF-8: bytes that are not are written as \xE9. Control characters stay (see printable.h).
[[nodiscard]] std::string readableText(std::string_view text);

} // namespace accumulus

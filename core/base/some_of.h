// SPDX-License-Identifier: GPL-3.0-or-later
// A list in a sentence, no longer than a sentence takes. Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace accumulus {

/// "a, b, c", and "a, b, c, ..." where there are more than `most`.
[[nodiscard]] std::string someOf(std::span<const std::string> names, std::size_t most);

} // namespace accumulus

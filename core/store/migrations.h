// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/store. The library's tables, as the list of scripts that bring a file from one version to the next.
#pragma once

#include <span>

namespace accumulus {

/// PRAGMA application_id of a library: "ACUM" in ASCII.
inline constexpr int libraryApplicationId = 0x4143554D;

/// Script i turns version i into version i + 1. Append only: a released script never changes.
[[nodiscard]] std::span<const char* const> migrations();

} // namespace accumulus

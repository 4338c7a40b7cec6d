// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that other programs have and this one refuses, because a window of micro-batches would not do what they say
// (traps T21 and T23). Any thread.
#pragma once

#include "core/base/error.h"

#include <optional>
#include <string_view>

namespace accumulus {

/// Error "config.refused" with the reason and what to do, for a refused key or for a refused value of a known key; else
/// nothing.
[[nodiscard]] std::optional<Error> refusalOf(std::string_view key, std::string_view value = {});

} // namespace accumulus

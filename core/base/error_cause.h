// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

namespace accumulus {

/// What ended another rank, where it has told; of any other error itself. What a program does about a rank that has run
/// out of memory, and how it ends, is what one without ranks does. Pure; any thread.
[[nodiscard]] Error causeOf(const Error& error);

} // namespace accumulus

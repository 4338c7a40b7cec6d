// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions of the engine in the words of the catalogue. Free of torch. Any thread.
#pragma once

#include "core/base/error.h"
#include "core/base/error_thrown.h"

#include <exception>

namespace accumulus {

class Communicator;

/// `ranks`: with whom it was computed, to name one that was lost.
[[nodiscard]] Error errorOf(const std::exception_ptr& problem, const Communicator* ranks = nullptr);
/// leave() with a reason that the others' errorOf() can say in any language.
void leaveRanks(Communicator& ranks, const Error& error);

} // namespace accumulus

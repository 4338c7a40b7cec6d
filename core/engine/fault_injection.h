// SPDX-License-Identifier: GPL-3.0-or-later
// Where tests make the engine fail. The engine treats what is thrown there like any exception of that phase.
#pragma once

#include <cstdint>
#include <functional>

namespace accumulus {

enum class FaultPoint { Forward, Backward, Commit, Update };

/// Called with window (from 1) and micro-step (from 0; 0 for the update) before the phase begins; may throw. By any
/// lane.
using FaultInjector = std::function<void(FaultPoint, std::int64_t window, std::int64_t microStep)>;

} // namespace accumulus

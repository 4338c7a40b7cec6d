// SPDX-License-Identifier: GPL-3.0-or-later
// For who waits for an evaluation: how far it has come, and the wish to end it; free of torch.
#pragma once

#include <cstdint>
#include <functional>

namespace accumulus {

/// Called before each chunk, by any lane, several at a time: samples that other chunks have taken, and all of them.
/// False: evaluate() throws the error "library.cancelled". Empty: nobody waits.
using EvaluationWatch = std::function<bool(std::int64_t taken, std::int64_t count)>;

} // namespace accumulus

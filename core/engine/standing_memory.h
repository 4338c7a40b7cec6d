// SPDX-License-Identifier: GPL-3.0-or-later
// What an engine holds whatever the micro-batch, counted before anything is allocated: a system that promises more
// memory than it has ends a program that then touches it. Free of torch. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/engine/engine_setup.h"

#include <cstdint>

namespace accumulus {

class ParameterLayout;

/// Elements of a model's arenas, gaps included.
struct ArenaSizes {
    std::int64_t parameters = 0; ///< frozen ones, too
    std::int64_t gradients = 0;  ///< of what is trained: what ranks send, and a part of the optimizer's state
};

/// Bytes.
struct StandingMemory {
    std::int64_t parameters = 0; ///< with their copy in 16 bits
    std::int64_t gradients = 0;  ///< their sum, and that of one micro-step for each lane
    std::int64_t optimizer = 0;  ///< its state
    [[nodiscard]] std::int64_t total() const { return parameters + gradients + optimizer; }
};
[[nodiscard]] StandingMemory standingMemory(const RunConfig& config, const ArenaSizes& arenas, std::int64_t lanes,
                                            bool gpu);

/// Bytes that a run on the CPU may take beside what this process holds already.
struct MemoryRoom {
    std::int64_t bytes = 0; ///< 0: not known
    bool limited = false;   ///< it is device.memory_limit that leaves so few
};
[[nodiscard]] MemoryRoom roomOnCpu(const RunConfig& config);

/// On the CPU. Errors "model.memory" where one lane needs more than `room`, "training.memory" where `lanes` do.
[[nodiscard]] Status checkStandingMemory(const EngineSetup& setup, const ParameterLayout& layout, std::int64_t lanes,
                                         const MemoryRoom& room);

/// Does `error` say that there is too little memory, for these weights or for what is computed with them?
[[nodiscard]] bool isMemoryError(const Error& error);

} // namespace accumulus

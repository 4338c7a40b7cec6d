// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run fits into memory, from what is known of its need: the messages M01, M02 and M05. Pure functions.
#pragma once

#include "core/config/config_check.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace accumulus {

/// How the need became known, the better the further down. WithoutActivations: the formula for what stays, of a network
/// whose layers are not known; it will need more.
enum class MemorySource { WithoutActivations, Formula, Fit, Measured };

struct MemoryNeed {
    std::int64_t bytes = 0;
    MemorySource source = MemorySource::Formula;
    bool operator==(const MemoryNeed&) const = default;
};

/// Of one run, in bytes. What is not known is not judged.
struct MemoryFacts {
    std::optional<MemoryNeed> need;      ///< at the micro-batch of the configuration
    std::optional<MemoryNeed> largeNeed; ///< of the large-batch arm
    std::int64_t free = 0;               ///< what a run may take; 0: not known
    bool limited = false;                ///< that is device.memory_limit, to the byte
    std::int64_t total = 0;              ///< what the device has; 0: not known, or shared by processes of the run
    std::int64_t others = 0;             ///< of that, what is in use already
    bool gpu = false;                    ///< the device is a card of its own
    std::int64_t freeOnCpu = 0;          ///< what a run might take on the CPU instead; 0: it is there, or not known
    bool accepted = false;               ///< the person starts it although it needs more
    bool operator==(const MemoryFacts&) const = default;
};

enum class MemoryLevel { Unknown, Fits, Tight, Exceeds };
/// Fits below 80 % of what is free, exceeds above 95 %, tight between. `limited`: the tensors are counted against a
/// limit that nobody else uses up, so what is needed exceeds it only above all of it. Without activations nothing is
/// known but that it exceeds.
[[nodiscard]] MemoryLevel memoryLevel(const std::optional<MemoryNeed>& need, std::int64_t free, bool limited = false);

/// "formula", "measured fit", ...: a code of the catalogue.
[[nodiscard]] const char* memorySourceCode(MemorySource source);

/// What device.memory_limit leaves of what the device has, for each of the processes that share it; a GPU is each
/// rank's own. 0: not known.
[[nodiscard]] std::int64_t freeForRun(const RunConfig& run, std::int64_t device, bool gpu);
/// Is it device.memory_limit that leaves a run these bytes?
[[nodiscard]] bool isMemoryLimit(const RunConfig& run, std::int64_t free);

/// M01 error, a warning once accepted: more than is free (fixes halve-micro, which keeps B, where m can be halved, and
/// start-anyway without assignments); without activations a warning with the fix probe. M02 info: only a formula says
/// so, or nothing of the activations (fix probe without assignments). M05 warning:
/// the large-batch arm needs more than is free (fixes smaller-batch, an effective batch that fits by the line through
/// what both arms need; use-cpu, where that is another device and has room for it; audit-only without assignments;
/// no-large-batch).
[[nodiscard]] std::vector<Finding> checkMemory(const ExperimentConfig& config, const MemoryFacts& facts);

} // namespace accumulus

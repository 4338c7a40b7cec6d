// SPDX-License-Identifier: GPL-3.0-or-later
// What calibrateLanes() found is kept in the library, so that the next study like this one starts at once. One thread
// at a time.
#pragma once

#include "core/config/experiment_config.h"
#include "core/engine/engine_setup.h"
#include "core/run/run_events.h"

#include <filesystem>
#include <optional>
#include <string>

namespace accumulus {

class LaneMemory {
public:
    /// For accumulated runs of this configuration, by this program on this machine. Nothing is found or kept where
    /// device.lanes says how many, and on several ranks, which share the cores: not `alone`.
    LaneMemory(std::filesystem::path library, const RunConfig& config, bool alone);

    /// Nothing, too, where that run needed more memory than there is now, or the library cannot be read.
    [[nodiscard]] std::optional<LanePlan> find();
    /// `run`: the first that was computed so. Kept is only what was measured, not what was found, and not where others
    /// used the machine, the run was cut short, or the library cannot be written.
    void keep(const LanePlan& plan, const RunFinished& run) const;

private:
    std::filesystem::path m_library;
    std::string m_key; ///< of the library's note; empty: none
    bool m_found = false;
};

} // namespace accumulus

// SPDX-License-Identifier: GPL-3.0-or-later
// What windows are computed with. Free of torch.
#pragma once

#include "core/config/batch_plan.h"
#include "core/config/experiment_config.h"
#include "core/data/dataset.h"
#include "core/engine/fault_injection.h"
#include "core/window/planted_bug.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace accumulus {

class Communicator;
class Model;

/// Lanes and kernel threads per lane, resolved.
struct LanePlan {
    int lanes = 1;
    int threads = 1;
    bool operator==(const LanePlan&) const = default;
};
/// What the settings leave open, without measuring (see calibrateLanes): an accumulated run takes one lane per core,
/// not more than micro-steps, and the lanes share the cores; the large batch takes one lane with all of them.
[[nodiscard]] LanePlan resolveLanes(const DeviceConfig& device, Arm arm, std::int64_t accumulationSteps, int cores);

struct EngineSetup {
    RunConfig config;
    std::int64_t seed = 0;
    LanePlan lanes;
    std::shared_ptr<const Dataset> data;
    Communicator* ranks = nullptr; ///< with whom the run is computed; null: alone
    /// Of this run: its checkpoints, and what is not to lie in memory. Empty: the system's folder for temporary files.
    std::filesystem::path folder;
    bool weightsFollow = false; ///< a bundle or checkpoint will bring them: the file model.weights is not read

    // For tests and lessons.
    PlantedBug bug = PlantedBug::None;
    std::shared_ptr<const Model> model; ///< instead of the registry's
    bool deferred = false;              ///< on the CPU: data, sums and updates as on a GPU
    std::int64_t graphMemory = 0;       ///< bytes that recorded micro-steps hold; 0: what is usual for the device
    FaultInjector fault;                ///< makes a phase of a micro-step or update fail
};

} // namespace accumulus

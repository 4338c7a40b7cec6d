// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/lane_memory.h"

#include "core/base/available_memory.h"
#include "core/base/hash.h"
#include "core/config/experiment_file.h"
#include "core/run/environment.h"
#include "core/run/file_stamps.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"
#include "core/train/lane_calibration.h"

#include <fmt/format.h>
#include <sstream>
#include <utility>

namespace accumulus {
namespace {

constexpr double quiet = 0.1; // share of the cores that others may have used

/// What decides which lanes are the fastest, and how much memory they take.
std::string keyOf(const RunConfig& config) {
    RunConfig deciding;
    deciding.data = config.data;
    deciding.model = config.model;
    deciding.batch = config.batch;
    deciding.loss = config.loss;
    deciding.numerics = config.numerics;
    deciding.device = config.device;
    deciding.optimizer.name = config.optimizer.name; // how many moments
    deciding.optimizer.momentum = config.optimizer.momentum == 0.0 ? 0.0 : 1.0;
    const Environment here = currentEnvironment();
    return "lanes " + hashOf(here.program + "\n" + here.libtorch + "\n" + here.hardware + "\n" + fileStamps(deciding) +
                             runConfigJson(deciding));
}

} // namespace

LaneMemory::LaneMemory(std::filesystem::path library, const RunConfig& config, bool alone)
    : m_library(std::move(library)), m_key(alone && config.device.lanes == 0 ? keyOf(config) : std::string()) {}

std::optional<LanePlan> LaneMemory::find() {
    if (m_key.empty())
        return std::nullopt;
    auto library = Library::open(m_library, Library::Mode::Read);
    if (!library)
        return std::nullopt;
    const auto note = RunReader(std::move(*library)).note(m_key);
    LanePlan plan{0, 0};
    std::int64_t peakBytes = 0;
    std::istringstream words(note.value_or(std::string()));
    if (!(words >> plan.lanes >> plan.threads >> peakBytes) || plan.lanes < 1 || plan.threads < 1)
        return std::nullopt;
    const std::int64_t available = availableMemory();
    if (available > 0 && static_cast<double>(peakBytes) > laneMemoryShare * static_cast<double>(available))
        return std::nullopt;
    m_found = true;
    return plan;
}

void LaneMemory::keep(const LanePlan& plan, const RunFinished& run) const {
    if (m_key.empty() || m_found || run.state != RunState::Completed || run.summary.othersShare.value_or(0.0) > quiet)
        return;
    if (auto library = Library::open(m_library, Library::Mode::Write))
        (void)RunStore(std::move(*library))
            .putNote(m_key, fmt::format("{} {} {}", plan.lanes, plan.threads, run.summary.peakBytes));
}

} // namespace accumulus

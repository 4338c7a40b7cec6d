// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/start_checks.h"

#include "core/base/machine_features.h"
#include "core/engine/device_choice.h"
#include "core/store/run_owner.h"
#include "core/store/run_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

/// Empty where it may be read and written.
std::string whyNotWritable(const fs::path& path, bool isFolder) {
    const int wanted = R_OK | W_OK | (isFolder ? X_OK : 0);
    return faccessat(AT_FDCWD, path.c_str(), wanted, AT_EACCESS) == 0 ? std::string() : std::strerror(errno);
}

} // namespace

Status checkOutputFolder(const fs::path& library) {
    std::error_code none;
    const fs::path file = fs::absolute(library, none);
    fs::path files = file;
    files += ".files";
    const fs::path folder = file.parent_path();
    const auto refuse = [](const fs::path& where, const std::string& reason) {
        return failure("library.output", {{"folder", where.string()}, {"reason", reason}});
    };
    if (const std::string reason = whyNotWritable(folder, true); !reason.empty())
        return refuse(folder, reason);
    if (fs::exists(file, none))
        if (const std::string reason = whyNotWritable(file, false); !reason.empty())
            return refuse(file, reason);
    if (fs::exists(files, none))
        if (const std::string reason = whyNotWritable(files, true); !reason.empty())
            return refuse(files, reason);
    const fs::space_info space = fs::space(folder, none);
    if (!none && space.capacity > 0 && space.available == 0)
        return refuse(folder, std::strerror(ENOSPC));
    return {};
}

const RunRecord* runOnDevice(const std::vector<RunRecord>& runs, const std::vector<LaunchRecord>& launches,
                             const std::string& device) {
    const RunOwner self = thisProcess();
    const auto isElsewhere = [&](const RunRecord& run) { // on a device of another machine, whatever its name
        return std::ranges::any_of(launches, [&](const LaunchRecord& launch) {
            return launch.endedAt == 0.0 && (!launch.place.host.empty() || launch.place.slurm) && trains(launch, run);
        });
    };
    const auto found = std::ranges::find_if(runs, [&](const RunRecord& run) {
        return isActive(run.state) && run.environment.device == device && run.owner.host == self.host &&
               run.owner.pid != self.pid && lifeOf(run.owner) == OwnerLife::Alive && !isElsewhere(run);
    });
    return found == runs.end() ? nullptr : &*found;
}

Status checkDeviceNow(const DeviceConfig& device, const fs::path& library) {
    if (device.kind == "cpu" || !machineFeatures().cuda)
        return {};
    ACCUMULUS_TRY_ASSIGN(const DeviceChoice choice, chooseDevice(device.kind));
    if (!choice.isGpu())
        return {};
    auto opened = Library::open(library, Library::Mode::Read);
    if (!opened)
        return {}; // whoever opens it tells why
    RunReader reader(*std::move(opened));
    const auto runs = reader.runs({.active = true});
    const auto launches = reader.launches();
    if (!runs || !launches)
        return {};
    if (const RunRecord* run = runOnDevice(*runs, *launches, choice.device))
        return failure("device.busy",
                       {{"device", choice.device}, {"run", run->name}, {"process", std::to_string(run->owner.pid)}});
    return {};
}

std::vector<Finding> startFindings(const Status& output, const Status& device) {
    std::vector<Finding> findings;
    if (!output)
        findings.push_back(
            {"P02", FindingLevel::Error, "", output.error(), {{"choose-library", {"fix.choose", {}}, {}}}});
    if (!device)
        findings.push_back({"D01",
                            FindingLevel::Error,
                            "device.kind",
                            device.error(),
                            {{"refresh-device", {"fix.refresh", {}}, {}},
                             {"use-cpu", {"fix.use", {{"value", "CPU"}}}, {"device.kind=cpu"}}}});
    return findings;
}

} // namespace accumulus

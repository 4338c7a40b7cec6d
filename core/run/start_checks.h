// SPDX-License-Identifier: GPL-3.0-or-later
// What only the machine of this moment tells of a start: whether the library's folder can be written and whether the
// device is there and free. Asked before a start, so that none begins in vain. Any thread; slow disks and drivers are
// waited for.
#pragma once

#include "core/config/config_check.h"
#include "core/store/run_records.h"

#include <filesystem>
#include <string>
#include <vector>

namespace accumulus {

/// Whether runs can be recorded beside `library`, the open one: its folder, the file and LIBRARY.files may be written,
/// and the disk is not full. Nothing is written. Error "library.output".
[[nodiscard]] Status checkOutputFolder(const std::filesystem::path& library);

/// Whether the device of a configuration can begin a run now. Errors "device.unusable", "device.missing", "device.gone"
/// (the card does not answer), "device.busy" (another process trains a run of this library on it). A CPU can always.
/// What a build without CUDA cannot do at all is left to checkConfig (D08).
[[nodiscard]] Status checkDeviceNow(const DeviceConfig& device, const std::filesystem::path& library);

/// The run that another living process of this machine trains here on `device` ("cuda:0"), or null. `launches`: those
/// of the library; what they train on other machines does not count.
[[nodiscard]] const RunRecord* runOnDevice(const std::vector<RunRecord>& runs,
                                           const std::vector<LaunchRecord>& launches, const std::string& device);

/// The answers as findings: P02 the output folder is not writable (fix choose-library), D01 the device has gone or is
/// in use (fixes refresh-device, use-cpu). choose-library and refresh-device assign nothing: whoever shows them acts.
[[nodiscard]] std::vector<Finding> startFindings(const Status& output, const Status& device);

} // namespace accumulus

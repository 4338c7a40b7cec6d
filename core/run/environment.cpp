// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/environment.h"

#include "core/config/byte_size.h"
#include "core/engine/device_choice.h"
#include "core/run/program.h"
#include "core/train/versions.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace accumulus {
namespace {

/// The value behind `key` in a file of "key separator value" lines, without quotes.
std::string valueIn(const char* file, const std::string& key, char separator) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(key))
            continue;
        const auto at = line.find(separator);
        if (at == std::string::npos)
            continue;
        const auto first = line.find_first_not_of(" \t\"", at + 1);
        const auto last = line.find_last_not_of(" \t\"");
        return first == std::string::npos ? std::string() : line.substr(first, last - first + 1);
    }
    return {};
}

std::string processorName() {
    const std::string name = valueIn("/proc/cpuinfo", "model name", ':');
    return name.empty() ? "processor" : name;
}

std::string memoryText() { return bytesText(std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGE_SIZE)); }

} // namespace

int availableCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return std::max(1, CPU_COUNT(&set));
}

Environment currentEnvironment() {
    Environment environment;
    environment.program = programName();
    environment.libtorch = libtorchVersion();
    environment.device = "cpu";
    environment.driver = DeviceChoice().driver;
    environment.hardware = processorName() + ", " + std::to_string(availableCores()) + " cores, " + memoryText();
    utsname system{};
    uname(&system);
    environment.system = valueIn("/etc/os-release", "PRETTY_NAME", '=') + ", " + system.sysname + " " + system.release;
    return environment;
}

DeviceSummary inspectDevice() {
    DeviceSummary summary;
    summary.cores = availableCores();
    const auto choice = chooseDevice("auto");
    if (choice && choice->isGpu())
        summary.facts.push_back({"fact.gpu", {{"name", choice->name}}});
    summary.facts.push_back({"fact.cpu", {{"name", processorName()}}});
    summary.facts.push_back({"fact.cores", {{"cores", std::to_string(summary.cores)}}});
    summary.facts.push_back({"fact.memory", {{"memory", memoryText()}}});
    summary.note = choice ? choice->note : choice.error();
    return summary;
}

} // namespace accumulus

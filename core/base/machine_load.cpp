// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/machine_load.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

namespace accumulus {
namespace {

constexpr std::int64_t fewestTicks = 100;

/// user, nice, system, idle, iowait, irq, softirq, steal: proc_stat(5). Guests stand in user and nice already.
std::optional<std::array<std::int64_t, 8>> processors(const std::filesystem::path& proc) {
    std::ifstream file(proc / "stat");
    std::string name;
    std::array<std::int64_t, 8> times{};
    file >> name;
    for (std::int64_t& time : times)
        file >> time;
    return file && name == "cpu" ? std::optional(times) : std::nullopt;
}

/// utime and stime, the 14th and 15th field: proc_pid_stat(5). The second one, a name in parentheses, may hold
/// anything.
std::optional<std::int64_t> ownTime(const std::filesystem::path& proc) {
    std::ifstream file(proc / "self" / "stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name = text.rfind(')');
    if (name == std::string::npos)
        return std::nullopt;
    std::istringstream fields(text.substr(name + 1));
    std::string passed;
    for (int field = 3; field < 14; ++field)
        fields >> passed;
    std::int64_t user = 0, system = 0;
    return fields >> user >> system ? std::optional(user + system) : std::nullopt;
}

} // namespace

MachineLoad::MachineLoad(std::filesystem::path proc) : m_proc(std::move(proc)), m_last(look()) {}

std::optional<MachineLoad::Ticks> MachineLoad::look() const {
    const auto times = processors(m_proc);
    const auto own = ownTime(m_proc);
    if (!times || !own)
        return std::nullopt;
    Ticks ticks;
    for (const std::int64_t time : *times)
        ticks.all += time;
    ticks.used = ticks.all - (*times)[3] - (*times)[4];
    ticks.own = *own;
    return ticks;
}

void MachineLoad::count() {
    const auto last = std::exchange(m_last, look());
    if (!last || !m_last)
        return;
    m_all += m_last->all - last->all;
    m_others += std::max<std::int64_t>(0, m_last->used - last->used - (m_last->own - last->own));
}

void MachineLoad::skip() { m_last = look(); }

std::optional<double> MachineLoad::othersShare() const {
    if (m_all < fewestTicks)
        return std::nullopt;
    return std::min(1.0, static_cast<double>(m_others) / static_cast<double>(m_all));
}

} // namespace accumulus

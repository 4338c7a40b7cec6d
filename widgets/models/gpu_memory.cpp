// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/gpu_memory.h"

#include "core/base/log.h"

#include <chrono>
#include <utility>

namespace accumulus::ui {

GpuMemory::GpuMemory(Query query, QObject* parent) : QObject(parent), m_query(std::move(query)) {
    m_clock.setInterval(std::chrono::seconds(1));
    connect(&m_clock, &QTimer::timeout, this, &GpuMemory::ask);
}

void GpuMemory::watch(const std::optional<DeviceConfig>& device) {
    if (std::exchange(m_device, device) == device)
        return;
    if (!device) {
        m_clock.stop();
        m_use.reset();
        return;
    }
    m_clock.start();
    ask();
}

void GpuMemory::ask() {
    if (m_asking || !m_device)
        return;
    m_asking = true;
    using Use = std::optional<MemoryUse>;
    m_lookUps.ask<Use>([query = m_query, device = *m_device]() -> Result<Use> { return query(device); },
                       [this, device = *m_device](const Result<Use>& answer) { take(device, answer); });
}

void GpuMemory::take(const DeviceConfig& device, const Result<std::optional<MemoryUse>>& answer) {
    m_asking = false;
    const std::optional<Error> failed = answer ? std::nullopt : std::optional(answer.error());
    if (std::exchange(m_failed, failed) != failed && failed)
        logWarning(describe(*failed));
    if (m_device == device)
        m_use = answer.value_or(std::nullopt);
    else
        ask();
}

} // namespace accumulus::ui

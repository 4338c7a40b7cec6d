// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/gpu_memory.h"

#include <chrono>
#include <utility>

namespace accumulus::ui {

GpuMemory::GpuMemory(Query query, QObject* parent) : QObject(parent), m_query(std::move(query)) {
    m_pool.setMaxThreadCount(1);
    m_clock.setInterval(std::chrono::seconds(1));
    connect(&m_clock, &QTimer::timeout, this, &GpuMemory::ask);
}

GpuMemory::~GpuMemory() { m_pool.waitForDone(); }

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
    m_pool.start([this, query = m_query, device = *m_device] {
        const auto use = query(device);
        QMetaObject::invokeMethod(this, [this, use, device] {
            m_asking = false;
            if (m_device == device)
                m_use = use;
            else
                ask();
        });
    });
}

} // namespace accumulus::ui

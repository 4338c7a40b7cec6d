// SPDX-License-Identifier: GPL-3.0-or-later
// How full the GPU of the run that trains is, asked once a second on another thread: a driver may take its time. GUI
// thread.
#pragma once

#include "core/base/available_memory.h"
#include "core/config/experiment_config.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <optional>

namespace accumulus::ui {

class GpuMemory : public QObject {
    Q_OBJECT
public:
    /// Called on another thread; nothing where the run computes on the CPU, or the driver does not tell.
    using Query = std::function<std::optional<MemoryUse>(const DeviceConfig&)>;

    explicit GpuMemory(Query query, QObject* parent = nullptr);
    ~GpuMemory() override; ///< waits for the question that is being answered

    void watch(const std::optional<DeviceConfig>& device); ///< nothing: no run trains here
    [[nodiscard]] const std::optional<MemoryUse>& use() const { return m_use; }

private:
    void ask();

    Query m_query;
    std::optional<DeviceConfig> m_device;
    std::optional<MemoryUse> m_use;
    QTimer m_clock;
    bool m_asking = false;
    QThreadPool m_pool;
};

} // namespace accumulus::ui

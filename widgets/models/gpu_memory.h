// SPDX-License-Identifier: GPL-3.0-or-later
// How full the GPU of the run that trains is, asked once a second on another thread: a driver may take its time. GUI
// thread.
#pragma once

#include "core/base/available_memory.h"
#include "core/config/experiment_config.h"
#include "widgets/bridge/look_ups.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>

namespace accumulus::ui {

class GpuMemory : public QObject {
    Q_OBJECT
public:
    /// Called on another thread; nothing where the run computes on the CPU, or the driver does not tell. What it throws
    /// goes to the log, once.
    using Query = std::function<std::optional<MemoryUse>(const DeviceConfig&)>;

    explicit GpuMemory(Query query, QObject* parent = nullptr);

    void watch(const std::optional<DeviceConfig>& device); ///< nothing: no run trains here
    [[nodiscard]] const std::optional<MemoryUse>& use() const { return m_use; }

private:
    void ask();
    void take(const DeviceConfig& device, const Result<std::optional<MemoryUse>>& answer);

    Query m_query;
    std::optional<DeviceConfig> m_device;
    std::optional<MemoryUse> m_use;
    QTimer m_clock;
    bool m_asking = false;
    std::optional<Error> m_failed; ///< of the last answer
    LookUps m_lookUps;
};

} // namespace accumulus::ui

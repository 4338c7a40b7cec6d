// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar: what runs, its counters, progress, remaining time, speed, queue, library and device. Follows the run
// controller by itself. GUI thread.
#pragma once

#include "core/run/device_room.h"
#include "core/run/study_runner.h"
#include "widgets/models/gpu_memory.h"
#include "widgets/models/run_progress.h"
#include "widgets/pages/page.h"

#include <QStatusBar>
#include <QTimer>

class QLabel;
class QProgressBar;
class QToolButton;

namespace accumulus::ui {

class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    /// `gpuMemory`: where its memory is asked for.
    explicit StatusLine(Services services, GpuMemory::Query gpuMemory = gpuMemoryUse, QWidget* parent = nullptr);
    void showDevice(const DeviceSummary& device);
    [[nodiscard]] const RunProgress& progress() const { return m_progress; }
    void takeOver(const RunProgress& progress); ///< of a line in another language

Q_SIGNALS:
    void queueClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QLabel* addField(const QString& name, const QString& accessibleName);
    void refresh();
    void leaveOutWhatHasNoRoom(bool remaining, bool speed, bool memory);
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString remainingText() const;
    [[nodiscard]] QString libraryText() const;
    void refreshQueue();
    [[nodiscard]] bool refreshMemory(); ///< false: not known
    void watchGpu();

    Services m_services;
    RunProgress m_progress;
    GpuMemory m_gpuMemory;
    QTimer m_timer;
    QLabel* m_state;
    QLabel* m_counters;
    QProgressBar* m_bar;
    QLabel* m_remaining;
    QLabel* m_speed;
    QToolButton* m_queue;
    QLabel* m_memory;
    QLabel* m_library;
    QLabel* m_device;
};

} // namespace accumulus::ui

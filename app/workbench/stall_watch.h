// SPDX-License-Identifier: GPL-3.0-or-later
// Notices when the GUI thread does not come round to its events, writes into the log for how long and on which page,
// and tells how much of that time it has computed itself. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>

namespace accumulus::ui {

class StallWatch : public QObject {
    Q_OBJECT
public:
    /// `place`: where the person is, for the log.
    explicit StallWatch(std::function<QString()> place, QObject* parent = nullptr);
    void begin(); ///< once the first window is shown

Q_SIGNALS:
    /// `computed`: by this thread since the turn before; little where others had the processor.
    void stalled(qint64 milliseconds, qint64 computed);

private:
    void tick();

    std::function<QString()> m_place;
    QTimer m_timer;
    QElapsedTimer m_sinceTick;
    std::chrono::nanoseconds m_computed{}; ///< until the last turn
};

} // namespace accumulus::ui

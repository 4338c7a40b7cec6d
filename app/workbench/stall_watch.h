// SPDX-License-Identifier: GPL-3.0-or-later
// Notices when the GUI thread does not come round to its events, and writes into the log for how long and on which
// page. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>

namespace accumulus::ui {

class StallWatch : public QObject {
    Q_OBJECT
public:
    /// `place`: where the person is, for the log.
    explicit StallWatch(std::function<QString()> place, QObject* parent = nullptr);
    void begin(); ///< once the first window is shown

Q_SIGNALS:
    void stalled(qint64 milliseconds);

private:
    void tick();

    std::function<QString()> m_place;
    QTimer m_timer;
    QElapsedTimer m_sinceTick;
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Looks how far the open window is, 30 times a second while something trains, and tells when that has changed. The
// trainer does not know of it. GUI thread.
#pragma once

#include "core/run/window_gauge.h"

#include <QObject>
#include <QTimer>

namespace accumulus::ui {

class WindowWatch : public QObject {
    Q_OBJECT
public:
    /// `gauge` outlives the watch.
    explicit WindowWatch(const WindowGauge& gauge, QObject* parent = nullptr);

    void start();
    void stop(); ///< after a last look
    [[nodiscard]] const WindowProgress& seen() const { return m_seen; }

Q_SIGNALS:
    void progressed(const accumulus::WindowProgress& progress);

private:
    void look();

    const WindowGauge& m_gauge;
    WindowProgress m_seen;
    QTimer m_timer;
};

} // namespace accumulus::ui

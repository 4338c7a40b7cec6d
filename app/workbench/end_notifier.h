// SPDX-License-Identifier: GPL-3.0-or-later
// Tells a person who looks elsewhere that a study has ended or failed: the window asks for attention, and the desktop
// shows a message where it can. Of failures unless switched off, of ends when switched on. Silent while the window is
// in front. GUI thread.
#pragma once

#include "app/workbench/desktop_attention.h"
#include "widgets/bridge/run_controller.h"

#include <QObject>
#include <memory>

class QAction;
class QWidget;

namespace accumulus::ui {

class EndNotifier : public QObject {
    Q_OBJECT
public:
    /// The actions are checkable, and remembered; `window` owns the notifier.
    EndNotifier(RunController& runs, QAction& ends, QAction& failures, QWidget& window,
                std::unique_ptr<DesktopAttention> attention = std::make_unique<DesktopAttention>());

Q_SIGNALS:
    void notified(const QString& title, const QString& text);

private:
    void remember(QAction& action, const char* key, bool preset);
    void notify(const QString& title, const QString& text, bool failure);
    void studyFinished(bool stopped);

    RunController& m_runs;
    QAction& m_ends;
    QAction& m_failures;
    QWidget& m_window;
    std::unique_ptr<DesktopAttention> m_attention;
    bool m_failed = false; ///< the study that trains, and it was told
};

} // namespace accumulus::ui

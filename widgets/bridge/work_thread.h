// SPDX-License-Identifier: GPL-3.0-or-later
// A thread that works through what is posted, in order. Its owner waits at the end until all of it is done. Post from
// any thread.
#pragma once

#include <QString>
#include <QThread>
#include <functional>

namespace accumulus::ui {

class WorkThread {
public:
    explicit WorkThread(const QString& name);
    ~WorkThread();
    WorkThread(const WorkThread&) = delete;
    WorkThread& operator=(const WorkThread&) = delete;

    /// `work` throws nothing.
    void post(std::function<void()> work);

private:
    QThread m_thread;
    QObject* m_host; ///< lives in m_thread
};

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Computes on a thread of its own what a widget wants to show. Only the newest order counts: it supersedes those before
// it, whose results are dropped. GUI thread.
#pragma once

#include <QMutex>
#include <QObject>
#include <QThreadPool>
#include <functional>
#include <optional>
#include <stop_token>

namespace accumulus::ui {

class NewestWork : public QObject {
    Q_OBJECT
public:
    using Deliver = std::function<void()>;
    /// On the other thread; gives what is to be done with the result on the GUI thread. It may end early, with nothing,
    /// once it is asked to stop. What it throws goes to the log.
    using Work = std::function<Deliver(const std::stop_token&)>;

    explicit NewestWork(QObject* parent = nullptr);
    ~NewestWork() override; ///< waits for the thread; delivers nothing any more

    void start(Work work);
    void cancel();
    [[nodiscard]] bool busy() const { return m_busy; }
    void finish(); ///< waits for what was ordered, and delivers it

Q_SIGNALS:
    void idle(); ///< the newest order has been delivered, or has failed

private:
    struct Result {
        quint64 order = 0;
        Deliver deliver;
    };
    void deliver();

    QThreadPool m_pool;
    std::stop_source m_stop;
    quint64 m_order = 0;
    bool m_busy = false;
    QMutex m_lock;
    std::optional<Result> m_result; ///< under the lock
};

} // namespace accumulus::ui

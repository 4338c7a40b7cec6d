// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/background_thread.h"

#include <QThread>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace accumulus::ui {

void startInBackground(QThread& thread) {
#ifdef __linux__
    // QThread's priorities mean nothing to Linux's default scheduler; a thread's nice value does. At 5 it has a third
    // of the weight of one at 0 (sched(7)).
    constexpr int lower = 5;
    QObject::connect(
        &thread, &QThread::started, &thread,
        [] {
            const auto self = static_cast<id_t>(gettid());
            setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self) + lower);
        },
        Qt::DirectConnection);
    thread.start();
#else
    thread.start(QThread::LowPriority);
#endif
}

} // namespace accumulus::ui

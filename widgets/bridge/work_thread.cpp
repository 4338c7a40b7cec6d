// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/work_thread.h"

#include <QMetaObject>
#include <QObject>
#include <utility>

namespace accumulus::ui {

WorkThread::WorkThread(const QString& name) : m_host(new QObject) {
    m_host->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_host, &QObject::deleteLater);
    m_thread.setObjectName(name);
    m_thread.start();
}

WorkThread::~WorkThread() {
    post([this] { m_thread.quit(); }); // behind all that was posted before
    m_thread.wait();
}

void WorkThread::post(std::function<void()> work) {
    QMetaObject::invokeMethod(m_host, std::move(work), Qt::QueuedConnection);
}

} // namespace accumulus::ui

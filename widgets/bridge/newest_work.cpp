// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/newest_work.h"

#include "core/base/log.h"

#include <QMutexLocker>
#include <exception>
#include <utility>

namespace accumulus::ui {

NewestWork::NewestWork(QObject* parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

NewestWork::~NewestWork() {
    m_stop.request_stop();
    m_pool.clear();
    m_pool.waitForDone();
}

void NewestWork::start(Work work) {
    cancel();
    m_stop = std::stop_source();
    m_busy = true;
    m_pool.start([this, order = m_order, stop = m_stop.get_token(), work = std::move(work)] {
        Deliver deliver;
        try {
            if (!stop.stop_requested())
                deliver = work(stop);
        } catch (const std::exception& exception) {
            logWarning(exception.what());
        }
        {
            const QMutexLocker locked(&m_lock);
            m_result = Result{order, std::move(deliver)};
        }
        // The destructor waits for this, so `this` is alive here; what is still queued then is dropped by QObject.
        QMetaObject::invokeMethod(
            this, [this] { this->deliver(); }, Qt::QueuedConnection);
    });
}

void NewestWork::cancel() {
    m_stop.request_stop();
    m_pool.clear();
    ++m_order;
    m_busy = false;
}

void NewestWork::finish() {
    if (!m_busy)
        return;
    m_pool.waitForDone();
    deliver();
}

void NewestWork::deliver() {
    std::optional<Result> result;
    {
        const QMutexLocker locked(&m_lock);
        result = std::exchange(m_result, std::nullopt);
    }
    if (!result || result->order != m_order || !m_busy)
        return;
    m_busy = false;
    if (result->deliver)
        result->deliver();
    Q_EMIT idle();
}

} // namespace accumulus::ui

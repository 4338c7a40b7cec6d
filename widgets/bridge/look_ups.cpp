// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/look_ups.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QMutex>
#include <QMutexLocker>
#include <QThreadPool>

namespace accumulus::ui {

namespace {
constexpr auto thrownCode = "internal.exception";
}

struct LookUps::Mailbox {
    QMutex lock;
    QObject* receiver = nullptr; ///< null: its owner has gone
};

LookUps::LookUps(AtEnd atEnd) : m_atEnd(atEnd), m_pool(new QThreadPool), m_mailbox(std::make_shared<Mailbox>()) {
    m_pool->setMaxThreadCount(1);
    m_mailbox->receiver = &m_here;
}

LookUps::~LookUps() {
    {
        const QMutexLocker locked(&m_mailbox->lock);
        m_mailbox->receiver = nullptr;
    }
    if (m_atEnd == AtEnd::Drop)
        m_pool->clear();
    // It goes behind what is under way; where the program ends before that, the application waits for its children.
    m_pool->setParent(QCoreApplication::instance());
    m_pool->start([pool = m_pool] { pool->deleteLater(); });
}

void LookUps::clear() { m_pool->clear(); }

void LookUps::start(std::function<Deliver()> work) {
    m_pool->start([work = std::move(work), mailbox = m_mailbox] {
        Deliver deliver = work();
        const QMutexLocker locked(&mailbox->lock);
        if (mailbox->receiver)
            QMetaObject::invokeMethod(mailbox->receiver, std::move(deliver), Qt::QueuedConnection);
    });
}

bool LookUps::wasThrown(const Error& error) { return error.code == thrownCode; }

Error LookUps::thrown(const char* what) { return {thrownCode, {{"place", "place.look-up"}, {"reason", what}}}; }

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/audit_runner.h"

#include "widgets/bridge/background_thread.h"

#include <QElapsedTimer>
#include <exception>

namespace accumulus::ui {
namespace {

constexpr int progressInterval = 50; // milliseconds

/// Whatever escapes the core must not unwind into Qt's event loop, which would end the program.
Result<GradientAudit> guarded(const std::function<Result<GradientAudit>()>& audit) {
    try {
        return audit();
    } catch (const std::exception& exception) {
        return failure("internal.exception", {{"place", "place.audit"}, {"reason", exception.what()}});
    }
}

} // namespace

AuditRunner::AuditRunner(AuditEngine engine, QObject* parent)
    : QObject(parent), m_engine(std::move(engine)), m_worker(new QObject) {
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("audit"));
    startInBackground(m_thread);
}

AuditRunner::~AuditRunner() {
    m_stop.request_stop();
    m_thread.quit();
    m_thread.wait();
}

void AuditRunner::start(const AuditRequest& request, const std::filesystem::path& library, bool keeps) {
    if (m_busy)
        return;
    m_busy = true;
    m_stop = std::stop_source();
    QMetaObject::invokeMethod(
        m_worker, [this, request, library, keeps, stop = m_stop.get_token()] { work(request, library, keeps, stop); },
        Qt::QueuedConnection);
    Q_EMIT started();
}

void AuditRunner::cancel() { m_stop.request_stop(); }

void AuditRunner::work(const AuditRequest& request, const std::filesystem::path& library, bool keeps,
                       std::stop_token stop) {
    QElapsedTimer sinceTold;
    const AuditProgress progress = [&](double share, const Message& what) {
        if (sinceTold.isValid() && sinceTold.elapsed() < progressInterval)
            return;
        sinceTold.start();
        QMetaObject::invokeMethod(
            this, [this, share, what] { Q_EMIT progressed(share, what); }, Qt::QueuedConnection);
    };
    Status stored;
    auto result = guarded([&] {
        auto audit = m_engine.audit(request, library, progress, std::move(stop));
        if (audit && !audit->fault && !request.fault)
            stored =
                keeps ? m_engine.store(library, request, *audit)
                      : Status(failure("library.write", {{"file", library.string()}, {"reason", "reason.read-only"}}));
        return audit;
    });
    QMetaObject::invokeMethod(
        this, [this, result = std::move(result), stored] { finish(result, stored); }, Qt::QueuedConnection);
}

void AuditRunner::finish(const Result<GradientAudit>& result, const Status& stored) {
    m_busy = false;
    Q_EMIT ended();
    if (!result) {
        Q_EMIT failed(result.error());
        return;
    }
    if (!stored)
        Q_EMIT notStored(stored.error());
    Q_EMIT audited(*result);
}

} // namespace accumulus::ui

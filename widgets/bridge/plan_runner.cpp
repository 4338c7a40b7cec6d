// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/plan_runner.h"

#include "widgets/bridge/background_thread.h"

#include <exception>
#include <utility>

namespace accumulus::ui {

namespace {

/// Whatever escapes the core must not unwind into Qt's event loop, which would end the program.
template <class Work>
auto guarded(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::exception& exception) {
        return failure("internal.exception", {{"place", "place.planning"}, {"reason", exception.what()}});
    }
}

} // namespace

PlanRunner::PlanRunner(PlanSource source, QObject* parent)
    : QObject(parent), m_source(std::move(source)), m_worker(new QObject) {
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("planner"));
    startInBackground(m_thread);
}

PlanRunner::~PlanRunner() {
    m_stop.request_stop();
    m_thread.quit();
    m_thread.wait();
}

void PlanRunner::start(const PlanRequest& request, const std::filesystem::path& library, Complete complete) {
    if (m_busy)
        return;
    m_busy = true;
    m_request = request;
    m_soFar.reset();
    m_stop = {};
    QMetaObject::invokeMethod(
        m_worker,
        [this, asked = request, library, complete = std::move(complete), stop = m_stop.get_token()] {
            // The destructor waits for this thread, so `this` is alive; what is still queued then is dropped by Qt.
            const auto progress = [this](const MicroPlan& soFar) {
                QMetaObject::invokeMethod(
                    this,
                    [this, soFar] {
                        m_soFar = soFar;
                        Q_EMIT progressed(soFar);
                    },
                    Qt::QueuedConnection);
            };
            PlanRequest full = asked;
            const auto outcome = guarded([&] {
                if (complete)
                    complete(full);
                return m_source.measure(full, progress, stop);
            });
            Status stored;
            if (outcome && !outcome->cancelled && !library.empty())
                stored = guarded([&] { return m_source.store(library, full, *outcome); });
            QMetaObject::invokeMethod(
                this, [this, outcome, stored] { measured(outcome, stored); }, Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
    Q_EMIT started();
}

void PlanRunner::cancel() { m_stop.request_stop(); }

void PlanRunner::measured(const Result<MicroPlan>& outcome, const Status& stored) {
    m_busy = false;
    if (!outcome) {
        Q_EMIT failed(outcome.error());
        return;
    }
    m_soFar = *outcome;
    if (!stored)
        Q_EMIT notStored(stored.error());
    Q_EMIT finished(*outcome);
}

} // namespace accumulus::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The GUI's side of an audit: one at a time, on a thread of its own. Lives in the GUI thread and never waits there, but
// for its destructor, which cancels.
#pragma once

#include "core/run/gradient_audits.h"

#include <QObject>
#include <QThread>
#include <filesystem>
#include <functional>
#include <stop_token>

namespace accumulus::ui {

/// Who computes and keeps audits; called on the runner's thread. Tests bring their own.
struct AuditEngine {
    std::function<Result<GradientAudit>(const AuditRequest&, const std::filesystem::path& library, const AuditProgress&,
                                        std::stop_token)>
        audit;
    std::function<Status(const std::filesystem::path& library, const AuditRequest&, const GradientAudit&)> store;
};

/// The engine that trains.
[[nodiscard]] AuditEngine trainingAudits();

class AuditRunner : public QObject {
    Q_OBJECT
public:
    explicit AuditRunner(AuditEngine engine, QObject* parent = nullptr);
    ~AuditRunner() override; ///< cancels and waits

    /// Ignored while one is computed. The result is kept in the library, unless a fault was built in on purpose.
    /// `keeps`: the result goes to the library, which else may only be read.
    void start(const AuditRequest& request, const std::filesystem::path& library, bool keeps = true);
    void cancel(); ///< failed() with "audit.cancelled" follows
    [[nodiscard]] bool busy() const { return m_busy; }

Q_SIGNALS:
    void started();
    void progressed(double share, const accumulus::Message& what); ///< share in 0..1; at most 20 times a second
    void ended();                                                  ///< with or without a result, which follows
    void audited(const accumulus::GradientAudit& audit);
    void notStored(const accumulus::Error& error); ///< before audited(): there is a result, but the library lacks it
    void failed(const accumulus::Error& error);

private:
    void work(const AuditRequest& request, const std::filesystem::path& library, bool keeps, std::stop_token stop);
    void finish(const Result<GradientAudit>& result, const Status& stored);

    AuditEngine m_engine;
    QThread m_thread;
    QObject* m_worker; ///< lives in the thread
    std::stop_source m_stop;
    bool m_busy = false;
};

} // namespace accumulus::ui

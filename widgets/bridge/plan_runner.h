// SPDX-License-Identifier: GPL-3.0-or-later
// Measures plans of the micro-batch on a thread of its own, one at a time, and keeps them in the library. The sweep
// runs in child processes, so training beside it goes on. GUI thread; nothing here waits but the destructor, after a
// cancel.
#pragma once

#include "core/analysis/micro_plan.h"
#include "core/base/result.h"
#include "core/launch/micro_sweep.h"
#include "core/run/micro_planner.h"

#include <QObject>
#include <QThread>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>

namespace accumulus::ui {

/// Where plans come from; called on other threads.
struct PlanSource {
    std::function<Result<MicroPlan>(const PlanRequest&, const PlanProgress&, std::stop_token)> measure;
    std::function<Status(const std::filesystem::path&, const PlanRequest&, const MicroPlan&)> store;
    std::function<Result<std::optional<MicroPlan>>(const std::filesystem::path&, const PlanRequest&)> stored;
};

/// The engine's own planner.
[[nodiscard]] PlanSource enginePlans();

class PlanRunner : public QObject {
    Q_OBJECT
public:
    explicit PlanRunner(PlanSource source, QObject* parent = nullptr);
    ~PlanRunner() override; ///< cancels and waits

    /// Adds to the request what has to be looked up first; on the runner's thread.
    using Complete = std::function<void(PlanRequest&)>;
    /// Ignored while one is being measured. `library`: where it is kept; empty: nowhere.
    void start(const PlanRequest& request, const std::filesystem::path& library, Complete complete = {});
    void cancel();
    [[nodiscard]] bool busy() const { return m_busy; }
    /// Of the running or last sweep, as it was asked for.
    [[nodiscard]] const PlanRequest& request() const { return m_request; }
    [[nodiscard]] const std::optional<MicroPlan>& soFar() const { return m_soFar; }
    [[nodiscard]] const PlanSource& source() const { return m_source; }

Q_SIGNALS:
    void started();
    void progressed(const accumulus::MicroPlan& soFar); ///< after each size
    /// A cancelled one has cancelled = true and is not kept. `busy` is false when this comes.
    void finished(const accumulus::MicroPlan& plan);
    void failed(const accumulus::Error& error);    ///< no plan
    void notStored(const accumulus::Error& error); ///< before finished()

private:
    void measured(const Result<MicroPlan>& outcome, const Status& stored);

    PlanSource m_source;
    QThread m_thread;
    QObject* m_worker; ///< lives in m_thread
    std::stop_source m_stop;
    PlanRequest m_request;
    std::optional<MicroPlan> m_soFar;
    bool m_busy = false;
};

} // namespace accumulus::ui

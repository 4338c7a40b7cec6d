// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunStore that keeps what audits and planner found.
#include "core/store/run_store_impl.h"

namespace accumulus {

Status RunStore::addAudit(const AuditRecord& audit) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        Query(
            connection,
            "INSERT INTO audits (id, created_at, configuration, run, fault, verdict, pattern, worst_error, tolerance, "
            "result) VALUES (?, ?, ?, nullif(?, ''), nullif(?, ''), ?, nullif(?, ''), ?, ?, ?)",
            audit.id, audit.createdAt, audit.configuration, audit.run, audit.fault, audit.verdict, audit.pattern,
            audit.worstError, audit.tolerance, audit.result)
            .run();
        return {};
    });
}

Status RunStore::putPlan(const PlanRecord& plan) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        Query(connection, "INSERT OR REPLACE INTO plans (key, created_at, result) VALUES (?, ?, ?)", plan.key,
              plan.createdAt, plan.result)
            .run();
        return {};
    });
}

} // namespace accumulus

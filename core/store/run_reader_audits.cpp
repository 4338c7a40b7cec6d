// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunReader that knows what audits and planner found.
#include "core/store/connection.h"
#include "core/store/run_reader.h"

namespace accumulus {

Result<std::vector<AuditRecord>> RunReader::audits(bool results, bool faults) {
    return library().connection().guarded(Access::Read, [&]() -> Result<std::vector<AuditRecord>> {
        std::vector<AuditRecord> audits;
        Query query(library().connection(),
                    "SELECT id, created_at, configuration, coalesce(run, ''), coalesce(fault, ''), verdict, "
                    "coalesce(pattern, ''), worst_error, tolerance, CASE WHEN ? THEN result ELSE '' END FROM audits "
                    "WHERE ? OR fault IS NULL ORDER BY created_at DESC, rowid DESC",
                    results, faults);
        while (query.step()) {
            AuditRecord audit;
            audit.id = query.text();
            audit.createdAt = query.realOrZero();
            for (std::string* text : {&audit.configuration, &audit.run, &audit.fault, &audit.verdict, &audit.pattern})
                *text = query.text();
            audit.worstError = query.real();
            audit.tolerance = query.real();
            audit.result = query.text();
            audits.push_back(std::move(audit));
        }
        return audits;
    });
}

Result<std::optional<PlanRecord>> RunReader::plan(const std::string& key) {
    return library().connection().guarded(Access::Read, [&]() -> Result<std::optional<PlanRecord>> {
        Query query(library().connection(), "SELECT key, created_at, result FROM plans WHERE key = ?", key);
        if (!query.step())
            return std::nullopt;
        PlanRecord plan;
        plan.key = query.text();
        plan.createdAt = query.realOrZero();
        plan.result = query.text();
        return plan;
    });
}

} // namespace accumulus

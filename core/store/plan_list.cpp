// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/plan_list.h"

#include "core/store/connection.h"

namespace accumulus {

Result<std::vector<PlanRecord>> storedPlans(RunReader& reader) {
    Library::Connection& connection = reader.library().connection();
    return connection.guarded(Access::Read, [&]() -> Result<std::vector<PlanRecord>> {
        std::vector<PlanRecord> plans;
        Query query(connection, "SELECT key, created_at, result FROM plans ORDER BY created_at DESC, key");
        while (query.step()) {
            PlanRecord& plan = plans.emplace_back();
            plan.key = query.text();
            plan.createdAt = query.realOrZero();
            plan.result = query.text();
        }
        return plans;
    });
}

} // namespace accumulus
